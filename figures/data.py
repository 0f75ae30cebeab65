"""The only opener of files: YAML in, frozen records out, or one error that says where and what to do.

Does not know what the records mean, and keeps no copy beside the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Annotated, Any, ClassVar, ParamSpec, TypeVar

import msgspec
import yaml

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parent
LARGEST = 1e18  # no number of a course is larger; one that is would overflow somewhere far from its file
Positive = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
Above = Annotated[float, msgspec.Meta(gt=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
LOOKS = "theme"  # colours and sizes are no part of what is told: its fields are not noted
_INCLUDE = re.compile(r"^\{\{<\s*include\s+(\S+)\s*>\}\}\s*$")
_listeners: ContextVar[tuple[set[str], ...]] = ContextVar("listeners", default=())


class DataError(ValueError):
    """A data file that can't be used: which file, which key, what is wrong, what to do."""

    def __init__(self, file: str, key: str, what: str, remedy: str):
        self.file, self.key, self.what, self.remedy = file, key, what, remedy
        self.where = f"{file}, {key}" if key else file
        super().__init__(f"{self.where}: {what}. {remedy}")


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
        if name[0] != "_" and _listeners.get() and not isinstance(value, Record):
            place = object.__getattribute__(self, "__dict__").get("place")
            if place is not None and name in type(self).__struct_fields__ and name not in self.__dict__.get("own", ()):
                note(f"{place}{name}")
        return value


def folder() -> Path:
    """The folder of data files: beside the package once installed, the checkout's `data/` otherwise."""
    installed = PACKAGE / "data"
    return installed if installed.is_dir() else ROOT / "data"


def load(name: str, kind: type[T], key: str | None = None) -> T:
    """The records of `data/NAME.yml`, checked against `kind`; with `key`, those under that top-level key.

    `load("models", tuple[Model, ...])`. Raises DataError for a missing file, broken YAML, a repeated key,
    an unknown or missing field, or a value of another type.
    """
    note(f"{name}.yml")
    records: T = _loaded(name, kind, key)  # type: ignore[arg-type]  # types are hashable
    if isinstance(records, tuple):
        note(f"{name}.yml:{key or ''}")
    return records


@cache
def _loaded(name: str, kind: type[T], key: str | None) -> T:
    records = _convert(name, _parsed(name), kind, key)
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
def _parsed(name: str) -> Any:
    path = folder() / f"{name}.yml"
    return parse_yaml(read_text(path), f"data/{name}.yml")


def read_text(path: Path) -> str:
    """A text file in UTF-8, or a DataError that names it."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError(_shown(path), "", "the file is missing", "Restore it from git, or write it anew") from None
    except UnicodeDecodeError as error:
        raise DataError(_shown(path), "", f"not UTF-8 at byte {error.start}", "Save the file as UTF-8") from None


def lines(file: Path) -> list[tuple[str, str]]:
    """(file:line, text) of a page's source with its includes put in place."""
    found: list[tuple[str, str]] = []
    for n, line in enumerate(read_text(file).splitlines(), 1):
        include = _INCLUDE.match(line)
        found += lines(_included(file, include[1])) if include else [(f"{_shown(file)}:{n}", line)]
    return found


def _included(file: Path, wanted: str) -> Path:
    return ROOT / wanted[1:] if wanted.startswith("/") else file.parent / wanted


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


@contextmanager
def readings() -> Iterator[set[str]]:
    """What is read inside the block, cached or not: files ("bpe.yml"), their fields ("bpe.yml:merges"),
    records picked by name ("models.yml#Llama 3 8B"), seeds ("bpe.yml#seed=4")."""
    seen: set[str] = set()
    token = _listeners.set((*_listeners.get(), seen))
    try:
        yield seen
    except Exception as error:
        if seen and not hasattr(error, "remedy") and not hasattr(error, "__notes__"):
            error.add_note(f"It had read {_told(seen)}: was one of these just changed?")
        raise
    finally:
        _listeners.reset(token)


def _told(seen: Iterable[str]) -> str:
    """Readings in words: `_told({"bpe.yml", "bpe.yml:merges"})` -> "data/bpe.yml (merges)"."""
    files: dict[str, list[str]] = {}
    for name in sorted(seen):
        file, _, field = name.partition(":")
        files.setdefault(file.partition("#")[0], []).extend([field] if field else [])
    return ", ".join(f"data/{file}" + (f" ({', '.join(fields)})" if fields else "") for file, fields in files.items())


def note(*files: str) -> None:
    """Tell whoever listens that these data files, or records of theirs, were read."""
    for listener in _listeners.get():
        listener.update(files)


def seed(file: str, value: int) -> int:
    """`value`, noted as the seed of `data/FILE` that a random draw starts from: `seed("matrix.yml", 271)` -> 271."""
    note(f"{file}#seed={value}")
    return value


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """`functools.cache` that tells of the readings again: a second call has read the same files as the first."""

    @cache
    def called(*args: P.args, **kwargs: P.kwargs) -> tuple[R, frozenset[str]]:
        with readings() as seen:
            result = function(*args, **kwargs)
        return result, frozenset(seen)

    @wraps(function)
    def again(*args: P.args, **kwargs: P.kwargs) -> R:
        result, files = called(*args, **kwargs)  # type: ignore[arg-type]  # as functools.cache wants them
        note(*files)
        return result

    again.cache_clear = called.cache_clear  # type: ignore[attr-defined]
    return again


