"""Texts of data/words/ for which no code asks.

A key is asked for as a literal, `_words("table.total")`, or with holes, `_words(f"table.{name}")`, which stands for every
key of that form; `.named("said")` stands for all below it,
`.group("signs")` for what only the data names. Where code computes the whole key, as in `_words(key)`, each
step of a key has to stand as a text of its own in that file. What JavaScript gets is asked for there by name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from plain_code import files, uncommented

from figures.kit import strict_yaml

SIMULATORS = "simulators"  # data/words/LANGUAGE/simulators.yml: a group for each simulator, and `common`, which all share


HOLE = r"[\w -]+"  # what may stand where a key is computed


class Asked(NamedTuple):
    """What one Python file asks of one file of words."""

    topic: str
    patterns: list[str]  # of the keys that it writes
    named: list[str]  # the keys whose texts it hands on by their names
    pieces: set[str]  # every text of the file where it computes a key, else none

    def answers(self, key: str, names: set[str]) -> bool:
        """Whether the key is asked for; below a key of `named`, its name has to stand somewhere among `names`."""
        above, _, name = key.rpartition(".")
        if above in self.named:
            return name in names
        return any(re.fullmatch(pattern, key) for pattern in self.patterns) or key in self.pieces or set(key.split(".")) <= self.pieces


def unused() -> list[str]:
    """Every text that nobody asks for, as "pt/bpe.yml: table.total"."""
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files("figures/**/*.py", "build/**/*.py")}
    trees = modules.values()
    asked = [one for tree in trees for one in askings(tree)]
    asked += [one for path, tree in modules.items() for one in asked_by_simulators(tree, (path.stem, path.parent.name))]
    names = {name for tree in trees for name in named_in(tree)}
    names |= {name for path in files("slides/theme/*.mjs", "build/preview/browser/*.mjs") for name in re.findall(r"\w+", code(path))}
    return sorted(
        f"{path.parent.name}/{path.name}: {key}"
        for path in files("data/words/*/*.yml")
        for key in keys(strict_yaml.parse(path.read_text(encoding="utf-8"), path.name))
        if not any(one.answers(key, names) for one in asked if one.topic == path.stem)
        and not (path.stem == SIMULATORS and in_simulator(key))
        and not on_paper(path.name, key)
    )


def keys(content: Any, above: str = "") -> Iterator[str]:
    """The keys of the texts and lists of texts: {"a": {"b": "x"}} -> "a.b"."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from keys(value, f"{above}{name}.")
        else:
            yield f"{above}{name}"


def named_in(tree: ast.Module) -> Iterator[str]:
    """The texts of the code and the names of its arguments: both name the values of a check."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg


def askings(tree: ast.Module) -> Iterator[Asked]:
    """What a file asks of each `NAME = Words("topic")` in it."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for variable, topic in words_of(tree):
        found = [
            (method, pattern_of(call.args[0])) for call in calls if call.args and (method := asked_of(call.func, variable)) is not None
        ]
        computed = any(pattern == HOLE for _, pattern in found)
        texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        patterns = [pattern for method, pattern in found if method != "named" and pattern != HOLE]
        patterns += [rf"{pattern}\..+" for method, pattern in found if method == "group" and topic != SIMULATORS]
        yield Asked(topic, patterns, [pattern for method, pattern in found if method == "named"], texts if computed else set())


def asked_by_simulators(tree: ast.Module, topics: tuple[str, ...]) -> Iterator[Asked]:
    """What the kit asks for each function under `@precomputed(…)`: its name, and the label and options of each control."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for call in (one for one in function.decorator_list if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "precomputed"):
            controls = "|".join(str(keyword.arg) for keyword in call.keywords)
            patterns = [rf"{function.name}\.name", rf"{function.name}\.(?:{controls})(?:\.label|\.options\.{HOLE})?"]
            yield from (Asked(topic, patterns, [], set()) for topic in topics)


def words_of(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(variable, topic) of each assignment with `Words("topic")` in it: `A, B = Words("a"), Words("b")` gives all four pairs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            variables = [one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)]
            made = [one for one in ast.walk(node.value) if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "Words"]
            topics = [str(one.args[0].value) for one in made if isinstance(one.args[0], ast.Constant)]
            yield from zip(variables, topics, strict=True) if len(variables) == len(topics) else product(variables, topics)


def asked_of(function: ast.expr, variable: str) -> str | None:
    """The method by which a call asks `variable` for a text: `_words(…)` -> "", `_words.list(…)` -> "list"; None if it asks another."""
    method = ""
    if isinstance(function, ast.Attribute):
        function, method = function.value, function.attr
    if isinstance(function, ast.Subscript):
        function = function.value
    return method if isinstance(function, ast.Name) and function.id == variable else None


def pattern_of(key: ast.expr) -> str:
    r"""The keys that an expression may give: `f"table.{name}"` -> "table\\.[\\w ]+"."""
    if isinstance(key, ast.Constant):
        return re.escape(str(key.value))
    if isinstance(key, ast.JoinedStr):
        return "".join(pattern_of(part) for part in key.values)
    return HOLE


def on_paper(words: str, key: str) -> bool:
    """Whether a Lua file that reads these words asks for the text, as `words.notes`."""
    return any(f'"{words}"' in code(path) and asks(code(path), key) for path in files("slides/theme/**/*.lua"))


def in_simulator(key: str) -> bool:
    """Whether the simulator's JavaScript asks for the text, as `words.title`, "title" or the start of `step_${name}`."""
    simulator, name, *_ = key.split(".")
    everywhere = files("slides/sim/**/*.mjs")
    own = [path for path in everywhere if simulator in (path.stem, path.parent.name)]
    kit = files("slides/sim/kit/*.mjs")
    if any("...switches(" in code(path) for path in own) and any(re.search(rf"run\(data, \{{[^)]*\b{name}\b", code(path)) for path in own):
        return True  # the label of an entry of the state that is on or off
    return any(asks(code(path), name) for path in (with_imports(own + kit) if own else everywhere))


def with_imports(paths: list[Path]) -> set[Path]:
    """The modules of JavaScript and those that they import, near and far."""
    reached: set[Path] = set()
    while paths:
        path = paths.pop()
        if path not in reached:
            reached.add(path)
            paths += [(path.parent / name).resolve() for name in re.findall(r'from "(\.[^"]+)"', code(path))]
    return reached


@cache
def code(path: Path) -> str:
    return uncommented(path.read_text(encoding="utf-8"), path.suffix)


def asks(source: str, name: str) -> bool:
    if re.search(rf"\b(?:words|texts)\.{name}\b|[\"'`]{name}[\"'`]", source):
        return True
    templates = [text for text in re.findall(r"`((?:\w|\$\{[^}]*\})+)`", source) if "${" in text]
    return any(re.fullmatch(re.sub(r"\$\{[^}]*\}", r"\\w+", text), name) for text in templates)
