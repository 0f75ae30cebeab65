"""Masks: what each position sees and must predict, four kinds as matrices, and what the lab measured with and without.

A mask is (n, n), added to the scores: row i is the one that looks, column j the one looked at; 0 allows, −∞ forbids.
The masks themselves are in attention.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from figures import attention, bpe, random_draws
from figures.kit import data, ledger, style
from figures.kit.arrays import Array, Booleans, Integers
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError
from figures.kit.formats import NBSP, capital, count, fixed, power_of_ten, spelled
from figures.kit.show import Column, Picture, Table, figure, number, table, word
from figures.kit.words import Words
from figures.pieces import TOKENS, chips, example, phrases

_words = Words("masks")


class Scheme(data.Record):
    """A kind of mask: its name, what it forbids, where it is used."""

    id: Literal["causal", "padding", "sliding", "document"]
    name: str
    forbids: str
    where: str
    source: str


class Drawn(data.Record):
    """How the four masks are drawn: size of the matrix, real tokens, window, the document of each token."""

    tokens: Annotated[int, msgspec.Meta(ge=1, le=32)]  # cells of a small drawing
    real: data.Positive
    window: data.Positive
    documents: tuple[int, ...]

    def faults(self) -> Iterator[str]:
        if self.real > self.tokens:
            yield f"{self.real} of {self.tokens} tokens can't be real"
        if len(self.documents) != self.tokens:
            yield f"`documents` tells the document of {len(self.documents)} tokens, and there are {self.tokens}"


class Lab(data.Record):
    """The lab's two draws, how many zero rows are appended, and from what difference on a row has changed."""

    last_token: str
    padding: str
    rows_padded: data.Positive
    moved_above: data.Above
    source: str


class Inputs(data.Record):
    continuation: str
    schemes: tuple[Scheme, ...]
    drawn: Drawn
    lab: Lab


class Example(NamedTuple):
    """One training example that a position gives: what it sees, and the token that it must predict."""

    position: int
    sees: str
    predicts: str


def inputs() -> Inputs:
    return data.load("masks", Inputs)


# What each position sees


def examples_of(pieces: Sequence[str]) -> list[Example]:
    """One example a position but the last: `examples_of(["o", " gato"])` -> [(1, "o", " gato")]"""
    return [Example(n, "".join(pieces[:n]), pieces[n]) for n in range(1, len(pieces))]


def examples() -> list[Example]:
    """The examples of the lecture's phrase with its continuation."""
    found = examples_of(bpe.cut(phrases().example + inputs().continuation, bpe.merges()))
    if len(found) > TOKENS:
        what = f"“{inputs().continuation}” after “{example()}” gives {len(found)} positions, and the slides hold {TOKENS}"
        raise DataError("data/masks.yml", "continuation", what, "Continue it with a word that bpe.yml cuts into fewer pieces")
    return found


@table
def sees_and_predicts() -> Table:
    """Each position of the phrase, the prefix that it sees, the token that it must predict."""
    position, sees, predicts = _words.list("sees.columns")
    columns = [Column(position, count()), Column(sees, chips(), align="left"), Column(predicts, chips(), align="left")]
    return Table(columns, [[example.position, (example.sees,), (example.predicts,)] for example in examples()])


@number(count())
def first_position() -> int:
    """The first row of the table: 1"""
    return examples()[0].position


@number(chips())
def first_prediction() -> tuple[str, ...]:
    """The token that the first position must predict: ␣gato"""
    return (examples()[0].predicts,)


# What the lab measured


def projected(X: Array, projections: Sequence[Array]) -> list[Array]:
    """X (n, d) through each projection (d, …) divided by √d: `projected(np.ones((1, 4)), [np.ones((4, 1))])` -> [[[2]]]"""
    return [X @ (W / np.sqrt(len(W)).astype(W.dtype)) for W in projections]


def outputs(X: Array, projections: Sequence[Array], mask: Array | None) -> Array:
    """One head's output. Shapes: X (n, d), projections (d, d)."""
    Q, K, V = projected(X, projections)
    return attention.attention(Q, K, V, mask)


