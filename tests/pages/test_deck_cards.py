"""The cards of the deck and of the chapter, in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import card

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def slides(browser: Browser, deck_file: Path) -> Iterator[Page]:
    """The deck itself, on the slide of the four steps."""
    opened = browser.new_page(viewport={"width": 1280, "height": 720})
    opened.faults = []  # type: ignore[attr-defined]
    opened.on("console", lambda message: opened.faults.append(message.text) if message.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else opened.faults.append(request.url))
    opened.goto(deck_file.as_uri() + "#/sec-quatro-passos")
    opened.wait_for_function("window.Reveal && Reveal.isReady()")
    yield opened
    opened.close()


def test_every_mark_of_the_deck_has_a_card(slides):
    ids = {entry["n"]: entry["id"] for entry in json.loads(slides.locator("script#ledger").text_content())["entries"]}
    marks = slides.eval_on_selector_all("[data-n]", "marks => marks.map((mark) => mark.dataset.n)")
    found = {int(mark.split("-")[0]) for mark in marks}
    assert found <= ids.keys()
    assert {ids[n] for n in found} == set(ids.values()), "what is shown twice by the same words stands twice under its last mark"


def test_on_a_slide_the_key_marks_and_esc_closes_without_the_overview(slides):
    slides.keyboard.press("i")
    cell = slides.locator("section.present td [data-n]").first
    cell.hover()
    assert "hand_example.four_steps()" in card(slides) and "hand_example.yml" in card(slides)
    slides.keyboard.press("Escape")
    assert card(slides) == "" and not slides.evaluate("Reveal.isOverview()")
    slides.keyboard.press("Escape")
    assert slides.evaluate("Reveal.isOverview()")
    assert slides.locator(".ledger-button").is_hidden()
    assert slides.locator("section.present td [data-n]").first.evaluate("mark => getComputedStyle(mark).outlineStyle") == "none"
    slides.keyboard.press("Escape")
    slides.keyboard.press("i")


def test_only_the_slide_that_is_shown_takes_the_tab_key(slides):
    slides.keyboard.press("i")
    assert slides.locator("section:not(.present) [data-ledger]").count() == 0
    assert slides.locator("section.present [data-ledger]").count() > 5
    slides.keyboard.press("i")
    assert slides.locator("[data-ledger]").count() == 0


def test_a_number_in_a_formula_has_a_card(slides):
    slides.keyboard.press("i")
    slides.locator("section.present mtext[data-n]").first.hover()
    assert "hand_example.query()" in card(slides)
    slides.keyboard.press("Escape")
    slides.keyboard.press("i")


def test_the_help_names_the_key(slides):
    slides.keyboard.press("Shift+?")
    assert "De onde vem cada número" in slides.locator(".r-overlay-help").inner_text()
    slides.keyboard.press("Escape")


def test_paper_shows_none_of_it(slides):
    slides.keyboard.press("i")
    slides.emulate_media(media="print")
    assert slides.locator(".ledger-button").is_hidden()
    outline = slides.locator("section.present td [data-n]").first.evaluate("mark => getComputedStyle(mark).outlineStyle")
    slides.emulate_media(media="screen")
    slides.keyboard.press("i")
    assert outline == "none"


def test_switching_on_is_quick_and_nothing_is_fetched(slides):
    switch = "const button = document.querySelector('.ledger-button'); button.click(); button.click();"
    took = slides.evaluate(f"() => {{ const start = performance.now(); {switch} return performance.now() - start; }}")
    assert took < 100 and slides.faults == []


def test_a_simulator_of_the_deck_has_a_card_and_keeps_its_controls(slides):
    slides.evaluate("location.hash = '#/sec-sim-banco'")
    slides.wait_for_function("Reveal.getCurrentSlide().id === 'sec-sim-banco'")
    slides.keyboard.press("i")
    slides.locator("section.present .sim[data-n]").focus()
    assert "simulators.banco()" in card(slides)
    field = slides.locator("section.present .sim input").first
    field.click()
    assert card(slides) == "" and field.evaluate("field => document.activeElement === field")
    slides.locator(".ledger-button").click()
    assert slides.locator(".ledger-on").count() == 0
    slides.evaluate("location.hash = '#/sec-quatro-passos'")


def test_the_chapter_has_cards_too(browser, chapter_file):
    page = browser.new_page(viewport={"width": 1100, "height": 800})
    page.goto(chapter_file.as_uri())
    page.keyboard.press("i")
    mark = page.locator("p .n[data-n]").first
    mark.scroll_into_view_if_needed()
    mark.hover()
    n = int(mark.get_attribute("data-n").split("-")[0])
    entry = next(one for one in json.loads(page.locator("script#ledger").text_content())["entries"] if one["n"] == n)
    assert f"{entry['file']}:{entry['line']}" in card(page)
    page.keyboard.press("i")
    assert card(page) == ""
    page.close()
