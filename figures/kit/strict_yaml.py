"""YAML in one dialect, Quarto's: the core schema of YAML 1.2, where each value knows its line.

`yes` and `NO` are texts, `1e12` is a number, `012` is 12 and a date is a text. Refused, with file and line, is what would
pass silently elsewhere: a repeated key, a key that is no word, a tag, and a number that is NaN, infinite or huge.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import yaml

from figures.kit.errors import DataError
from figures.kit.files import Line, Place, numbered

LARGEST = 1e18  # no number of a course is larger; one that is would overflow somewhere far from its file
REMEDY = "Correct that line"
_TAG = "tag:yaml.org,2002:"
_CORE = {
    "bool": (re.compile(r"true|True|TRUE|false|False|FALSE"), "tTfF"),
    "int": (re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"), "-+0123456789"),
    "float": (
        re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"),
        "-+0123456789.",
    ),
    "null": (re.compile(r"~|null|Null|NULL|"), ["~", "n", "N", ""]),
}  # what a plain word is taken for: its pattern, and the characters that it starts with


class _Loader(yaml.SafeLoader):
    """Parses; a plain word is resolved as YAML 1.2's core schema has it."""

    yaml_implicit_resolvers = {}


for _name, (_pattern, _first) in _CORE.items():
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern.pattern})\Z"), list(_first))


