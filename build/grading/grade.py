"""A folder of notebooks becomes a table: each is run again, away from its saved outputs, on numbers that it has never seen."""

from __future__ import annotations

import importlib
import secrets
from pathlib import Path
from typing import Any

from base import atomic_write
from base.progress import Progress

from figures.kit import data
from figures.kit.errors import Problem
from figures.kit.files import ROOT
from figures.kit.words import Words
from grading import notebooks, report, sandbox

_words = Words("grading")
HIDDEN = ("figures", "data", "slides", "tests", "build", "_output")


class Grading(data.Record):
    """`data/grading.yml`."""

    judge: str
    seconds_a_step: data.Positive
    seconds: data.Positive
    memory_mb: data.Positive
    file_mb: data.Positive
    files: data.Positive
    source: str


def run(folder: Path, out: Path | None, seed: int | None, progress: Progress) -> tuple[Path, Path]:
    """Grades a folder; gives the CSV and the page, beside each other in `out`, or in the folder itself."""
    files = notebooks.found(folder) if folder.is_dir() else []
    if not files:
        raise Problem(folder, "no notebook stands here", "Name a folder with one .ipynb for each student: make grade FOLDER=…")
    settings = data.load("grading", Grading)
    seed = secrets.randbelow(2**31) if seed is None else seed
    judge = _judge(settings.judge)(seed)
    limits = sandbox.Limits(settings.seconds_a_step, settings.seconds, settings.memory_mb, settings.file_mb, settings.files)
    rows, titles = [], judge.titles()
    for number, file in enumerate(files, 1):
        progress(f"{number}/{len(files)} · {file.name}")
        notebook = notebooks.read(file)
        try:
            rows.append(_graded(notebook, judge, [folder, *(ROOT / name for name in HIDDEN)], limits))
        except Exception as error:  # whatever one notebook does, the others are graded
            rows.append(report.Row(file, notebook.student, (), (_words("failed", error=type(error).__name__),)))
    out = out or folder
    name = _words("table")
    table, page = out / f"{name}.csv", out / f"{name}.html"
    out.mkdir(parents=True, exist_ok=True)
    atomic_write.write(table, report.as_csv(rows, titles, seed))
    atomic_write.write(page, report.as_page(rows, titles, seed, sandbox.missing()))
    return table, page


def _judge(name: str) -> Any:
    """The class that judges, as data/grading.yml names it."""
    module, _, made = name.rpartition(".")
    return getattr(importlib.import_module(f"figures.{module}"), made)


def _graded(notebook: notebooks.Notebook, judge: Any, hidden: list[Path], limits: sandbox.Limits) -> report.Row:
    if notebook.fault:
        return report.Row(notebook.file, notebook.student, (), (notebook.fault,))
    done = sandbox.run(notebook.cells, judge.calls(), judge.given(), judge.helpers, hidden, limits)
    return report.Row(notebook.file, notebook.student, judge.marks(done.replies), done.notes)
