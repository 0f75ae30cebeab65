"""Every text of data/ that a person may write as they like: the files that are loaded, and where their texts stand."""

from __future__ import annotations

import ast
import copy
import importlib
import pkgutil
import re
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

import figures
from figures.kit import data, strict_yaml

Load = tuple[str, Any, str | None]


@cache
def loads() -> tuple[Load, ...]:
    """The files that figures/ loads, each with the kind of its records and the key: every `data.load("name", Kind)` of its code."""
    found: dict[Load, None] = {}
    for info in pkgutil.walk_packages(figures.__path__, "figures."):
        module = importlib.import_module(info.name)
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "data.load" and isinstance(node.args[0], ast.Constant):
                name, kind, *key = (eval(ast.unparse(one), vars(module)) for one in (*node.args, *(k.value for k in node.keywords)))
                found[name, kind, key[0] if key else None] = None
    return tuple(load for load in found if load[0] != data.LOOKS)


def texts(content: Any, path: str) -> Iterator[tuple[str, str]]:
    """Each text below loaded records that no pattern and no list of words binds: its dotted path and itself."""
    if type(content) is str:
        yield path, content
    elif isinstance(content, data.Record):
        hints = typing.get_type_hints(type(content), include_extras=True)
        for field, written in zip(content.__struct_fields__, content.__struct_encode_fields__):
            if not _bound(hints[field]):
                yield from texts(getattr(content, field), f"{path}.{written}" if path else written)
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from texts(value, f"{path}.{key}" if path else key)
    elif isinstance(content, (tuple, list)):
        for n, item in enumerate(content):
            yield from texts(item, f"{path}[{n}]")


def _bound(hint: Any) -> bool:
    return typing.get_origin(hint) in (Literal, typing.Annotated) or any(map(_bound, typing.get_args(hint)))


def put(tree: strict_yaml.Tree, path: str, value: Any) -> strict_yaml.Tree:
    """The same file with another value at a path such as "a.b[2].c"."""
    content = copy.deepcopy(tree.value)
    here, steps = content, [int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", path)]
    for step in steps[:-1]:
        here = here[step]
    here[steps[-1]] = value
    return strict_yaml.Tree(content, tree.entries)