def rows_moved(before: Array, after: Array, above: float) -> list[int]:
    """Rows, from 1, in which a number moved by more than `above`: `rows_moved([[0], [0]], [[0], [1]], .5)` -> [2]"""
    moved = np.abs(np.asarray(after) - np.asarray(before)).max(axis=-1) > above
    return [int(row) + 1 for row in np.flatnonzero(moved)]


def changed_rows(masked: bool, causal: Callable[[int], Array] = attention.causal) -> list[int]:
    """The rows of the lab's output that change when its last token is replaced: all five, or with the mask row 5."""
    drawn = random_draws.drawn(inputs().lab.last_token)
    X, *projections, replacement = drawn.values()
    mask = causal(len(X)) if masked else None
    replaced = np.concatenate([X[:-1], replacement])
    before, after = (outputs(tokens, projections, mask) for tokens in (X, replaced))
    return rows_moved(before, after, inputs().lab.moved_above)


def told(rows: Sequence[int], of: int) -> str:
    """Rows in words: `told([5], 5)` -> "só a última"; `told([1, 2], 2)` -> "todas as duas"."""
    if not rows:
        return _words("changed.none")
    if len(rows) == of:
        return _words("changed.all", rows=spelled(feminine=True)(of))
    if list(rows) == [of]:
        return _words("changed.last")
    return _words("changed.some", count=spelled(feminine=True)(len(rows)))


def _lab_rows() -> int:
    return len(random_draws.drawn(inputs().lab.last_token)["X"])


@word
def change_without_mask() -> str:
    """Which rows change without the mask: todas as cinco"""
    return told(changed_rows(masked=False), _lab_rows())


@word
def change_with_mask() -> str:
    """Which rows change with it: só a última"""
    return told(changed_rows(masked=True), _lab_rows())


def padding_difference(masked: bool, padding: Callable[[Booleans], Array] = attention.padding) -> float:
    """By how much zero rows appended to Q, K and V move the output of the real ones, at most."""
    Q, K, V = random_draws.drawn(inputs().lab.padding).values()
    zeros = np.zeros((inputs().lab.rows_padded, Q.shape[1]), Q.dtype)
    q, k, v = (np.concatenate([M, zeros]) for M in (Q, K, V))
    real = np.arange(len(q)) < len(Q)
    mask = padding(real) if masked else None
    return float(np.abs(attention.attention(q, k, v, mask)[real] - attention.attention(Q, K, V)).max())


@number(fixed(2))
def padding_without_mask() -> float:
    """How far the padding moves the real tokens' output without a mask: 0,67"""
    return padding_difference(masked=False)


@word
def padding_with_mask() -> str:
    """The same with the mask; the processor decides on the last bit, so a bound is told: menos de 10⁻⁶"""
    moved, above = padding_difference(masked=True), inputs().lab.moved_above
    return _words("bound", bound=power_of_ten()(above)) if moved < above else fixed(2)(moved)


@number(count())
def padding_score() -> int:
    """The score of a key of zeros, whatever the query: 0"""
    Q = random_draws.drawn(inputs().lab.padding)["Q"]
    return int(np.abs(attention.scores(Q, np.zeros_like(Q))).max())


# The four masks


BUILT: dict[str, Callable[[Drawn], Array]] = {
    "causal": lambda drawn: attention.causal(drawn.tokens),
    "padding": lambda drawn: attention.padding(np.arange(drawn.tokens) < drawn.real),
    "sliding": lambda drawn: attention.sliding(drawn.tokens, drawn.window),
    "document": lambda drawn: attention.document(np.array(drawn.documents)),
}


def matrix(id: str) -> Array:
    """One of the four masks as it is drawn: `matrix("causal")[0]` -> [0, −∞, −∞, …]"""
    return BUILT[id](inputs().drawn)


@number(capital(spelled(feminine=True)))
def scheme_count() -> int:
    """How many kinds of mask the slide shows, as its title says it: `scheme_count()` -> Quatro."""
    return len(inputs().schemes)


@table
def four_masks() -> Table:
    """The four kinds of mask: what each forbids, where it is used. Only the last column may break its lines."""
    columns = [Column(heading) for heading in _words.list("four.columns")]
    return Table(columns, [_row(scheme) for scheme in inputs().schemes])