class _StrictLoader(yaml.SafeLoader):
    """YAML 1.1 without its traps: no repeated keys, no `NO` as false, `1e12` is a number, `012` is 12, a date is a text."""


_OWN = {f"tag:yaml.org,2002:{name}" for name in ("bool", "int", "float", "timestamp")}
_StrictLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in _OWN]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_StrictLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
_StrictLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_StrictLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|\.(?:inf|nan))$"),
    list("-+0123456789."),
)


def _mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, (str, int, float, bool)):
            raise yaml.constructor.ConstructorError(None, None, "a key must be one word or number", key_node.start_mark)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands here twice", key_node.start_mark)
        seen.add(key)
    loader.flatten_mapping(node)
    return {loader.construct_object(k, deep=True): loader.construct_object(v, deep=True) for k, v in node.value}


def _number(construct: Callable[[Any, Any], Any]) -> Callable[[yaml.SafeLoader, yaml.ScalarNode], Any]:
    def number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
        try:
            value = construct(loader, node)
        except ValueError:  # a word tagged `!!int`, or thousands of digits
            raise yaml.constructor.ConstructorError(None, None, f"{str(node.value)[:20]} is no number", node.start_mark) from None
        if not abs(value) <= LARGEST:  # a comparison that NaN fails too
            what = f"{node.value} is no number that a course can use: NaN, infinite or larger than {LARGEST:g}"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark)
        return value

    return number


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _mapping)
_StrictLoader.add_constructor("tag:yaml.org,2002:int", _number(lambda loader, node: int(loader.construct_scalar(node))))
_StrictLoader.add_constructor("tag:yaml.org,2002:float", _number(yaml.SafeLoader.construct_yaml_float))


def parse_yaml(text: str, file: str) -> Any:
    """`text` as strict YAML; `file` is the name that an error shows."""
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise DataError(file, place, error.problem or "not YAML", "Correct that line") from None
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as error:  # odd characters, tags, depth
        raise DataError(
            file, "", f"no YAML that this course can use: {str(error).splitlines()[0]}", "Start from the version in git"
        ) from None


@dataclass(frozen=True)
class Words:
    """The texts of one topic that code shows: `Words("bpe")("caption", merges=41)`.

    Templates live in `data/words/TOPIC.yml`, so that another language is another set of files.
    """

    topic: str

    def __call__(self, key: str, **values: object) -> str:
        """The text at `key` ("table.total" walks down), its `{fields}` filled with `values`."""
        text = self._at(key)
        if not isinstance(text, str):
            raise DataError(self.file, key, "expected one text here", "Write a string")
        try:
            return text.format(**{name: str(value) for name, value in values.items()})
        except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
            known = ", ".join(sorted(values)) or "none"
            raise DataError(self.file, key, f"the text asks for a field it isn't given ({error})", f"Known fields: {known}") from None

    def list(self, key: str) -> tuple[str, ...]:
        """The list of texts at `key`: the headings of a table, the names of a series."""
        texts = self._at(key)
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise DataError(self.file, key, "expected a list of texts", 'Write it as ["…", "…"]')
        return tuple(texts)

    def named(self, key: str) -> dict[str, str]:
        """The texts at `key` by their names, for what isn't Python."""
        texts = self._at(key)
        if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
            raise DataError(self.file, key, "expected texts with names", "Write each as name: text")
        return texts

    @property
    def file(self) -> str:
        return f"data/words/{self.topic}.yml"

    def _at(self, key: str) -> Any:
        note(f"words/{self.topic}.yml")
        here = _parsed(f"words/{self.topic}")
        for step in key.split("."):
            if not isinstance(here, dict) or step not in here:
                raise DataError(self.file, key, "this text is missing", "Add it to the file")
            here = here[step]
        return here


def one(records: tuple[T, ...], of: Callable[[T], str], wanted: str, file: str) -> T:
    """The record whose `of(record)` is `wanted`, or a DataError that lists the known names."""
    for record in records:
        if of(record) == wanted:
            note(f"{file.removeprefix('data/')}#{wanted}")
            return record
    known = ", ".join(of(record) for record in records)
    raise DataError(file, wanted, "no record has this name", f"Known: {known}. Add it, or correct the name where it is asked for")


@cache
def project(name: str) -> dict[str, Any]:
    """The project's own settings, `_quarto.yml` or `_variables.yml`: from the checkout, or as shipped with the package."""
    installed = PACKAGE / "data" / name
    content = parse_yaml(read_text(installed if installed.is_file() else ROOT / name), name)
    if not isinstance(content, dict):
        raise DataError(name, "", "expected a mapping of settings", "Start from the version in git")
    return content


def language() -> str:
    """The language of the documents, as `_quarto.yml` says it: `language()` -> "pt-BR"."""
    lang = project("_quarto.yml").get("lang")
    if not isinstance(lang, str):
        raise DataError("_quarto.yml", "lang", "the language of the documents is missing", "Write for example `lang: pt-BR`")
    return lang
