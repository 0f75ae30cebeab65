"""What a simulator shows on paper is what it opens with: the same series in the same looks, the same words, scales and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import drawings
import pytest
import sim_page
from drawings import Drawing, Look

from figures import simulators
from figures.kit import theme

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# What each simulator shows of its state, its controls aside: on paper the same has to stand.
SHOWN = {
    "gradient": (".gradient-value > span", ".gradient-value strong", "svg .tick", "svg .end"),
    "bpe": (".bpe-piece", ".bpe-phrase strong", ".bpe-ranking :is(h3, .sim-bar-name, .sim-bar-text)"),
    "banco": (".banco-plane :is(h3, text)", ".banco-steps :is(th, td)", ".banco-verdict :is(div, strong)"),
    "matrix": (".sim-heat-heads span", ".sim-heat text", ".matrix-row :is(h3, strong, span)"),
    "multihead": (".multihead-code code", ".multihead-code span:last-child", ".multihead-made :is(td, th, caption)"),
    "cache": (".cache-verdict :is(strong, span)", ".cache-main svg text"),
    "chain": (".sim-matrix-box :is(td, th)", ".sim-matrix-name > :not(small)"),
    "running": (".sim-matrix-box :is(td, th)", ".sim-matrix-name > :not(small)"),
}
# Every drawn part of a series: its name, its colour, the strokes of its line in widths of it, its marker.
DRAWN = """(root) => [...root.querySelectorAll('[data-series]')].filter((e) => /^(path|rect)$/.test(e.tagName)).map((e) => {
  const style = getComputedStyle(e), line = e.classList.contains('line');
  const strokes = line && style.strokeDasharray !== 'none' ? style.strokeDasharray.split(',').map(parseFloat) : [];
  return { series: e.dataset.series, colour: line ? style.stroke : style.fill,
           dash: strokes.map((s) => s / parseFloat(style.strokeWidth)), marker: e.dataset.marker ?? '' } })"""
TEXTS = """(root, selectors) => [...root.querySelectorAll(selectors)].map((e) => e.textContent)"""
BARS = """(root) => [...root.querySelectorAll('.sim-bar-line')].map((e) => [e.children[0].textContent,
  new DOMMatrix(getComputedStyle(e.children[1]).transform).a, getComputedStyle(e.children[1]).backgroundColor])"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Every simulator, each in the state that paper shows."""
    made = [getattr(simulators, name)() for name in sim_page.NAMES]
    file = tmp_path_factory.mktemp("paper") / "page.html"
    file.write_text(sim_page.article([replace(one, opening=one.on_paper or one.opening) for one in made], faces=True), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(file.as_uri())
    page.wait_for_selector(f".sim-{sim_page.NAMES[-1]}")
    yield page
    page.close()


def live(page: Page, name: str, what: str, *more: Any) -> Any:
    return page.locator(f".sim-live.sim-{name}").evaluate(what, *more)


@cache
def paper(name: str) -> Drawing:
    return drawings.read(getattr(simulators, name)().picture().figure)


def close(text: str) -> str:
    """A text without spaces and capitals, which formulas set in ways of their own."""
    return text.replace(" ", "").casefold()


def hex_of(rgb: str) -> str:
    return "#" + "".join(f"{int(part):02X}" for part in re.findall(r"\d+", rgb)[:3])


@pytest.mark.parametrize("name", [name for name in sim_page.NAMES if getattr(simulators, name)().series])
def test_a_series_looks_the_same_in_the_browser_on_paper_and_in_the_theme(name: str, page: Page) -> None:
    seen: dict[str, Look] = {}
    for part in live(page, name, DRAWN):
        before = seen.get(part["series"], Look(hex_of(part["colour"]), (), ""))
        assert before.colour == hex_of(part["colour"])
        dash = tuple(round(stroke, 2) for stroke in part["dash"])
        seen[part["series"]] = Look(before.colour, before.dash or dash, before.marker or part["marker"])
    on_paper = paper(name).looks()
    assert set(seen) == set(getattr(simulators, name)().series)
    assert {series: on_paper[series] for series in seen} == seen
    for series, look in seen.items():
        told = theme.look(series)
        assert look.colour == told.ink.upper()
        assert look.marker in ("", told.marker) and look.dash in ((), theme.DASHES[told.line])


@pytest.mark.parametrize("name", sim_page.NAMES)
def test_what_a_simulator_shows_stands_on_paper(name: str, page: Page) -> None:
    words = [close(word) for word in paper(name).words()]
    shown = {close(drawings.plain(text)) for text in live(page, name, TEXTS, ", ".join(SHOWN[name]))} - {""}
    assert len(shown) > 4
    assert not (missing := [text for text in shown if not any(text in word for word in words)]), (missing, words)


def test_a_gradient_s_axes_are_the_same(page: Page) -> None:
    (panel,) = paper("gradient").panels
    ticks = [drawings.plain(text) for text in live(page, "gradient", TEXTS, "svg .tick")]
    assert panel.scale("y") == "log" and panel.scale("x") == "linear"
    assert {*panel.ticks("x"), *panel.ticks("y")} <= {*ticks}
    assert panel.ticks("y")["1"] == 1 and panel.ticks("y")["10⁻⁵"] == pytest.approx(1e-5)


@pytest.mark.parametrize("name", ["bpe", "matrix"])
def test_bars_are_as_long_and_as_coloured(name: str, page: Page) -> None:
    on_paper = [bar for panel in paper(name).panels for bar in panel.bars if bar.series == "bar"]
    seen = live(page, name, BARS)
    lengths, shares = [bar.width for bar in on_paper], [share for _, share, _ in seen]
    assert [length / max(lengths) for length in lengths] == pytest.approx([share / max(shares) for share in shares], abs=1e-3)
    assert [bar.colour for bar in on_paper] == [hex_of(colour) for _, _, colour in seen]


def test_every_simulator_says_what_paper_has_to_show() -> None:
    assert set(SHOWN) == set(sim_page.NAMES)
