"""From a finished page to its ledger: what the cells showed, and on which slide each mark stands.

The page's last cell leaves the entries in `<script id="ledger">`; this reads the marks (`data-n`), and finds numbers
inside formulas by their text, in order. Pure: returns the JSON text that others write as PAGE.ledger.json:

    version   of this format, a whole number; another one is refused
    page      file name of the page
    entries   what the page shows, in the order in which it was made; each has
      n          its mark on the page: `data-n="7"`; row 2, column 3 of table 7 is "7-2-3"
      id         call and format; equal ids show equal texts on every page (a check may stand beside several sentences)
      what       number, word, text (a block of it), table, figure, simulator, listing, formula (a number in one) or
                 claim (a sentence's check)
      kind       computed, fact, measured or recorded
      value      raw: a number in full; of a table its columns, rows, texts and caption; of a figure what it draws
      text       as shown; of a figure its alternative text, of a claim its sentence
      unit       of the raw value ("B", "ms"), empty for a pure number
      format     name of the format that made the text, empty where there is none
      function, arguments, file, line   who made it, from what: arguments by name, in the order of the parameters
      data, fields, records, seeds      what it read on the way: files of data/, fields of them, records picked by name, seeds
      note       the source of a fact; hardware, versions and date of a measurement
      slide      id and number of the slide or section
      notes      whether it stands in the speaker's notes

`SHAPE` says the same to a program.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from figures.kit.errors import Problem

LEDGER = re.compile(r'<script id="ledger" type="application/json">(.*?)</script>', re.DOTALL)
SCHEMA_VERSION = 1
WHATS = ("number", "word", "table", "figure", "simulator", "listing", "text", "formula", "claim")
KINDS = ("computed", "fact", "measured", "recorded")
SHAPE: dict[str, Any] = {  # key -> type, or the values that it may have; `value` may be anything
    "n": int, "id": str, "what": WHATS, "kind": KINDS, "value": object, "text": str, "unit": str, "format": str, "function": str,
    "arguments": list, "file": str, "line": int, "data": list, "fields": list, "records": list, "seeds": list, "note": str,
}  # fmt: skip
PLACED = SHAPE | {"slide": dict, "notes": bool}
COLUMN: dict[str, Any] = {"heading": str, "format": str, "unit": str}
VALUES: dict[str, dict[str, Any]] = {  # of what has a mapping for its value: the keys that must be there
    "table": {"columns": list, "rows": list, "texts": list, "caption": str},
    "figure": {"axes": list, "texts": list, "caption": str},
    "simulator": {"opening": dict, "result": dict},
    "claim": {},
}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_REMEDY = "Render the page again; its last cell, `ledger.page()`, writes it"


@dataclass(frozen=True)
class Place:
    """Where on the page: the id of the slide (or section) and whether in its speaker notes."""

    slide: str
    notes: bool


@dataclass
class _Page(HTMLParser):
    """Walks a page once: the places of each mark, and of each text inside a formula, in order."""

    marks: list[tuple[int, Place]] = field(default_factory=list)
    formulas: list[tuple[str, Place]] = field(default_factory=list)
    slides: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[tuple[str, str, bool]] = []  # tag, id of a section, notes?
        self._text: list[str] | None = None
        self._heading = ""  # a page to read may have a title block and headings with ids in place of sections

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes = attributes.get("class", "").split()
        section = attributes.get("id", "") if tag == "section" else ""
        inside = any(id for _, id, _ in self._open) or self._within("nav")
        if not inside and re.fullmatch(r"h[1-6]|header", tag) and attributes.get("id"):
            section = self._heading = attributes["id"]
        if section:
            self.slides.append(section)
        if tag not in VOID:
            self._open.append((tag, section if tag == "section" else "", tag == "aside" and "notes" in classes))
        number = re.match(r"\d+$", attributes.get("data-n", ""))
        if number and tag != "mtext" and not self._within("nav"):  # formulas have their own reckoning
            self.marks.append((int(number[0]), self._here()))
        if tag == "mtext":
            self._text = []

    def handle_endtag(self, tag: str) -> None:
        if tag == "mtext" and self._text is not None:
            if not self._within("nav"):
                self.formulas.append(("".join(self._text), self._here()))
            self._text = None
        while self._open and self._within(tag):
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _within(self, tag: str) -> bool:
        return any(open_tag == tag for open_tag, _, _ in self._open)

    def _here(self) -> Place:
        sections = [section for _, section, _ in self._open if section]
        return Place(sections[-1] if sections else self._heading, any(notes for _, _, notes in self._open))


def ledger(html: str, page: Path) -> str | None:
    """The ledger of a page as JSON, each entry with its slide; None for a page that keeps none.

    Raises a Problem for a broken ledger, a value that was shown but stands on no slide, a mark of an unknown value.
    """
    found = LEDGER.search(html)
    if not found:
        return None
    content = parsed(found[1].replace("<\\/", "</"), page.name, SHAPE)
    seen = _Page()
    seen.feed(html)
    numbers = {slide: n for n, slide in enumerate(dict.fromkeys(seen.slides), 1)}
    places = dict(_placed(content["entries"], seen, page))
    entries = [{**entry, "slide": _slide(places[entry["n"]], numbers), "notes": places[entry["n"]].notes} for entry in content["entries"]]
    whole = {"version": SCHEMA_VERSION, "page": page.name, "entries": entries}
    return json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read(file: Path) -> dict[str, Any]:
    """A ledger that a build has written. Raises a Problem for a file that is missing, broken or of another version."""
    if not file.is_file():
        raise Problem(file, "there is no such ledger", "Build the page first: `make deck`")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Problem(file.name, f"not UTF-8 at byte {error.start}", _REMEDY) from None
    content = parsed(text, file.name, PLACED)
    if not isinstance(content.get("page"), str):
        raise Problem(file.name, "its ledger names no page", _REMEDY)
    return content


def parsed(text: str, name: str, shape: dict[str, Any]) -> dict[str, Any]:
    """A ledger's JSON, held to its shape; the Problem says which entry and key is wrong."""
    try:
        content: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise Problem(name, f"its ledger is not JSON ({error})", _REMEDY) from None
    version = content.get("version") if isinstance(content, dict) else None
    if version != SCHEMA_VERSION:
        raise Problem(name, f"its ledger has version {version!r}", f"This build reads version {SCHEMA_VERSION}: render it again")
    entries = content.get("entries")
    if not isinstance(entries, list):
        raise Problem(name, "its ledger has no list of entries", _REMEDY)
    for n, entry in enumerate(entries, 1):
        if fault := _fault(entry, shape) or (_inside(entry) if shape is PLACED else ""):
            raise Problem(name, f"entry {n} of its ledger: {fault}", _REMEDY)
    if twice := [n for n, times in Counter(entry["n"] for entry in entries).items() if times > 1]:
        raise Problem(name, f"two entries of its ledger have n = {twice[0]}", _REMEDY)
    return dict(content)


