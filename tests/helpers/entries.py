"""Entries of a ledger for tests: as JSON, and as the records that are made from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from figures.kit.entry import AnyEntry, Entry

PLACE = {"slide": {"id": "sec-um", "number": 2}, "notes": False}


def entry(n: int = 1, **changes: Any) -> dict[str, Any]:
    """A number as a page's ledger holds it, all its keys there: `entry(3, text="0,5")`."""
    made = {"n": n, "id": f"topic.f({n}):fixed(2)", "what": "number", "kind": "computed", "value": 0.62, "text": "0,62", "unit": ""}
    made |= {"format": "fixed(2)", "function": "topic.f", "arguments": [], "file": "figures/topic.py", "line": 7}
    return made | {"data": [], "fields": [], "records": [], "seeds": [], "note": ""} | changes


def cells(texts: Sequence[Sequence[str]], rows: Sequence[Sequence[Any]], headings: Sequence[str] = ()) -> dict[str, Any]:
    """The value of a table."""
    columns = [{"heading": heading, "format": "", "unit": ""} for heading in headings or map(str, range(len(rows[0])))]
    return {"columns": columns, "rows": rows, "texts": texts, "caption": ""}


def drawing(lines: Sequence[Any] = (), texts: Sequence[str] = ()) -> dict[str, Any]:
    """The value of a figure."""
    axes = [{"lines": list(lines), "images": [], "meshes": [], "patches": []}]
    return {"size": [10, 10], "axes": axes, "texts": list(texts), "caption": ""}


def records(*entries: dict[str, Any]) -> list[Entry]:
    """The entries as records; those that name no slide stand on `sec-um`."""
    return [msgspec.convert(PLACE | entry, AnyEntry) for entry in entries]
