"""A picture of each page as a reader first meets it, by the browser: for the site's first page and its social cards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environment import find_browser

from figures.kit.errors import Problem
from figures.kit.style import SIZES

READY = "(!document.querySelector('.reveal') || (window.Reveal && Reveal.isReady())) && document.fonts.status === 'loaded'"
_BROWSER = "Install Chromium, Google Chrome or Microsoft Edge, or name one: CHROMIUM=/path/to/browser make site"
QUIET = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update")


def taken(pages: Sequence[Path]) -> list[bytes]:
    """A PNG of each page, of the canvas's size; in a thread of its own, since a caller may be driving a browser already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_taken, pages).result()


def _taken(pages: Sequence[Path]) -> list[bytes]:
    browser = find_browser()
    if browser is None:
        raise Problem("make site", "its pictures need a browser, and none was found", _BROWSER)
    from playwright.sync_api import Error, sync_playwright

    root = hasattr(os, "geteuid") and os.geteuid() == 0
    made = []
    try:
        with sync_playwright() as playwright:
            opened = playwright.chromium.launch(executable_path=browser, args=[*QUIET, *(["--no-sandbox"] if root else [])])
            try:
                for page in pages:
                    view = opened.new_page(viewport={"width": SIZES.width, "height": SIZES.height}, reduced_motion="reduce")
                    view.goto(page.resolve().as_uri())
                    view.wait_for_function(READY)
                    made.append(view.screenshot(type="png", animations="disabled"))
                    view.close()
            finally:
                opened.close()
    except Error as error:
        raise Problem("make site", f"{browser} took no picture: {str(error).strip().splitlines()[0]}", _BROWSER) from None
    return made
