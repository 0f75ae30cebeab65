"""Every way in which lab_mutants.py breaks a solution of the lab: an operator, an axis, an option, what is returned."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

OPERATORS = {
    ast.Add: [ast.Sub, ast.Mult],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div, ast.Add],
    ast.Div: [ast.Mult, ast.FloorDiv],
    ast.FloorDiv: [ast.Div, ast.Mult],
    ast.Pow: [ast.Mult],
}
METHODS = {
    "sum": ["mean", "max"],
    "max": ["min", "mean", "sum", "argmax"],
    "mean": ["sum", "max"],
    "sqrt": ["square", "log"],
    "exp": ["exp2", "square"],
    "cos": ["sin"],
    "sin": ["cos"],
    "triu": ["tril"],
    "repeat": ["sum"],
}
SIZES = {"h", "h_kv", "d_h", "n", "d", "b", "L", "colunas", "memoria"}
ARRAYS = {"Q", "K", "V", "A", "dA", "dS", "dO", "q", "k", "v", "prompt", "novos", "S", "scores", "fracoes"}
DROPPED = {"mT", "T"}


def broken(text: str) -> Iterator[tuple[str, str]]:
    """Each way to break a solution's functions: what was done, and the text after it."""
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for place, node in enumerate(ast.walk(function)):
            for what, change in ways(node, function):
                mutant = copy.deepcopy(tree)
                (twin,) = (one for one in mutant.body if isinstance(one, ast.FunctionDef) and one.name == function.name)
                target = list(ast.walk(twin))[place]
                replaced = change(target)
                if replaced is not target:
                    Replace(target, replaced).visit(mutant)
                ast.fix_missing_locations(mutant)
                yield f"{function.name}: {what}", ast.unparse(mutant)
        for what, body in whole(function):
            mutant = copy.deepcopy(tree)
            (twin,) = (one for one in mutant.body if isinstance(one, ast.FunctionDef) and one.name == function.name)
            at = mutant.body.index(twin)
            mutant.body[at : at + 1] = body(twin)
            ast.fix_missing_locations(mutant)
            yield f"{function.name}: {what}", ast.unparse(mutant)


class Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else self.generic_visit(node)


Change = Callable[[Any], ast.AST]


def ways(node: ast.AST, function: ast.FunctionDef) -> Iterator[tuple[str, Change]]:
    """The ways to break one place."""
    shown = ast.unparse(node) if isinstance(node, ast.expr) else ""
    if isinstance(node, ast.BinOp):
        for other in OPERATORS.get(type(node.op), []):
            yield f"{shown}: {other.__name__} in place of {type(node.op).__name__}", _with(op=other())
        yield f"{shown}: only its left", lambda n: n.left
        yield f"{shown}: only its right", lambda n: n.right
    elif isinstance(node, ast.UnaryOp):
        yield f"{shown}: without its sign", lambda n: n.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        for other_value in (node.value + 1, node.value - 1, 2 * node.value):
            if other_value != node.value:
                yield f"{shown}: {other_value}", _constant(other_value)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from exchanged(node, function)
    elif isinstance(node, ast.Attribute):
        for other_name in METHODS.get(node.attr, []):
            yield f"{shown}: .{other_name}", _with(attr=other_name)
        if node.attr in DROPPED:
            yield f"{shown}: not transposed", lambda n: n.value
    elif isinstance(node, ast.Call):
        yield from calls(node, shown)
    elif isinstance(node, ast.IfExp):
        yield f"{shown}: exchanged", lambda n: ast.IfExp(n.test, n.orelse, n.body)
        yield f"{shown}: always the first", lambda n: n.body
        yield f"{shown}: always the second", lambda n: n.orelse
    elif isinstance(node, ast.If):
        yield "if: always", _with(test=ast.Constant(True))
        yield "if: never", _with(test=ast.Constant(False))
        yield "if: the other way round", lambda n: ast.If(ast.UnaryOp(ast.Not(), n.test), n.body, n.orelse)
    elif isinstance(node, ast.Assign) and len(function.body) > 2:
        yield f"without the line {ast.unparse(node)}", lambda n: ast.Pass()
    elif isinstance(node, ast.Return):
        yield from returned(node)


