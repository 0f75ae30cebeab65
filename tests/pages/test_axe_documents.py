"""The other documents of this lecture by axe, and the site's first page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import axe
import pytest
from browsing import Visit, none, opened, opened_deck

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["english_file", "descent_file", "english_descent_file"])
def test_decks(browser: Browser, name: str, request: pytest.FixtureRequest):
    page = opened_deck(browser, request.getfixturevalue(name), (1280, 720), Visit())
    found: list[str] = []
    for number in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate(f"Reveal.slide({number}, 0, 999)")
        found += axe.faults(page, f"{name}, slide {number + 1}", "section.present")
    page.keyboard.press("r")
    found += axe.faults(page, f"{name}, to read")
    page.close()
    none(found)


def test_the_first_page_of_the_site(browser: Browser, tmp_path: Path, descent_file: Path, english_descent_file: Path):
    from publishing import publish

    made = [publish.Made(file) for file in (descent_file, english_descent_file)]
    pixel = b"\x89PNG\r\n\x1a\n"
    index = publish.publish(made, descent_file.parents[1], "instructor", tmp_path, lambda pages: [pixel for _ in pages])
    for width in (1280, 360):
        page = opened(browser, index, Visit(), viewport={"width": width, "height": 800})
        none(axe.faults(page, f"index, {width} px"))
        page.close()
