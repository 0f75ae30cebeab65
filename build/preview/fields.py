"""The fields of data/ that slides read, with what their records allow: for controls that try out other values."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec.inspect as types

from figures.kit import data, files
from figures.kit.modules import modules
from preview import edits

Control = dict[str, Any]


def controls(names: Iterable[str], root: Path) -> list[Control]:
    """A control for each field that can be tried out: its name, value, line and comment, the kind of value and its bounds."""
    _load_all()
    made = []
    for name in sorted(names):
        file, _, path = name.partition(":")
        if not path or file.startswith("words/"):
            continue
        read = edits.read(files.read_text(root / "data" / file), path)
        if read is not None:
            value, line, comment = read
            made.append({"name": name, "value": value, "line": line, "comment": comment, **kind_of(name, value)})
    return made


def kind_of(name: str, value: Any) -> Control:
    """What a field may hold, by its record's type: {"kind": "whole", "min": 1}; by the value where no record is known."""
    allowed = _type_of(name)
    if isinstance(allowed, types.UnionType):
        allowed = next((one for one in allowed.types if not isinstance(one, types.NoneType)), allowed)
    if isinstance(allowed, types.LiteralType):
        return {"kind": "choice", "choices": list(allowed.values)}
    if isinstance(value, bool):
        return {"kind": "flag"}
    if isinstance(value, (int, float)):
        whole = isinstance(allowed, types.IntType) or (allowed is None and isinstance(value, int))
        return {"kind": "whole" if whole else "number", **_bounds(allowed)}
    return {"kind": "text" if isinstance(value, str) else "list"}


def _bounds(allowed: Any) -> Control:
    ends = {"min": ("ge", "gt"), "max": ("le", "lt")}
    found = {
        end: next((getattr(allowed, name, None) for name in names if getattr(allowed, name, None) is not None), None)
        for end, names in ends.items()
    }
    return {end: bound for end, bound in found.items() if bound is not None}


def _type_of(name: str) -> Any:
    """The type of a field, "models.yml:large.layers", in the record that its file was loaded as; None where none was."""
    file, _, path = name.partition(":")
    for (loaded, key), kind in data.kinds.items():
        if f"{loaded}.yml" != file or not (path == key or path.startswith(f"{key}." if key else "")):
            continue
        found = _at(types.type_info(kind), path[len(key) :].lstrip(".").split(".") if path != key else [])
        if found is not None:
            return found
    return None


def _at(here: Any, steps: list[str]) -> Any:
    if not steps:
        return here
    fields = {one.encode_name: one.type for one in getattr(here, "fields", ())}
    if fields:
        return _at(fields[steps[0]], steps[1:]) if steps[0] in fields else None
    inner = getattr(here, "item_type", None) or getattr(here, "value_type", None)
    if inner is None:
        return None
    # The name of an item may hold dots: as many steps as it takes.
    return next((found for n in range(1, len(steps) + 1) if (found := _at(inner, steps[n:])) is not None), None)


def _load_all() -> None:
    """Call what loads records, so that their types are known whether or not a page was made here."""
    for module in modules():
        for one in vars(module).values():
            with suppress(Exception):
                function = inspect.unwrap(one)
                if (
                    isinstance(function, FunctionType)
                    and {"data", "load"} <= {*function.__code__.co_names}
                    and not function.__code__.co_argcount
                ):
                    one()
