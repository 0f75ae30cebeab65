"""From a finished page to its ledger: what the cells showed, and on which slide each mark stands.

The page's last cell leaves the entries in `<script id="ledger">`, and each of them marks what it shows (`data-n`). This
reads both and gives the JSON text that others write as PAGE.ledger.json. What an entry holds is said in figures/kit/entry.py.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from base import pack
from base.html_tree import Element, around, parse, within
from base.pieces import pieces
from base.slides import slides

from figures.kit.entry import VERSION, AnyEntry, Entry, Ledger, PageLedger, Slide, schema
from figures.kit.errors import Problem
from figures.kit.json_values import script_json
from figures.kit.ledger import IN_PAGE, REMEDY, packed, parsed

SCHEMA = "ledger.schema.json"


class Place(NamedTuple):
    """Where on the page: the id of the slide (or section) and whether in its speaker notes."""

    slide: str
    notes: bool


def ledger(html: str, page: Path) -> str | None:
    """The ledger of a page as JSON, each entry with its slide; None for a page that keeps none.

    Raises a Problem for a broken ledger, a value that was shown but stands on no slide, a mark of an unknown value.
    """
    made = _placed(html, page)
    return made[1] if made else None


def named(html: str, page: Path) -> tuple[str, str | None]:
    """The page with the short names of its entries in its own ledger, and that ledger as `ledger` gives it."""
    made = _placed(html, page)
    if not made:
        return html, None
    own, text = made
    return IN_PAGE.sub(lambda block: block[0].replace(block[1], script_json(packed(own))), html, count=1), text


def _placed(html: str, page: Path) -> tuple[PageLedger, str] | None:
    """The ledger of a page as it has it, named, and as the file beside it has it."""
    left = IN_PAGE.search(html)
    if not left:
        return None
    own = parsed(left[1], page.name, PageLedger)
    ids, marks = _marks(html)
    numbers = {slide: n for n, slide in enumerate(ids, 1)}
    places = _places(own.entries, marks, page)
    counts: Counter[str] = Counter()
    entries, placed = list[AnyEntry](), list[AnyEntry]()
    for entry, place in zip(own.entries, places):
        counts[place.slide] += 1
        slide = Slide(id=place.slide, number=numbers[place.slide])
        # A page that lost entries, as the students' did, keeps the names that the whole one gave.
        name = entry.name or f"{slide.number}.{counts[place.slide]}"
        entries.append(msgspec.structs.replace(entry, name=name))
        placed.append(msgspec.structs.replace(entry, slide=slide, notes=place.notes, name=name))
    text = _written(msgspec.to_builtins(Ledger(version=VERSION, page=page.name, entries=placed)))
    return msgspec.structs.replace(own, entries=entries), text


def schema_text() -> str:
    """The JSON Schema of every ledger, which stands beside them."""
    return _written(schema())


def read(file: Path) -> Ledger:
    """A ledger that a build has written. Raises a Problem for a file that is missing, broken or of another version."""
    if not file.is_file():
        raise Problem(file, "there is no such ledger", "Build the page first: `make deck`")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Problem(file.name, f"not UTF-8 at byte {error.start}", REMEDY) from None
    return parsed(text, file.name, Ledger)


def mark_of(element: Element) -> int:
    """The entry that an element is marked with, 0 for none; a table's cell is marked with "7-2-3"."""
    row = element.attributes.get("data-n", "").partition("-")[0]
    return int(row) if row.isdecimal() else 0


def _marks(html: str) -> tuple[list[str], list[tuple[int, Place]]]:
    """The slides of a page in order, and the number of each mark with its place."""
    ids: dict[str, None] = {}
    marks: list[tuple[int, Place]] = []
    for piece in pieces(html):
        own, its = msgspec.json.decode(pack.once("marks", [piece], lambda piece=piece: _marks_of(piece)))
        ids |= dict.fromkeys(own)
        marks += [(n, Place(*place)) for n, place in its]
    return list(ids), marks


def _marks_of(html: str) -> str:
    """The same of one piece, as JSON."""
    ids: dict[str, None] = {}
    marks: list[tuple[int, Place]] = []
    for slide, node in slides(parse(html)):
        ids |= {slide: None} if slide else {}
        if isinstance(node, Element) and (n := mark_of(node)) and "-" not in node.attributes["data-n"] and not within(node, "nav"):
            in_notes = any(element.tag == "aside" and "notes" in element.classes for element in around(node))
            marks.append((n, Place(slide, in_notes)))
    return msgspec.json.encode([list(ids), marks]).decode()


def _places(entries: Sequence[Entry], marks: Sequence[tuple[int, Place]], page: Path) -> list[Place]:
    """Where each entry stands. A call written twice stands in both places under its last mark; its entries take them in order."""
    ids = {entry.n: entry.id for entry in entries}
    waiting: defaultdict[str, deque[Place]] = defaultdict(deque)
    for n, stands in marks:
        if n not in ids:
            where = stands.slide or "no slide"
            raise Problem(page.name, f"the mark n={n} on {where} names nothing shown", "Marks are made by `show`, not typed")
        waiting[ids[n]].append(stands)
    places = []
    for entry in entries:
        place = waiting[entry.id].popleft() if waiting[entry.id] else None
        if place is None or not place.slide:
            raise Problem(
                page.name,
                f"{entry.id} shows “{entry.text}” outside every slide",
                "Show it in the text of a slide, in its notes or in a formula; for an attribute use str(…), beside the number on its slide",
            )
        places.append(place)
    return places


def _written(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
