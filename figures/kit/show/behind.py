"""The values behind a figure as a table, for who doesn't see it: what a picture draws, offered beside it on a page."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from figures.kit.arrays import Array
from figures.kit.formats import NBSP, Format, count
from figures.kit.show.tables import Column, Table
from figures.kit.speech import of_text
from figures.kit.words import Words

_words = Words("figure_values")
_FORMULA = re.compile(r"\$([^$]*)\$")  # a letter of a formula reads as it is


def matrix_table(corner: str, rows: Sequence[str], columns: Sequence[str], values: Array, format: Format, caption: str = "") -> Table:
    """A matrix as a table, its rows named in the first column; where a value is nan the cell is empty."""
    cells = [[name, *(None if value != value else float(value) for value in line)] for name, line in zip(rows, values, strict=True)]
    return Table([Column(corner), *(Column(name, format) for name in columns)], cells, caption)


def numbered(values: Array) -> list[str]:
    """The columns of a matrix by their numbers.

    >>> import numpy as np
    >>> numbered(np.zeros((1, 2)))
    ['1', '2']
    """
    return [count()(column) for column in range(1, values.shape[1] + 1)]


def details(tables: Sequence[Table]) -> str:
    """The tables as HTML that opens where a reader asks for it."""
    return f'<details class="figure-values"><summary>{_words("offer")}</summary>{"".join(map(_table, tables))}</details>'


def _table(table: Table) -> str:
    caption = f"<caption>{html.escape(table.caption, quote=False)}</caption>" if table.caption else ""
    head = "".join(_cell(column.heading, 'th scope="col"') for column in table.columns)
    rows = "".join(f"<tr>{_row(row)}</tr>" for row in table.texts())
    return f'<table data-quarto-disable-processing="true">{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return _cell(first, 'th scope="row"') + "".join(_cell(cell, "td") for cell in others)


def _cell(text: str, tag: str) -> str:
    """A cell as it is read, and as it is said where that differs."""
    text = _FORMULA.sub(r"\1", text)
    said = of_text(text)
    label = f' aria-label="{html.escape(said)}"' if said != text.replace(NBSP, " ") else ""
    return f"<{tag}{label}>{html.escape(text, quote=False)}</{tag[:2]}>"
