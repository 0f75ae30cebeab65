"""The chapter's two scripts, shown as they stand in slides/codigo and as they run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from figures.chapter import model
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
    return Run(read_text(file).rstrip("\n"), file=file.name, output=output(file))


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
