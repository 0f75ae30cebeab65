"""Only the slide that is shown can be reached, and the deck is a document to a screen reader."""

from __future__ import annotations

from page import deck_scripts

UNREACHABLE = "[...document.querySelectorAll('.slides > section')].filter(s => s.inert).length"


def test_only_a_deck_gets_the_script():
    deck = '<html><body><div class="reveal"></div></body></html>'
    assert deck_scripts.inline(deck).count('id="deck-script"') == 1
    assert deck_scripts.inline(deck_scripts.inline(deck)) == deck_scripts.inline(deck)
    assert deck_scripts.inline("<p>x</p>") == "<p>x</p>"


def test_only_the_slide_that_is_shown_can_be_reached(browser, deck_file):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{deck_file.as_uri()}#/3")
    page.wait_for_function(f"window.Reveal && Reveal.isReady() && {UNREACHABLE} > 0")
    total = page.evaluate("Reveal.getTotalSlides()")
    assert page.evaluate(UNREACHABLE) == total - 1
    assert page.evaluate("Reveal.getCurrentSlide().inert") is False
    assert page.locator(".reveal").get_attribute("role") is None
    page.evaluate("Reveal.slide(10)")
    assert page.evaluate("Reveal.getCurrentSlide().inert") is False
    assert page.evaluate(UNREACHABLE) == total - 1
    page.evaluate("Reveal.toggleOverview(true)")
    assert page.locator(".overview-slide").count() == total == page.evaluate(UNREACHABLE)  # a button stands for each
    page.evaluate("Reveal.toggleOverview(false)")
    assert page.evaluate(UNREACHABLE) == total - 1
    page.close()


def test_on_paper_every_slide_is_read(browser, deck_file):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{deck_file.as_uri()}?print-pdf")
    page.wait_for_function("window.Reveal && Reveal.isReady() && document.querySelectorAll('.pdf-page').length > 0")
    assert page.evaluate("document.querySelectorAll('section[inert]').length") == 0
    page.close()
