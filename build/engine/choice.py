"""Which engine makes the deck, the embedded one or Quarto. Renders nothing itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from base import last_good

from figures.kit.errors import Problem

OLDEST = (1, 9)
REMEDY = "Get it from quarto.org, or `pip install .[quarto]`; or leave ENGINE unset: the embedded engine needs nothing more."


@dataclass(frozen=True)
class Quarto:
    path: str
    version: tuple[int, ...]

    @property
    def name(self) -> str:
        return "Quarto " + ".".join(map(str, self.version))

    @property
    def new_enough(self) -> bool:
        return self.version[:2] >= OLDEST


def find_quarto() -> Quarto | None:
    """The Quarto on the PATH, whatever its age."""
    path = shutil.which("quarto")
    if path is None:
        return None
    said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    numbers = re.search(r"\d+(?:\.\d+)+", said)
    return Quarto(path, tuple(map(int, numbers[0].split(".")))) if numbers else None


def choose(wanted: str, quarto: Quarto | None) -> tuple[Quarto | None, str]:
    """(Quarto, or None for the embedded engine; why), from the variable ENGINE and the Quarto found."""
    oldest = ".".join(map(str, OLDEST))
    if wanted not in ("", "quarto", "embedded"):
        raise Problem(f"ENGINE={wanted}", "there is no such engine", "Use ENGINE=quarto or ENGINE=embedded.")
    if wanted == "embedded":
        return None, "ENGINE=embedded asks for it"
    if wanted == "quarto":
        if quarto is None:
            raise Problem("ENGINE=quarto", "no working `quarto` is on the PATH", REMEDY)
        if not quarto.new_enough:
            raise Problem("ENGINE=quarto", f"{quarto.path} is {quarto.name}, older than {oldest}", REMEDY)
        return quarto, "ENGINE=quarto asks for it"
    if quarto is None:
        return None, "no `quarto` is on the PATH"
    if not quarto.new_enough:
        return None, f"{quarto.path} is {quarto.name}, older than {oldest}"
    return quarto, f"it is on the PATH, at {quarto.path}"


def run_quarto(quarto: Quarto, arguments: list[str], root: Path) -> None:
    """`quarto render ARGUMENTS` in the project, with this very Python for its kernel and its hooks."""
    environment = os.environ | {
        "QUARTO_PYTHON": sys.executable,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
    done = subprocess.run([quarto.path, "render", *arguments], cwd=root, env=environment)
    if done.returncode:
        last_good.restore(root)
        raise Problem(" ".join(["quarto render", *arguments]), "Quarto stopped", "Its message above says why.")