def exchanged(node: ast.Name, function: ast.FunctionDef) -> Iterator[tuple[str, Change]]:
    """A name for another of its kind that the function knows by then."""
    known = {one.arg for one in function.args.args}
    known |= {
        name.id
        for line in function.body
        if line.lineno < node.lineno
        for name in ast.walk(line)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    for kind in (SIZES, ARRAYS):
        if node.id in kind:
            for other in sorted(known & kind - {node.id}):
                yield f"{other} in place of {node.id}, line {node.lineno}", _with(id=other)


def calls(node: ast.Call, shown: str) -> Iterator[tuple[str, Change]]:
    """A call without an option, with another axis, left out, or with its arguments exchanged."""
    for at, keyword in enumerate(node.keywords):
        if keyword.arg == "axis":
            for axis in (0, -1, -2, 1):
                yield f"{shown}: axis={axis}", _option(at, ast.Constant(axis))
        if keyword.arg in ("axis", "keepdims"):
            yield f"{shown}: without {keyword.arg}", _without(at)
    if isinstance(node.func, ast.Attribute):
        if node.args:
            yield f"{shown}: only its argument", lambda n: n.args[0]
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "np"):
            yield f"{shown}: not called", lambda n: n.func.value
    if len(node.args) >= 2:
        yield f"{shown}: arguments exchanged", lambda n: ast.Call(n.func, [n.args[1], n.args[0], *n.args[2:]], n.keywords)
        if node.func and ast.unparse(node.func).endswith("where"):
            yield f"{shown}: its cases exchanged", lambda n: ast.Call(n.func, [n.args[0], n.args[2], n.args[1]], n.keywords)


def returned(node: ast.Return) -> Iterator[tuple[str, Change]]:
    """A result that is forgotten, of another type, or with its parts exchanged."""
    value = ast.unparse(node.value) if node.value else "None"
    for what, text in {
        "not returned": value,
        "as text": f"return str({value})",
        "negative": f"return -np.asarray({value})" if not isinstance(node.value, ast.Tuple) else None,
        "as whole numbers": f"return np.asarray({value}).astype(int)" if not isinstance(node.value, ast.Tuple) else None,
        "twice": f"return 2 * np.asarray({value})" if not isinstance(node.value, ast.Tuple) else None,
        "in half precision": f"return np.asarray({value}).astype(np.float16)" if not isinstance(node.value, ast.Tuple) else None,
        "transposed": f"return np.asarray({value}).T" if not isinstance(node.value, ast.Tuple) else None,
        "backwards": f"return np.asarray({value})[::-1]" if not isinstance(node.value, ast.Tuple) else None,
        "its first row": f"return np.asarray({value})[0]" if not isinstance(node.value, ast.Tuple) else None,
    }.items():
        if text:
            yield f"{value}: {what}", lambda n, text=text: ast.parse(text).body[0] if text.startswith("return") else ast.parse(text).body[0]
    if isinstance(node.value, ast.Tuple):
        yield f"{value}: exchanged", lambda n: ast.Return(ast.Tuple([n.value.elts[1], n.value.elts[0], *n.value.elts[2:]], ast.Load()))
        yield f"{value}: only the first", lambda n: ast.Return(n.value.elts[0])
        yield f"{value}: only the last", lambda n: ast.Return(n.value.elts[-1])


def whole(function: ast.FunctionDef) -> Iterator[tuple[str, Callable[[ast.FunctionDef], list[ast.stmt]]]]:
    """A function that remembers its first result, and one whose sizes are those of the first call."""

    def stale(twin: ast.FunctionDef) -> list[ast.stmt]:
        keep = [
            f"_kept_{twin.name}, _made_{twin.name} = [], {twin.name}",
            f"def {twin.name}(*a, **k):",
            f"    _kept_{twin.name}.append(_made_{twin.name}(*a, **k))",
            f"    return _kept_{twin.name}[0]",
        ]
        return [twin, *ast.parse("\n".join(keep)).body]

    yield "its first result for ever", stale


def _with(**fields: Any) -> Change:
    def change(node: Any) -> Any:
        for name, value in fields.items():
            setattr(node, name, value)
        return node

    return change


def _constant(value: Any) -> Change:
    return lambda node: ast.Constant(value)


def _option(at: int, value: ast.expr) -> Change:
    def change(node: Any) -> Any:
        node.keywords[at].value = value
        return node

    return change


def _without(at: int) -> Change:
    def change(node: Any) -> Any:
        del node.keywords[at]
        return node

    return change
