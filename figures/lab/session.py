"""The student's session: no name is missing before its cell has run, and none outlives the run that made it.

What a gap's cell makes is cleared before that cell runs again; if it then stops, even at a syntax error, its checkpoint
judges nothing old.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from figures.kit.checkpoints import NotMade

# What the gaps' cells make, section by section.
MADE = (
    ("consulta",),
    ("atencao",),
    ("mede",),
    ("volta",),
    ("causal", "padding"),
    ("preve", "gira"),
    ("gqa", "parametros"),
    ("bytes_de_S", "maior_n"),
    ("bytes_por_token", "entrada"),
    ("alvo", "no_anterior", "aprendida"),
)
NAMES = tuple(name for names in MADE for name in names)


def opened(names: dict[str, Any]) -> None:
    """Gives every name that is missing something to stand for it, and clears each before the cell that makes it."""
    for name in NAMES:
        names.setdefault(name, NotMade(name))
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return
    events = shell.events
    for callback in list(events.callbacks["pre_run_cell"]):
        if getattr(callback, "clears_the_lab", False):
            events.unregister("pre_run_cell", callback)

    def clear(info: Any) -> None:
        cleared(shell.user_ns, info.raw_cell)

    clear.clears_the_lab = True  # type: ignore[attr-defined]
    events.register("pre_run_cell", clear)


def cleared(names: dict[str, Any], cell: str) -> None:
    """Forgets the names of the lab that a cell makes at its outermost level."""
    for name in made_by(cell):
        names[name] = NotMade(name)


def made_by(cell: str) -> list[str]:
    """The names of the lab that a cell's text makes, by its lines alone: the text may not even be Python.

    >>> made_by("def causal(n:\\n    x = 1\\ngira = f")
    ['causal', 'gira']
    """
    lines = [line for line in cell.splitlines() if re.match(r"(?:def\s+\w|[^\W\d][\w, ]*=(?!=))", line)]
    heads = " ".join(line.partition("=")[0] if not line.startswith("def") else line.split("(")[0] for line in lines)
    return [name for name in NAMES if re.search(rf"\b{name}\b", heads)]
