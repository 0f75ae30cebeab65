"""Opens the files of data/: YAML in, frozen records out, or one error that says where and what to do.

Does not know what the records mean, and keeps no copy beside the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
import msgspec.inspect

from figures.kit import files, glyphs, markup, readings, strict_yaml
from figures.kit.errors import DataError
from figures.kit.files import numbered, read_text
from figures.kit.markup import Code, Markup
from figures.kit.strict_yaml import Tree

T = TypeVar("T")

Positive = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
Above = Annotated[float, msgspec.Meta(gt=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
TEXT, SOURCE, CODE, WORDS = 140, 600, 500, 600  # characters of a text of a slide, a source, a name for machines, a sentence
COMMA = "Put the text before it in quotes: between braces a comma ends it"
REMEDY = "Correct the value in the file; the other records show the form"
LOOKS = "theme"  # colours and sizes are no part of what is said: its fields are not noted


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """Base of every record: frozen, strict about names and types, hashable where its fields are.

    A record that was loaded notes which of its fields is read: "a.yml:first", "models.yml:large.layers".
    In a file an empty text or list is a mistake, but in the fields that `EMPTY` names. A field of `str` is shown as it is
    written; one of `Markup` is Markdown, one of `Code` a name for machines. A text has at most `LONGEST` characters of its field.
    """

    EMPTY: ClassVar[frozenset[str]] = frozenset()
    LONGEST: ClassVar[dict[str, int]] = {}

    def faults(self) -> Iterator[str]:
        """What is wrong with the fields together, in words; nothing where they fit. For records to override."""
        yield from ()

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if name[0] != "_" and readings.listening() and not isinstance(value, Record):
            reading = object.__getattribute__(self, "__dict__").get("reading")
            if reading is not None and name in type(self).__struct_fields__ and name not in self.__dict__.get("own", ()):
                readings.note(f"{reading}{name}")
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


kinds: dict[tuple[str, str], Any] = {}  # as what each file, or each of its keys, was loaded


@cache
def _loaded(name: str, kind: type[T], key: str | None) -> T:
    kinds[name, key or ""] = kind
    records = checked(tree(name), f"data/{name}.yml", kind, key or "")
    if name != LOOKS:
        _mark(records, f"{name}.yml:{key or ''}", name, key or "")
    return records


def _mark(content: Any, reading: str, name: str, path: str) -> None:
    """Each record below `content` learns its line, and under what name its fields are noted as they are read."""
    inside = reading if reading.endswith(":") else f"{reading}."
    if isinstance(content, Record):
        for field in content.__struct_fields__:
            _mark(getattr(content, field), f"{inside}{field}", name, _below(path, field))
        line = tree(name).line(path)
        content.__dict__.update(reading=inside, line=line)  # last, so that this walk is not taken for a reading
    elif isinstance(content, dict):
        for key, item in content.items():
            _mark(item, f"{inside}{key}", name, _below(path, key))
    elif isinstance(content, (tuple, list)):
        for n, item in enumerate(content):
            if isinstance(item, Record):
                _mark(item, f"{inside}{label(item, n)}", name, f"{path}[{n}]")


def _below(path: str, key: object) -> str:
    return f"{path}.{key}" if path else f"{key}"


def line_of(record: Record) -> int:
    """The line of its file where a loaded record stands; 1 for one that code made."""
    return int(record.__dict__.get("line", 1))


def file_of(record: Record) -> str:
    """The file of a loaded record, as `data/models.yml`; "" for one that code made."""
    return "data/" * ("reading" in record.__dict__) + str(record.__dict__.get("reading", "")).partition(":")[0]


def label(record: Any, n: int) -> str:
    """What a list's record is called in the notes: its id, else its name, else its number."""
    names = (getattr(record, field, None) for field in ("id", "name"))
    return next((text for text in names if isinstance(text, str)), str(n))


