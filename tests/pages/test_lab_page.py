"""The lab's page to read, in a browser: on a phone and a desk, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import fits, reading, unreadable

from figures import lab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module", params=[(360, "light"), (360, "dark"), (1280, "light")], ids=lambda p: f"{p[0]}-{p[1]}")
def page(request: pytest.FixtureRequest, browser: Browser, lab_file: Path) -> Iterator[Page]:
    width, scheme = request.param
    yield from reading(browser, lab_file, viewport={"width": width, "height": 800}, color_scheme=scheme)


def test_nothing_is_wider_than_the_window(page: Page):
    assert fits(page)


def test_every_text_can_be_read(page: Page):
    assert unreadable(page) == []


def test_it_holds_every_section_and_its_checkpoint(page: Page):
    headings = page.locator("h2.anchored").all_inner_texts()
    assert [heading.split(" · ")[0] for heading in headings[1:-1]] == [str(n) for n in range(1, len(lab.records().sections) + 1)]
    assert page.locator("blockquote", has_text="ainda em branco").count() == len(lab.records().sections)