class _Quick(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """The same by libyaml where PyYAML has it: many times as quick, but less clear about a fault."""

    yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers


# What libyaml reads otherwise: tabs, a byte-order mark, bare tags, a block's sign with # behind it, a question mark in brackets.
_OTHERWISE = re.compile(r"[\t\ufeff]|(?:^|[\s\[{,])!|[|>].*#|\?[\]},]", re.MULTILINE)


class Piece(NamedTuple):
    """What one line holds of a text; `column` counts from 1."""

    place: Place
    column: int
    text: str


@dataclass(frozen=True)
class Entry:
    """A value of a file, the line of its key (in a list its own), and where it is written."""

    value: Any
    place: Place
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Tree:
    """What a file holds, whole in `value`, and each value below it in `entries` by its path: "models[0].layers"."""

    value: Any
    entries: dict[str, Entry]

    def line(self, path: str) -> int:
        """The line where a path stands, or of what is nearest above it; 0 where nothing of it is in the file."""
        while path and path not in self.entries:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.entries[path].place.line if path else 0

    def leaves(self) -> dict[str, Entry]:
        """What settings are made of, by dotted path: all that is no mapping, a list being one value."""
        return {
            path: entry
            for path, entry in self.entries.items()
            if "[" not in path and (not isinstance(entry.value, dict) or not entry.value)
        }

    def texts(self) -> Iterator[tuple[str, Entry]]:
        """What is no mapping and no list, in the order of the file."""
        return ((path, entry) for path, entry in self.entries.items() if not isinstance(entry.value, (dict, list)))


def parse(text: str, file: str) -> Any:
    """`text` as strict YAML; `file` is the name that an error shows."""
    return read(numbered(text, file)).value


def read(lines: Sequence[Line]) -> Tree:
    """The same for lines that stand in a file, or in several."""
    root = _composed(lines)
    entries: dict[str, Entry] = {}
    return Tree(None if root is None else _Builder(lines, entries).value(root, "", ()), entries)


def settings(lines: Sequence[Line]) -> Tree:
    """`read` for what must be a mapping: settings, front matter, the options of a cell. Nothing at all is an empty one."""
    return _settings(tuple(lines))


@lru_cache(maxsize=512)
def _settings(lines: tuple[Line, ...]) -> Tree:
    """The same, of lines that were asked for before at once: a build asks for each document's settings a hundred times."""
    tree = read(lines)
    if tree.value is None:
        return Tree({}, {})
    if not isinstance(tree.value, dict):
        raise DataError(lines[0].place.file, "", "these settings are no mapping", "Write `key: value` lines.", lines[0].place.line)
    return tree


def _composed(lines: Sequence[Line]) -> yaml.Node | None:
    text = "\n".join(line.text for line in lines)
    if not _OTHERWISE.search(text):
        with suppress(yaml.YAMLError, ValueError, OverflowError, RecursionError):
            return yaml.compose(text, Loader=_Quick)
    try:
        return yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        at, what = error.problem_mark.index if error.problem_mark else 0, str(error.problem)
    except yaml.reader.ReaderError as error:  # odd characters
        at, what = error.position, str(error.reason)
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:  # impossible escapes, depth
        at, what = 0, str(error).partition("\n")[0]
    place = lines[text.count("\n", 0, at)].place
    raise DataError(place.file, "", f"this is no valid YAML: {what}", "Check quotes, colons and indentation.", place.line)


class _Builder:
    """Makes the values of composed nodes, and enters each with its place."""

    def __init__(self, lines: Sequence[Line], entries: dict[str, Entry]) -> None:
        self.lines, self.entries = lines, entries
        self.starts = list(accumulate((len(line.text) + 1 for line in lines), initial=0))

    def value(self, node: yaml.Node, path: str, parents: tuple[yaml.Node, ...]) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path)
        if node in parents:
            raise self._fault(node, path, "this list or mapping is recursive: it holds itself")
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return [self._entered(item, item, f"{path}[{n}]", (*parents, node)) for n, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return self._mapping(node, path, (*parents, node))
        raise self._fault(node, path, f"the tag {node.tag} is unknown")

    def _mapping(self, node: yaml.MappingNode, path: str, parents: tuple[yaml.Node, ...]) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, value in node.value:
            name = self._scalar(key, path) if isinstance(key, yaml.ScalarNode) else None
            if name is None:
                raise self._fault(key, path, "a key must be one word or number")
            inner = f"{path}.{key.value}" if path else str(key.value)
            if name in made or inner in self.entries:
                before = f"It is also at {self.entries[inner].place}: drop one." if inner in self.entries else REMEDY
                raise self._fault(key, path, f"`{inner}` stands twice", before)
            made[name] = self._entered(key, value, inner, parents)
        return made

    def _entered(self, named: yaml.Node, node: yaml.Node, path: str, parents: tuple[yaml.Node, ...]) -> Any:
        value = self.value(node, path, parents)
        self.entries[path] = Entry(value, self._place(named), tuple(self._pieces(node)) if isinstance(node, yaml.ScalarNode) else ())
        return value

    def _scalar(self, node: yaml.ScalarNode, path: str) -> Any:
        text, kind = str(node.value), node.tag.removeprefix(_TAG)
        if kind == "str":
            return text
        if kind not in _CORE or not _CORE[kind][0].fullmatch(text):
            raise self._fault(node, path, f"{text[:20]} is no {kind}")
        if kind == "null":
            return None
        return text.lower() == "true" if kind == "bool" else self._number(node, kind, text, path)

    def _number(self, node: yaml.Node, kind: str, text: str, path: str) -> int | float:
        try:
            value = _whole(text) if kind == "int" else float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
        except ValueError:  # thousands of digits
            value = float("inf")
        if not abs(value) <= LARGEST:  # a comparison that NaN fails too
            what = f"{text[:20]} is no number that a course can use: NaN, infinite or larger than {LARGEST:g}"
            raise self._fault(node, path, what)
        return value

    def _pieces(self, node: yaml.ScalarNode) -> Iterator[Piece]:
        """Where a text is written, its quotes included, line by line."""
        (first, begin), (last, end) = self._at(node.start_mark), self._at(node.end_mark)
        for n in range(first, last + 1):
            column, line = begin if n == first else 0, self.lines[n]
            yield Piece(line.place, column + 1, line.text[column : end if n == last else None])

    def _at(self, mark: yaml.Mark) -> tuple[int, int]:
        """(line, column) of a mark, both from 0. Its own are no use: for PyYAML more than a line feed ends a line."""
        line = bisect(self.starts, mark.index) - 1
        return line, mark.index - self.starts[line]

    def _place(self, node: yaml.Node) -> Place:
        return self.lines[self._at(node.start_mark)[0]].place

    def _fault(self, node: yaml.Node, path: str, what: str, remedy: str = REMEDY) -> DataError:
        place = self._place(node)
        return DataError(place.file, path, what, remedy, place.line)


def _whole(text: str) -> int:
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
