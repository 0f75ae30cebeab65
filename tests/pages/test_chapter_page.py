"""The chapter in a browser, from a file: on a phone, a tablet and a desk, light and dark, on paper, by both engines."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import dom
import pytest
from a_copy import copied, run_quarto
from browsing import TEXTS, fits, reading, rgb, unreadable

from figures import chapter
from figures.kit import style

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path("slides", "query-key-value.qmd")
PAGE = Path("_output", "slides", "query-key-value.html")
WIDTHS = [360, 768, 1280]


@pytest.fixture(scope="module")
def page_file(chapter_file: Path) -> Path:
    """The chapter, rendered once by the embedded engine."""
    return chapter_file


@pytest.fixture(scope="module", params=itertools.product(WIDTHS, ("light", "dark")), ids=lambda p: f"{p[0]}-{p[1]}")
def page(request: pytest.FixtureRequest, browser: Browser, page_file: Path) -> Iterator[Page]:
    """One page for all tests that only look at it."""
    width, scheme = request.param
    yield from reading(browser, page_file, viewport={"width": width, "height": 800}, color_scheme=scheme)


@pytest.fixture
def desk(browser: Browser, page_file: Path) -> Iterator[Page]:
    yield from reading(browser, page_file, viewport={"width": 1280, "height": 800}, accept_downloads=True)


def test_nothing_is_wider_than_the_window(page: Page):
    assert fits(page)


# Texts whose letters stand above the box that scrolls them, where they would be cut.
CUT_ABOVE = """() => [...document.querySelectorAll('.sim-live *')].flatMap((box) => {
  if (getComputedStyle(box).overflowY === "visible" || box.ownerSVGElement || box.tagName === "svg") return [];
  const top = box.getBoundingClientRect().top;
  return [...box.querySelectorAll("*")].filter((e) => !e.children.length && e.textContent.trim() && e.getClientRects().length)
    .filter((e) => e.getBoundingClientRect().top < top - 0.5 && e.getBoundingClientRect().bottom > top)
    .map((e) => `${box.className}: ${e.textContent}`);
})"""


def test_no_text_is_cut_above_where_a_box_scrolls(page: Page):
    page.wait_for_selector(".sim-live")
    for sim in page.locator(".sim").all():
        sim.scroll_into_view_if_needed()
    assert page.evaluate(CUT_ABOVE) == []


def test_every_text_can_be_read(page: Page):
    assert unreadable(page) == []
    assert [text for text in page.evaluate(TEXTS) if text[3] < 9] == []  # the least are subscripts of subscripts


def test_running_text_has_a_size_for_reading(page: Page):
    sizes = page.evaluate("[...document.querySelectorAll('p, li, td')].map((e) => parseFloat(getComputedStyle(e).fontSize))")
    assert min(sizes) >= 14
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 17


def test_lines_of_text_are_short_enough(page: Page):
    prose = "[...document.querySelectorAll('body > p:not(:has(> math[display=block]))')]"
    ems = page.evaluate(f"{prose}.map((p) => p.clientWidth / parseFloat(getComputedStyle(p).fontSize))")
    assert max(ems) <= 40


def test_every_section_is_in_the_contents_and_can_be_reached(desk: Page):
    links = desk.evaluate("[...document.querySelectorAll('nav#TOC a')].map((a) => a.hash.slice(1))")
    headings = desk.evaluate("[...document.querySelectorAll('h2[id]:not(#toc-title), h3[id]')].map((h) => h.id)")
    assert links == headings
    assert len(headings) == 8
    desk.locator("nav#TOC a").last.click()
    assert desk.url.endswith(f"#{headings[-1]}")


def test_each_heading_links_to_itself(desk: Page):
    anchors = desk.evaluate(
        "[...document.querySelectorAll(':is(h2, h3) > .anchorjs-link')].map((a) => [a.hash.slice(1), a.parentElement.id])"
    )
    assert len(anchors) == 8
    assert all(hash == id for hash, id in anchors)


@pytest.mark.parametrize("id", ["by-hand", "way-back"])
def test_a_script_is_saved_with_its_example_s_numbers_and_prints_what_stands_below_it(desk: Page, tmp_path: Path, id: str):
    file = chapter.scripts.path(id)
    with desk.expect_download() as waiting:
        desk.locator(f'a[download="{file.name}"]').click()
    assert waiting.value.suggested_filename == file.name
    saved = tmp_path / file.name
    waiting.value.save_as(saved)
    assert saved.read_text(encoding="utf-8") == chapter.scripts.source(id) + "\n"
    done = subprocess.run([sys.executable, str(saved)], capture_output=True, encoding="utf-8", env=os.environ | {"PYTHONUTF8": "1"})
    assert (
        done.stdout.rstrip("\n") == desk.locator(".script", has=desk.locator(f'a[download="{file.name}"]')).locator("pre").last.inner_text()
    )


def test_a_listing_is_copied_whole(browser: Browser, page_file: Path):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(page_file.as_uri())
    button = page.locator(".script").first.locator(".code-copy-button").first
    assert button.get_attribute("title")
    button.click()
    page.wait_for_selector(".code-copy-button-checked")
    copied = page.evaluate("navigator.clipboard.readText()")
    context.close()
    assert copied.rstrip("\n") == chapter.scripts.source("by-hand").rstrip("\n")


def test_a_keyboard_reaches_the_conveniences(desk: Page):
    wanted, presses = {"code-copy-button", "download"}, 0
    while wanted and (presses := presses + 1) < 300:
        desk.keyboard.press("Tab")
        wanted.discard(desk.evaluate("document.activeElement.className"))
    assert wanted == set()


def test_paper_has_no_buttons_and_loses_nothing(desk: Page):
    desk.emulate_media(media="print", color_scheme="dark")
    hidden = desk.evaluate(
        "[...document.querySelectorAll('nav#TOC, .code-copy-button, .anchorjs-link, .download')].every((e) => !e.getClientRects().length)"
    )
    ground = desk.evaluate("getComputedStyle(document.body).color")
    assert hidden
    assert style.contrast(rgb(ground), "#FFFFFF") > 7
    desk.set_viewport_size({"width": 665, "height": 900})  # the width of an A4 page between its margins
    assert desk.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    clipped = desk.evaluate("[...document.querySelectorAll('pre, .figure, table')].filter((e) => e.scrollWidth > e.clientWidth + 1).length")
    assert clipped == 0


def test_every_picture_has_its_text(desk: Page):
    labels = desk.evaluate("[...document.querySelectorAll('svg[role=img]')].map((s) => s.getAttribute('aria-label'))")
    assert len(labels) >= 4
    assert all(len(label) > 60 for label in labels)


# Both engines


@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_quarto_makes_the_same_page(page_file: Path, tmp_path: Path):
    folder = copied(tmp_path)
    done = run_quarto(folder, "render", str(SOURCE))
    assert done.returncode == 0, done.stderr
    ours, theirs = (dom.body(file.read_text(encoding="utf-8")) for file in (page_file, tmp_path / PAGE))
    assert ours.text == theirs.text
    for tag in ("h2", "h3", "table", "math", "svg", "pre", "li"):
        assert [node.text for node in ours.all(tag)] == [node.text for node in theirs.all(tag)]
