"""Values of data/ that somebody tries out: named as ledgers name what they read, put into the text of their file, comments kept.

Nothing here knows what a value means: the records of figures/kit/data.py take it or refuse it, as for a file that was saved.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from base import atomic_write

from figures.kit import files
from figures.kit.errors import Problem

Edits = dict[str, Any]  # by the field's name, "models.yml:large.layers"
MOST = 40  # fields tried at once
LONGEST = 2000  # characters of a value


class Refused(Problem):
    """A value that can't be put where it is wanted."""


def overlay(wanted: Mapping[str, Any], root: Path) -> dict[str, str]:
    """The files that these values change, "data/models.yml", each with its whole new text."""
    by_file: dict[str, Edits] = {}
    for name, value in wanted.items():
        by_file.setdefault(f"data/{name.partition(':')[0]}", {})[name.partition(":")[2]] = value
    return {file: changed(files.read_text(root / file), changes, file) for file, changes in by_file.items()}


def changed(text: str, changes: Edits, file: str = "") -> str:
    """The text of a YAML file with other values at some fields, and nothing else touched.

    >>> changed("a: {b: 1}   # one", {"a.b": 2.5})
    'a: {b: 2.5}   # one'
    """
    places = []
    for path, value in changes.items():
        node = found(composed(text, file), path)
        if node is None or not simple(node):
            raise Refused(f"{file}, {path}", "there is no such value that could be changed here", "Edit the file")
        places.append((node.start_mark.index, node.end_mark.index, value))
    for start, end, value in sorted(places, reverse=True):
        text = text[:start] + written(value) + text[end:]
    return text


def composed(text: str, file: str) -> Any:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise Refused(file, f"this is no valid YAML: {error}", "Put it right first") from None


def written(value: Any) -> str:
    """A value as YAML on one line.

    >>> written([1, 0.5]), written("no"), written(1e12)
    ('[1, 0.5]', "'no'", '1000000000000.0')
    """
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10**9)
    return text.removesuffix("...\n").strip()


def found(node: Any, path: str) -> Any:
    """The node at a field's path, where an item of a list goes by its id, its name or its number; None where there is none."""
    if not path:
        return node
    for name, below in _below(node):
        if path == name or path.startswith(f"{name}."):
            at = found(below, path[len(name) + 1 :])
            if at is not None:
                return at
    return None


def _below(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, yaml.MappingNode):
        yield from ((key.value, value) for key, value in node.value)
    elif isinstance(node, yaml.SequenceNode):
        for n, item in enumerate(node.value):
            names = {key.value: value.value for key, value in item.value} if isinstance(item, yaml.MappingNode) else {}
            yield str(names.get("id") or names.get("name") or n), item


def simple(node: Any) -> bool:
    """Whether a value stands on one line, so that another can take its place."""
    if isinstance(node, yaml.ScalarNode):
        return node.style not in ("|", ">") and node.start_mark.line == node.end_mark.line
    return isinstance(node, yaml.SequenceNode) and bool(node.flow_style) and node.start_mark.line == node.end_mark.line


def read(text: str, path: str) -> tuple[Any, int, str] | None:
    """A value with its line and the comment beside it; None where it is none that could be tried out."""
    node = found(composed(text, path), path)
    if node is None or not simple(node):
        return None
    line = text.splitlines()[node.start_mark.line]
    _, sign, comment = line[node.end_mark.column :].partition(" #")
    return yaml.safe_load(text[node.start_mark.index : node.end_mark.index]), node.start_mark.line + 1, comment.strip() if sign else ""


def checked(wanted: Any) -> Edits:
    """What a browser sent, as values by field; texts of lists are read as YAML. Refused where it is anything else."""
    if not isinstance(wanted, dict) or len(wanted) > MOST or not all(isinstance(name, str) and ".." not in name for name in wanted):
        raise Refused("what if", "this is no set of values by field", "Load the page again")
    return {name: _value(name, value) for name, value in wanted.items()}


def _value(name: str, value: Any) -> Any:
    if isinstance(value, str) and value.startswith("["):
        try:
            value = yaml.safe_load(value[:LONGEST])
        except yaml.YAMLError:
            raise Refused(name, f"“{value}” is no list", "Write it as [1, 2]") from None
    if len(repr(value)) > LONGEST:
        raise Refused(name, "this value is too long to be tried out", "Edit the file")
    return value


def difference(wanted: Mapping[str, Any], root: Path) -> str:
    """What keeping these values would change in the files, as a unified diff."""
    lines: list[str] = []
    for file, text in overlay(wanted, root).items():
        before = files.read_text(root / file)
        lines += difflib.unified_diff(before.splitlines(True), text.splitlines(True), file, file, n=1)
    return "".join(lines)


def keep(wanted: Mapping[str, Any], root: Path) -> None:
    """Write these values into their files."""
    atomic_write.write_together({root / file: text for file, text in overlay(wanted, root).items()})
