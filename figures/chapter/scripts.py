"""The chapter's two scripts, shown as they stand in slides/codigo and as they run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from figures import hand_example
from figures.chapter import model
from figures.chapter.matrices import by_hand
from figures.kit import data, ledger
from figures.kit.errors import DataError
from figures.kit.files import ROOT, data_uri, read_text
from figures.kit.formats import spelled
from figures.kit.marks import FENCE
from figures.kit.show import Listing, listing, number
from figures.kit.words import Words

_words = Words("chapter")


FOLDER = ROOT / "slides" / "codigo"


class ScriptError(RuntimeError):
    """A script that stopped: which one, and the end of what Python said."""


def path(id: str) -> Path:
    """The file of a script.

    >>> path("by-hand").name
    'exemplo_a_mao.py'
    """
    return FOLDER / data.one(model.records().scripts, lambda script: script.id, id, "data/chapter.yml").file


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
        address = data_uri(f"{self.text}\n".encode(), "text/x-python;charset=utf-8")
        save = f'<a class="download" download="{self.file}" href="{address}">{_words("script.download")}</a>'
        return (
            f'\n:::: {{.script n="{n}"}}\n`{self.file}` `{save}`{{=html}}\n\n{FENCE}{self.language}\n{self.text}\n{FENCE}\n\n'
            f"{_words('script.output')}\n\n{FENCE}{{.output}}\n{self.output}\n{FENCE}\n::::\n"
        )


@listing
def script(id: str) -> Run:
    """A script of slides/codigo as it stands and as it runs: `script("by-hand").output` starts with "q·k"."""
    file = path(id)
    _check_inputs(file)
    return Run(read_text(file).rstrip("\n"), file=file.name, output=output(file))


def _check_inputs(file: Path) -> None:
    """A DataError for a script with the matrices of the example by hand where they aren't its own: it is said to repeat that."""
    source, chain, names = read_text(file), by_hand(), hand_example.example().names
    place = f"slides/codigo/{file.name}"
    for name, wanted in (("K", chain.K), ("V", chain.V), ("Q", chain.Q)):
        for line, written in arrays(source, name):
            if np.shape(written) != wanted.shape or (np.array(written) != wanted).any():
                remedy = f"Write there `{name} = np.array({[[float(f'{x:g}') for x in row] for row in wanted]})`"
                what = f"it has {written}, and the example by hand (data/hand_example.yml, data/chapter.yml) {wanted.tolist()}"
                raise DataError(place, name, what, remedy, line)
            if missing := [token for token in names if token not in source]:
                raise DataError(place, name, f"its remarks don't name {', '.join(missing)}", "Write the example's words there", line)


def arrays(source: str, name: str) -> list[tuple[int, Any]]:
    """The line and the numbers of each `NAME = np.array([…])` of a script.

    >>> arrays("K = np.array([[1, 0]])", "K")
    [(1, [[1, 0]])]
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name and ast.unparse(node.value).startswith("np.array("):
            found.append((node.lineno, ast.literal_eval(ast.unparse(node.value).removeprefix("np.array(").removesuffix(")"))))
    return found


def statements(source: str, function: str) -> int:
    r"""How many statements a function's body has, its docstring aside.

    >>> statements("def f():\n    return 1", "f")
    1
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return len(node.body) - (ast.get_docstring(node) is not None)
    raise DataError("slides/codigo", function, "the script has no such function", "Correct the name")


@number(spelled(feminine=True))
def script_lines(id: str, function: str) -> int:
    """The lines of a function of a script, in words.

    >>> script_lines("by-hand", "attention")
    três
    """
    return statements(read_text(path(id)), function)
