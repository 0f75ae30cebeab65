"""From a finished page to its ledger: what the cells showed, and on which slide each mark stands.

The page's last cell leaves the entries in `<script id="ledger">`; this reads the marks (`data-n`) and finds numbers
inside formulas by their text, in order. Pure: returns the JSON text that others write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from problem import Problem

LEDGER = re.compile(r'<script id="ledger" type="application/json">(.*?)</script>', re.DOTALL)
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Place:
    """Where on the page: the id of the slide (or section) and whether in its speaker notes."""

    slide: str
    notes: bool


@dataclass
class _Page(HTMLParser):
    """Walks a page once: the place of each mark, and of each text inside a formula, in order."""

    marks: dict[int, Place] = field(default_factory=dict)
    formulas: list[tuple[str, Place]] = field(default_factory=list)
    slides: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[tuple[str, str, bool]] = []  # tag, id of a section, notes?
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes = attributes.get("class", "").split()
        section = attributes.get("id", "") if tag == "section" else ""
        if section:
            self.slides.append(section)
        if tag not in _VOID:
            self._open.append((tag, section, tag == "aside" and "notes" in classes))
        for n in re.findall(r"^\d+", attributes.get("data-n", "")):
            self.marks.setdefault(int(n), self._here())
        if tag == "mtext":
            self._text = []

    def handle_endtag(self, tag: str) -> None:
        if tag == "mtext" and self._text is not None:
            self.formulas.append(("".join(self._text), self._here()))
            self._text = None
        while self._open and any(open_tag == tag for open_tag, _, _ in self._open):
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _here(self) -> Place:
        sections = [section for _, section, _ in self._open if section]
        return Place(sections[-1] if sections else "", any(notes for _, _, notes in self._open))


def ledger(html: str, page: Path) -> str | None:
    """The ledger of a page as JSON, each entry with its slide; None for a page that keeps none.

    Raises a Problem for a broken ledger, or a value that was shown but stands on no slide.
    """
    found = LEDGER.search(html)
    if not found:
        return None
    content = _parsed(found[1], page)
    seen = _Page()
    seen.feed(html)
    numbers = {slide: n for n, slide in enumerate(seen.slides, 1)}
    places = dict(_placed(content["entries"], seen, page))
    entries = [{**entry, "slide": _slide(places[entry["n"]], numbers), "notes": places[entry["n"]].notes} for entry in content["entries"]]
    whole = {"version": SCHEMA_VERSION, "page": page.name, "entries": entries}
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _parsed(text: str, page: Path) -> Any:
    try:
        content = json.loads(text.replace("<\\/", "</"))
    except json.JSONDecodeError as error:
        raise Problem(page.name, f"its ledger is not JSON ({error})", "Render the page again; `ledger.page()` writes it") from None
    if content.get("version") != SCHEMA_VERSION:
        version = content.get("version")
        raise Problem(page.name, f"its ledger has version {version!r}", f"This build reads version {SCHEMA_VERSION}: render it again")
    return content


def _placed(entries: list[dict[str, Any]], seen: _Page, page: Path) -> Iterator[tuple[int, Place]]:
    formulas = iter(seen.formulas)
    for entry in entries:
        place = _in_formula(entry, formulas) if entry["what"] == "formula" else seen.marks.get(entry["n"])
        if place is None or not place.slide:
            raise Problem(
                page.name,
                f"{entry['id']} shows “{entry['text']}” outside every slide",
                "Show it in the text of a slide, in its notes or in a formula; for an attribute or a YAML key use str(…)",
            )
        yield entry["n"], place


def _in_formula(entry: dict[str, Any], formulas: Iterator[tuple[str, Place]]) -> Place | None:
    return next((place for text, place in formulas if text == entry["text"]), None)


def _slide(place: Place, numbers: dict[str, int]) -> dict[str, Any]:
    return {"id": place.slide, "number": numbers[place.slide]}
