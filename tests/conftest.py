"""What all tests share: hypothesis without chance, and the browser with the rendered deck.

`make test` runs the files of tests on two workers. Each has a browser of its own; the pages are rendered by the first worker
that needs one, and the other waits for it.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # of torch's: two workers with two threads each wait for one another

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from base.browser import launched
from environment import find_browser
from hypothesis import settings
from own_data import (  # noqa: F401
    pytest_fixture_setup,
    pytest_make_collect_report,
    pytest_runtest_makereport,
    pytest_runtest_protocol,
)
from rendering import first, rendered

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What fails in a real browser is tried once more, and the summary says so: R. A fault fails twice, a loaded machine doesn't."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


# The same examples on every run and machine; no clock decides whether a test passes.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def deck_file(session_folder: Path) -> Path:
    """The deck, rendered once for the session by the embedded engine."""
    return rendered(first("revealjs"), session_folder)


@pytest.fixture(scope="session")
def chapter_file(session_folder: Path) -> Path:
    """The chapter, likewise."""
    return rendered(first("html", without="ipynb"), session_folder)


@pytest.fixture(scope="session")
def lab_file(session_folder: Path) -> Path:
    """The lab as a page, likewise."""
    return rendered(first("ipynb"), session_folder)


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this session share and no other session does."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def page_of(session_folder: Path) -> Callable[[Path], Path]:
    """The page of any document of the project, likewise."""
    return lambda document: rendered(document, session_folder)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """An installed Chromium, Chrome or Edge, without a window and without a look at the network of its own."""
    from playwright.sync_api import sync_playwright

    path = find_browser()
    if path is None:
        pytest.fail("no Chromium, Chrome or Edge found. Install one, or name it: CHROMIUM=/path/to/browser make test")
    with sync_playwright() as playwright:
        opened = launched(playwright, shutil.which(path) or path)
        yield opened
        opened.close()
