"""The deck on any screen: dark by key, measured, and light on paper; a check of the projector; windows of every shape; forced colours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import CANVAS, FACTS, Visit, none, opened_deck, rgb
from page.theme_css import colours

from figures.kit.style import SIZES, contrast
from figures.kit.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORDS = Words("screen").named("said")
WINDOW = (SIZES.width, SIZES.height)
GROUND = "getComputedStyle(document.querySelector('.reveal-viewport')).backgroundColor"
DRAWN = "getComputedStyle(document.querySelector('.figure svg text')).fill"
PAINTED = "document.fonts.ready.then(() => new Promise((painted) => requestAnimationFrame(() => painted())))"
# The smallest text that stands in a row of its own: measured by walking the texts, not by the names of their elements.
SMALLEST = """() => {
  let least = Infinity;
  for (const slide of document.querySelectorAll('.slides > section')) {
    const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.parentElement;
      if (text.textContent.trim() && text.matches('.figure svg text')) least = Math.min(least, parseFloat(getComputedStyle(text).fontSize));
    }
  }
  return least;
}"""


def hexes(colour: str) -> str:
    return "#" + "".join(f"{round(part * 255):02X}" for part in rgb(colour))


@pytest.fixture
def dark(browser: Browser, deck_file: Path) -> Iterator[tuple[Page, Visit]]:
    """The deck in a browser that keeps things, made dark by its key."""
    context = browser.new_context(viewport={"width": WINDOW[0], "height": WINDOW[1]})
    visit = Visit()
    page = context.new_page()
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.goto(deck_file.as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    page.keyboard.press("t")
    yield page, visit
    assert visit.errors == []
    context.close()


def test_the_dark_deck_has_the_theme_s_colours_and_can_be_read_everywhere(dark: tuple[Page, Visit]):
    page, visit = dark
    assert hexes(page.evaluate(GROUND)) == colours("dark")["ground"]
    for number in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate(f"Reveal.slide({number}, 0, 999)")
        page.evaluate(PAINTED)
        visit.slides.append(page.evaluate(f"({FACTS})({json.dumps(CANVAS)})"))
    none(visit.faults("faint", "overlap", "outside"))


def test_it_stays_dark_over_a_reload_and_is_light_on_paper_and_after_the_key(dark: tuple[Page, Visit]):
    page, _ = dark
    in_the_dark = rgb(page.evaluate(DRAWN))
    assert contrast(in_the_dark, colours("dark")["ground"]) >= 4.5
    page.reload()
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    assert rgb(page.evaluate(DRAWN)) == in_the_dark and hexes(page.evaluate(GROUND)) == colours("dark")["ground"]
    page.emulate_media(media="print")
    assert hexes(page.evaluate(GROUND)) == colours("light")["ground"]
    assert contrast(rgb(page.evaluate(DRAWN)), colours("light")["ground"]) >= 4.5
    page.emulate_media(media="screen")
    page.keyboard.press("t")
    assert hexes(page.evaluate(GROUND)) == colours("light")["ground"]
    page.reload()
    assert hexes(page.evaluate(GROUND)) == colours("light")["ground"]


def test_the_projector_is_checked_by_a_key_that_turns_no_slide(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, WINDOW, Visit(), "#/1")
    page.keyboard.press("v")
    check = page.get_by_role("dialog", name=WORDS["check"])
    least = page.evaluate(SMALLEST)
    assert check.get_by_role("heading", name=WORDS["smallest"].replace("{size}", f"{least:g}")).count() == 1
    line = check.get_by_text(WORDS["sample"])
    assert line.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)") == least
    shown = {
        item.inner_text(): item.evaluate("(e) => getComputedStyle(e, '::before').backgroundColor") for item in check.locator("li").all()
    }
    named = {WORDS.get(name.replace("-", "_"), name): colour for name, colour in colours("light").items()}
    assert {name: hexes(colour) for name, colour in shown.items()} == {name: named[name].upper() for name in shown}
    assert {WORDS[name] for name in ("ground", "ink", "stress")} <= set(shown)
    assert check.evaluate("(e) => e.scrollHeight <= e.clientHeight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert not check.is_visible() and page.evaluate("Reveal.getIndices().h") == 1 and not page.evaluate("Reveal.isOverview()")
    page.close()


@pytest.mark.parametrize("window", [(1024, 768), (1280, 800), (2560, 1080), (3840, 1080), (3840, 2160)])
def test_the_slides_fill_every_screen(browser: Browser, deck_file: Path, window: tuple[int, int]):
    page = opened_deck(browser, deck_file, window, Visit())
    assert page.evaluate("Reveal.getScale()") == pytest.approx(min(window[0] / SIZES.width, window[1] / SIZES.height))
    page.close()


def test_forced_colours_hide_no_part_of_a_heat_map(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, WINDOW, Visit(), forced_colors="active", color_scheme="dark")
    slide = page.evaluate("[...document.querySelectorAll('[data-sim=matrix]')].map((e) => e.closest('section').id)[0] ?? ''")
    if not slide:
        pytest.skip("the lecture has no heat map")
    page.evaluate("(id) => (location.hash = `#/${id}`)", slide)
    page.wait_for_selector("section.present .sim-heat canvas")
    grounds = page.eval_on_selector_all("section.present .sim-heat svg", "(all) => all.map((e) => getComputedStyle(e).backgroundColor)")
    assert set(grounds) == {"rgba(0, 0, 0, 0)"}
    pairs = page.eval_on_selector_all(
        "section.present .sim-heat-heads span",
        "(all) => all.map((e) => [getComputedStyle(e).color, getComputedStyle(e.closest('.sim-heat')).backgroundColor])",
    )
    assert pairs and all(contrast(rgb(ink), rgb(ground)) >= 4.5 for ink, ground in pairs)
    page.close()
