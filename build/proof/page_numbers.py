"""The numerals of a rendered page: each under a mark of the ledger whose entry holds it, or one that its sources hold."""

from __future__ import annotations

import html as entities
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from html.parser import HTMLParser
from typing import Any, NamedTuple

from proof.fault import Stray, around
from proof.ledger_file import VOID
from proof.numerals import numerals, parts
from proof.source_numbers import TITLE


class _Piece(NamedTuple):
    line: int
    column: int
    text: str
    slide: str
    entry: int  # the innermost mark around it, 0 for none
    what: str  # text, formula, the name of an attribute


SPOKEN = ("alt", "aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "label")  # attributes for people
LABELLED = {"ol": ("start",), "li": ("value",), "input": ("value",)}  # and those that only these elements show
OWN = {"cell-code", "footnote-ref"}  # code that a page runs and shows; the numbers that pandoc gives to notes
BUTTONS = ("button", "submit", "reset")


def _as_wide(entity: re.Match[str]) -> str:
    """An entity's character, as wide as the entity, so that columns stay; what would be taken for a mark of HTML looks like it."""
    mark = {"<": "‹", ">": "›", '"': "”", "&": "＆"}
    character = entities.unescape(entity[0])
    return mark.get(character, character).ljust(len(entity[0]), "\u2060")


class _Rendered(HTMLParser):
    """Walks a page: each text that a reader or a screen reader gets, with its slide and the mark around it."""

    HIDDEN = ("script", "style", "annotation", "head", "template", "nav")

    def __init__(self, page: str, places: Collection[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[_Piece] = []
        self._places = places  # a section or heading that the sources give no id belongs to the one before
        self._open: list[tuple[str, str, int, bool]] = []  # tag, section, mark, hidden
        self._heading = TITLE
        self.feed(re.sub(r"&#?\w+;", _as_wide, page))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        inside = any(section for _, section, _, _ in self._open)
        if re.fullmatch(r"h[1-6]", tag) and given.get("id") in self._places and not inside and not self._hidden():
            self._heading = given["id"]
        mark = re.match(r"\d+", given.get("data-n", ""))
        if tag not in VOID:
            seen = "template" if not OWN.isdisjoint(given.get("class", "").split()) else tag
            section = given["id"] if tag == "section" and given.get("id") in self._places else ""
            self._open.append((tag, section, int(mark[0]) if mark else 0, seen in self.HIDDEN))
        line_of_code = tag == "a" and not given.get("href")  # Quarto puts such an anchor, with its number, before each
        if not self._hidden() and not line_of_code:
            for name in (*SPOKEN, *LABELLED.get(tag, ())):
                if given.get(name) and not (tag == "input" and name == "value" and given.get("type") not in BUTTONS):
                    self._add(given[name], name)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while any(name == tag for name, _, _, _ in self._open):
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, text: str) -> None:
        if not self._hidden():
            self._add(text, "formula" if any(tag == "math" for tag, _, _, _ in self._open) else "text")

    def _add(self, text: str, what: str) -> None:
        line, column = self.getpos()
        sections = [section for _, section, _, _ in self._open if section]
        marks = [mark for _, _, mark, _ in self._open if mark]
        slide = sections[-1] if sections else self._heading
        for n, piece in enumerate(text.split("\n")):
            self.pieces.append(_Piece(line + n, column + 1 if n == 0 else 1, piece, slide, marks[-1] if marks else 0, what))

    def _hidden(self) -> bool:
        return any(hidden for _, _, _, hidden in self._open)


def unexplained(name: str, page: str, ledger: Mapping[str, Any], typed: Mapping[str, Counter[str]]) -> list[Stray]:
    """The numerals of a page that stand under no mark whose entry holds them, and that the slide's sources don't have.

    `typed` counts the numerals of the sources by slide: each explains one of the page; whether it may stand there is a
    question to the sources.
    """
    entries = {entry["n"]: entry for entry in ledger["entries"]}
    held = {n: _held(entry) for n, entry in entries.items()}
    beside: defaultdict[str, set[str]] = defaultdict(set)  # an attribute holds no mark: what it says stands on its slide
    for n, entry in entries.items():
        if entry["what"] in ("number", "word"):
            beside[entry.get("slide", {}).get("id", "")] |= held[n]
    left = {slide: Counter(count) for slide, count in typed.items()}
    faults = []
    for piece in _Rendered(page, typed.keys()).pieces:
        entry = entries.get(piece.entry)
        why = f"{entry['id']} around it does not hold it" if entry else "no mark of the ledger around it"
        for found in numerals(piece.text):
            runs = parts(found[0])
            known = held.get(piece.entry, set()) if piece.entry else set(+left.get(piece.slide, Counter()))
            if not piece.entry and piece.what not in ("text", "formula"):
                known |= beside[piece.slide]
            if not piece.entry:
                left.get(piece.slide, Counter()).subtract(runs)
            if not runs <= known:
                what = f"“{found[0]}” ({piece.what} of {piece.slide}): {why} (“{around(piece.text, found)}”)"
                faults.append(Stray(name, piece.line, piece.column + found.start(), found[0], what))
    return faults


def _held(entry: Mapping[str, Any]) -> set[str]:
    """Every numeral in what an entry says it shows."""
    value = entry["value"]
    told = [entry["text"]]
    if isinstance(value, dict):
        told += [value["caption"], *value["texts"]] if entry["what"] == "figure" else [json.dumps(value, ensure_ascii=False)]
    if isinstance(value, str):
        told.append(value)
    return {part for text in told for found in numerals(text) for part in parts(found[0])}
