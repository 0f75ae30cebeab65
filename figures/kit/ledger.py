"""What a page has shown so far, in order, each with where it comes from.

Kept in memory while the cells run; the page's last cell, `ledger.page()`, puts it into the page, where `build` finds
it, adds the slide of each mark and writes `_output/…/PAGE.ledger.json`. Writes nothing itself.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from figures.kit import modules, project
from figures.kit.files import ROOT
from figures.kit.words import Words

VERSION = 1
_WORDS = ("button", "value", "function", "place", "data", "records", "seeds", "note")
_KINDS = {"notes": ("fact", "measured", "recorded"), "kinds": ("computed", "fact", "measured", "recorded")}


@dataclass(frozen=True)
class Origin:
    """Where a shown thing comes from: the function and its arguments, the data it read, the kind of its value."""

    maker: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()
    kind: str = "computed"  # computed, fact, measured or recorded
    reads: tuple[str, ...] = ()  # as `readings.noted` tells them
    note: str = ""  # the source of a fact; hardware, versions and date of a measurement

    @property
    def name(self) -> str:
        """`Origin(weight).name` -> "hand_example.weight": one name for function, slide and test."""
        return f"{modules.topic(self.maker)}.{self.maker.__name__}"

    @property
    def call(self) -> str:
        """The call as it would be typed: `hand_example.weight('praça')`."""
        told = [repr(arg) for arg in self.args] + [f"{name}={value!r}" for name, value in self.kwargs]
        return f"{self.name}({', '.join(told)})"

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """What the function was given, by the names of its parameters: `[{"name": "token", "value": "praça"}]`."""
        given = inspect.signature(self.maker).bind_partial(*self.args, **dict(self.kwargs)).arguments
        return [{"name": name, "value": plain(value)} for name, value in given.items()]

    @property
    def files(self) -> list[str]:
        """The data files read on the way: `["bpe.yml", "words/bpe.yml"]`."""
        return sorted({re.split("[#:]", name)[0] for name in self.reads})

    @property
    def fields(self) -> list[str]:
        """The fields of data files that were read: `["bpe.yml:corpus", "bpe.yml:merges"]`."""
        return sorted(name for name in self.reads if ":" in name.partition("#")[0])

    @property
    def records(self) -> list[str]:
        """The records picked by name: `["models.yml#Llama 3 8B"]`."""
        return sorted(name for name in self.reads if "#" in name and "#seed=" not in name)

    @property
    def seeds(self) -> list[dict[str, Any]]:
        """The seeds of random draws: `[{"file": "matrix.yml", "seed": 271}]`."""
        told = sorted(name.split("#seed=") for name in self.reads if "#seed=" in name)
        return [{"file": file, "seed": int(seed)} for file, seed in told]

    @property
    def place(self) -> tuple[str, int]:
        """(file, line) of the function, the file relative to the project."""
        code = self.maker.__code__
        file = Path(code.co_filename)
        return (file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name, code.co_firstlineno)


class Known(NamedTuple):
    """A value that is not only computed: its kind, and the note that a reader needs to trust it."""

    value: Any
    kind: str
    note: str


def fact(value: Any, source: str) -> Known:
    """A fact about the world, as a record of `data/` has it, with its source."""
    if not source.strip():
        raise ValueError(f"the fact {value!r} has no source: name it in its record of data/")
    return Known(value, "fact", source)


def measured(value: Any, hardware: str, versions: str, date: str, recorded: bool = False) -> Known:
    """A measurement: what it was made on, with what, and when; `recorded` where it was not made by this build."""
    if not (hardware.strip() and versions.strip() and date.strip()):
        raise ValueError(f"the measurement {value!r} must tell its hardware, versions and date")
    return Known(value, "recorded" if recorded else "measured", f"{hardware}; {versions}; {date}")


@dataclass(frozen=True)
class Entry:
    """One thing shown: `n` is its mark on the page, `what` is number, word, table, figure, simulator or formula."""

    n: int
    what: str
    value: Any
    text: str
    format: str
    origin: Origin
    unit: str = ""

    def record(self) -> dict[str, Any]:
        """The entry as JSON holds it; keys in a fixed order."""
        file, line = self.origin.place
        return {
            "n": self.n,
            "id": f"{self.origin.call}:{self.format}" if self.format else self.origin.call,
            "what": self.what,
            "kind": self.origin.kind,
            "value": plain(self.value),
            "text": self.text,
            "unit": self.unit,
            "format": self.format,
            "function": self.origin.name,
            "arguments": self.origin.arguments,
            "file": file,
            "line": line,
            "data": self.origin.files,
            "records": self.origin.records,
            "fields": self.origin.fields,
            "seeds": self.origin.seeds,
            "note": self.origin.note,
        }


_entries: list[Entry] = []


def add(what: str, value: Any, text: str, origin: Origin, format: str = "", unit: str = "") -> int:
    """Note that a page shows this; gives the number that marks it there."""
    entry = Entry(len(_entries) + 1, what, value, text, format, origin, unit)
    _entries.append(entry)
    return entry.n


def entries() -> tuple[Entry, ...]:
    """All that has been shown since the last `clear`."""
    return tuple(_entries)


def clear() -> None:
    """Start a new page."""
    _entries.clear()


def to_json() -> str:
    """The page's ledger, with the words and the address that its cards need; the same bytes for the same page."""
    words = Words("ledger")
    content = {
        "version": VERSION,
        "repository": project.repository(),
        "words": {key: words(key) for key in _WORDS}
        | {group: {kind: words(f"{group}.{kind}") for kind in kinds} for group, kinds in _KINDS.items()},
        "entries": [entry.record() for entry in _entries],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A raw value as JSON can hold it: arrays become lists, records mappings, anything else its repr."""
    if isinstance(value, Known):
        return {"value": plain(value.value), "kind": value.kind, "note": value.note}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else repr(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "__struct_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    written = str(value)
    return type(value).__qualname__ if re.search(r" at 0x[0-9a-f]+>", written) else written  # an address differs in each build


class Page:
    """The ledger as the last thing on a page; displays as a block of JSON that `build` reads and nobody sees."""

    def _repr_markdown_(self) -> str:
        fence = "`" * 3
        content = to_json().replace("</", "<\\/")
        return f'\n{fence}{{=html}}\n<script id="ledger" type="application/json">{content}</script>\n{fence}\n'


def page() -> Page:
    """What the last cell of a page returns."""
    return Page()
