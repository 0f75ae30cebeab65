"""How many small faults the tests notice: `python tests/mutants.py --count 200 --seed 1`, or `make mutants`.

Each mutant is one change in one function of figures/: + for −, < for <=, a constant off by one, a root left out, the
other axis… It is killed when a test of its topic, or else one of the tests that watch over every topic, fails. What only
draws is left out (a line's place is looked at, not computed with), as are the looks themselves and the simulators'
parameters, which the browser tests hold. Needs a system that can fork: Linux or macOS. Writes nothing.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import functools
import importlib.abc
import importlib.machinery
import os
import random
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "figures"
TESTS = ROOT / "tests"
LOOKS = ("style", "simulators", "chain", "matrices", "machine", "__init__")
WATCH = ("test_examples.py", "test_published.py", "test_claims_deck.py")  # over every topic; asked where the topic's own tests pass
UNASKED = re.compile(
    r"test_(?:browser|sim_|engine|mutation|mutants|diff|reproducible|parity|freeze|paper|setup|handout|chapter_page|lab_notebook|room|audit"
    r"|claims_deck|published|examples)"
)
TOPICS = {"byte_pairs": ("bpe", "tokens"), "lab_generate": ("lab_checks",), "lab_inputs": ("lab_checks",), "lab_prose": ("lab_checks",)}
SECONDS = 60  # of work; a mutant that takes longer goes round in circles, and counts as killed
TARGET = 0.9
MEASURED = ("smollm2.measure", "cost_lab.timing")  # minutes each: their stored results serve every mutant
PRELOADED = (
    "numpy", "torch", "matplotlib.figure", "babel", "hypothesis", "msgspec", "yaml", "tiktoken", "regex", "num2words", "pytest", "IPython",
)  # fmt: skip


class Mutant(NamedTuple):
    """One change: the k-th of its module, on this line, in this function, from what to what."""

    module: str
    k: int
    line: int
    function: str
    what: str

    def __str__(self) -> str:
        return f"figures/{self.module}.py:{self.line} {self.function}: {self.what}"


# What can go wrong

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


def sites(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, ast.AST, Callable[[Any], ast.AST]]]:
    """Every (function, node, change) of a module, always in the same order."""
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in () if draws(function) else inside(function):
            for change in changes(node):
                yield function, node, change


def mutants(module: str) -> list[Mutant]:
    """Every mutant of one module."""
    found = []
    for k, (function, node, change) in enumerate(sites(parsed(module))):
        place = node.value if isinstance(node, ast.keyword) else node
        what = f"{_short(ast.unparse(node))} → {_short(ast.unparse(change(copy.deepcopy(node))))}"
        found.append(Mutant(module, k, getattr(place, "lineno", 0), function.name, what))
    return found


def mutated(mutant: Mutant) -> ast.Module:
    """The module with the change made."""
    tree = parsed(mutant.module)
    _, node, change = next(site for k, site in enumerate(sites(tree)) if k == mutant.k)
    new = change(copy.deepcopy(node))

    class Replaced(ast.NodeTransformer):
        def visit(self, one: ast.AST) -> ast.AST:
            return new if one is node else super().generic_visit(one)

    return ast.fix_missing_locations(Replaced().visit(tree))


def parsed(module: str) -> ast.Module:
    return ast.parse((FIGURES / f"{module}.py").read_text(encoding="utf-8"))


def draws(function: ast.FunctionDef) -> bool:
    """Whether a function only draws: it makes a figure, is given axes, or asks for a canvas."""
    decorators = {getattr(decorator, "id", getattr(decorator, "attr", "")) for decorator in function.decorator_list}
    given = {argument.arg for argument in function.args.args}
    canvas = any(isinstance(node, ast.Attribute) and node.attr == "canvas" for node in ast.walk(function))
    return canvas or "figure" in decorators or bool(given & {"axes", "page", "drawing", "ax"}) or function.name.startswith("_draw")


def inside(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes that compute: no docstring, no annotation, no text, no function within (it comes by itself)."""
    for node in [*function.decorator_list, *function.args.defaults, *function.args.kw_defaults, *function.body]:
        yield from _walked(node)


def _walked(node: ast.AST | None) -> Iterator[ast.AST]:
    if node is None or isinstance(node, (ast.FunctionDef, ast.JoinedStr, ast.Raise)):
        return
    yield node
    for name, value in ast.iter_fields(node):
        for item in () if name in ("annotation", "returns") else value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield from _walked(item)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 50 else flat[:49] + "…"


# Who notices


