"""The picture of the whole matrix and its chosen row: what the simulator opens with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from figures.kit import heat_map, style
from figures.kit.arrays import Array
from figures.kit.formats import count, fixed, plain, shape
from figures.kit.show import Picture, figure, matrix_table
from figures.kit.words import Words
from figures.roles import KEY, QUERY
from figures.score_matrix import model
from figures.score_matrix.heads import function_name
from figures.score_matrix.model import Matrix, State

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("matrix")


@figure
def opening_state() -> Picture:
    """The heat map of the whole sentence and, beside it, the weights of the chosen row: what the simulator opens with."""
    matrix, state = model.records(), model.opening()
    weights, chosen = model.weights(state), state.row - 1
    width, height = 1152, 520
    drawing, page = style.canvas(width, height, bare=True)
    cell = 396 / len(weights)
    heat = drawing.add_axes((140 / width, 12 / height, 396 / width, 396 / height))
    _heat_map(heat, weights, matrix.texts, chosen)
    _row_beside(page, weights[chosen], matrix.texts, chosen, cell)
    page.text(600, 492, state_in_words(state).replace("d_k", style.math("d_k")), va="center", color=style.COLOURS.soft)
    table = matrix_table(_words("opening.queries"), matrix.texts, matrix.texts, weights, fixed(2))
    return Picture(drawing, _alt(matrix, state, weights), values=[table])


def words_of_the_simulator() -> dict[str, str]:
    """What the simulator says in the words of its picture."""
    return {name: _words(f"opening.{name}") for name in ("keys", "queries")}


def state_in_words(state: State) -> str:
    """The controls in one line: the score function, d_k, whether the scores are divided and masked."""
    return _words(
        "opening.state",
        function=function_name(state.function),
        d_k=count()(state.d_k),
        divided=_words("opening.divided.on" if state.divide else "opening.divided.off"),
        masked=_words("opening.masked.on" if state.causal else "opening.masked.off"),
    )


def _heat_map(axes: Axes, weights: Array, texts: tuple[str, ...], chosen: int) -> None:
    """The weights as shades, one row for each query, the chosen row framed."""
    n = len(weights)
    heat_map.draw(axes, weights, texts, texts, (QUERY.ink, KEY.ink))
    axes.get_yticklabels()[chosen].set_fontweight(600)
    axes.set_ylabel(style.rich(_words("opening.queries")), color=QUERY.ink)
    axes.set_title(style.rich(_words("opening.keys")), color=KEY.ink, weight=400, pad=6, x=-0.24)
    axes.add_patch(style.patches.Rectangle((0, chosen), n, 1, fill=False, edgecolor=QUERY.ink, linewidth=3, clip_on=False))


def _row_beside(page: Axes, row: Array, texts: tuple[str, ...], chosen: int, cell: float) -> None:
    """The chosen row as bars beside the heat map, each with its weight, and their sum."""
    heading = _words("opening.row", token=texts[chosen])
    page.text(600, 448, heading, va="center", weight=600, size=24)
    page.text(1140, 448, _words("opening.sum", sum=plain()(float(row.sum()))), va="center", ha="right", weight=600, size=24)
    for i, (text, weight) in enumerate(zip(texts, row)):
        y = 408 - cell * (i + 0.5)
        heaviest = i == int(row.argmax())
        face = style.COLOURS.stress if heaviest else style.COLOURS.rule
        page.text(700, y, text, va="center", ha="right", color=KEY.ink, weight=600 if heaviest else 400)
        page.add_patch(style.patches.Rectangle((712, y - cell * 0.32), 350 * weight, cell * 0.64, facecolor=face, label="bar"))
        page.text(722 + 350 * weight, y, fixed(2)(weight), va="center", weight=600 if heaviest else 400)


def _alt(matrix: Matrix, state: State, weights: Array) -> str:
    row = weights[state.row - 1]
    return _words(
        "opening.alt",
        shape=shape()(weights.shape),
        sentence=" ".join(matrix.texts),
        state=state_in_words(state),
        token=matrix.texts[state.row - 1],
        weights=", ".join(f"{text} {fixed(2)(weight)}" for text, weight in zip(matrix.texts, row)),
        sum=plain()(float(row.sum())),
        heaviest=matrix.texts[int(row.argmax())],
    )
