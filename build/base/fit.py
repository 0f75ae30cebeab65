"""Whether every slide of a finished deck holds what stands on it, in both directions: an installed browser looks.

Texts, tables, formulas, listings, pictures and live simulators, every step shown. A page that was looked at is not looked at again.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from environment import find_browser

from base import browser, kept
from base.pieces import SLIDES, pieces
from base.progress import Progress
from figures.kit.errors import Problem

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOOK = Path(__file__).with_suffix(".js")
REMEDY = (
    "Say less on the slide, part it in two, or put what is wide into a narrower form; a picture takes a width, as in\n"
    "    ![…](…){width=600}. Nothing was put in place: the last good output stays."
)
BROWSER = "Install Chromium, Google Chrome or Microsoft Edge, or name one: CHROMIUM=/path/to/browser"
MOST = 3  # faults of a slide that are told one by one
EDGES = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}


def check(html: str, name: str, progress: Progress) -> None:
    """A Problem that names every slide that cuts something, with the element and by how many pixels.

    Where there is no browser nothing is checked, and that is said.
    """
    program = find_browser()
    if program is None:
        progress.say(f"{name}: no browser was found, so nobody looked whether a slide cuts what stands on it. {BROWSER}")
        return
    progress(f"{name} · does every slide hold what stands on it")
    refuse(_seen_before_or_now(html, name, program), name)


def _seen_before_or_now(html: str, name: str, program: str) -> list[dict[str, Any]]:
    """What the slides cut: a deck of those alone is opened that nobody has looked at as they are."""
    before, *slides, behind = pieces(html) if SLIDES in html else [html, ""]
    made_from = [text.encode() for text in (before, behind, LOOK.read_text(encoding="utf-8"), program)]
    paths = [kept.place("fit", [*made_from, slide.encode()], ["playwright"]) for slide in slides]
    known = {n: kept.read(path) for n, path in enumerate(paths, 1)}
    new = [n for n, found in known.items() if found is None]
    seen = looked("".join([before, *(slides[n - 1] for n in new), behind]), name) if new or not slides else []
    for place, n in enumerate(new, 1):
        known[n] = json.dumps([slide for slide in seen if slide["number"] == place]).encode()
        with suppress(Problem):
            kept.write(paths[n - 1], known[n] or b"")
    return [{**slide, "number": n} for n, found in known.items() for slide in json.loads(found or b"[]")]


def looked(html: str, name: str) -> list[dict[str, Any]]:
    """What a browser sees; in a thread of its own, since a caller may be driving a browser already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_looked, html, name).result()


def _looked(html: str, name: str) -> list[dict[str, Any]]:
    with browser.shown(html, name, "", "to look whether the slides fit, a browser is needed", "could not show it", BROWSER) as page:
        return seen(page)


def seen(page: Page) -> list[dict[str, Any]]:
    """The slides of an open deck, or of its print view, that cut something."""
    found: list[dict[str, Any]] = page.evaluate(f"({LOOK.read_text(encoding='utf-8')})()")
    return found


def refuse(found: list[dict[str, Any]], name: str) -> None:
    """A Problem where any slide cuts something."""
    if found:
        raise Problem(name, "\n    ".join(["what doesn't fit is cut:", *(line for slide in found for line in lines(slide))]), REMEDY)


def lines(slide: dict[str, Any]) -> list[str]:
    """A line for each fault of a slide, the largest first; of many, how many more.

    >>> fault = {"element": "table", "text": "a b", "edge": "right", "of": "slide", "pixels": 90}
    >>> lines({"number": 2, "title": "T", "faults": [fault]})
    ['slide 2 “T”: table “a b” ends 90 px right of its slide']
    """
    where = f"slide {slide['number']} “{slide['title']}”"
    faults = sorted(slide["faults"], key=lambda fault: -fault["pixels"])
    more = [f"{where}: and {len(faults) - MOST} more"] * (len(faults) > MOST)
    return [f"{where}: {fault['element']} “{fault['text']}” {_said(fault)}" for fault in faults[:MOST]] + more


def _said(fault: dict[str, Any]) -> str:
    if fault["of"] == "text":
        return f"is shrunk until its text stands at {fault['pixels']} px"
    if fault["of"] == "footer":
        return f"stands {fault['pixels']} px in the footer"
    return f"ends {fault['pixels']} px {EDGES[fault['edge']]} its {fault['of']}"