def watchers(module: str) -> list[list[str]]:
    """The tests to ask, in turn: the topic's own, those that import it, those over every topic."""
    own = [TESTS / f"test_{name}.py" for name in (module, *TOPICS.get(module, ()))]
    imports = re.compile(rf"from figures import (?:\([^)]*|[^\n(]*)\b{module}\b|from figures\.{module} import")
    fast = [file for file in sorted(TESTS.glob("test_*.py")) if not UNASKED.match(file.name)]
    others = [file for file in fast if file not in own and imports.search(file.read_text(encoding="utf-8"))]
    asked = [[file for file in own if file.is_file()], others, [TESTS / name for name in WATCH]]
    return [[str(file) for file in files] for files in asked if files]


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports figures.MODULE as the mutant has it."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.tree = f"figures.{mutant.module}", mutated(mutant)
        self.file = str(FIGURES / f"{mutant.module}.py")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=self.file)
        spec.has_location = True
        return spec

    def exec_module(self, module: Any) -> None:
        exec(compile(self.tree, self.file, "exec"), module.__dict__)


def notice(mutant: Mutant) -> bool:
    """Whether a test fails. To be called in a process of its own."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of its own work, however busy the machine: ends a mutant that never stops
    for name in [name for name in sys.modules if name.partition(".")[0] == "figures" or name.startswith("test_")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(mutant))
    forget_stored(mutant)
    return not all(passes(files) for files in watchers(mutant.module))


def passes(files: list[str]) -> bool:
    import pytest

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        return pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-k", "not stops", *files]) == 0


def forget_stored(mutant: Mutant) -> None:
    """Stored results of what the mutant reaches are not found, as they would not be had the file been edited."""
    try:
        from figures import slow
    except Exception:
        return  # a mutant that can't even be imported: its tests will say so
    key = slow.key

    def other(name: str, args: tuple[Any, ...] = ()) -> str:
        reached = f"figures.{mutant.module}" in slow.reached(slow._registry[name].function.__module__)
        return key(name, args) + ("-mutant" if reached and name not in MEASURED else "")

    slow.key = other


# The score


def tried(fails: Callable[[], bool]) -> int:
    """Asks in a process of its own, which ends with 0 if nothing fails; gives the process."""
    pid = os.fork()
    if pid:
        return pid
    os.chdir(ROOT)
    try:
        code = int(fails())
    except BaseException:
        code = 1
    os._exit(code)


def trials(chosen: list[Mutant], at_once: int, told: Callable[[str], None]) -> list[Mutant]:
    """The survivors."""
    running: dict[int, Mutant] = {}
    survivors: list[Mutant] = []
    waiting = list(chosen)
    done = 0
    while waiting or running:
        while waiting and len(running) < at_once:
            mutant = waiting.pop(0)
            running[tried(functools.partial(notice, mutant))] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        done += 1
        if status == 0:
            survivors.append(mutant)
            told(f"survived  {mutant}")
        elif os.WIFSIGNALED(status):
            told(f"took too long  {mutant}")
        elif done % 25 == 0:
            told(f"{done} of {len(chosen)} tried")
    return survivors


def preload() -> None:
    """What every trial imports, imported once; figures itself is not."""
    sys.path[:0] = [str(ROOT), str(ROOT / "build"), str(TESTS)]
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            __import__(name)


def modules() -> list[str]:
    return [file.stem for file in sorted(FIGURES.glob("*.py")) if file.stem not in LOOKS and watchers(file.stem)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="how many mutants to try (200)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--at-once", type=int, default=2, help="processes (2)")
    parser.add_argument("--module", action="append", help="only these modules of figures/")
    options = parser.parse_args(arguments)
    if not hasattr(os, "fork"):
        print("mutants: this system can't fork\n  → Run it on Linux or macOS", file=sys.stderr)
        return 1
    every = [mutant for module in options.module or modules() for mutant in mutants(module)]
    chosen = random.Random(options.seed).sample(every, min(options.count, len(every)))
    preload()
    start = time.monotonic()
    asked = sorted({file for mutant in chosen for files in watchers(mutant.module) for file in files})
    if os.waitpid(tried(lambda: not passes(asked)), 0)[1]:
        print("mutants: the tests fail as things stand\n  → Run `make test`, and put that right first", file=sys.stderr)
        return 1
    survivors = trials(chosen, options.at_once, lambda text: print(f"  {text}", flush=True))
    killed = len(chosen) - len(survivors)
    score = killed / len(chosen)
    print(f"{killed} of {len(chosen)} mutants killed: {score:.0%} (seed {options.seed}, of {len(every)}; {time.monotonic() - start:.0f} s)")
    return 0 if score >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
