"""What is sure to give the same again: code that only calls functions of figures/, and modules that take nothing from outside.

Reads code and runs none. Whatever it doesn't know, it is not sure of.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from figures.kit.dependencies import OURS

BUILTINS = frozenset(
    ["abs", "dict", "float", "int", "len", "list", "max", "min", "range", "repr", "round", "sorted", "str", "sum", "tuple"]
)
PLAIN = (ast.Expression, ast.Name, ast.Attribute, ast.Call, ast.keyword, ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Load,
         ast.UnaryOp, ast.USub, ast.JoinedStr, ast.FormattedValue, ast.Subscript, ast.Slice, ast.BinOp, ast.operator)  # fmt: skip
# What a module takes from outside: the clock, chance, other processes, the network, the shell. Files `calls` sees opened.
OUTSIDE = frozenset(["time", "datetime", "random", "secrets", "uuid", "subprocess", "tempfile", "socket", "urllib", "requests", "threading",
                     "multiprocessing", "asyncio", "shutil", "ctypes"])  # fmt: skip
CALLED = frozenset(["id", "hash", "input", "globals", "setattr", "delattr", "__import__"])
ASKED = frozenset(["environ", "getenv", "urandom"])
SEEDED = ("default_rng", "Random", "Generator", "SeedSequence")  # chance that is sure once it is given a seed
ASIDE = ("slow", "question")  # decorators: what stands behind them has a key of its own, or is asked again


def names(code: str) -> set[str] | None:
    """The names that an expression uses, the common functions of Python aside; None for code that might change something.

    >>> sorted(names("deck.slide('a').tex")), names("a = 1"), names("open('a')")
    (['deck'], None, {'open'})
    """
    try:
        tree = ast.parse(code.strip(), mode="eval")
    except SyntaxError:
        return None
    nodes = list(ast.walk(tree))
    if not all(isinstance(node, PLAIN) for node in nodes):
        return None
    return {node.id for node in nodes if isinstance(node, ast.Name)} - BUILTINS


def imported(code: str) -> dict[str, str] | None:
    """The names that code binds to modules of the project, each with its module; None for code that does anything else.

    >>> imported("from figures.kit import deck as d"), imported("from figures import *"), imported("import figures")
    ({'d': 'figures.kit.deck'}, None, None)
    """
    try:
        statements = ast.parse(code).body
    except SyntaxError:
        return None
    bound: dict[str, str] = {}
    for node in statements:
        if not isinstance(node, ast.ImportFrom) or node.level or (node.module or "").partition(".")[0] != OURS:
            return None
        bound |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return None if "*" in bound or not bound else bound


def doubts(code: str) -> list[str]:
    """What a module takes from outside, so that it may give something else next time; what its `@slow` functions reach is none.

    >>> doubts("import time\\ndef now():\\n    return time.time()")
    ['time']
    >>> doubts("import time\\n@slow('it takes long')\\ndef took():\\n    return now()\\ndef now():\\n    return time.time()")
    []
    """
    tree = ast.parse(code)
    aside, bound = _aside(tree), set(_outside(tree))
    return sorted({what for node in tree.body if node not in aside for what in _taken(node, bound)})


def _aside(tree: ast.Module) -> set[ast.stmt]:
    """The functions under a decorator of `ASIDE`, and those that they use."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    aside: set[ast.stmt] = set()
    waiting = [node for node in functions.values() for one in node.decorator_list if any(name in ast.unparse(one) for name in ASIDE)]
    while waiting:
        node = waiting.pop()
        aside.add(node)
        used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} & functions.keys()
        waiting += [functions[name] for name in used if functions[name] not in aside]
    return aside


def _outside(tree: ast.Module) -> Iterator[str]:
    """The names under which a module knows modules of `OUTSIDE`, or parts of them."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            of = node.module if isinstance(node, ast.ImportFrom) else None
            for alias in node.names:
                if (of or alias.name).partition(".")[0] in OUTSIDE:
                    yield alias.asname or alias.name.partition(".")[0]


def _taken(statement: ast.AST, bound: set[str]) -> Iterator[str]:
    """What a statement takes from outside, by name."""
    called = {node.func: node.args or node.keywords for node in ast.walk(statement) if isinstance(node, ast.Call)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and (node.id in bound or node.id in CALLED and node in called):
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr in ASKED:
            yield node.attr
        elif node in called and (name := _of_chance(node)) and not (name in SEEDED and called[node]):
            yield name


def _of_chance(node: ast.AST) -> str:
    """The function's name where it is one of a module `random`, numpy's or another's."""
    of, _, name = ast.unparse(node).rpartition(".")
    return name if of.endswith(".random") else ""
