"""Matrices drawn as boxes with their numbers inside, for the panels that follow one row through a chain.

Knows no example: values, labels and formats come as arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from figures.kit import style
from figures.kit.arrays import Array
from figures.kit.formats import Format
from figures.kit.theme import Role

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Matrix:
    """One matrix of a picture: its name, what is written under it, and how its cells are shown.

    Its `role` tints it; `followed` is the row that stands out, counted from 0; `heat` shades each cell by its value
    between 0 and 1.
    """

    name: str
    values: Array
    format: Format
    note: str = ""
    role: Role | None = None
    followed: int | None = None
    heat: bool = False


def size(matrix: Matrix, cell: tuple[float, float]) -> tuple[float, float]:
    """Width and height in the units of `cell`: a 3 × 2 matrix in cells of 60 by 40 is 120 by 120."""
    rows, columns = matrix.values.shape
    return columns * cell[0], rows * cell[1]


def draw(axes: Axes, matrix: Matrix, at: tuple[float, float], cell: tuple[float, float], labels: Sequence[str] = ()) -> None:
    """`matrix` with its top left corner at `at`, y upwards; `labels` name its rows, on the left."""
    (left, top), (width, height) = at, cell
    rows, columns = matrix.values.shape
    for i, j in np.ndindex(rows, columns):
        corner = (left + j * width, top - (i + 1) * height)
        fill = _fill(matrix, i, j)
        axes.add_patch(style.patches.Rectangle(corner, width, height, facecolor=fill, edgecolor=style.COLOURS.line, linewidth=1))
        style.centred(
            axes,
            matrix.format(matrix.values[i, j]),
            (corner[0] + width / 2, corner[1] + height / 2),
            colour=_ink(matrix, i, fill),
            weight=600 if i == matrix.followed else 400,
        )
    frame = (left, top - rows * height)
    axes.add_patch(style.patches.Rectangle(frame, columns * width, rows * height, fill=False, edgecolor=style.COLOURS.rule, linewidth=1.5))
    if matrix.followed is not None:
        corner = (left - 2, top - (matrix.followed + 1) * height)
        axes.add_patch(
            style.patches.Rectangle(corner, columns * width + 4, height, fill=False, edgecolor=style.COLOURS.stress, linewidth=3)
        )
    middle = left + columns * width / 2
    style.centred(axes, matrix.name, (middle, top + 20), weight=600, colour=_role_ink(matrix))
    style.centred(axes, matrix.note, (middle, top - rows * height - 19), size=style.SIZES.figure_small, colour=style.COLOURS.soft)
    for i, label in enumerate(labels):
        style.centred(axes, label, (left - 12, top - (i + 0.5) * height), ha="right", weight=600 if i == matrix.followed else 400)


def arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], text: str = "") -> None:
    """An arrow from one matrix to the next, with what happens on the way written over it."""
    look = {"arrowstyle": "-|>", "color": style.COLOURS.rule, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, start, arrowprops=look, annotation_clip=False)
    if text:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 18)
        style.centred(axes, text, middle, size=style.SIZES.figure_small, colour=style.COLOURS.soft)


def _fill(matrix: Matrix, i: int, j: int) -> object:
    if matrix.heat:
        return style.heat()(float(matrix.values[i, j]))
    return matrix.role.wash if matrix.role else style.COLOURS.wash


def _ink(matrix: Matrix, i: int, fill: object) -> str:
    if matrix.heat:
        return style.ink_on(fill)
    return _role_ink(matrix)


def _role_ink(matrix: Matrix) -> str:
    return matrix.role.ink if matrix.role else style.COLOURS.ink
