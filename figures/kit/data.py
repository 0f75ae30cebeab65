"""Opens the files of data/: YAML in, frozen records out, or one error that says where and what to do.

Does not know what the records mean, and keeps no copy beside the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec

from figures.kit import files, readings, strict_yaml
from figures.kit.errors import DataError
from figures.kit.files import read_text

T = TypeVar("T")

Positive = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
Above = Annotated[float, msgspec.Meta(gt=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
LOOKS = "theme"  # colours and sizes are no part of what is told: its fields are not noted


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """Base of every record: frozen, strict about names and types, hashable where its fields are.

    One that was loaded tells which of its fields is read: "bpe.yml:merges", "models.yml:8B.layers".
    In a file an empty text or list is a mistake, but in the fields that `EMPTY` names.
    """

    EMPTY: ClassVar[frozenset[str]] = frozenset()

    def faults(self) -> Iterator[str]:
        """What is wrong with the fields together, in words; nothing where they fit. For records to override."""
        yield from ()

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if name[0] != "_" and readings.listening() and not isinstance(value, Record):
            place = object.__getattribute__(self, "__dict__").get("place")
            if place is not None and name in type(self).__struct_fields__ and name not in self.__dict__.get("own", ()):
                readings.note(f"{place}{name}")
        return value


def load(name: str, kind: type[T], key: str | None = None) -> T:
    """The records of `data/NAME.yml`, checked against `kind`; with `key`, those under that top-level key.

    `load("models", tuple[Model, ...])`. Raises DataError for a missing file, broken YAML, a repeated key,
    an unknown or missing field, or a value of another type.
    """
    readings.note(f"{name}.yml")
    records: T = _loaded(name, kind, key)  # type: ignore[arg-type]  # types are hashable
    if isinstance(records, tuple):
        readings.note(f"{name}.yml:{key or ''}")
    return records


@cache
def _loaded(name: str, kind: type[T], key: str | None) -> T:
    records = _convert(name, parsed(name), kind, key)
    if name != LOOKS:
        _tell_places(records, f"{name}.yml:{key or ''}")
    return records


def _tell_places(content: Any, place: str) -> None:
    """Each record below `content` is told where it stands, so that its fields can be noted as they are read."""
    inside = place if place.endswith(":") else f"{place}."
    if isinstance(content, Record):
        for name in content.__struct_fields__:
            _tell_places(getattr(content, name), f"{inside}{name}")
        content.__dict__["place"] = inside  # last, so that this walk is not taken for a reading
    elif isinstance(content, dict):
        for key, item in content.items():
            _tell_places(item, f"{inside}{key}")
    elif isinstance(content, (tuple, list)):
        for n, item in enumerate(content):
            if isinstance(item, Record):
                _tell_places(item, f"{inside}{label(item, n)}")


def label(record: Any, n: int) -> str:
    """What a list's record is called in the notes: its id, else its name, else its number: `label(model, 0)` -> "8B"."""
    known = (getattr(record, field, None) for field in ("id", "name"))
    return next((text for text in known if isinstance(text, str)), str(n))


def _check(content: Any, file: str, place: str) -> None:
    """What types can't tell: nothing empty by accident, no two records of one list with one name, fields that fit each other."""
    remedy = "Correct the value in the file; the other records show the form"
    if not place and content in ((), {}):
        raise DataError(file, "", "nothing stands here", "Write at least one record, or restore the file from git")
    if isinstance(content, Record):
        for name, default in zip(content.__struct_fields__, _defaults(type(content)), strict=True):
            value, here = getattr(content, name), f"{place}.{name}" if place else name
            if (
                (value in ((), {}) or value == "" or isinstance(value, str) and value.isspace())
                and value != default
                and name not in content.EMPTY
            ):
                raise DataError(file, here, "nothing stands here", remedy)
            _check(value, file, here)
        for fault in content.faults():
            raise DataError(file, place, fault, remedy)
    elif isinstance(content, dict):
        for key, value in content.items():
            _check(value, file, f"{place}.{key}" if place else f"{key}")
    elif isinstance(content, (tuple, list)):
        taken: set[str] = set()
        for n, item in enumerate(content):
            _check(item, file, f"{place}[{n}]")
            if isinstance(item, Record) and (name := label(item, n)) in taken:
                raise DataError(file, f"{place}[{n}]", f"{name!r} stands here twice", "Give one of the two another name")
            taken.add(label(item, n))


def _defaults(kind: type[Record]) -> tuple[Any, ...]:
    """The default of each field, None where it has none."""
    return (*[None] * (len(kind.__struct_fields__) - len(kind.__struct_defaults__)), *kind.__struct_defaults__)


def changed(record: T, **changes: Any) -> T:
    """The record with some fields changed; the others still tell where they stand."""
    made: T = msgspec.structs.replace(record, **changes)  # type: ignore[type-var]
    told = record.__dict__
    made.__dict__.update(told, own=told.get("own", frozenset()) | changes.keys())
    return made


def _convert(name: str, content: Any, kind: type[T], key: str | None) -> T:
    file = f"data/{name}.yml"
    if key is not None:
        if not isinstance(content, dict) or key not in content:
            raise DataError(file, key, "this key is missing", "Add it, as in the version this course was forked from")
        content = content[key]
    try:
        records = msgspec.convert(content, kind, strict=True)
        _check(records, file, key or "")
        return records
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `")
        where = where.rstrip("`").replace("$", key or "", 1).lstrip(".")
        raise DataError(file, where, what, "Correct the value in the file; the other records show the form") from None


@cache
def parsed(name: str) -> Any:
    path = files.folder() / f"{name}.yml"
    return strict_yaml.parse(read_text(path), f"data/{name}.yml")


def one(records: tuple[T, ...], of: Callable[[T], str], wanted: str, file: str) -> T:
    """The record whose `of(record)` is `wanted`, or a DataError that lists the known names."""
    for record in records:
        if of(record) == wanted:
            readings.note(f"{file.removeprefix('data/')}#{wanted}")
            return record
    known = ", ".join(of(record) for record in records)
    raise DataError(file, wanted, "no record has this name", f"Known: {known}. Add it, or correct the name where it is asked for")
