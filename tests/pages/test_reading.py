"""The deck other than as slides: a text to read on a narrow screen, without scripts and by wish; on paper as on the screen."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Visit, opened, opened_deck
from page import deck_scripts
from pypdf import PdfReader

from figures.kit.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORDS = Words("reading").named("said")
LYING, UPRIGHT, WINDOW = (844, 390), (390, 844), (1280, 720)
TITLES = "[...document.querySelectorAll('.slides > section')].map((s) => s.querySelector('h1, h2').textContent.trim())"
STACKED = """[...document.querySelectorAll('.slides > section')].map((s) => s.getBoundingClientRect())
  .every((box, i, boxes) => box.height > 40 && box.width > 200 && (i === 0 || box.top >= boxes[i - 1].bottom - 1))"""
# What sticks out of the window and can't be scrolled to.
CUT = """[...document.querySelectorAll('.slides > section *')].filter((e) => {
  if (!e.checkVisibility() || e.closest('aside.notes, svg, math, .sim-heard')) return false;
  for (let box = e.parentElement; box; box = box.parentElement) if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return false;
  return e.getBoundingClientRect().right > innerWidth + 1;
}).map((e) => `${e.closest('section').id}: ${e.tagName}.${e.className}`)"""
HIDDEN = "document.querySelectorAll('.slides > section:is([inert], [hidden], [aria-hidden=true])').length"
SLIDER = "#sec-sim-gradiente .sim-live input[type=range]"
VALUES = "#sec-sim-gradiente .gradient-values"


@pytest.fixture
def phone(browser: Browser, deck_file: Path) -> Iterator[Page]:
    """The gradient's simulator on a phone held upright."""
    visit = Visit()
    page = opened_deck(browser, deck_file, UPRIGHT, visit, "#/sec-sim-gradiente")
    page.wait_for_selector(".sim-live")
    yield page
    assert visit.errors == [] and visit.requests == []
    page.close()


def turn(page: Page, window: tuple[int, int]) -> None:
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.wait_for_timeout(150)


def move(page: Page, value: int) -> None:
    page.locator(SLIDER).first.evaluate("(r, v) => { r.value = v; r.dispatchEvent(new Event('input', { bubbles: true })); }", value)


def current(page: Page) -> Any:
    return page.evaluate("[location.hash.split('?')[0], Reveal.getCurrentSlide().id]")


def test_zoom_on_a_laptop_gives_the_text_and_takes_it_back(browser: Browser, deck_file: Path):
    """A zoom of 200% leaves half the window's width, with pixels twice as sharp; a smaller window alone does not."""
    page = opened_deck(browser, deck_file, WINDOW, Visit(), "#/sec-qkv")
    slides, here = "document.documentElement.classList.contains('presenting')", "Reveal.getCurrentSlide().id"
    device = page.context.new_cdp_session(page)
    for wide, high, sharp, presenting in ((1280, 720, 1, True), (640, 360, 2, False), (1280, 720, 1, True), (640, 360, 1, True)):
        size = {"width": wide, "height": high, "deviceScaleFactor": sharp, "mobile": False}
        device.send("Emulation.setDeviceMetricsOverride", size)
        page.wait_for_function(f"innerWidth === {wide} && {slides} === {str(presenting).lower()} && {here} === 'sec-qkv'")
    page.close()


def test_only_a_deck_gets_it_and_once():
    deck = '<html lang="xx">\n<head>\n</head><body><div class="reveal"></div><script>Reveal.initialize({ a: 1 });</script></body></html>'
    made = deck_scripts.inline(deck)
    assert made == deck_scripts.inline(made)
    assert made.startswith('<html lang="xx" class="print-pdf">') and "initialize({ scrollActivationWidth: null, a: 1" in made
    assert deck_scripts.inline(deck.replace("<html", '<html class="x"')).startswith('<html lang="xx" class="x print-pdf">')
    assert deck_scripts.inline("<html><p>x</p></html>") == "<html><p>x</p></html>"


