"""Pages opened from a file in a browser, which must do without the network: the deck walked through, pages to read looked over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures.kit import style
from figures.kit.style import SIZES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOOTER = 40  # the deck's name and the slide's number stand in the lowest pixels
FACTS = (Path(__file__).parent / "slide_facts.js").read_text(encoding="utf-8")
CANVAS = {
    "width": SIZES.width,
    "height": SIZES.height,
    "footer": FOOTER,
    "sizes": {"small": SIZES.small, "figure_small": SIZES.figure_small},
}
# Every text that shows, with its colour, the ground below it and its size; the drawings aside, which a filter turns dark.
TEXTS = """() => [...document.querySelectorAll('body *')].filter((e) => !e.closest('svg, script, style, [hidden], dialog')
  && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && e.getClientRects().length
  && getComputedStyle(e).visibility === 'visible')
  .map((e) => { let g = e; while (g && /, 0\\)$|transparent/.test(getComputedStyle(g).backgroundColor)) g = g.parentElement;
    const s = getComputedStyle(e);
    const ground = getComputedStyle(g || document.documentElement).backgroundColor;
    return [e.textContent.trim().slice(0, 40), s.color, ground, parseFloat(s.fontSize)] })"""


@dataclass
class Visit:
    """What was seen on one walk through the deck, and what the page complained of."""

    slides: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def faults(self, *kinds: str) -> list[str]:
        return [
            f"slide {number} “{slide['title']}”: {fault['kind']} <{fault['element']}> “{fault['text']}”: {fault['measured']}"
            for number, slide in enumerate(self.slides, 1)
            for fault in slide["faults"]
            if fault["kind"] in kinds
        ]


def none(faults: list[str]) -> None:
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults)


def opened(browser: Browser, file: Path, visit: Visit, query: str = "", **options: Any) -> Page:
    """The page, with its errors and requests noted in `visit`."""
    page = browser.new_page(**options)
    page.on("console", lambda message: visit.errors.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.on(
        "request", lambda request: visit.requests.append(request.url) if not request.url.startswith(("file:", "data:", "blob:")) else None
    )
    page.goto(file.as_uri() + query)
    return page


def opened_deck(browser: Browser, deck: Path, window: tuple[int, int], visit: Visit, query: str = "", **options: Any) -> Page:
    page = opened(browser, deck, visit, query, viewport={"width": window[0], "height": window[1]}, **options)
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    return page


def reading(browser: Browser, file: Path, **options: Any) -> Iterator[Page]:
    """A page to read, for a fixture; at its end it must have had no error and asked for nothing."""
    visit = Visit()
    page = opened(browser, file, visit, **options)
    page.evaluate("document.fonts.ready")
    yield page
    page.close()
    assert visit.errors + visit.requests == []


def fits(page: Page) -> bool:
    """Whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0)


def unreadable(page: Page) -> list[Any]:
    """The texts with less contrast than WCAG asks for; a page without texts is no page."""
    texts = page.evaluate(TEXTS)
    assert len(texts) > 100
    return [text for text in texts if style.contrast(rgb(text[1]), rgb(text[2])) < 4.5]


def rgb(colour: str) -> tuple[float, ...]:
    whole = 1 if colour.startswith("color(srgb") else 255  # mixed colours come as parts of one
    return tuple(float(part) / whole for part in re.findall(r"[\d.]+", colour)[:3])


def card(page: Page) -> str:
    """What the open card of a number says, "" where none is open."""
    found = page.locator(".ledger-card")
    return "" if found.is_hidden() else " ".join(found.inner_text().split())
