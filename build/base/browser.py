"""A browser without a window, for what is printed and pictured: one that is installed here, which takes no look at the network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from environment import find_browser

from figures.kit.errors import Problem

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

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
        raise Problem(where, "the package playwright is not installed", "Run `make pdf`, which installs what it needs.") from None
    try:
        with sync_playwright() as playwright:
            browser = launched(playwright, path)
            try:
                yield browser
            finally:
                browser.close()
    except Error as error:
        raise Problem(where, f"{path} {failure}: {str(error).strip().splitlines()[0]}", remedy) from None


def launched(playwright: Playwright, path: str) -> Browser:
    """The program at `path`, started; as root without the sandbox, which Chromium refuses there."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(executable_path=path, args=[*QUIET, *["--no-sandbox"] * is_root])
