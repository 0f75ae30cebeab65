"""The deck in Firefox and in WebKit: the view to read, and where and how large a formula's letters stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from engines import ENGINES, READY, tab

READING = """
  document.querySelector(".deck-tools .reading").click();
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  const boxes = [...document.querySelectorAll(".slides > section")].map((slide) => slide.getBoundingClientRect());
  const aside = "svg, math, .sim-heard, aside.notes, .figure-values";
  const wide = [...document.querySelectorAll(".slides > section *")].filter((e) => !e.closest(aside));
  const held = (e) => e.parentElement && (/auto|scroll/.test(getComputedStyle(e.parentElement).overflowX) || held(e.parentElement));
  const cut = wide.filter((e) => e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1 && !held(e));
  document.querySelector(".deck-tools .reading").click();
  return {
    stacked: boxes.every((box, i) => box.height > 40 && (i === 0 || box.top >= boxes[i - 1].bottom - 1)),
    cut: cut.map((e) => `${e.closest("section").id} ${e.localName}`),
    back: document.documentElement.classList.contains("presenting"),
  };
"""
# A letter beside the same letter in a formula, in a title and in a paragraph; words on the line and in an exponent.
LETTERS = """
  const slide = document.querySelector("section.slide");
  Reveal.slide(Reveal.getIndices(slide).h);
  const boxes = (tag) => {
    const line = document.createElement(tag);
    line.innerHTML = "<span>x</span><span style='display:inline-block;width:1px;height:1px'></span><math><mi>x</mi></math>";
    slide.prepend(line);
    const [, foot, math] = [...line.children].map((e) => e.getBoundingClientRect());
    const off = foot.bottom - line.querySelector("mi").getBoundingClientRect().bottom;
    const size = parseFloat(getComputedStyle(line).fontSize);
    line.innerHTML = "<math><mtext>soma</mtext></math><math><msup><mi>e</mi><mtext>soma</mtext></msup></math>";
    const [whole, raised] = [...line.querySelectorAll("mtext")].map((e) => e.getBoundingClientRect().width);
    line.remove();
    return { off: off / size, exponent: raised / whole };
  };
  return { h2: boxes("h2"), p: boxes("p") };
"""


@pytest.fixture(scope="module", params=ENGINES)
def opened(request: pytest.FixtureRequest, deck_file: Path) -> Iterator[Any]:
    for one in tab(request.param):
        one.open(deck_file.as_uri())
        one.run(READY)
        yield one


def test_the_slides_stand_one_below_another_to_read(opened: Any):
    seen = opened.run(READING)
    assert seen == {"stacked": True, "cut": [], "back": True}


def test_formulas_stand_on_their_line_in_titles_too_and_their_exponents_are_small(opened: Any):
    seen = opened.run(LETTERS)
    assert abs(seen["h2"]["off"] - seen["p"]["off"]) < 0.1, seen  # an engine may measure a letter's box otherwise, but everywhere alike
    assert all(place["exponent"] < 0.85 for place in seen.values()), seen
