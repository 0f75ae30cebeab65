"""The chapter's two scripts, shown as they stand in slides/codigo, with the numbers of their example, and as they run."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from figures import hand_example
from figures.chapter import model
from figures.chapter.matrices import asking_row, by_hand
from figures.kit import data, ledger, readings
from figures.kit.errors import DataError
from figures.kit.files import data_uri, read_text
from figures.kit.formats import spelled
from figures.kit.marks import FENCE
from figures.kit.show import Listing, listing, number
from figures.kit.words import Words

_words = Words("chapter")


class ScriptError(RuntimeError):
    """A script that stopped: which one, and the end of what Python said."""


def path(id: str) -> Path:
    """The file of a script.

    >>> path("by-hand").name
    'exemplo_a_mao.py'
    """
    return model.FOLDER / data.one(model.records().scripts, lambda script: script.id, id, "data/chapter.yml").file


def source(id: str) -> str:
    """A script as readers get it: where the file leaves a `NAME = ...` open, the numbers of its example stand.

    >>> "K = np.array([" in source("by-hand")
    True
    """
    file = path(id)
    return filled(read_text(file).rstrip("\n"), INPUTS, f"slides/codigo/{file.name}")


def row_code() -> str:
    """The row of the word that asks, as code."""
    return f"{asking_row()}  # {_words('script.asking', token=hand_example.example().asking)}"


def matrix_code(name: str) -> str:
    """A matrix of the example by hand as code; beside the values stands how one reads."""
    example = hand_example.example()
    remark = f"  # {_words('script.values', meaning=', '.join(example.meaning))}" if name == "V" else ""
    return array_code(getattr(by_hand(), name).tolist(), example.names, remark)


# What a script may leave open.
INPUTS: dict[str, Callable[[], str]] = {"row": row_code} | {name: partial(matrix_code, name) for name in "KVQ"}


def array_code(rows: Sequence[Sequence[float]], names: Sequence[str], remark: str = "") -> str:
    """A matrix as code, one row of n for each name.

    >>> print(array_code([[1.0, 0.0], [0.0, 1.0]], ["a", "b"]))
    np.array([
        [1.0, 0.0],  # a
        [0.0, 1.0],  # b
    ])
    """
    lines = [f"    {row},  # {name}" for row, name in zip(rows, names, strict=True)]
    return "\n".join([f"np.array([{remark}", *lines, "])"])


def filled(text: str, values: Mapping[str, Callable[[], str]], place: str) -> str:
    """A script with a value for each `NAME = ...` of it; a DataError for a name that has none.

    >>> filled("a = ...", {"a": lambda: "2"}, "a.py")
    'a = 2'
    """
    lines = text.split("\n")
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "...":
            name = ast.unparse(node.targets[0])
            if name not in values:
                raise DataError(place, name, "nothing is known that could stand here", f"Known: {', '.join(values)}", node.lineno)
            lines[node.lineno - 1] = f"{name} = {values[name]()}"
    return "\n".join(lines)


@readings.question
@cache
def output(text: str, name: str) -> str:
    """What a script of this name prints, run by this very Python in a process of its own; once for each page."""
    environment = {**os.environ, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_text(f"{text}\n", encoding="utf-8")
        done = subprocess.run([sys.executable, str(file)], capture_output=True, encoding="utf-8", env=environment, check=False)
    if done.returncode:
        last = "\n".join(done.stderr.strip().splitlines()[-6:])
        raise ScriptError(f"slides/codigo/{name} stopped with code {done.returncode}. Run what the page hands out to mend it.\n{last}")
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
    """A script with the numbers of its example, and as it runs: `script("by-hand").output` starts with "q·k"."""
    name, text = path(id).name, source(id)
    return Run(text, file=name, output=output(text, name))


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
