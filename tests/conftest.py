"""What all tests share: hypothesis without chance, and the browser with the rendered deck.

`make test` runs the files of tests on two workers. Each has a browser of its own; the pages are rendered by the first worker
that needs one, and the other waits for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from hypothesis import settings
from own_data import (  # noqa: F401
    everything,
    pytest_fixture_setup,
    pytest_make_collect_report,
    pytest_runtest_makereport,
    pytest_runtest_protocol,
)
from set_up import find_browser

from figures.kit import project

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent

# The same examples on every run and machine; no clock decides whether a test passes.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def deck_file(session_folder: Path) -> Path:
    """The deck, rendered once for the session by the embedded engine."""
    return built(ROOT / "slides/atencao.qmd", session_folder)


@pytest.fixture(scope="session")
def second_deck_file(session_folder: Path) -> Path:
    """The lecture that uses nothing of the first, likewise."""
    return built(ROOT / "slides/descida.qmd", session_folder)


@pytest.fixture(scope="session")
def chapter_file(session_folder: Path) -> Path:
    """The chapter, likewise."""
    return built(ROOT / "slides/query-key-value.qmd", session_folder)


@pytest.fixture(scope="session")
def lab_file(session_folder: Path) -> Path:
    """The lab as a page, with its notebook beside it, likewise."""
    return built(ROOT / "slides/laboratorio.qmd", session_folder)


@pytest.fixture(scope="session")
def english_file(session_folder: Path) -> Path:
    """The first act in English, likewise."""
    return built(ROOT / "slides/en/attention.qmd", session_folder)


@pytest.fixture(scope="session")
def english_descent_file(session_folder: Path) -> Path:
    """The second lecture in English, likewise."""
    return built(ROOT / "slides/en/descent.qmd", session_folder)


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this session share and no other session does."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def page_of(session_folder: Path) -> Callable[[Path], Path]:
    """The page of any document of the project, likewise."""
    return lambda document: built(document, session_folder)


def built(document: Path, session_folder: Path) -> Path:
    """A document's page, rendered with what stands beside it unless a worker of this session has done so."""
    everything()
    name = document.relative_to(ROOT).as_posix()
    done = session_folder / f"{name.replace('/', '-')}-is-rendered"
    with FileLock(f"{done}.lock"):
        if not done.exists():
            formats = [f"--to={one}" for one in project.formats(document) if one in ("revealjs", "html", "ipynb")]
            command = [sys.executable, "build", "render", name, *formats]
            said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            assert said.returncode == 0, f"{' '.join(command)} stopped:\n{said.stderr}"
            done.touch()
    return project.page(document)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """An installed Chromium, Chrome or Edge, without a window and without a look at the network of its own."""
    from playwright.sync_api import sync_playwright

    path = find_browser()
    if path is None:
        pytest.fail("no Chromium, Chrome or Edge found. Install one, or name it: CHROMIUM=/path/to/browser make test")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=shutil.which(path) or path, args=quiet + ["--no-sandbox"] * is_root)
        yield opened
        opened.close()
