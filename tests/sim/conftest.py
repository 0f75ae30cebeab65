"""The deck of simulators, opened once for a file of tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sim_page
from sim_page import ALL
from sim_slides import Slides

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def sim_deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every simulator of the lecture, a slide each."""
    file = tmp_path_factory.mktemp("simulators") / "deck.html"
    file.write_text(sim_page.deck(map(sim_page.made, ALL), faces=True), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def opened(browser: Browser, sim_deck: Path) -> Iterator[Slides]:
    context = browser.new_context(viewport={"width": sim_page.WIDTH, "height": sim_page.HEIGHT})
    page = context.new_page()
    slides = Slides(page)
    page.goto(sim_deck.as_uri())
    page.wait_for_function("Reveal.isReady()")
    page.evaluate("document.fonts.ready")
    yield slides
    context.close()


@pytest.fixture
def slides(opened: Slides) -> Iterator[Slides]:
    """The deck on its first slide; whatever the test does, the browser has nothing to complain of."""
    opened.go(None)
    opened.problems.clear()
    yield opened
    assert opened.problems == []
