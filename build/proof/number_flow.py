"""Numbers that somebody typed in code and that reach what a slide shows: through a name, a default, a container, a helper, a module.

A small data flow over the modules of figures/: what a function for slides holds itself, and what it takes from constants and
helpers, its module's own and those that it imports. What only says how a number is written (`fixed(2)`), which item is meant
(`rows[2]`), a power, or what something is compared with is no result, and 0 and 1 belong to formulas. Of what a picture draws,
the lists that are plotted and the texts that are set are followed the same way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from figures.kit import equations, formats
from figures.kit.files import Line, lines_of
from proof.fault import HOLE
from proof.text_piece import Text

VALUES = {"number", "word", "table", "listing", "block"}  # the decorators of what shows values; a picture's places are no results
FORMATS = {name for module in (formats, equations) for name, thing in vars(module).items() if callable(thing)}
FREE = {0, 1}
KIT = ("figures/kit/", "figures/__main__.py")  # it counts what documents hold, and knows no result
DRAWN = {"plot", "bar", "barh", "scatter", "hist", "fill_between", "step", "semilogy", "loglog", "imshow", "curve", "points",
         "set_xticks", "set_yticks", "FixedLocator"}  # fmt: skip
OF_THE_FIRST = {"round", "swapaxes", "transpose", "moveaxis"}  # whose other arguments say how, and not what
SET = {  # what takes a text to be drawn, and where among its arguments
    "text": 2, "annotate": 0, "set_title": 0, "set_xlabel": 0, "set_ylabel": 0, "set_label": 0, "suptitle": 0, "bar_label": 1,
    "FixedFormatter": 0, "set_ticklabels": 0, "set_xticklabels": 0, "set_yticklabels": 0, "legend": 0,
}  # fmt: skip


class Module(NamedTuple):
    """A module of figures/: its lines, what it gives names to, and what it takes from where."""

    lines: list[str]
    tree: ast.Module
    named: dict[str, Any]
    taken: dict[str, tuple[str, str]]  # a name to the module that it comes from, and to the name there; empty for the module itself


Modules = Mapping[str, Module]
Literal = tuple[str, str, ast.Constant]  # the file that it stands in, the function that it is told under, itself


def of_project(root: Path) -> Iterator[Text]:
    """Each line of figures/ with number literals that reach what is shown, the other digits of the line as holes; its place is
    the function that shows them, or in another module the function that holds them."""
    files = {file.relative_to(root).as_posix(): lines_of(file, root) for file in sorted((root / "figures").rglob("*.py"))}
    yield from flowing(files)


def flowing(files: Mapping[str, list[Line]]) -> Iterator[Text]:
    """The same of some modules.

    >>> from figures.kit.files import numbered
    >>> code = "SHARE = 0.77\\n@number(fixed(2))\\ndef weight(n=3):\\n    return SHARE + rows[2]\\n"
    >>> [(text.line, text.place) for text in flowing({"figures/a.py": numbered(code, "figures/a.py")})]
    [(1, 'weight'), (3, 'weight')]
    """
    modules = {file: _module(file, [line.text for line in written]) for file, written in files.items()}
    found: dict[tuple[str, int], tuple[str, set[tuple[int, int]]]] = {}
    for file, place, one in [*_literals(modules, own=True), *_literals(modules, own=False)]:
        lines = modules[file].lines
        _, columns = found.setdefault((file, one.lineno), (place, set()))
        raw = lines[one.lineno - 1].encode()
        end = one.end_col_offset if one.end_lineno == one.lineno else None
        columns.add((len(raw[: one.col_offset].decode()), len(raw[:end].decode())))
    for (file, number), (place, columns) in sorted(found.items()):
        line = modules[file].lines[number - 1].partition("  #")[0]
        kept = "".join(sign if not sign.isnumeric() or any(a <= at < b for a, b in columns) else HOLE for at, sign in enumerate(line))
        yield Text(file, number, 1, kept, place)


def _module(file: str, lines: list[str]) -> Module:
    tree = ast.parse("\n".join(lines))
    taken = {name: source for node in ast.walk(tree) for name, source in _taken(node)}
    return Module(lines, tree, {name: node for node in tree.body for name in _names(node)}, taken)


def _taken(node: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "figures":
        for alias in node.names:
            yield alias.asname or alias.name, (str(node.module), alias.name)
    elif isinstance(node, ast.Import):
        yield from ((alias.asname, (alias.name, "")) for alias in node.names if alias.asname and alias.name.startswith("figures."))


def _literals(modules: Modules, own: bool) -> Iterator[Literal]:
    """What reaches the page, in the module of the function that shows it or in others."""
    for file, module in modules.items():
        if file.startswith(KIT):
            continue
        for function in ast.walk(module.tree):
            if isinstance(function, ast.FunctionDef):
                reached = [*_reaching(modules, file, function)] if shows_values(function) else []
                for where, inside, one in (*reached, *_drawn(modules, file, function)):
                    if (where == file) == own and not where.startswith(KIT):
                        yield where, function.name if own else inside, one


def _drawn(modules: Modules, file: str, function: ast.FunctionDef) -> Iterator[Literal]:
    """The numbers of a list that a picture plots, and the texts and numbers that it sets, typed there or behind a name."""
    for call in ast.walk(function):
        if not isinstance(call, ast.Call):
            continue
        name = _called(call)
        if name in DRAWN:
            for one in call.args:
                for where, inside, node in _behind(modules, file, function, one):
                    if isinstance(node, (ast.List, ast.Tuple)):
                        yield from ((where, inside, number) for number in values_below(node) if isinstance(number, ast.Constant))
        elif name in SET:
            given = [*call.args[SET[name] :], *(word.value for word in call.keywords if word.arg in ("s", "labels", "label", "text"))]
            for one in given:
                for where, inside, node in _behind(modules, file, function, one):
                    if node is not one or name == "FixedFormatter" or isinstance(node, ast.Constant):
                        yield from ((where, inside, said) for said in _said(node))


def _said(node: ast.AST) -> Iterator[ast.Constant]:
    """The numbers and the texts of a constant or of a list of them."""
    for one in ast.walk(node) if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.JoinedStr)) else ():
        if isinstance(one, ast.Constant) and type(one.value) in (int, float, str):
            yield one


def _behind(modules: Modules, file: str, function: ast.FunctionDef, node: ast.AST) -> Iterator[tuple[str, str, ast.AST]]:
    """What a node stands for: itself, or what its name was given in the function, as a default, in the module or in another."""
    if isinstance(node, ast.Name):
        local = [*_assigned(function, node.id), *_default(function, node.id)]
        yield from ((file, function.name, one) for one in local)
        if local:
            return
    if isinstance(node, (ast.Name, ast.Attribute)):
        for where, name in _elsewhere(modules, file, node):
            value = modules[where].named[name]
            yield where, name, value.value if isinstance(value, (ast.Assign, ast.AnnAssign)) else value
        return
    yield file, function.name, node


def _assigned(function: ast.FunctionDef, name: str) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and name in _targets(node) and node.value is not None:
            yield node.value


def _default(function: ast.FunctionDef, name: str) -> Iterator[ast.AST]:
    every = function.args
    given = [*every.posonlyargs, *every.args]
    pairs = [*zip(given[len(given) - len(every.defaults) :], every.defaults), *zip(every.kwonlyargs, every.kw_defaults)]
    yield from (default for argument, default in pairs if argument.arg == name and default is not None)


def _elsewhere(modules: Modules, file: str, node: ast.AST) -> Iterator[tuple[str, str]]:
    """The module and the name there that a name or an attribute of a module stands for, if figures/ has it."""
    module = modules[file]
    if isinstance(node, ast.Name):
        if node.id in module.named:
            yield file, node.id
        elif node.id in module.taken:
            yield from _held(modules, *module.taken[node.id])
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in module.taken:
        source, name = module.taken[node.value.id]
        yield from _held(modules, f"{source}.{name}" if name else source, node.attr)


def _held(modules: Modules, source: str, name: str) -> Iterator[tuple[str, str]]:
    """Where a module's name is given, though the package may only hand it on."""
    path = source.replace(".", "/")
    for file in (f"{path}.py", f"{path}/__init__.py"):
        if file in modules:
            if name in modules[file].named:
                yield file, name
            elif modules[file].taken.get(name, (source, ""))[0] != source:
                yield from _held(modules, *modules[file].taken[name])


