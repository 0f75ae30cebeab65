"""Tables: raw values in rows under columns, which become the cells that a reader sees, and those that the ledger keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from figures.kit import formats, ledger
from figures.kit.formats import Format
from figures.kit.jupyter import by_hand
from figures.kit.marks import css_name
from figures.kit.markup import markdown
from figures.kit.origin import Known, Origin
from figures.kit.show.values import Markdown, Shown


@dataclass(frozen=True)
class Column:
    """A column of a table: heading (unit included), the format of its numbers, its side, the class of its cells."""

    heading: str
    format: Format = field(default_factory=formats.text)
    align: str | None = None  # left, right or center; numbers go right, text left
    role: str = ""

    @property
    def side(self) -> str:
        return self.align or ("left" if self.format.name == "text" else "right")


@dataclass(frozen=True)
class Cell:
    """A cell that differs from its column: another format, a class such as `best`."""

    value: Any
    format: Format | None = None
    role: str = ""


@dataclass(frozen=True)
class Table:
    """Raw values in rows under columns. A text stands as it is, Markup as Markdown; `None` is an empty cell."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    caption: str = ""
    origin: Origin | None = None
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} has {len(row)} cells for {len(self.columns)} columns: {list(row)!r}")

    def texts(self) -> list[list[str]]:
        """The cells as shown, row by row, headings left out; what tests compare with."""
        return [[cell.text for cell in row] for row in self._written()]

    def plain(self) -> dict[str, Any]:
        """The table for a script that shows it: headings with their sides, cells as a reader sees them with their classes."""
        columns = [[column.heading, column.side] for column in self.columns]
        rows = [[[cell.text, cell.role] for cell in row] for row in self._written()]
        return {"caption": self.caption, "columns": columns, "rows": rows}

    def _written(self) -> list[list[_Written]]:
        return [[_told(value, column, n) for value, column in zip(row, self.columns)] for n, row in enumerate(self.rows, 1)]

    def _repr_markdown_(self) -> str:
        if by_hand():
            return self._plain()
        headings, cells = [_piped(column.heading) for column in self.columns], self._written()
        n = ledger.add("table", self._entry(cells), self.caption, self.origin) if self.origin else 0
        body = [[cell.markdown(f"{n}-{i}-{j}" if n else "") for j, cell in enumerate(row, 1)] for i, row in enumerate(cells, 1)]
        widths = [max(3, *(_visible_length(line[i]) for line in [headings, *body])) for i in range(len(headings))]
        rules = [_rule(width, column.side) for width, column in zip(widths, self.columns)]
        lines = [_line(headings), _line(rules), *(_line(row) for row in body)]
        caption = f"\n\n: {markdown(self.caption)}" if self.caption else ""
        named = (f"table-{css_name(self.origin.name)}",) if self.origin else ()
        attributes = " ".join([*(f".{name}" for name in (*named, *self.classes)), *([f'n="{n}"'] if n else [])])
        opening, closing = (f"::: {{{attributes}}}\n", "\n:::") if attributes else ("", "")
        return f"\n{opening}\n" + "\n".join(lines) + f"{caption}\n{closing}\n"

    def _plain(self) -> str:
        """The table in the Markdown of notebooks, which knows no `[text]{.class}`."""
        lines = [[column.heading for column in self.columns], *self.texts()]
        head, *body = [_line([re.sub(r"\[([^][]*)\]\{[^}]*\}", r"\1", _piped(cell)) for cell in line]) for line in lines]
        return "\n".join([head, _line([_rule(3, column.side) for column in self.columns]), *body])

    def _entry(self, cells: list[list[_Written]]) -> dict[str, Any]:
        """The table as the ledger keeps it: headings, raw values, and what a reader sees."""
        columns = [{"heading": column.heading, "format": column.format.name, "unit": column.format.unit} for column in self.columns]
        rows, texts = ([[getattr(cell, part) for cell in row] for row in cells] for part in ("value", "text"))
        return {"columns": columns, "rows": rows, "texts": texts, "caption": self.caption}


class _Written(NamedTuple):
    """A cell once its format is settled: what it is, what a reader sees, its class, whether it is more than the table's own words."""

    value: Any
    text: str
    role: str
    computed: bool

    def markdown(self, n: str) -> str:
        """The cell on the page, marked with `n` where it is a value."""
        text = _piped(self.text)
        parts = [f".{self.role}"] * bool(self.role) + [f'.n n="{n}"'] * bool(n and self.computed)
        return f"[{text}]{{{' '.join(parts)}}}" if parts and text else text


def _told(value: Any, column: Column, row: int) -> _Written:
    """A cell of a row; a value that its format can't show is told with its place."""
    try:
        return _written(value, column)
    except formats.FormatError as error:
        raise formats.FormatError(f"column “{column.heading}”, row {row}: {error}") from None


def _written(value: Any, column: Column) -> _Written:
    """Raw value and text of a cell, both from the one value that stands in its row."""
    if isinstance(value, Cell):
        own = replace(column, format=value.format or column.format, role=value.role or column.role)
        return _written(value.value, own)._replace(computed=True)
    if isinstance(value, (Shown, Markdown)):
        return _Written(value.value if isinstance(value, Shown) else value.text, str(value), column.role, computed=True)
    if value is None or isinstance(value, str):
        return _Written(value, value or "", column.role, computed=False)
    return _Written(value, column.format(value.value if isinstance(value, Known) else value), column.role, computed=True)


def _piped(text: str) -> str:
    """A text as Markdown for a cell."""
    return re.sub(r"(?<!\\)\|", r"\|", markdown(text))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _rule(width: int, side: str) -> str:
    dashes = "-" * width
    return {"left": f":{dashes}", "right": f"{dashes}:", "center": f":{dashes}:"}[side]


def _visible_length(cell: str) -> int:
    """About how many characters a reader sees of a cell: pandoc shares out the width by the dashes of the rule."""
    seen = re.sub(r"\{\.[^}]*\}|\\[a-zA-Z]+|[\\{}$\[\]*_^]", "", cell)
    return len(seen)
