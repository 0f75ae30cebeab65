"""The running example: "o gato subiu no" through one head, from the X of `embedding` to its new vectors.

X (n, d) → LayerNorm u → Q, K, V (n, d_k), columns of u → scores → weights → output. The pure functions take every input
as an argument; `run` supplies those of `data/running_example.yml`. Tokens and positions count from 0 in code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from figures import attention, bpe, embedding
from figures.kit import data
from figures.kit.arrays import Array
from figures.kit.errors import DataError
from figures.kit.formats import fixed

three = fixed(3)


class Head(data.Record):
    """The columns of u, counted from 1, that a head takes as its query, key and value."""

    query: tuple[data.Positive, ...]
    key: tuple[data.Positive, ...]
    value: tuple[data.Positive, ...]

    def faults(self) -> Iterator[str]:
        if len(self.query) != len(self.key):
            yield "`query` and `key` must be equally long"


class Running(data.Record):
    """`data/running_example.yml`."""

    source: str
    heads: tuple[Head, ...]
    verb: tuple[str, ...]


def records() -> Running:
    """The heads, once the columns that they pick exist."""
    running, width = data.load("running_example", Running), len(embedding.tables().E[0])
    for n, head in enumerate(running.heads):
        if max((*head.query, *head.key, *head.value)) > width:
            raise DataError("data/running_example.yml", f"heads[{n}]", f"u has {width} columns", f"Pick columns of 1 to {width}")
    return running


def deviation(X: Array) -> Array:
    """Standard deviation of each row, over all of its numbers, (n, 1).

    >>> deviation([[1, 3]]).round(1).tolist()
    [[1.0]]
    """
    spread: Array = np.asarray(X, float).std(axis=-1, keepdims=True)
    return spread


def layer_norm(X: Array) -> Array:
    """Each row less its mean, over its standard deviation.

    Without the gain and bias that a trained model has, and without the small number under the root.

    >>> layer_norm([[1, 3]]).tolist()
    [[-1.0, 1.0]]
    """
    rows = np.asarray(X, float)
    if not np.ptp(rows, axis=-1).all():
        row = int(np.ptp(rows, axis=-1).argmin()) + 1
        what = f"row {row} of X = E + P has components that are all equal, and no deviation to divide by"
        raise data.fault("embedding", "E", what, "Change one of its components in E or in P")
    normal: Array = (rows - rows.mean(axis=-1, keepdims=True)) / deviation(rows)
    return normal


def picking(columns: Sequence[int], width: int) -> Array:
    """The matrix (width, d_k) that picks these columns, counted from 1.

    >>> picking([2], 2).tolist()
    [[0.0], [1.0]]
    """
    matrix: Array = np.eye(width)[:, [column - 1 for column in columns]]
    return matrix


class Chain(NamedTuple):
    """One head from end to end: u (n, d), Q, K (n, d_k), V (n, d_v), scores and weights (n, n), output (n, d_v)."""

    u: Array
    Q: Array
    K: Array
    V: Array
    scores: Array
    weights: Array
    output: Array


def chain(X: Array, head: Head, divide: bool = True, causal: bool = False) -> Chain:
    """The whole chain of one head for X (n, d), with the division by √d_k and the causal mask or without."""
    u = layer_norm(X)
    Q, K, V = (u @ picking(columns, u.shape[-1]) for columns in (head.query, head.key, head.value))
    scores = attention.scores(Q, K, scale=divide)
    weights = attention.softmax(scores + attention.causal(len(u)) if causal else scores)
    return Chain(u, Q, K, V, scores, weights, weights @ V)


def share_ahead(weights: Array, row: int) -> float:
    """What a row gives to later tokens.

    >>> share_ahead([[0.5, 0.5], [0.5, 0.5]], 0)
    0.5
    """
    return float(np.asarray(weights)[row, row + 1 :].sum())


def run(divide: bool = True, causal: bool = False) -> Chain:
    """The chapter's own chain: head 1."""
    return chain(embedding.X(), records().heads[0], divide, causal)


def pieces() -> tuple[str, ...]:
    """The phrase's pieces with their spaces: ("o", " gato", " sub", "iu", " no")."""
    return tuple(bpe.pieces().value)


def rounded(row: Array) -> list[float]:
    """A row as a list, a rounding error around zero taken for the zero that it is."""
    return [0.0 if abs(value) < 1e-12 else float(value) for value in row]
