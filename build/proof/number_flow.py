"""Numbers that somebody typed in code and that reach what a slide shows: through a name, a default, a container, a helper.

A small data flow over one module: what a function for slides holds itself, and what it takes from the module's own
constants and private helpers. What only says how a number is written (`fixed(2)`), which item is meant (`rows[2]`),
a power, or what something is compared with is no result, and 0 and 1 belong to formulas.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from figures.kit import equations, formats
from figures.kit.files import Line
from proof.fault import HOLE
from proof.text_piece import Text

VALUES = {"number", "word", "table", "listing", "block"}  # the decorators of what shows values; a picture's places are no results
FORMATS = {name for module in (formats, equations) for name, thing in vars(module).items() if callable(thing)}
FREE = {0, 1}
KIT = "figures/kit/"  # it counts what documents hold, and knows no result
DRAWN = {"plot", "bar", "barh", "scatter", "hist", "fill_between", "step", "semilogy", "loglog", "imshow", "curve", "points",
         "set_xticks", "set_yticks", "FixedFormatter", "FixedLocator", "set_ticklabels"}  # fmt: skip


def flowing(file: str, written: list[Line]) -> Iterator[Text]:
    """Each line with number literals that reach what is shown, the other digits of the line as holes; its place is the function.

    >>> from figures.kit.files import numbered
    >>> code = "SHARE = 0.77\\n@number(fixed(2))\\ndef weight(n=3):\\n    return SHARE + rows[2]\\n"
    >>> [(text.line, text.place) for text in flowing("figures/a.py", numbered(code, "figures/a.py"))]
    [(1, 'weight'), (3, 'weight')]
    """
    if file.startswith(KIT):
        return
    lines = [line.text for line in written]
    module = ast.parse("\n".join(lines))
    named = {name: node for node in module.body for name in _names(node)}
    found: dict[int, tuple[str, set[tuple[int, int]]]] = {}
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef):
            literals = itertools.chain(_reaching(function, named) if shows_values(function) else (), _plotted(function, named))
            for one in literals:
                place, columns = found.setdefault(one.lineno, (function.name, set()))
                raw = lines[one.lineno - 1].encode()
                columns.add((len(raw[: one.col_offset].decode()), len(raw[: one.end_col_offset].decode())))
    for number, (place, columns) in sorted(found.items()):
        line = lines[number - 1].partition("  #")[0]
        kept = "".join(sign if not sign.isnumeric() or any(a <= at < b for a, b in columns) else HOLE for at, sign in enumerate(line))
        yield Text(file, number, 1, kept, place)


def _plotted(function: ast.FunctionDef, named: dict[str, Any]) -> Iterator[ast.Constant]:
    """The numbers of a list that a picture draws, typed where it is drawn or as a constant of the module."""
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and _called(call) in DRAWN:
            for one in call.args:
                constant = named.get(one.id) if isinstance(one, ast.Name) else None
                listed = constant.value if isinstance(constant, ast.Assign) else one
                if isinstance(listed, (ast.List, ast.Tuple)):
                    yield from (inner for inner in values_below(listed) if isinstance(inner, ast.Constant))


def shows_values(function: ast.FunctionDef) -> bool:
    """Whether a slide shows the values that a function gives."""
    return any(_called(one) in VALUES for one in function.decorator_list)


def _names(node: ast.AST) -> Iterator[str]:
    """What a statement of a module gives a name to: constants, and helpers that are no function for slides."""
    if isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
    elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
        yield node.name


def _reaching(function: ast.FunctionDef, named: dict[str, Any]) -> Iterator[ast.Constant]:
    """The literals of a function, of its defaults, and of the names of the module that it uses, all the way."""
    waiting, done = [function.name], set[str]()
    here: dict[str, Any] = {**named, function.name: function}
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        done.add(name)
        node = here[name]
        is_function = isinstance(node, ast.FunctionDef)
        parts = [*node.args.defaults, *node.args.kw_defaults, *node.body] if is_function else [node.value]
        for part in filter(None, parts):
            for found in values_below(part):
                if isinstance(found, ast.Constant):
                    yield found
                elif found.id in named:
                    waiting.append(found.id)


def values_below(node: ast.AST) -> Iterator[Any]:
    """The number literals and the names below a node that may become a part of a value."""
    if isinstance(node, ast.Constant):
        if type(node.value) in (int, float) and node.value not in FREE:
            yield node
        return
    if isinstance(node, ast.Name):
        yield node
        return
    if isinstance(node, (ast.Compare, ast.Raise, ast.Assert)):
        return
    for child in _parts(node):
        yield from values_below(child)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and _called(node) in FORMATS:
        yield from (one for one in (node.func, *node.args) if isinstance(one, ast.Call))  # fixed(2)(value): the value counts
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and _called(node.func) in FORMATS:
        yield from node.args
        return
    if isinstance(node, ast.Subscript):
        yield node.value
        return
    if isinstance(node, ast.Call) and _called(node) == "round":
        yield from node.args[:1]
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield node.left
        return
    yield from ast.iter_child_nodes(node)


def _called(node: ast.AST) -> str:
    """The name of what is called or named, without the module before it."""
    inner = node.func if isinstance(node, ast.Call) else node
    return inner.attr if isinstance(inner, ast.Attribute) else inner.id if isinstance(inner, ast.Name) else ""
