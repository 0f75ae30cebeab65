"""What a page has shown so far, in order, each entry with its origin.

The entries are kept in memory while the cells run; the page's last cell, `ledger.page()`, puts them into the page, where
`build` adds the slide of each mark and writes `_output/…/PAGE.ledger.json`. This module writes nothing itself.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar, get_args

import msgspec

from figures.kit import project, readings, shown
from figures.kit.entry import VERSION, AnyEntry, Entry, Ledger, PageLedger
from figures.kit.errors import Problem
from figures.kit.json_values import json_value, script_json
from figures.kit.marks import FENCE
from figures.kit.origin import Kind, Known, Origin, fact, measured
from figures.kit.words import Words

__all__ = ["IN_PAGE", "Known", "Origin", "add", "clear", "entries", "fact", "measured", "page"]  # topics meet all of it here
_BLOCK = '<script id="ledger" type="application/json">{}</script>'
IN_PAGE = re.compile(re.escape(_BLOCK).replace(r"\{\}", "(.*?)"), re.DOTALL)  # where a page keeps its ledger
_EMPTY: dict[str, Any] = dict.fromkeys(("unit", "format", "note"), "") | {
    name: [] for name in ("arguments", "data", "records", "fields", "seeds")
}
_WORDS = ("button", "value", "function", "place", "data", "records", "seeds", "note")
_entries: list[AnyEntry] = []
REMEDY = "Download or render the page again; its last cell, `ledger.page()`, writes it"
L = TypeVar("L", PageLedger, Ledger)
_first = 0  # what the next mark is counted from beside the entries there are


def add(what: str, value: Any, text: str, origin: Origin, format: str = "", unit: str = "") -> int:
    """Note that a page shows this number, word, table, …; gives the number that marks it there."""
    file, line = origin.place
    content = {
        "what": what,
        "n": len(_entries) + 1,
        "id": f"{origin.call}:{format}" if format else origin.call,
        "kind": origin.kind,
        "value": value,
        "text": text,
        "unit": unit,
        "format": format,
        "function": origin.name,
        "arguments": origin.arguments,
        "file": file,
        "line": line,
        "data": origin.files,
        "records": origin.records,
        "fields": origin.fields,
        "seeds": origin.seeds,
        "note": origin.note,
    }
    _entries.append(msgspec.convert(json_value(content), AnyEntry))
    return len(_entries) + _first


def entries() -> tuple[Entry, ...]:
    """All that has been shown since the last `clear`."""
    return tuple(_shown())


def _shown() -> list[AnyEntry]:
    """The same, as whoever keeps what it gives asks for it."""
    if readings.asking():
        state()
    return _entries


@readings.question
def state() -> str:
    """A digest of all that has been shown."""
    return hashlib.sha256(msgspec.json.encode(_entries)).hexdigest()


def taken_back(before: int) -> list[AnyEntry]:
    """The entries beyond so many, counted from 1, which the ledger then lacks."""
    taken = [msgspec.structs.replace(entry, n=n) for n, entry in enumerate(_entries[before:], 1)]
    del _entries[before:]
    return taken


def enter(taken: Iterable[AnyEntry]) -> None:
    """Enter what was taken back from this page, or from an earlier one."""
    _entries.extend(msgspec.structs.replace(entry, n=n) for n, entry in enumerate(taken, len(_entries) + 1))


def numbered_from(n: int) -> None:
    """Let the marks that follow be made as if so many entries stood before; 0 for those that do."""
    global _first
    _first = n


def clear() -> None:
    """Start a new page."""
    _entries.clear()


def of_the_page() -> PageLedger:
    """The page's ledger, with the words and the address that its cards need; the same for the same page."""
    words = Words("ledger")
    kinds = get_args(Kind)
    grouped = {
        "notes": {kind: words(f"notes.{kind}") for kind in kinds if kind != "computed"},
        "kinds": {kind: words(f"kinds.{kind}") for kind in kinds},
    }
    return PageLedger(
        version=VERSION,
        repository=project.repository(),
        words=json_value({key: words(key) for key in _WORDS} | grouped),
        entries=list(_shown()),
    )


def packed(ledger: PageLedger) -> dict[str, Any]:
    """A page's ledger as the page holds it, a third smaller: without what is empty, each name of a field once."""
    content = msgspec.to_builtins(ledger)
    names = sorted({name for entry in ledger.entries for name in entry.fields})
    number = {name: place for place, name in enumerate(names)}
    for entry in content["entries"]:
        entry["fields"] = [number[name] for name in entry["fields"]]
        for key in [key for key, empty in _EMPTY.items() if entry[key] == empty]:
            del entry[key]
    return {**content, "names": names}


def unpacked(content: dict[str, Any]) -> dict[str, Any]:
    """What `packed` made, whole again; what it never makes is left as it is, for who checks it."""
    names = content.get("names", [])

    def whole(entry: Any) -> Any:
        if not isinstance(entry, dict):
            return entry
        known = [names[place] if place in range(len(names)) else place for place in entry.get("fields", [])]
        return {**_EMPTY, **entry, "fields": known}

    entries = content.get("entries", [])
    rest = {key: value for key, value in content.items() if key != "names"}
    return {**rest, "entries": [whole(entry) for entry in entries] if isinstance(entries, list) else entries}


def parsed(text: str, name: str, kind: type[L]) -> L:
    """A ledger's JSON as a record; the Problem says which entry and key is wrong."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise Problem(name, f"its ledger is not JSON ({error})", REMEDY) from None
    version = content.get("version") if isinstance(content, dict) else None
    if version != VERSION:
        raise Problem(name, f"its ledger has version {version!r}", f"This build reads version {VERSION}: render it again")
    try:
        made = msgspec.convert(unpacked(content) if kind is PageLedger else content, kind)
    except msgspec.ValidationError as error:
        raise Problem(name, _fault(str(error)), REMEDY) from None
    if twice := [n for n, times in Counter(entry.n for entry in made.entries).items() if times > 1]:
        raise Problem(name, f"two entries of its ledger have n = {twice[0]}", REMEDY)
    return made


def _fault(error: str) -> str:
    """What msgspec says, with the entry's number as people count: "entry 4 of its ledger, `slide.number`: Expected `int`, …"."""
    what, _, path = error.partition(" - at `$")
    entry = re.match(r"\.entries\[(\d+)\]\.?(.*)`$", path)
    if not entry:
        return f"its ledger{f', `{key}`' if (key := path[1:-1]) else ''}: {what}"
    return f"entry {int(entry[1]) + 1} of its ledger{f', `{entry[2]}`' if entry[2] else ''}: {what}"


class Page:
    """The ledger as the last thing on a page; displays as blocks of JSON that `build` reads and nobody sees."""

    def _repr_markdown_(self) -> str:
        content = script_json(packed(of_the_page()))
        return f"\n{FENCE}{{=html}}\n{_BLOCK.format(content)}\n{FENCE}\n" + shown.block(_entries)


def page() -> Page:
    """What the last cell of a page returns."""
    return Page()