def shows_values(function: ast.FunctionDef) -> bool:
    """Whether a slide shows the values that a function gives."""
    return any(_called(one) in VALUES for one in function.decorator_list)


def _names(node: ast.AST) -> Iterator[str]:
    """What a statement of a module gives a name to: constants, and helpers that are no function for slides."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        yield from _targets(node)
    elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
        yield node.name


def _targets(node: ast.Assign | ast.AnnAssign) -> Iterable[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _reaching(modules: Modules, file: str, function: ast.FunctionDef) -> Iterator[Literal]:
    """The literals of a function, of its defaults, and of the names that it uses, its module's and imported ones, all the way."""
    waiting: list[tuple[str, str, Any]] = [(file, function.name, function)]
    done = set[int]()
    while waiting:
        where, name, node = waiting.pop()
        if id(node) in done:
            continue
        done.add(id(node))
        is_function = isinstance(node, ast.FunctionDef)
        parts = [*node.args.defaults, *node.args.kw_defaults, *node.body] if is_function else [node.value]
        for part in filter(None, parts):
            for found in values_below(part):
                if isinstance(found, ast.Constant):
                    yield where, name, found
                else:
                    waiting += ((other, named, modules[other].named[named]) for other, named in _elsewhere(modules, where, found))


def values_below(node: ast.AST) -> Iterator[Any]:
    """The number literals and the names below a node that may become a part of a value."""
    if isinstance(node, ast.Constant):
        if type(node.value) in (int, float) and node.value not in FREE:
            yield node
        return
    if isinstance(node, ast.Name) or isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
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
    if isinstance(node, ast.Call) and _called(node) in OF_THE_FIRST:
        yield from _first(node)
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        yield node.left
        return
    yield from ast.iter_child_nodes(node)


def _first(call: ast.Call) -> list[ast.expr]:
    """What a call works on: the value that it is a method of, or its first argument where it is a function of numpy's."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return [owner] if owner and not (isinstance(owner, ast.Name) and owner.id == "np") else call.args[:1]


def _called(node: ast.AST) -> str:
    """The name of what is called or named, without the module before it."""
    inner = node.func if isinstance(node, ast.Call) else node
    return inner.attr if isinstance(inner, ast.Attribute) else inner.id if isinstance(inner, ast.Name) else ""
