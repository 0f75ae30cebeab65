"""Runs what a student writes in a gap, in this process: the cell's text with the names of the notebook's first cell."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
from cells import remembered

from figures.kit.checkpoints import Verdict
from figures.lab import session, student
from figures.lab.student import confere

SOLUTIONS = Path(__file__).resolve().parents[2] / "slides" / "solucoes"
ASKED = {n: tuple(name for name in names if name != "alvo") for n, names in enumerate(session.MADE, 1)}
_cells = itertools.count()


def official(n: int) -> str:
    """The official solution of a section."""
    return (SOLUTIONS / f"lacuna-{n}.py").read_text(encoding="utf-8")


def namespace() -> dict[str, Any]:
    """The names that the notebook's first cell leaves, section 2's function filled in for section 7."""
    names: dict[str, Any] = {name: getattr(student, name) for name in student.__all__}
    names |= {"np": np, "atencao": student.emprestada}
    return names


def run(text: str, names: dict[str, Any] | None = None) -> dict[str, Any]:
    """The names after a cell; raises what the cell raises."""
    names = namespace() if names is None else names
    session.opened(names)
    session.cleared(names, text)
    file = f"<cell {next(_cells)}>"
    remembered(file, text)
    exec(compile(text, file, "exec"), names)
    return names


def judged(n: int, text: str, names: dict[str, Any] | None = None) -> Verdict:
    """The verdict of a section's checkpoint on a cell's text."""
    return checked(n, run(text, names))


def checked(n: int, names: dict[str, Any]) -> Verdict:
    """The verdict of a section's checkpoint, as its cell asks for it."""
    return confere(n, *(names[name] for name in ASKED[n]))
