"""The small faults that can be put into figures/: + for −, < for <=, a constant off by one, a root left out, the other axis…

Each is one change in one function. What only draws is left out (a line's place is looked at, not computed with), as are
the looks themselves and the simulators' parameters, which the browser tests hold.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

FIGURES = Path(__file__).resolve().parents[2] / "figures"
LOOKS = ("style", "chain", "matrix_drawing", "drawing", "machine", "__init__")  # and the folder of the simulators

ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.Pow: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip
COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
SWAPPED = {"min": "max", "max": "min", "argmax": "argmin", "argmin": "argmax", "all": "any", "any": "all"}
DROPPED = ("sqrt", "abs", "log", "exp", "round")


class Fault(NamedTuple):
    """One change: the k-th of its module, on this line, in this function or method, from what to what."""

    module: str
    k: int
    line: int
    lines: range  # of code that a test must run to notice it
    function: str
    in_body: bool  # not in its decorators or defaults, which are worked out where the function is made
    what: str

    def __str__(self) -> str:
        return f"figures/{self.module}.py:{self.line} {self.function}: {self.what}"


class Site(NamedTuple):
    """Where a change can be made: a node of a function, and the change as a function of a copy of the node."""

    function: str
    lines: range
    in_body: bool
    node: Any
    change: Callable[[Any], ast.AST]


def modules() -> list[str]:
    """The modules of figures/ that compute, as paths below it: "attention", "kit/show"."""
    files = [file for file in sorted(FIGURES.rglob("*.py")) if file.stem not in LOOKS and file.parent.name != "simulators"]
    return [module_of(file) for file in files]


def module_of(file: Path) -> str:
    """A file's path below figures/, without its ending: "attention", "kit/show"."""
    return file.relative_to(FIGURES).with_suffix("").as_posix()


def imported_as(module: str) -> str:
    """`imported_as("kit/show")` -> "figures.kit.show" """
    return f"figures.{module.replace('/', '.')}"


def path(module: str) -> str:
    return str(FIGURES / f"{module}.py")


def parsed(module: str) -> ast.Module:
    return ast.parse(Path(path(module)).read_text(encoding="utf-8"))


def faults(module: str) -> list[Fault]:
    """Every fault of one module."""
    found = []
    for k, site in enumerate(sites(parsed(module))):
        what = f"{_short(site.node)} → {_short(site.change(copy.deepcopy(site.node)))}"
        found.append(Fault(module, k, site.node.lineno, site.lines, site.function, site.in_body, what))
    return found


def faulty(fault: Fault) -> CodeType:
    """The module's code with the change made."""
    return compile(changed(fault), path(fault.module), "exec")


def changed(fault: Fault) -> ast.Module:
    tree = parsed(fault.module)
    site = next(site for k, site in enumerate(sites(tree)) if k == fault.k)
    new = site.change(copy.deepcopy(site.node))

    class Replaced(ast.NodeTransformer):
        def visit(self, one: ast.AST) -> ast.AST:
            return new if one is site.node else super().generic_visit(one)

    return ast.fix_missing_locations(Replaced().visit(tree))


# Where


def sites(tree: ast.Module) -> Iterator[Site]:
    """Every place of a module, always in the same order."""
    for name, outer in functions(tree):
        made = {id(node) for part in (*outer.decorator_list, *defaults(outer)) for node in ast.walk(part)}
        for function in [node for node in ast.walk(outer) if isinstance(node, ast.FunctionDef)]:
            for node in () if draws(function) else computing(function):
                for change in changes(node):
                    in_body = id(node) not in made
                    yield Site(name, _lines(node if in_body else outer), in_body, node, change)


def _lines(node: Any) -> range:
    return range(node.lineno, node.end_lineno + 1)  # of a function: without its decorators, whose lines run when it is made


def functions(tree: ast.Module | ast.ClassDef, within: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module and the methods of its classes, by name; what is inside one belongs to it."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield within + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{within}{node.name}.")


def draws(function: ast.FunctionDef) -> bool:
    """Whether a function only draws: it makes a figure, is given axes, or asks for a canvas."""
    decorators = {getattr(decorator, "id", getattr(decorator, "attr", "")) for decorator in function.decorator_list}
    given = {argument.arg for argument in function.args.args}
    canvas = any(isinstance(node, ast.Attribute) and node.attr == "canvas" for node in ast.walk(function))
    return canvas or "figure" in decorators or bool(given & {"axes", "page", "drawing", "ax"}) or function.name.startswith("_draw")


def computing(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes that compute: no docstring, no annotation, no text, no function within (it comes by itself)."""
    for node in (*function.decorator_list, *defaults(function), *function.body):
        yield from _walked(node)


def defaults(function: ast.FunctionDef) -> list[ast.expr]:
    return [node for node in (*function.args.defaults, *function.args.kw_defaults) if node is not None]


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.FunctionDef, ast.JoinedStr, ast.Raise)):
        return
    yield node
    for name, value in ast.iter_fields(node):
        for item in () if name in ("annotation", "returns") else value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield from _walked(item)


# What


def changes(node: ast.AST) -> Iterator[Callable[[Any], ast.AST]]:
    """Every way to change one node, each a function of a copy of it: of `a + b`, the one that gives `a - b`."""
    match node:
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            yield lambda n: _with(n, op=ARITHMETIC[type(n.op)]())
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            yield lambda n: _with(n, ops=[COMPARED[type(n.ops[0])]()])
        case ast.BoolOp():
            yield lambda n: _with(n, op=ast.Or() if isinstance(n.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())):
            return  # -1 → -2 comes with the constant; 1 is the same last axis wherever there are two
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield lambda n: n.operand
        case ast.IfExp():
            yield lambda n: _with(n, body=n.orelse, orelse=n.body)
        case ast.Constant(value=bool()):
            yield lambda n: _with(n, value=not n.value)
        case ast.Constant(value=int()):
            yield lambda n: _with(n, value=n.value + 1)
        case ast.Constant(value=float()):
            yield lambda n: _with(n, value=n.value * 2 + 1)
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[_, *_]) if name in DROPPED:
            yield lambda n: n.args[0]
    match node:
        case ast.Attribute(attr=name) if name in SWAPPED:
            yield lambda n: _with(n, attr=SWAPPED[n.attr])
        case ast.Call(func=ast.Name(id=name)) if name in SWAPPED:
            yield lambda n: _with(n, func=ast.Name(SWAPPED[n.func.id], ast.Load()))
        case ast.keyword(arg="axis", value=ast.UnaryOp()):
            yield lambda n: _with(n, value=ast.Constant(0))


def _with(node: Any, **fields: Any) -> Any:
    for name, value in fields.items():
        setattr(node, name, value)
    return node


def _short(node: ast.AST) -> str:
    flat = " ".join(ast.unparse(node).split())
    return flat if len(flat) <= 50 else flat[:49] + "…"