def _row(scheme: Scheme) -> list[Any]:
    return [_unbroken(scheme.name), *(ledger.fact(text, scheme.source) for text in (_unbroken(scheme.forbids), scheme.where))]


def _unbroken(text: str) -> str:
    return text.replace(" ", NBSP)


@figure
def four_matrices() -> Picture:
    """The four masks as matrices, 0 where a token may look and −∞ where it may not."""
    schemes, n = inputs().schemes, inputs().drawn.tokens
    drawing, axes = style.canvas(1152, 214, bare=True)
    side = 164
    gap = 1152 / len(schemes) - side
    for place, scheme in enumerate(schemes):
        left = gap / 2 + place * (side + gap)
        _matrix(axes, matrix(scheme.id), (left, 4), side)
        axes.text(left + side / 2, side + 26, _title(scheme), ha="center", va="center", weight=600)
    panels = "; ".join(
        _words("figure.panel", name=scheme.name, allowed=int((matrix(scheme.id) == 0).sum()), all=n * n) for scheme in schemes
    )
    return Picture(
        drawing,
        alt=_words("figure.alt", count=scheme_count(), n=n, allowed=count()(0), forbidden=_words("figure.forbidden"), panels=panels),
    )


def _title(scheme: Scheme) -> str:
    if scheme.id != "sliding":
        return scheme.name
    return _words("figure.window", name=scheme.name, window=inputs().drawn.window)


def _matrix(axes: Axes, mask: Array, corner: tuple[float, float], side: float) -> None:
    """One mask: allowed cells dark with a 0, forbidden ones pale with −∞."""
    n = len(mask)
    step = side / n
    for i, j in np.ndindex(mask.shape):
        allowed = mask[i, j] == 0
        fill = style.COLOURS.ink if allowed else style.COLOURS.wash
        x, y = corner[0] + j * step, corner[1] + side - (i + 1) * step
        axes.add_patch(Rectangle((x, y), step, step, facecolor=fill, edgecolor=style.COLOURS.ground, linewidth=2))
        text = count()(mask[i, j]) if allowed else _words("figure.forbidden")
        ink = style.ink_on(fill) if allowed else style.COLOURS.soft
        style.centred(axes, text, (x + step / 2, y + step / 2), colour=ink, size=style.SIZES.figure_small)


# Claims


@claim
def one_example_a_position() -> Check:
    """A causal pass gives as many training examples as the phrase has positions that see something to predict."""
    n = len(examples())
    seen = [np.flatnonzero(row == 0).tolist() for row in attention.causal(n)]
    return Check(seen == [list(range(example.position)) for example in examples()], {"examples": n, "columns seen": seen})


@claim
def padding_disturbs() -> Check:
    """Without its mask padding moves the real tokens' output; with it, by no more than arithmetic does."""
    without, with_mask = padding_difference(masked=False), padding_difference(masked=True)
    return Check(with_mask < inputs().lab.moved_above < without, {"without": without, "with": with_mask})


@claim
def unmasked_sees_its_answer(mask: Callable[[int], Array] = attention.causal) -> Check:
    """Without a mask each position gives the token that it must predict some weight; with the causal one, none."""
    X, *projections, _ = random_draws.drawn(inputs().lab.last_token).values()
    Q, K, _ = projected(X, projections)
    open_, masked = (np.diagonal(attention.weights(Q, K, with_mask), 1) for with_mask in (None, mask(len(X))))
    return Check(bool((open_ > 0).all() and (masked == 0).all()), {"without": open_, "with": masked})


@claim
def documents_leak(mask: Callable[[Integers], Array] = attention.document) -> Check:
    """With the causal mask alone another document's tokens move a document's output; with the documents' mask they don't."""
    Q, K, V = random_draws.drawn(inputs().lab.padding).values()
    own = np.arange(len(Q)) >= len(Q) // 2
    other = np.where(own[:, None], V, V + 1)
    leaks = {}
    for name, blocked in (("causal", attention.causal(len(Q))), ("document", mask(own.astype(int)))):
        leaks[name] = float((attention.attention(Q, K, other, blocked) - attention.attention(Q, K, V, blocked))[own].max())
    return Check(leaks["document"] == 0 < leaks["causal"], leaks)
