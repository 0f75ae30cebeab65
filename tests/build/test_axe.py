"""Every view of the deck and the pages to read by axe: nothing serious. By key: the same stops forwards and back, the focus in sight."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import axe
import pytest
import tab_walk
from browsing import Visit, none, opened, opened_deck

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WINDOW = (1280, 720)
SIZES = [(1920, 1080), (844, 390), (390, 844), (320, 640)]
STILL = "*, *::before, *::after { transition: none !important; }"
WIDE = "[data-scrolls]"
# A simulator in another state: each slider at one end, each switch turned, the last of the buttons that lead through its lines.
FURTHER = """(far) => { const all = (name) => document.querySelectorAll(`section.present .sim-live ${name}`);
  for (const one of all("input[type=range]")) { one.value = one[far]; one.dispatchEvent(new Event("input", { bubbles: true })); }
  for (const one of all("input[type=checkbox]")) one.click();
  [...all(".sim-body button")].at(-1)?.click(); }"""


def deck(browser: Browser, file: Path, window: tuple[int, int] = WINDOW, query: str = "") -> Page:
    page = opened_deck(browser, file, window, Visit(), query)
    page.add_style_tag(content=STILL)
    return page


def with_keys(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_every_slide_on_its_canvas_and_as_a_text(browser: Browser, deck_file: Path):
    page = deck(browser, deck_file, query="?print-pdf")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length === Reveal.getTotalSlides()")
    found = axe.faults(page, "as slides", ".slides")
    page.close()
    page = deck(browser, deck_file)
    with_keys(page, "r")
    found += axe.faults(page, "to read")
    page.close()
    none(found)


def test_what_keys_put_over_the_slides(browser: Browser, deck_file: Path):
    found: list[str] = []
    page = deck(browser, deck_file)
    for key, end in (("Shift+Slash", "Escape"), ("g", "Escape"), ("v", "Escape"), ("o", "o"), ("d", "d"), ("q", "q")):
        with_keys(page, key)
        found += axe.faults(page, f"key {key}") + tab_walk.faults(page, f"key {key}", closed=key in "go")
        with_keys(page, end)
    with_keys(page, "i")
    marked = "[data-n]:not(.claim, aside.notes *)"
    page.evaluate(f"Reveal.slide(Reveal.getSlides().findIndex((slide) => slide.querySelector('{marked}')), 0, 999)")
    page.wait_for_selector("section.present [data-n][tabindex]", state="attached")
    mark = f"document.querySelector('section.present {marked}[tabindex]')"
    page.wait_for_function(
        f"{mark}?.blur(), {mark}?.focus(), !document.querySelector('.ledger-card').hidden"
    )  # once the slide has come to rest
    found += axe.faults(page, "a card")
    page.close()
    none(found)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", ["chapter_file", "lab_file"])
def test_pages_to_read(browser: Browser, name: str, width: int, request: pytest.FixtureRequest):
    page = opened(browser, request.getfixturevalue(name), Visit(), viewport={"width": width, "height": 800})
    page.evaluate("document.fonts.ready.then(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))")
    found = axe.faults(page, f"{name}, {width} px")
    named = page.eval_on_selector_all(WIDE, "(all) => all.map((e) => [e.tabIndex, e.getAttribute('aria-label')])")
    page.close()
    none(found)
    assert all(stop == 0 and label for stop, label in named) and (named or width > 400)


def test_the_first_stop_of_a_page_leads_to_its_text(browser: Browser, chapter_file: Path):
    page = opened(browser, chapter_file, Visit(), viewport={"width": 1280, "height": 800})
    page.wait_for_selector(".page-skip", state="attached")
    with_keys(page, "Tab", "Enter")
    assert page.evaluate("document.activeElement.localName") == "main"
    links = page.eval_on_selector_all(".anchorjs-link", "(all) => all.map((e) => e.getAttribute('aria-label'))")
    assert links and len(set(links)) == len(links)
    copy = page.locator(".code-copy-button").first
    if copy.count():
        copy.click()
        page.wait_for_function("document.querySelector('.page-heard').textContent !== ''")
    page.close()


def test_a_walk_by_key_through_the_slides(browser: Browser, deck_file: Path):
    page = deck(browser, deck_file)
    wrong: list[str] = []
    stops = "section.present :is(a[href], button, input, summary, [tabindex='0'])"
    for number in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate(f"Reveal.slide({number}, 0, 999)")
        if number % 5 == 0 or page.locator("section.present .sim").count():
            expected = page.locator(stops).count()
            wrong += tab_walk.faults(page, f"slide {number + 1}, {expected} controls")
        if page.locator("section.present .sim-live").count():
            for far in ("max", "min"):
                page.evaluate(FURTHER, far)
                wrong += axe.faults(page, f"slide {number + 1}, its simulator at {far}", "section.present")
            nameless = page.locator("section.present .sim-live tbody tr:not(:has(th))").count()
            wrong += [f"slide {number + 1}: {nameless} rows without a name"] * bool(nameless)
    page.close()
    none(wrong)


@pytest.mark.slow  # minutes; of the dark deck test_screen.py looks at every colour
@pytest.mark.parametrize("window", SIZES)
def test_every_slide_in_every_view_at_every_size(browser: Browser, deck_file: Path, window: tuple[int, int]):
    found: list[str] = []
    page = deck(browser, deck_file, window)
    for scheme in ("light", "dark"):
        if page.evaluate("document.documentElement.classList.contains('presenting')"):
            for number in range(page.evaluate("Reveal.getTotalSlides()")):
                page.evaluate(f"Reveal.slide({number}, 0, 999)")
                found += axe.faults(page, f"{window}, {scheme}, slide {number + 1}", "section.present")
        with_keys(page, "r")
        found += axe.faults(page, f"{window}, {scheme}, to read")
        with_keys(page, "r", "t")
    page.close()
    none(found)


@pytest.mark.slow
def test_a_walk_by_key_through_the_pages_to_read(browser: Browser, chapter_file: Path, lab_file: Path):
    wrong: list[str] = []
    for file in (chapter_file, lab_file):
        page = opened(browser, file, Visit(), viewport={"width": 360, "height": 800})
        page.wait_for_selector(WIDE)
        wrong += tab_walk.faults(page, file.name)
        page.close()
    none(wrong)
