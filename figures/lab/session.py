"""The student's session: no name is missing before its cell has run, none outlives the run that made it, and progress is kept.

What a gap's cell makes is cleared before that cell runs again; if it then stops, even at a syntax error, its checkpoint
judges nothing old.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

from figures.kit.checkpoints import RIGHT, NotMade, Verdict
from figures.kit.formats import count
from figures.kit.show import Column, Markdown, Table, table
from figures.kit.words import Words
from figures.lab import sections

_words, _signs = Words("laboratorio"), Words("checkpoints")

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


# Progress

_statuses: dict[int, str] = {}


def noted(section: object, found: Verdict) -> Verdict:
    """The verdict with a last line on how far the student has come; none before the first section is right."""
    known = range(1, len(MADE) + 1)
    if not isinstance(section, int) or section not in known:
        return found
    _statuses[section] = found.status
    right = list(_statuses.values()).count(RIGHT)
    if not right:
        return found
    signs = "".join(_signs(f"signs.{_statuses.get(n, 'blank')}") for n in known)
    return replace(found, foot=_words("progress", signs=signs, right=right, of=len(known)))


@table
def summary() -> Table:
    """A section a row: what its checkpoint said last, its minutes, its points."""
    section_name, said_last, minutes, points = _words.list("summary.columns")
    columns = [Column(section_name, align="left"), Column(said_last, align="left"), Column(minutes, count()), Column(points, count())]
    rows = []
    for n, section in enumerate(sections.records().sections, 1):
        status = _statuses.get(n, "blank")
        said = _words("summary.said", sign=_signs(f"signs.{status}"), status=_signs(f"statuses.{status}"))
        rows.append([str(sections.heading(section.id)), said, section.minutes, section.points])
    return Table(columns, rows)


def handed_in(name: str) -> Markdown:
    """Writes the cells that ran in this session as a notebook with the student's name, to be handed in."""
    if not isinstance(name, str) or not name.strip():
        return Markdown(_words("hand_in.nameless"))
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return Markdown(_words("hand_in.nowhere"))
    file = Path(_words("hand_in.file", name=_plain(name)))
    file.write_text(as_notebook(shell.user_ns.get("In", [])), encoding="utf-8")
    right = list(_statuses.values()).count(RIGHT)
    return Markdown(_words("hand_in.done", file=file.name, right=right, of=len(MADE)))


def as_notebook(cells: list[str]) -> str:
    """Cells as they ran, each text where it ran last, as the text of a notebook."""
    kept = [cell for at, cell in enumerate(cells) if cell.strip() and cell not in cells[at + 1 :]]
    made: list[dict[str, Any]] = [
        {"cell_type": "code", "id": f"cell-{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": cell}
        for n, cell in enumerate(kept, 1)
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1) + "\n"


def _plain(name: str) -> str:
    """A name for a file: "Ana Souza" -> "ana-souza"."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-") or "x"