def _fault(entry: Any, shape: dict[str, Any], open: bool = False) -> str:
    if not isinstance(entry, dict):
        return "expected a mapping"
    for key, kind in shape.items():
        if key not in entry:
            return f"`{key}` is missing"
        value = entry[key]
        fits = value in kind if isinstance(kind, tuple) else isinstance(value, kind) and not (kind is int and isinstance(value, bool))
        if not fits:
            return f"`{key}` is {json.dumps(value, ensure_ascii=False)[:60]}, expected {_named(kind)}"
    return "" if open else "".join(f"`{key}` is unknown" for key in sorted(entry.keys() - shape.keys())[:1])


def _inside(entry: dict[str, Any]) -> str:
    """What is wrong within an entry of a file whose keys are right: its lists, its slide, the value of what is no plain number."""
    for key in ("data", "fields", "records"):
        if not _texts(entry[key]):
            return f"`{key}` is no list of texts"
    if fault := _fault(entry["slide"], {"id": str, "number": int}):
        return f"`slide` {fault}"
    value = entry["value"]
    if entry["what"] in VALUES and (fault := _fault(value, VALUES[entry["what"]], open=True)):
        return f"`value` of a {entry['what']}: {fault}"
    if entry["what"] == "figure" and not _texts(value["texts"]):
        return "`value` of a figure: `texts` is no list of texts"
    if entry["what"] == "table":
        columns, rows, texts = value["columns"], value["rows"], value["texts"]
        if any(_fault(column, COLUMN) for column in columns):
            return "`value` of a table: a column has other keys than heading, format and unit"
        if len(rows) != len(texts) or any(not isinstance(row, list) or len(row) != len(columns) for row in (*rows, *texts)):
            return f"`value` of a table: its rows and texts are not {len(columns)} cells each"
        if not all(map(_texts, texts)):
            return "`value` of a table: `texts` are no texts"
    return ""


def _texts(value: list[Any]) -> bool:
    return all(isinstance(item, str) for item in value)


def _named(kind: Any) -> str:
    return " or ".join(kind) if isinstance(kind, tuple) else {int: "a whole number", str: "a text"}.get(kind, f"a {kind.__name__}")


def _placed(entries: list[dict[str, Any]], seen: _Page, page: Path) -> Iterator[tuple[int, Place]]:
    """Where each entry stands. One call written twice stands in both places under its last mark: they are dealt out in order."""
    ids = {entry["n"]: entry["id"] for entry in entries}
    places: defaultdict[str, deque[Place]] = defaultdict(deque)
    for n, place in seen.marks:
        if n not in ids:
            where = place.slide or "no slide"
            raise Problem(page.name, f"the mark n={n} on {where} names nothing shown", "Marks are made by `show`, not typed")
        places[ids[n]].append(place)
    formulas = iter(seen.formulas)
    for entry in entries:
        waiting = places[entry["id"]]
        found = _in_formula(entry, formulas) if entry["what"] == "formula" else waiting.popleft() if waiting else None
        if found is None or not found.slide:
            raise Problem(
                page.name,
                f"{entry['id']} shows “{entry['text']}” outside every slide",
                "Show it in the text of a slide, in its notes or in a formula; for an attribute use str(…), beside the number on its slide",
            )
        yield entry["n"], found


def _in_formula(entry: dict[str, Any], formulas: Iterator[tuple[str, Place]]) -> Place | None:
    return next((place for text, place in formulas if text == entry["text"]), None)


def _slide(place: Place, numbers: dict[str, int]) -> dict[str, Any]:
    return {"id": place.slide, "number": numbers[place.slide]}
