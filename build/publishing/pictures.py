"""A picture of each page as a reader first meets it, by the browser: for the site's first page and its social cards."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from base import browser

from figures.kit.style import SIZES

READY = "(!document.querySelector('.reveal') || (window.Reveal && Reveal.isReady())) && document.fonts.status === 'loaded'"
_BROWSER = "Install Chromium, Google Chrome or Microsoft Edge, or name one: CHROMIUM=/path/to/browser make site"


def taken(pages: Sequence[Path]) -> list[bytes]:
    """A PNG of each page, of the canvas's size; in a thread of its own, since a caller may be driving a browser already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_taken, pages).result()


def _taken(pages: Sequence[Path]) -> list[bytes]:
    made = []
    with browser.opened("make site", "its pictures need a browser", "took no picture", _BROWSER) as opened:
        for page in pages:
            view = opened.new_page(viewport={"width": SIZES.width, "height": SIZES.height}, reduced_motion="reduce")
            view.goto(page.resolve().as_uri())
            view.wait_for_function(READY)
            made.append(view.screenshot(type="png", animations="disabled"))
            view.close()
    return made