def test_a_phone_held_upright_reads_at_the_slide_of_its_address(phone: Page):
    assert phone.evaluate(STACKED) and phone.evaluate(HIDDEN) == 0
    assert current(phone) == ["#/sec-sim-gradiente", "sec-sim-gradiente"]
    assert abs(phone.locator("#sec-sim-gradiente").evaluate("(s) => s.getBoundingClientRect().top")) < 60
    phone.evaluate("location.hash = '#/sec-sim-banco'")
    phone.wait_for_selector("#sec-sim-banco .sim-live")
    phone.mouse.wheel(0, 4000)
    phone.wait_for_timeout(200)
    read = phone.evaluate("location.hash")
    assert read.startswith("#/sec-") and read != "#/sec-sim-banco"
    turn(phone, LYING)
    assert current(phone) == [read, read.removeprefix("#/")]


def test_a_phone_that_is_turned_loses_no_simulator(phone: Page):
    before = phone.locator(VALUES).inner_text()
    move(phone, 200)
    moved = phone.locator(VALUES).inner_text()
    assert moved != before
    for window in (LYING, UPRIGHT, LYING):
        turn(phone, window)
        phone.wait_for_selector("#sec-sim-gradiente .sim-live")
        assert phone.locator(VALUES).inner_text() == moved
        assert phone.locator("#sec-sim-gradiente").evaluate("(s) => s.inert || s.hidden") is False
    move(phone, 64)
    assert phone.locator(VALUES).inner_text() == before


@pytest.mark.parametrize("width", [320, 390, 640])
def test_nothing_is_cut_however_narrow(browser: Browser, deck_file: Path, width: int):
    page = opened_deck(browser, deck_file, (width, 900), Visit(), "#/1")
    if page.evaluate("document.documentElement.classList.contains('presenting')"):
        page.keyboard.press("r")
    for _ in range(page.evaluate("Math.ceil(document.documentElement.scrollHeight / 900)")):
        page.mouse.wheel(0, 900)
        page.wait_for_timeout(20)
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".sim-live").count() > 1
    page.close()


def test_who_reads_may_have_larger_text(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, (1000, 700), Visit(), "#/2")
    page.keyboard.press("r")
    size = "(e) => parseFloat(getComputedStyle(e).fontSize)"
    text = page.locator(".slides > section:nth-of-type(3) li").first
    before = text.evaluate(size)
    page.add_style_tag(content="html { font-size: 200% }")
    assert text.evaluate(size) == 2 * before and page.evaluate(CUT) == []
    page.close()


def test_without_scripts_every_slide_is_there_to_read(browser: Browser, deck_file: Path):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1000, "height": 700})
    page = context.new_page()
    page.goto(deck_file.as_uri())
    boxes = [slide.bounding_box() for slide in page.locator(".slides > section").all()]
    assert len(boxes) > 30 and all(box and box["height"] > 40 for box in boxes)
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
    assert all(heading.is_visible() for heading in page.locator(".slides > section > :is(h1, h2)").all())
    pictures = page.locator(".sim-static").all()
    assert len(pictures) > 3 and all(picture.is_visible() for picture in pictures)
    assert not page.locator(".deck-tools").count()
    context.close()


def test_the_key_and_the_hand_change_the_view(browser: Browser, deck_file: Path):
    visit = Visit()
    page = opened_deck(browser, deck_file, WINDOW, visit, "#/4")
    tools = page.get_by_role("navigation", name=WORDS["tools"])
    page.mouse.move(300, 300)
    assert tools.evaluate("(e) => e.matches('.shown')")
    tools.get_by_role("button", name=WORDS["next"]).click()
    assert page.evaluate("Reveal.getIndices().h") == 5
    tools.get_by_role("button", name=WORDS["previous"]).click()
    assert page.evaluate("Reveal.getIndices().h") == 4
    tools.get_by_role("button", name=WORDS["overview"]).click()
    assert page.evaluate("Reveal.isOverview()")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    assert page.evaluate(STACKED)
    page.keyboard.press("ArrowRight")  # scrolls nothing sideways, and turns no slide
    assert page.evaluate("Reveal.getIndices().h") == 4
    tools.get_by_role("button", name=WORDS["slides"]).click()
    assert not page.evaluate(STACKED) and page.evaluate("Reveal.getIndices().h") == 4
    assert page.evaluate(HIDDEN) > 20
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getIndices().h") == 5
    assert visit.errors == []
    page.close()