def checked(tree: Tree, file: str, kind: type[T], key: str) -> T:
    """What stands in a file at a dotted path, as records; or a DataError with the file, the key and its line."""

    def fault(path: str, what: str, remedy: str = REMEDY) -> DataError:
        return DataError(file, path, what, remedy, tree.line(path))

    content = tree.value
    for step in filter(None, key.split(".")):
        if not isinstance(content, dict) or step not in content:
            raise fault(key, "this key is missing", "Add it, as in the version this course was forked from")
        content = content[step]
    try:
        records = msgspec.convert(content, kind, strict=True, dec_hook=_text_of)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `")
        what += "; known: " + ", ".join(map(str, known)) if (known := _choices(kind, where)) else ""
        remedy = COMMA if re.search(r"unknown field `[^`]* ", what) else REMEDY
        raise fault((where or "$").rstrip("`").replace("$", key, 1).lstrip("."), what, remedy) from None
    _check(records, fault, key)
    if file != f"data/{LOOKS}.yml":
        _check_texts(records, fault, key)
    return records


def _choices(kind: Any, where: str) -> tuple[Any, ...]:
    """The values that a field may have, if it may have only a few: `where` as msgspec tells it, "$.items[0].kind`".

    >>> from typing import Literal
    >>> _choices(dict[str, tuple[Literal["a", "b"], ...]], "$[...][1]`")
    ('a', 'b')
    """
    here: Any = msgspec.inspect.type_info(kind)
    for name in re.findall(r"\.(\w+)|\[[\d.]+\]", where):
        if name:
            here = next((one.type for one in getattr(here, "fields", ()) if one.encode_name == name), None)
        else:
            here = getattr(here, "item_type", None) or getattr(here, "value_type", None)
    return here.values if isinstance(here, msgspec.inspect.LiteralType) else ()


def _text_of(kind: type, written: Any) -> Any:
    """A text of a kind of its own, Markdown or a name for machines."""
    if kind in (Markup, Code) and isinstance(written, str):
        return kind(written)
    raise TypeError(f"Expected `str`, got `{type(written).__name__}`")


def _check_texts(content: Any, fault: Callable[..., DataError], path: str, longest: int = TEXT) -> None:
    """Each text below can be shown as it is, keys that are names included, or is refused where it stands."""
    if isinstance(content, str):
        most = CODE if isinstance(content, Code) else longest
        for what, remedy in (*markup.faults(content, most), *glyphs.faults(content, emoji=longest == WORDS)):
            raise fault(path, what, remedy)
    elif isinstance(content, Record):
        for field, written in zip(content.__struct_fields__, content.__struct_encode_fields__):
            most = content.LONGEST.get(field, SOURCE if field == "source" else TEXT)
            _check_texts(getattr(content, field), fault, _below(path, written), most)
    elif isinstance(content, dict):
        for key, value in content.items():
            _check_texts(key, fault, _below(path, key))
            _check_texts(value, fault, _below(path, key), longest)
    elif isinstance(content, (tuple, list)):
        for n, item in enumerate(content):
            _check_texts(item, fault, f"{path}[{n}]", longest)


def _check(content: Any, fault: Callable[..., DataError], path: str) -> None:
    """What types can't refuse: a field left empty, two records of one list with one name, fields that don't fit each other."""
    if not path and content in ((), {}):
        raise fault("", "nothing stands here", "Write at least one record, or restore the file from git")
    if isinstance(content, Record):
        names = zip(content.__struct_fields__, content.__struct_encode_fields__, _defaults(type(content)))
        for field, written, default in names:
            value, here = getattr(content, field), _below(path, written)
            if _is_empty(value) and value != default and field not in content.EMPTY:
                raise fault(here, "nothing stands here")
            _check(value, fault, here)
        for what in content.faults():
            raise fault(path, what)
    elif isinstance(content, dict):
        for key, value in content.items():
            _check(value, fault, _below(path, key))
    elif isinstance(content, (tuple, list)):
        taken: set[str] = set()
        for n, item in enumerate(content):
            _check(item, fault, f"{path}[{n}]")
            if isinstance(item, Record) and (called := label(item, n)) in taken:
                raise fault(f"{path}[{n}]", f"{called!r} stands here twice", "Give one of the two another name")
            taken.add(label(item, n))


def _is_empty(value: Any) -> bool:
    return value in ((), {}) or isinstance(value, str) and not value.strip()


def _defaults(kind: type[Record]) -> tuple[Any, ...]:
    """The default of each field, None where it has none."""
    return (*[None] * (len(kind.__struct_fields__) - len(kind.__struct_defaults__)), *kind.__struct_defaults__)


def changed(record: T, **changes: Any) -> T:
    """The record with some fields changed; the others still know where they stand."""
    made: T = msgspec.structs.replace(record, **changes)  # type: ignore[type-var]
    marks = record.__dict__
    made.__dict__.update(marks, own=marks.get("own", frozenset()) | changes.keys())
    return made


@cache
def tree(name: str) -> Tree:
    """What `data/NAME.yml` holds, each value with its line."""
    made = strict_yaml.read(numbered(read_text(files.folder() / f"{name}.yml"), f"data/{name}.yml"))
    for key, entry in made.texts() if name.startswith("words/") else ():
        _check_texts(Markup(entry.value), lambda path, what, remedy: fault_at(made, name, path, what, remedy), key, WORDS)
    return made


def fault_at(tree: Tree, name: str, key: str, what: str, remedy: str) -> DataError:
    """An error in a file that is being read."""
    return DataError(f"data/{name}.yml", key, what, remedy, tree.line(key))


def fault(name: str, key: str, what: str, remedy: str) -> DataError:
    """An error that names the file, the key and its line: `raise data.fault("topic", "texts", "no words", "Write some")`."""
    return fault_at(tree(name), name, key, what, remedy)


def forget() -> None:
    """Read the files anew from now on, as who edits them while this process runs needs it."""
    tree.cache_clear()
    _loaded.cache_clear()


def one(records: tuple[T, ...], of: Callable[[T], str], wanted: str, file: str) -> T:
    """The record whose `of(record)` is `wanted`, or a DataError at the data that asks for it, with the known names."""
    for record in records:
        if of(record) == wanted:
            readings.note(f"{file.removeprefix('data/')}#{wanted}")
            return record
    names = ", ".join(of(record) for record in records)
    for asking, key in _asking(wanted, file):
        raise fault(asking, key, f"{file} has no record {wanted!r}", f"Correct the name here, or add it there; known: {names}")
    raise DataError(file, wanted, "no record has this name", f"Known: {names}. Add it, or correct the name where it is asked for")


def _asking(wanted: str, file: str) -> Iterator[tuple[str, str]]:
    """Where other files of data/ have this very text: the file's name and the key, unless it is the name of a record there."""
    for path in sorted(files.folder().glob("*.yml")):
        if f"data/{path.name}" != file:
            yield from ((path.stem, key) for key, entry in tree(path.stem).texts() if entry.value == wanted and not _is_name(key))


def _is_name(key: str) -> bool:
    return key.rpartition(".")[2] in ("id", "name")
