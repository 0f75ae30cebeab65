"""The simulators in Firefox and in WebKit, where these are installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sim_page
from engines import ENGINES, READY, tab

from figures.kit.simulator import golden

GO = """
  Reveal.slide({n});
  const until = Date.now() + 5000;
  while (!document.querySelector('section.present .sim-live') && Date.now() < until) await new Promise((done) => setTimeout(done, 50));
  const live = document.querySelector('section.present .sim-live');
"""
ALL = """
  for (const range of live.querySelectorAll('input[type=range]')) {
    range.value = range.max;
    range.dispatchEvent(new Event('input', { bubbles: true }));
  }
  for (const toggle of live.querySelectorAll('[role=switch]')) toggle.click();
  const sound = !/NaN|undefined|Infinity/.test(live.innerText);
  const [reset, verify] = live.querySelectorAll('.sim-foot button');
  verify.click();
  const told = live.querySelector('.sim-report').innerText;
  reset.click();
  const slide = live.closest('section');
  return { sound, told, fits: slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth };
"""


@pytest.fixture(scope="module", params=ENGINES)
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    file: Path = tmp_path_factory.mktemp("engine") / "deck.html"
    file.write_text(sim_page.deck(map(sim_page.made, sim_page.ALL), faces=True), encoding="utf-8")
    for one in tab(request.param):
        one.open(file.as_uri())
        one.run(READY)
        yield one


@pytest.mark.parametrize("name", sim_page.ALL)
def test_it_runs_from_a_file_and_agrees_with_python(name: str, opened: Any) -> None:
    seen = opened.run(GO.replace("{n}", str(1 + sim_page.ALL.index(name))) + ALL)
    equal, total = seen["told"].split(" estados")[0].split(" de ")
    assert int(equal) == int(total) > golden().checked
    assert seen["sound"]
    assert seen["fits"]