def test_a_plain_print_is_the_slides_and_loses_nothing(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, WINDOW, Visit(), "#/sec-sim-gradiente")
    page.wait_for_selector(".sim-live")
    move(page, 200)
    moved = page.locator(VALUES).inner_text()
    printed = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
    titles = page.evaluate(TITLES)
    assert len(printed.pages) == len(titles)
    assert {(round(sheet.mediabox.width), round(sheet.mediabox.height)) for sheet in printed.pages} == {(960, 540)}
    texts = [sheet.extract_text() for sheet in printed.pages]
    assert all(f"{n} / {len(titles)}" in text for n, text in enumerate(texts[1:], 2))
    assert [len(set(title.split()) & set(text.split())) > 0 for title, text in zip(titles, texts, strict=True)] == [True] * len(titles)
    assert current(page) == ["#/sec-sim-gradiente", "sec-sim-gradiente"] and not page.evaluate(STACKED)
    assert page.locator(VALUES).inner_text() == moved
    page.close()


def test_a_reload_keeps_step_simulator_and_view(browser: Browser, deck_file: Path):
    visit = Visit()
    page = opened_deck(browser, deck_file, WINDOW, visit, "#/sec-sim-gradiente")
    page.wait_for_selector(".sim-live")
    move(page, 200)
    moved = page.locator(VALUES).inner_text()
    page.reload()
    page.wait_for_selector(".sim-live")
    assert page.locator(VALUES).inner_text() == moved
    page.evaluate("Reveal.slide(Reveal.getSlides().findIndex((s) => s.querySelectorAll('.fragment').length > 0), 0, 0)")
    step = page.evaluate("Reveal.getIndices()")
    page.wait_for_timeout(1200)  # reveal writes the address once a second at most
    page.reload()
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    assert page.evaluate("Reveal.getIndices()") == step
    page.keyboard.press("r")
    page.reload()
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    assert page.evaluate(STACKED)
    assert visit.errors == []
    page.close()


def test_a_frame_that_may_store_nothing_shows_the_deck(browser: Browser, deck_file: Path, tmp_path: Path):
    outer = tmp_path / "frame.html"
    outer.write_text(f'<iframe sandbox="allow-scripts" src="{deck_file.as_uri()}" width="800" height="450"></iframe>', encoding="utf-8")
    visit = Visit()
    page = opened(browser, outer, visit)
    frame = page.frames[1]
    frame.wait_for_function("window.Reveal && Reveal.isReady()")
    assert frame.evaluate("document.documentElement.classList.contains('presenting')")
    frame.evaluate("Reveal.slide(3)")
    frame.wait_for_selector(".sim-live")
    assert visit.errors == []
    page.close()


def test_the_deck_is_light(deck_file: Path):
    """One file that a phone loads and a mail takes."""
    assert deck_file.stat().st_size <= 1_600_000


def test_a_link_with_a_state_opens_there_in_both_views(browser: Browser, deck_file: Path):
    for window in (WINDOW, UPRIGHT):
        page = opened_deck(browser, deck_file, window, Visit(), "#/sec-sim-gradiente?tokens=200")
        page.wait_for_selector("#sec-sim-gradiente .sim-live")
        assert page.locator("#sec-sim-gradiente input[type=text]").first.input_value() == "200"
        assert page.locator("#sec-sim-gradiente").evaluate("(slide) => Math.abs(slide.getBoundingClientRect().top) < innerHeight / 3")
        page.wait_for_function("location.hash === '#/sec-sim-gradiente?tokens=200'")
        page.close()
