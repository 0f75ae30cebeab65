"""The menu that Quarto gives a deck, as its plugin builds it, over a deck of the embedded engine; the real one in test_engine_parity."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import Visit, opened_deck
from page import deck_scripts

from figures.kit.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HELP, READING = Words("help").named("said"), Words("reading").named("said")
# As reveal.js-menu and quarto-menu.js build it; a title is the text of a heading, a formula's source and all.
MENU = """<div class="slide-menu-wrapper"><nav class="slide-menu slide-menu--left"><ol class="slide-menu-toolbar">
<li data-panel="Slides"><span class="slide-menu-toolbar-label">Slides</span></li>
<li data-panel="Custom0"><span class="slide-menu-toolbar-label">Tools</span></li>
<li id="close"><span class="slide-menu-toolbar-label">Close</span></li></ol>
<div data-panel="Slides" class="slide-menu-panel" tabindex="0"><ul class="slide-menu-items">ITEMS</ul></div>
<div data-panel="Custom0" class="slide-menu-panel slide-menu-custom-panel"><ul class="slide-menu-items">
<li><a href="#"><kbd>f</kbd> Fullscreen</a></li><li><a href="#"><kbd>s</kbd> Speaker View</a></li>
<li><a href="#"><kbd>o</kbd> Slide Overview</a></li><li><a href="#"><kbd>e</kbd> PDF Export Mode</a></li>
<li><a href="#" onclick="RevealMenuToolHandlers.toggleScrollView(event)"><kbd>r</kbd> Scroll View Mode</a></li>
<li><a href="#"><kbd>?</kbd> Keyboard Help</a></li></ul></div></nav></div>"""
ITEM = '<li class="slide-menu-item" data-slide-h="{}" data-slide-v="0"><span class="slide-menu-item-title">x_{{y}} {}</span></li>'
OPEN, SHUT = (f"document.body.classList.{change}('slide-menu-active')" for change in ("add", "remove"))
# What reads in the menu, a formula's source left out as every reader leaves it.
TITLES = """() => [...document.querySelectorAll('.slide-menu-item-title')].map((e) => e.textContent.trim())"""
HEADINGS = """() => Reveal.getHorizontalSlides().map((slide) => { const title = slide.querySelector('h1, h2').cloneNode(true);
  title.querySelectorAll('annotation').forEach((e) => e.remove()); return title.textContent.trim() })"""


@pytest.fixture
def deck(browser: Browser, deck_file: Path, tmp_path: Path) -> Iterator[Page]:
    html = deck_file.read_text(encoding="utf-8")
    slides = html.count('<section id="')
    menu = MENU.replace("ITEMS", "".join(ITEM.format(n, n) for n in range(slides)))
    with_menu = tmp_path / "menu.html"
    with_menu.write_text(html.replace('<div class="reveal">', f'{menu}<div class="reveal">', 1), encoding="utf-8")
    visit = Visit()
    page = opened_deck(browser, with_menu, (1280, 720), visit)
    yield page
    assert visit.errors == [] and visit.requests == []
    page.close()


def test_a_closed_menu_is_no_stop_for_tab_and_an_open_one_is(deck: Page) -> None:
    reached = "document.querySelector('.slide-menu-panel').matches(':focus')"
    for change, stops in ((SHUT, False), (OPEN, True), (SHUT, False)):
        deck.evaluate(change)
        deck.wait_for_function(f"document.querySelector('.slide-menu-wrapper').inert === {str(not stops).lower()}")
        deck.evaluate("document.activeElement.blur(); document.querySelector('.slide-menu-panel').focus()")
        assert deck.evaluate(reached) is stops


def test_the_menu_speaks_portuguese(deck: Page) -> None:
    deck.evaluate(OPEN)
    labels = deck.locator(".slide-menu-toolbar-label").all_inner_texts()
    tools = [text.split(" ", 1)[1] for text in deck.locator(".slide-menu-custom-panel li").all_inner_texts()]
    assert labels == [HELP[name] for name in ("slides", "tools", "close")]
    assert tools == [*(HELP[name] for name in ("fullscreen", "window", "overview", "print")), READING["reading"], HELP["keys"]]
    assert deck.locator(".slide-menu").get_attribute("aria-label") == HELP["menu"]


def test_a_title_in_the_menu_is_the_slide_s_with_its_formulas(deck: Page) -> None:
    titles = deck.evaluate(TITLES)
    assert titles == deck.evaluate(HEADINGS) and len(titles) > 30
    assert not any("_{" in title for title in titles)
    assert deck.locator(".slide-menu-item-title math").count() == deck.locator(".slides :is(h1, h2) math").count() > 0


def test_the_menu_s_scroll_view_is_the_view_to_read(deck: Page) -> None:
    deck.evaluate("Reveal.getPlugin = () => ({ closeMenu: () => document.body.classList.remove('slide-menu-active') })")
    deck.evaluate(OPEN)
    deck.evaluate("document.querySelector('[onclick*=toggleScrollView]').click()")
    assert deck.evaluate("document.documentElement.classList.contains('presenting')") is False
    assert deck.evaluate("[Reveal.isScrollView(), document.body.className.includes('slide-menu-active')]") == [False, False]


def test_two_fingers_zoom_a_deck_of_quarto_s() -> None:
    head = '<meta name="viewport" content="width=device-width, initial-scale=1.0, maximum-scale=1.0, user-scalable=no, minimal-ui">'
    deck = f'<html><head>{head}</head><body><div class="reveal"></div></body></html>'
    assert '<meta name="viewport" content="width=device-width, initial-scale=1.0">' in deck_scripts.inline(deck)


def test_a_page_that_a_script_of_the_deck_writes_is_left_alone() -> None:
    """The speaker window's page stands as a text in reveal's plugin, with a root and a head of its own."""
    written = "<script>open('<html><head></head><body></body></html>')</script>"
    deck = f'<html lang="pt"><head></head><body><div class="reveal"></div>{written}</body></html>'
    made = deck_scripts.inline(deck)
    assert written in made and deck_scripts.inline(made) == made
