"""What the lab measured with a mask and without: which rows move, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from figures import attention, random_draws
from figures.kit.arrays import Array, Booleans, Integers
from figures.kit.claims import Check, claim
from figures.kit.formats import count, fixed, power_of_ten, spelled
from figures.kit.show import number, word
from figures.kit.words import Words
from figures.masks import model

_words = Words("masks")


def projected(X: Array, projections: Sequence[Array]) -> list[Array]:
    """X (n, d) through each projection (d, …) divided by √d.

    >>> projected(np.ones((1, 4)), [np.ones((4, 1))])
    [array([[2.]])]
    """
    return [X @ (W / np.sqrt(len(W)).astype(W.dtype)) for W in projections]


def outputs(X: Array, projections: Sequence[Array], mask: Array | None) -> Array:
    """One head's output. Shapes: X (n, d), projections (d, d)."""
    Q, K, V = projected(X, projections)
    return attention.attention(Q, K, V, mask)


def rows_moved(before: Array, after: Array, above: float) -> list[int]:
    """Rows, from 1, in which a number moved by more than `above`.

    >>> rows_moved([[0], [0]], [[0], [1]], .5)
    [2]
    """
    moved = np.abs(np.asarray(after) - np.asarray(before)).max(axis=-1) > above
    return [int(row) + 1 for row in np.flatnonzero(moved)]


def changed_rows(masked: bool, causal: Callable[[int], Array] = attention.causal) -> list[int]:
    """The rows, from 1, of the lab's output that change when its last token is replaced, with the causal mask or without."""
    drawn = random_draws.drawn(model.records().lab.last_token)
    X, *projections, replacement = drawn.values()
    mask = causal(len(X)) if masked else None
    replaced = np.concatenate([X[:-1], replacement])
    before, after = (outputs(tokens, projections, mask) for tokens in (X, replaced))
    return rows_moved(before, after, model.records().lab.moved_above)


def rows_in_words(rows: Sequence[int], of: int) -> str:
    """Rows in words, of so many.

    >>> rows_in_words([5], 5)
    'só a última'
    >>> rows_in_words([1, 2], 2)
    'todas as duas'
    """
    if not rows:
        return _words("changed.none")
    if len(rows) == of:
        return _words("changed.all", rows=spelled(feminine=True)(of))
    if list(rows) == [of]:
        return _words("changed.last")
    return _words("changed.some", count=spelled(feminine=True)(len(rows)))


def _lab_rows() -> int:
    return len(random_draws.drawn(model.records().lab.last_token)["X"])


@word
def change_without_mask() -> str:
    """Which rows change without the mask."""
    return rows_in_words(changed_rows(masked=False), _lab_rows())


@word
def change_with_mask() -> str:
    """Which rows change with it."""
    return rows_in_words(changed_rows(masked=True), _lab_rows())


def padding_difference(masked: bool, padding: Callable[[Booleans], Array] = attention.padding) -> float:
    """By how much zero rows appended to Q, K and V move the output of the real ones, at most."""
    Q, K, V = random_draws.drawn(model.records().lab.padding).values()
    zeros = np.zeros((model.records().lab.rows_padded, Q.shape[1]), Q.dtype)
    q, k, v = (np.concatenate([M, zeros]) for M in (Q, K, V))
    real = np.arange(len(q)) < len(Q)
    mask = padding(real) if masked else None
    return float(np.abs(attention.attention(q, k, v, mask)[real] - attention.attention(Q, K, V)).max())


@number(fixed(2))
def padding_without_mask() -> float:
    """How far the padding moves the real tokens' output without a mask."""
    return padding_difference(masked=False)


@word
def padding_with_mask() -> str:
    """The same with the mask; the processor decides on the last bit, so a bound is rows_in_words."""
    moved, above = padding_difference(masked=True), model.records().lab.moved_above
    return _words("bound", bound=power_of_ten()(above)) if moved < above else fixed(2)(moved)


@number(count())
def padding_score() -> int:
    """The score of a key of zeros, whatever the query."""
    Q = random_draws.drawn(model.records().lab.padding)["Q"]
    return int(np.abs(attention.scores(Q, np.zeros_like(Q))).max())


@claim
def padding_disturbs() -> Check:
    """Without its mask padding moves the real tokens' output; with it, by no more than arithmetic does."""
    without, with_mask = padding_difference(masked=False), padding_difference(masked=True)
    return Check(with_mask < model.records().lab.moved_above < without, {"without": without, "with": with_mask})


@claim
def unmasked_sees_its_answer(mask: Callable[[int], Array] = attention.causal) -> Check:
    """Without a mask each position gives the token that it must predict some weight; with the causal one, none."""
    X, *projections, _ = random_draws.drawn(model.records().lab.last_token).values()
    Q, K, _ = projected(X, projections)
    open_, masked = (np.diagonal(attention.weights(Q, K, with_mask), 1) for with_mask in (None, mask(len(X))))
    return Check(bool((open_ > 0).all() and (masked == 0).all()), {"without": open_, "with": masked})


@claim
def documents_leak(mask: Callable[[Integers], Array] = attention.document) -> Check:
    """With the causal mask alone another document's tokens move a document's output; with the documents' mask they don't."""
    Q, K, V = random_draws.drawn(model.records().lab.padding).values()
    own = np.arange(len(Q)) >= len(Q) // 2
    other = np.where(own[:, None], V, V + 1)
    leaks = {}
    for name, blocked in (("causal", attention.causal(len(Q))), ("document", mask(own.astype(int)))):
        leaks[name] = float((attention.attention(Q, K, other, blocked) - attention.attention(Q, K, V, blocked))[own].max())
    return Check(leaks["document"] == 0 < leaks["causal"], leaks)
