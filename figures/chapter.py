"""The chapter "Query, Key, Value": its place in the course, its two scripts as run, and the chain of the example by hand.

Runs the scripts of slides/codigo and reads their source; writes nothing. The numbers of its sections are hand_example's,
running_example's, shapes' and scaling's; here stand only what the chapter alone says of them.
"""

from __future__ import annotations

import ast
import base64
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from figures import attention, hand_example, running_example
from figures.kit import data, ledger, matrix_drawing, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError
from figures.kit.files import ROOT, read_text
from figures.kit.formats import Format, count, fixed, plain, shape, spelled, vector
from figures.kit.matrix_drawing import Matrix
from figures.kit.show import Listing, Picture, figure, listing, number, word
from figures.kit.theme import Role
from figures.kit.words import Words
from figures.roles import KEY, QUERY, VALUE

_words = Words("chapter")
_FENCE = "`" * 3
FOLDER = ROOT / "slides" / "codigo"


# Records


class Page(data.Record):
    """Another page of the course: what the text calls it, and its address ("" gives no link)."""

    EMPTY = frozenset({"address"})
    id: str
    name: str
    address: str


class Asking(data.Record):
    """A token and its query."""

    token: str
    query: tuple[float, float]


class Script(data.Record):
    """A script that the chapter shows, runs and hands out."""

    id: str
    file: str


class Chapter(data.Record):
    """`data/chapter.yml`."""

    source: str
    step: data.Positive
    steps: data.Positive
    pages: tuple[Page, ...]
    queries: tuple[Asking, ...]
    scripts: tuple[Script, ...]

    def faults(self) -> Iterator[str]:
        if self.step > self.steps:
            yield f"step {self.step} of {self.steps}"


def records() -> Chapter:
    return data.load("chapter", Chapter)


# Its place in the course


@number(count())
def step() -> Any:
    """Which step of the course this is: `step()` -> 3."""
    return ledger.fact(records().step, records().source)


@number(count())
def steps() -> Any:
    """How many steps the course has: `steps()` -> 7."""
    return ledger.fact(records().steps, records().source)


@number(count())
def step_before() -> int:
    """The step that this one continues: `step_before()` -> 2."""
    return records().step - 1


@number(count())
def step_after() -> int:
    """The step that continues this one: `step_after()` -> 4."""
    return records().step + 1


@word
def page(id: str) -> str:
    """The name of another page, a link where its address is known: `page("overview")` -> visão geral."""
    return linked(data.one(records().pages, lambda page: page.id, id, "data/chapter.yml"))


def linked(page: Page) -> str:
    """`linked(Page(id="next", name="Máscaras", address="m.html"))` -> "[Máscaras](m.html)"; without an address "Máscaras"."""
    return _words("link", name=page.name, address=page.address) if page.address else page.name


@word
def neighbours() -> str:
    """The way to the pages before and after: `neighbours()` -> ← Embeddings · próximo passo: Máscaras e cabeças →"""
    return _words("neighbours", previous=page("previous"), next=page("next"))


# Its scripts


class ScriptError(RuntimeError):
    """A script that stopped: which one, and the end of what Python said."""


def path(id: str) -> Path:
    """The file of a script: `path("by-hand")` -> slides/codigo/exemplo_a_mao.py"""
    return FOLDER / data.one(records().scripts, lambda script: script.id, id, "data/chapter.yml").file


@cache
def output(file: Path) -> str:
    """What a script prints, run by this very Python in a process of its own; once for each page."""
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, str(file)], capture_output=True, encoding="utf-8", env=environment, check=False)
    if done.returncode:
        last = "\n".join(done.stderr.strip().splitlines()[-6:])
        raise ScriptError(f"slides/codigo/{file.name} stopped with code {done.returncode}. Run it by itself to mend it.\n{last}")
    return done.stdout.rstrip("\n")


@dataclass(frozen=True)
class Run(Listing):
    """A script's source, a link that saves it (the file travels inside the page), and what it has just printed."""

    file: str = ""
    output: str = ""

    def _repr_markdown_(self) -> str:
        n = ledger.add("listing", f"{self.text}\n\n{self.output}", self.output, self.origin) if self.origin else 0
        address = f"data:text/x-python;charset=utf-8;base64,{base64.b64encode(f'{self.text}{chr(10)}'.encode()).decode()}"
        save = f'<a class="download" download="{self.file}" href="{address}">{_words("script.download")}</a>'
        return (
            f'\n:::: {{.script n="{n}"}}\n`{self.file}` `{save}`{{=html}}\n\n{_FENCE}{self.language}\n{self.text}\n{_FENCE}\n\n'
            f"{_words('script.output')}\n\n{_FENCE}{{.output}}\n{self.output}\n{_FENCE}\n::::\n"
        )


@listing
def script(id: str) -> Run:
    """A script of slides/codigo as it stands and as it runs: `script("by-hand").output` starts with "q·k"."""
    file = path(id)
    return Run(read_text(file).rstrip("\n"), file=file.name, output=output(file))


def statements(source: str, function: str) -> int:
    """How many statements a function's body has, its docstring aside: `statements("def f():\\n    return 1", "f")` -> 1"""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return len(node.body) - (ast.get_docstring(node) is not None)
    raise DataError("slides/codigo", function, "the script has no such function", "Correct the name")


