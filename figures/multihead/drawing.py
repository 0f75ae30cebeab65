"""The picture of the listing and both heads: what the simulator opens with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from figures import hand_example
from figures.kit import style
from figures.kit.arrays import Array
from figures.kit.formats import count, fixed, shape, vector
from figures.kit.show import Picture, figure
from figures.kit.words import Words
from figures.multihead import model
from figures.multihead.model import Heads, asking_row, first_head_output, head_count, weights_of
from figures.multihead_code import Step
from figures.roles import QUERY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("multihead")


@figure
def opening_state() -> Picture:
    """The listing with its last line run, the shape that each line leaves, both heads' weights and the output."""
    steps = model.variant()
    run = model.heads(steps)
    drawing, page = style.canvas(1152, 480, bare=True)
    _draw_code(page, steps)
    names = hand_example.example().names
    for head in range(len(run.weights)):
        left = 746 + 216 * head
        page.text(left, 458, style.rich(_words("opening.head", head=head + 1)), weight=600, va="center")
        _draw_cells(page, run.weights[head], (left, 394), names if head == 0 else (), names)
    page.text(746, 196, _words("opening.output"), weight=600, va="center")
    _draw_cells(page, run.output, (746, 134), names, output_headings(run), heat=False)
    return Picture(drawing, alt=_alt(steps), values=())


@figure
def columns_become_heads() -> Picture:
    """The example's X W_Q, and beside it the same columns shared out among the heads."""
    Q, heads = model.example()[0], head_count()
    (n, d), width = Q.shape, Q.shape[1] // head_count()
    drawing, page = style.canvas(470, 200, bare=True)
    _draw_blocks(page, n, [(0, width * head) for head in range(heads)], width, (1, 150))
    style.centred(page, shape()((n, d)), (d * 17, 20), colour=style.COLOURS.soft)
    look = {"arrowstyle": "-|>", "color": style.COLOURS.rule, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
    page.annotate("", (d * 34 + 84, 96), (d * 34 + 16, 96), arrowprops=look)
    for head in range(heads):
        left = d * 34 + 104 + head * (width * 34 + 40)
        _draw_blocks(page, n, [(head, 0)], width, (left, 150))
        style.centred(page, _words("opening.divider", head=head + 1), (left + width * 17, 172), size=style.SIZES.figure_small)
        style.centred(page, shape()((n, width)), (left + width * 17, 20), colour=style.COLOURS.soft)
    said = {"n": count()(n), "d": count()(d), "heads": count()(heads), "width": count()(width)}
    return Picture(drawing, _words("columns.alt", **said), values=())


def _draw_blocks(page: Axes, rows: int, blocks: Sequence[tuple[int, int]], width: int, corner: tuple[float, float]) -> None:
    """Cells of some heads, each head in a tone of its own: (head or 0 to count them, first column) for each."""
    tones = (QUERY.wash, style.COLOURS.line)
    for place, (head, first) in enumerate(blocks):
        for i, j in np.ndindex(rows, width):
            at = (corner[0] + 34 * (first + j), corner[1] - 34 * (i + 1))
            name = f"head {head + place + 1}"
            cell = style.patches.Rectangle(at, 34, 34, facecolor=tones[(head + place) % 2], edgecolor=QUERY.ink, linewidth=1, label=name)
            page.add_patch(cell)


def _draw_code(page: Axes, steps: Sequence[Step]) -> None:
    """The listing, the last line marked as the one just run, and at its right the shapes."""
    page.text(0, 458, _words("opening.code"), weight=600, va="center")
    page.text(620, 458, _words("opening.shape"), weight=600, va="center", ha="right")
    for step in steps:
        y = 410 - 54 * (step.line - 1)
        last = step is steps[-1]
        if last:
            page.add_patch(style.patches.Rectangle((0, y - 25), 630, 50, facecolor=style.COLOURS.stress_wash, edgecolor="none"))
        colour = style.COLOURS.stress if last else style.COLOURS.soft
        page.text(8, y, str(step.line), family=style.MONO, color=colour, va="center")
        page.text(34, y, step.text, family=style.MONO, va="center")
        page.text(620, y, _shape_of(step), va="center", ha="right", color=style.COLOURS.soft)


def _shape_of(step: Step) -> str:
    """What the line left: the shape of each array, or its numbers."""
    return "; ".join(shape()(made.shape) if isinstance(made, np.ndarray) else count()(made) for made in step.made.values())


def output_headings(run: Heads) -> list[str]:
    """One heading over each head's columns of the output."""
    h, width = len(run.weights), run.output.shape[1] // len(run.weights)
    return [_words("opening.divider", head=head + 1) if column == 0 else "" for head in range(h) for column in range(width)]


def _draw_cells(
    page: Axes, values: Array, corner: tuple[float, float], rows: Sequence[str], columns: Sequence[str], heat: bool = True
) -> None:
    """Numbers in cells, weights darker the larger, with names at the left and above; the row of the word that asks is framed."""
    wide, high = 62, 38
    for (i, j), value in np.ndenumerate(values):
        x, y = corner[0] + j * wide, corner[1] - i * high
        fill = style.heat()(float(np.clip(value, 0, 1)) * 0.5) if heat else style.COLOURS.wash
        page.add_patch(style.patches.Rectangle((x, y - high / 2), wide, high, facecolor=fill, edgecolor=style.COLOURS.ground, linewidth=2))
        weight = 600 if i == asking_row() else 400
        style.centred(page, fixed(2)(value), (x + wide / 2, y), colour=style.ink_on(fill), weight=weight)
    for j, name in enumerate(columns):
        page.text(corner[0] + j * wide + 4, corner[1] + 32, name, size=style.SIZES.figure_small, color=style.COLOURS.soft, va="center")
    for i, name in enumerate(rows):
        page.text(corner[0] - 10, corner[1] - i * high, name, ha="right", va="center", weight=600 if i == asking_row() else 400)
    asking = corner[1] - asking_row() * high - high / 2
    frame = style.patches.Rectangle(
        (corner[0], asking), wide * values.shape[1], high, fill=False, edgecolor=style.COLOURS.stress, linewidth=3
    )
    page.add_patch(frame)


def _alt(steps: Sequence[Step]) -> str:
    names = hand_example.example().names

    def row_in_words(head: int) -> str:
        return ", ".join(_words("opening.row", name=n, weight=fixed(2)(w)) for n, w in zip(names, weights_of(head, steps)))

    lefts = [_words("opening.left", name=", ".join(step.made), shape=_shape_of(step)) for step in steps]
    return _words(
        "opening.alt",
        lines=len(steps),
        shapes="; ".join(lefts),
        asking=hand_example.example().asking,
        first=1,
        first_row=row_in_words(1),
        second=2,
        second_row=row_in_words(2),
        output=vector(fixed(2))(first_head_output(steps)),
    )
