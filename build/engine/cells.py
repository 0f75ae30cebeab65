"""What this engine takes of a document's cells: Python at the margin, with options that it knows. Runs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from engine.settings import TEXT, TRUTH, Kind
from figures.kit import qmd
from figures.kit.errors import Problem
from figures.kit.files import Line
from figures.kit.qmd import Cell, Text

OPTIONS: dict[str, Kind] = {
    "label": TEXT,
    "echo": TRUTH,
    "eval": TRUTH,
    "include": TRUTH,
    "output": Kind("true, false or asis", lambda value: isinstance(value, bool) or value == "asis"),
    "code-line-numbers": Kind('a text such as "1-3", true or false', lambda value: isinstance(value, (str, bool))),
}


def split(lines: list[Line]) -> Iterator[Text | Cell]:
    """Text and cells in the document's order, or a Problem for a cell that can't be run as it stands."""
    for part in qmd.parts(lines):
        if isinstance(part, Cell):
            _check_fence(part.fence)
            _check_options(part)
        yield part


def _check_fence(fence: qmd.Fence) -> None:
    place, language = fence.line.place, fence.language
    if language != "python":
        raise Problem(place, f"a cell in `{language}`: only python is run", f"For a listing write ```{{.{language}}}.")
    if fence.indent:
        raise Problem(place, "a cell inside a list or quotation: Quarto breaks its output", "Start its fence at the margin.")
    if fence.rest:
        raise Problem(place, f"cell options in the fence: `{fence.rest}`", "Write each on its own line, as `#| key: value`.")


def _check_options(cell: Cell) -> None:
    for key, value in cell.options.items():
        kind, place = OPTIONS.get(key), cell.option_places[key]
        if kind is None:
            raise Problem(place, f"the cell option `{key}` is unknown to this engine", f"It knows {', '.join(OPTIONS)}.")
        if not kind.accepts(value):
            raise Problem(place, f"`{key}` is {value!r}", f"Write {kind.words}.")
    label = str(cell.options.get("label", ""))
    if label.startswith(("fig-", "tbl-", "lst-", "eq-", "sec-")):
        remedy = "Choose one without the prefix fig-, tbl-, lst-, eq- or sec-."
        raise Problem(cell.option_places["label"], f"the label `{label}` asks for a cross-reference", remedy)
