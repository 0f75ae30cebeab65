"""The table of a graded folder: as CSV for a spreadsheet, as a page with each student's messages."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from figures.kit import project
from figures.kit.formats import fixed
from figures.kit.words import Words

WORDS, CHECKPOINTS = Words("grading"), Words("checkpoints")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color-scheme: light dark; }
table { border-collapse: collapse; } th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #8886; }
th:first-child, td:first-child { text-align: left; } details { margin: .6rem 0; } pre { white-space: pre-wrap; font: inherit; }
"""


class Row(NamedTuple):
    """One notebook: its file, its student, the mark of each section, what went wrong with its process."""

    file: Path
    student: str
    marks: Sequence[Any]
    notes: Sequence[str]

    @property
    def total(self) -> float:
        return float(sum(mark.earned for mark in self.marks))


def as_csv(rows: Sequence[Row], titles: Sequence[str], seed: int) -> str:
    """The table, a notebook a line; the seed says how to draw the same numbers again."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([WORDS("file"), WORDS("student"), WORDS("total"), *titles, WORDS("notes"), WORDS("seed")])
    for row in rows:
        points = [f"{mark.earned:g}" for mark in row.marks] or ["0"] * len(titles)
        cells = [row.file.name, row.student, f"{row.total:g}", *points, "; ".join(row.notes), seed]
        writer.writerow([_plain(cell) for cell in cells])
    return text.getvalue()


def _plain(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "@", "\t") else cell


def as_page(rows: Sequence[Row], titles: Sequence[str], seed: int, lacking: Sequence[str]) -> str:
    """The same as a page: the table, then what each student is told."""
    heads = "".join(f'<th title="{html.escape(title)}">{n}</th>' for n, title in enumerate(titles, 1))
    lines = "".join(_line(row, len(titles)) for row in rows)
    told = "".join(_student(row) for row in rows)
    warnings = "".join(f"<p>⚠ {html.escape(text)}</p>" for text in lacking)
    title = html.escape(WORDS("title"))
    return (
        f'<!doctype html><html lang="{project.language()}"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head>'
        f"<body><h1>{title}</h1>{warnings}<table><thead><tr><th>{WORDS('student')}</th>{heads}<th>{WORDS('total')}</th></tr></thead>"
        f"<tbody>{lines}</tbody></table><p>{WORDS('seed')}: {seed}</p>{told}</body></html>\n"
    )


def _line(row: Row, sections: int) -> str:
    signs: list[str] = [CHECKPOINTS(f"signs.{mark.verdict.status}") for mark in row.marks]
    cells = "".join(f"<td>{sign}</td>" for sign in signs or ["⚠"] * sections)
    return f"<tr><td>{html.escape(row.student)}</td>{cells}<td>{fixed(1, trim=True)(row.total)}</td></tr>"


def _student(row: Row) -> str:
    notes = "".join(f"<p>⚠ {html.escape(note)}</p>" for note in row.notes)
    told = "".join(f"<pre>{html.escape(mark.verdict.text)}</pre>" for mark in row.marks)
    head = html.escape(f"{row.student} ({row.file.name}): {fixed(1, trim=True)(row.total)}")
    return f"<details><summary>{head}</summary>{notes}{told}</details>"
