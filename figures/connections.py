"""Who is connected with whom, and how strongly: by a convolution, and by attention, over the lecture's two sentences.

Weights are (n, n): row i is what token i takes from each token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from figures import attention, chapter, hand_example
from figures.kit import data, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError
from figures.kit.formats import fixed
from figures.kit.show import Column, Picture, Table, figure, matrix_table
from figures.kit.theme import series
from figures.kit.words import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("connections")
THICKEST = 12.0  # pixels of a line that carries all the weight


class Word(data.Record):
    """A word of the second sentence, with its vectors."""

    name: str
    query: tuple[float, float]
    key: tuple[float, float]
    value: tuple[float, float]


class Connections(data.Record):
    """`data/connections.yml`."""

    reach: data.Positive
    second: tuple[Word, ...]
    source: str


class Sentence(NamedTuple):
    """The words kept of a sentence, and the weights that attention gives them, a row for each word."""

    names: tuple[str, ...]
    weights: Array


def records() -> Connections:
    """The records, as `data/connections.yml` has them."""
    return data.load("connections", Connections)


def convolution(n: int, reach: int) -> Array:
    """The weights of a convolution over n tokens: the same share of itself and of so many neighbours at each side.

    >>> convolution(3, 1).round(2).tolist()
    [[0.33, 0.33, 0.0], [0.33, 0.33, 0.33], [0.0, 0.33, 0.33]]
    """
    apart = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return np.where(apart <= reach, 1 / (2 * reach + 1), 0.0)


def sentences() -> tuple[Sentence, Sentence]:
    """Both sentences with their weights, the word that asks first in its place among the words of the second."""
    example, second = hand_example.example(), {word.name: word for word in records().second}
    asking = hand_example.model.token_of(example.asking)
    text = example.sentences[1].text
    missing = [name for name in example.sentences[1].read if name not in second]
    if missing:
        raise DataError("data/connections.yml", "second", f"no vectors for {', '.join(missing)}", "Add them, two numbers each")
    names = tuple(sorted([example.asking, *example.sentences[1].read], key=text.index))
    own = {name: (word.query, word.key) for name, word in second.items()} | {example.asking: (example.query, asking.key)}
    queries, keys = (np.array([own[name][part] for name in names], dtype=float) for part in (0, 1))
    return Sentence(example.names, chapter.by_hand().A), Sentence(names, attention.weights(queries, keys))


# Slide "Duas escolhas opostas"


@figure
def two_layers() -> Picture:
    """Each sentence as a layer: a line from every word read to every word written, as thick as its weight; convolution, attention."""
    drawing, page = style.canvas(1152, 160, bare=True)
    first, second = sentences()
    fixed_weights = convolution(len(first.names), records().reach)
    columns = (
        (0, "convolution", (fixed_weights, convolution(len(second.names), records().reach))),
        (592, "attention", (first.weights, second.weights)),
    )
    for left, name, both in columns:
        for place, (sentence, weights) in enumerate(zip((first, second), both)):
            _draw_layer(page, name, sentence.names, weights, left + 290 * place)
    tables = [
        matrix_table(_words("layers.reads"), sentence.names, sentence.names, weights, fixed(2), _words(f"layers.{name}"))
        for _, name, both in columns
        for sentence, weights in zip((first, second), both)
    ]
    share = fixed(2)(float(fixed_weights.max()))
    return Picture(drawing, _words("layers.alt", share=share, first=_rows_in_words(first), second=_rows_in_words(second)), values=tables)


def _rows_in_words(sentence: Sentence) -> str:
    rows = zip(sentence.names, sentence.weights)
    return "; ".join(_words("layers.row", name=name, weights=_weights_in_words(sentence.names, row)) for name, row in rows)


def _weights_in_words(names: Sequence[str], row: Array) -> str:
    return ", ".join(_words("weight", name=name, weight=fixed(2)(weight)) for name, weight in zip(names, row))


def _draw_layer(page: Axes, name: str, names: Sequence[str], weights: Array, left: float) -> None:
    """Words read below, words written above, and the lines between them."""
    wide, below, above = 92, 34, 142
    xs = [left + 44 + wide * i for i in range(len(names))]
    look = series(name)
    for i, j in np.ndindex(weights.shape):
        if weights[i, j] > 0:
            width = THICKEST * float(weights[i, j])
            page.plot([xs[j], xs[i]], [below, above], color=look.ink, linewidth=width, solid_capstyle="butt", label=name)
    for x, text in zip(xs, names):
        for y in (below, above):
            page.plot(x, y, "o", markersize=9, color=style.COLOURS.ink)
        style.centred(page, text, (x, below - 24), size=style.SIZES.figure_small)


# Slide "A ideia: cada palavra relê as outras"


@figure
def arcs() -> Picture:
    """An arc from the word that asks to each word of its sentence, as thick as its weight, with the weight at its end."""
    drawing, page = style.canvas(560, 240, bare=True)
    for top, sentence in zip((146, 4), sentences()):
        _draw_arcs(page, sentence, top)
    first, second = (_weights_in_words(sentence.names, _asking_row(sentence)) for sentence in sentences())
    tables = [Table([Column(_words("layers.reads")), Column(_words("arcs.weight"), fixed(2))], _pairs(one)) for one in sentences()]
    return Picture(drawing, _words("arcs.alt", asking=hand_example.asking(), first=first, second=second), values=tables)


def _pairs(sentence: Sentence) -> list[list[Any]]:
    return [[name, float(weight)] for name, weight in zip(sentence.names, _asking_row(sentence))]


def _asking_row(sentence: Sentence) -> Array:
    row: Array = sentence.weights[sentence.names.index(hand_example.example().asking)]
    return row


def _draw_arcs(page: Axes, sentence: Sentence, low: float) -> None:
    asking = hand_example.example().asking
    xs = {name: 90 + 190 * i for i, name in enumerate(sentence.names)}
    for name, weight in zip(sentence.names, _asking_row(sentence)):
        text, base = fixed(2)(weight), low + 42
        if name != asking:
            middle, wide = (xs[name] + xs[asking]) / 2, abs(xs[name] - xs[asking])
            tall = 40 * wide / 190  # two arcs of one word lie one in the other, each with its number under its top
            arc = style.patches.Arc((middle, base), wide, 2 * tall, theta1=0, theta2=180, label="attention")
            arc.set(color=series("attention").ink, linewidth=THICKEST * float(weight))
            page.add_patch(arc)
            style.centred(page, text, (middle, base + tall - 20), size=style.SIZES.figure_small)
        bold = 600 if name == asking else 400
        style.centred(page, name if name != asking else f"{name} {text}", (xs[name], low + 20), weight=bold)


# Claims


@claim
def convolution_repeats_itself(weights: Callable[[int, int], Array] = convolution) -> Check:
    """A convolution joins neighbours alone, with the same strength in every place and for any text."""
    n, reach = len(sentences()[0].names) + 3, records().reach
    made = weights(n, reach)
    diagonals = [np.diagonal(made, offset) for offset in range(-n + 1, n)]
    local = all(np.ptp(one) == 0 for one in diagonals) and not made[np.abs(np.subtract.outer(range(n), range(n))) > reach].any()
    return Check(bool(local), {"weights": made})


@claim
def attention_joins_every_pair(both: Sequence[Array] | None = None) -> Check:
    """In both sentences every pair is joined, no row is even, and the word that asks spreads its weight in another way."""
    first, second = (sentence.weights for sentence in sentences()) if both is None else both
    joined_all = min(first.min(), second.min()) > 0
    uneven = min(float(np.ptp(row)) for weights in (first, second) for row in weights) > 0.01
    differ = first.shape != second.shape or float(np.abs(first - second).max()) > 0.01
    return Check(bool(joined_all and uneven and differ), {"first": first, "second": second})


@claim
def leaves_each_sentence_apart(second: Array | None = None) -> Check:
    """The word that asks comes out of the two sentences with different vectors, by more than what leaves a sense open."""
    example, known = hand_example.example(), {word.name: word.value for word in records().second}
    values = known | {token.name: token.value for token in example.tokens}
    outputs = [_asking_row(s) @ np.array([values[name] for name in s.names]) for s in sentences()]
    outputs[1] = outputs[1] if second is None else np.asarray(second)
    apart = float(np.abs(outputs[0] - outputs[1]).max())
    return Check(apart > example.undecided_within, {"first": outputs[0], "second": outputs[1]})