@number(spelled(feminine=True))
def script_lines(id: str, function: str) -> int:
    """The lines of a function of a script, in words: `script_lines("by-hand", "attention")` -> três"""
    return statements(read_text(path(id)), function)


# The chain of the example by hand


class Chain(NamedTuple):
    """The six matrices of three tokens: Q, K (n, d_k), V (n, d_v), scaled scores and weights (n, n), output (n, d_v)."""

    Q: Array
    K: Array
    V: Array
    S: Array
    A: Array
    O: Array  # noqa: E741


def chain_of(Q: Array, K: Array, V: Array) -> Chain:
    """All queries at once. `chain_of(I, I, I).A[0]` -> [0.67, 0.33] with I the 2 × 2 identity"""
    S = attention.scores(Q, K)
    A = attention.softmax(S)
    return Chain(Q, K, V, S, A, A @ V)


def queries() -> Array:
    """The query of every token of the example, in its order: banco's from hand_example.yml, the others' from chapter.yml."""
    example = hand_example.example()
    known = {one.token: one.query for one in records().queries} | {example.asking: example.query}
    missing = [name for name in example.names if name not in known]
    if missing:
        raise DataError("data/chapter.yml", "queries", f"no query for {', '.join(missing)}", "Add one, of two numbers")
    return np.array([known[name] for name in example.names], dtype=float)


def by_hand() -> Chain:
    """The chain of "sentei · banco · praça"."""
    example = hand_example.example()
    return chain_of(queries(), example.keys, example.values)


@word
def product(token: str) -> str:
    """The products of a score, term by term, and their sum: `product("banco")` -> 1·1 + 2·1 = 3"""
    example = hand_example.example()
    return _products(example.query, example.keys[example.names.index(token)])


def _products(query: Sequence[float], key: Sequence[float]) -> str:
    write = plain()
    terms = " + ".join(f"{write(a)}·{write(b)}" for a, b in zip(query, key))
    return f"{terms} = {write(float(np.dot(query, key)))}"


@number(vector(fixed(2)))
def scaled() -> tuple[float, ...]:
    """The asking token's scores over √d_k: `scaled()` -> [0,71; 2,12; 2,83]"""
    return tuple(by_hand().S[_asking()].tolist())


@number(vector(fixed(2)))
def weights() -> tuple[float, ...]:
    """The weights that the asking token gives: `weights()` -> [0,07; 0,31; 0,62]"""
    return tuple(by_hand().A[_asking()].tolist())


def _asking() -> int:
    example = hand_example.example()
    return example.names.index(example.asking)


@figure
def chain() -> Picture:
    """The opening state of the chapter's first panel: six matrices, the row of the asking token followed through them."""
    example, found = hand_example.example(), by_hand()
    row = _asking()
    drawing, axes = style.canvas(656, 440, bare=True)
    cell = (58.0, 38.0)
    upper, lower, left = 400.0, 172.0, 92.0
    tall = cell[1] * len(example.names)

    def matrix(name: str, values: Array, format: Format, role: Role | None = None, heat: bool = False) -> Matrix:
        return Matrix(style.math(name), values, format, shape()(values.shape), role, row, heat)

    rows = (
        (upper, (matrix("Q", found.Q, plain(), QUERY), matrix("K", found.K, plain(), KEY), matrix("V", found.V, plain(), VALUE))),
        (
            lower,
            (
                matrix(r"S=QK^⊤/√{d_k}", found.S, fixed(2)),
                matrix(r"A=\mathrm{softmax}(S)", found.A, fixed(2), heat=True),
                matrix("O=AV", found.O, fixed(2)),
            ),
        ),
    )
    for top, line in rows:
        x = left
        for place, one in enumerate(line):
            matrix_drawing.draw(axes, one, (x, top), cell, example.names if place == 0 else ())
            x += matrix_drawing.size(one, cell)[0] + 43
    s_end = left + 3 * cell[0]
    a_end = s_end + 43 + 3 * cell[0]
    matrix_drawing.arrow(axes, (s_end + 7, lower - tall / 2), (s_end + 36, lower - tall / 2))
    matrix_drawing.arrow(axes, (a_end + 7, lower - tall / 2), (a_end + 36, lower - tall / 2))
    return Picture(drawing, alt=_chain_alt(found, row))


def _chain_alt(found: Chain, row: int) -> str:
    shapes = {f"{name.lower()}_shape": shape()(matrix.shape) for name, matrix in found._asdict().items()}
    given = {name: vector(plain())(getattr(found, of)[row]) for name, of in (("q_row", "Q"), ("k_row", "K"), ("v_row", "V"))}
    computed = {name: vector(fixed(2))(getattr(found, of)[row]) for name, of in (("s_row", "S"), ("a_row", "A"), ("o_row", "O"))}
    return _words(
        "chain.alt", matrices=spelled(feminine=True)(len(found)), followed=hand_example.example().asking, **shapes, **given, **computed
    )


# What the text says of the running example


@claim
def looks_at_the_verb(share: float | None = None) -> Check:
    """That the last token of the running example spends more than half of its attention on the verb."""
    found = running_example.on_the_verb().value if share is None else share
    return Check(found > 0.5, {"share": found})


@claim
def survives_the_mask() -> Check:
    """That the causal mask leaves the last row of weights as it is."""
    free, masked = (running_example.run(causal=causal).weights[-1] for causal in (False, True))
    change = float(np.abs(free - masked).max())
    return Check(change < 1e-12, {"largest change": change})
