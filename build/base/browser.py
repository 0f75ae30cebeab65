"""A browser without a window, for what is printed and pictured: one that is installed here, which takes no look at the network."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from environment import find_browser

from figures.kit.errors import Problem
from figures.kit.style import SIZES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

READY = "window.Reveal && Reveal.isReady()"
SECONDS = 60
QUIET = ("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update")


@contextmanager
def opened(where: object, need: str, failure: str, remedy: str) -> Iterator[Browser]:
    """The browser, closed at the end. A Problem says what `need` stays unmet where there is none, or which `failure` stopped it."""
    path = find_browser()
    if path is None:
        raise Problem(where, f"{need}, and none was found", remedy)
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise Problem(where, "the package playwright is not installed", "Run `make setup`, which installs what is needed.") from None
    try:
        with sync_playwright() as playwright:
            browser = launched(playwright, path)
            try:
                yield browser
            finally:
                browser.close()
    except Error as error:
        raise Problem(where, f"{path} {failure}: {str(error).strip().splitlines()[0]}", remedy) from None


@contextmanager
def shown(html: str, name: str, query: str, need: str, failure: str, remedy: str) -> Iterator[Page]:
    """A deck in a browser, ready, at the size of its canvas. It is handed over in memory: no file, no network."""
    address = f"http://deck.invalid/{query}"
    with opened(name, need, failure, remedy) as browser:
        page = browser.new_page(viewport={"width": SIZES.width, "height": SIZES.height}, reduced_motion="reduce")
        page.route(re.compile("^https?:"), lambda route: route.abort())
        page.route(address, lambda route: route.fulfill(body=html, content_type="text/html; charset=utf-8"))
        page.goto(address)
        page.wait_for_function(READY, timeout=SECONDS * 1000)
        yield page


def launched(playwright: Playwright, path: str) -> Browser:
    """The program at `path`, started; as root without the sandbox, which Chromium refuses there."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(executable_path=path, args=[*QUIET, *["--no-sandbox"] * is_root])
