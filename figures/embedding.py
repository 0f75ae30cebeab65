"""From an id to a vector: a row of the table E and a row of the positions' table P, added. No arithmetic with the id.

The toy model's tables are in data/embedding.yml, a row for each token of `bpe.vocabulary()`; GPT-2 small's are only
measured: how large, and what share of the model. Shapes: E (V, d), P (positions, d), X (n, d).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from figures import bpe
from figures import tokens as gpt2_tokens
from figures.kit import data, ledger, readings
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError
from figures.kit.formats import Format, count, fixed, percent, plain, shape, vector
from figures.kit.show import Column, Table, number, table
from figures.kit.words import Words
from figures.pieces import TOKENS, chip, example, visible

_words = Words("embedding")


class Tables(data.Record):
    """`data/embedding.yml`: the toy model's two tables."""

    E: tuple[tuple[float, ...], ...]
    P: tuple[tuple[float, ...], ...]


class Sizes(data.Record):
    """`data/gpt2.yml`: what GPT-2 small is made of, its vocabulary aside."""

    name: str
    layers: data.Positive
    heads: data.Positive
    width: data.Positive
    positions: data.Positive
    mlp_factor: data.Positive
    source: str

    def faults(self) -> Iterator[str]:
        if self.width % self.heads:
            yield f"{self.heads} heads can't share a width of {self.width}: `heads` must divide `width`"


@readings.remembered
def tables() -> Tables:
    """The toy tables, once they fit the vocabulary and each other."""
    tables = data.load("embedding", Tables)
    if len(tables.E) != len(bpe.vocabulary()):
        what = f"{len(tables.E)} rows for the {len(bpe.vocabulary())} tokens of bpe.yml"
        raise DataError("data/embedding.yml", "E", what, "Give each token of the vocabulary one row")
    widths = {len(row) for row in (*tables.E, *tables.P)}
    if len(widths) != 1:
        raise DataError("data/embedding.yml", "E, P", f"rows of {sorted(widths)} numbers", "Make all rows equally long")
    return tables


def sizes() -> Sizes:
    """The records, as `data/gpt2.yml` has them."""
    return data.load("gpt2", Sizes)


def embed(ids: Sequence[int], E: Array, P: Array) -> Array:
    """The vectors X (n, d) of n ids: row t is E[id] + P[t].

    >>> embed([0, 1], np.array([[1, 0], [2, 0]]), np.array([[0, 5], [0, 6]])).tolist()
    [[1, 5], [2, 6]]
    """
    rows: Array = E[list(ids)] + P[: len(ids)]
    return rows


def ids() -> list[int]:
    """The example phrase's ids. A piece without one can't be embedded: a DataError names it."""
    pieces = bpe.pieces().value
    if len(pieces) > TOKENS:
        what = f"“{example()}” is cut into {len(pieces)} tokens, and the slides hold {TOKENS}"
        remedy = "Shorten it, or let bpe.yml learn its words: more `merges`, or a corpus that has them more often"
        raise DataError("data/phrases.yml", "example", what, remedy)
    piece_ids = bpe.to_ids(pieces, bpe.vocabulary())
    missing = [visible(piece) for piece, id in zip(pieces, piece_ids) if id is None]
    if missing:
        raise DataError("data/bpe.yml", "vocabulary", f"no id for {', '.join(missing)} of “{example()}”", "Add it to the vocabulary")
    if len(piece_ids) > len(tables().P):
        what = f"{len(tables().P)} positions for the {len(piece_ids)} tokens of “{example()}”"
        raise DataError("data/embedding.yml", "P", what, "Give each position of the example phrase one row")
    return [id for id in piece_ids if id is not None]


def X() -> Array:
    """What the first layer of the toy model reads for the example phrase, (5, 4)."""
    return embed(ids(), np.array(tables().E), np.array(tables().P))


def parameters(layers: int, width: int, positions: int, vocabulary: int, mlp_factor: int) -> int:
    """All parameters of a GPT-2: both tables, the layers, the last norm.

    A layer has attention's 4d² + 4d, the MLP's 2 · 4d² + 5d, and 4d in two norms. The output layer is E again.

    >>> parameters(12, 768, 1024, 50257, 4)
    124439808
    """
    attention = 4 * (width + 1) * width
    mlp = 2 * mlp_factor * width**2 + (mlp_factor + 1) * width
    return (vocabulary + positions) * width + layers * (attention + mlp + 4 * width) + 2 * width


def millions(decimals: int) -> Format:
    """A count of parameters.

    >>> millions(1)(38597376)
    '38,6M'
    """
    return Format(f"millions({decimals})", lambda value: fixed(decimals)(value / 1e6) + "M")


@number(count())
def vocabulary() -> int:
    """V: rows of the toy E."""
    return len(tables().E)


@number(count())
def width() -> int:
    """d: numbers in a row of the toy tables."""
    return int(X().shape[1])


@number(count())
def positions() -> int:
    """Rows of the toy P."""
    return len(tables().P)


@number(shape())
def X_shape() -> tuple[int, ...]:
    """The shape of X: tokens of the phrase by numbers in a token's vector."""
    return X().shape


@number(shape())
def gpt2_E() -> tuple[int, int]:
    """GPT-2 small's table of tokens."""
    return gpt2_tokens.vocabulary_count().value, sizes().width


@number(shape())
def gpt2_P() -> Any:
    """GPT-2 small's table of positions."""
    return ledger.fact((sizes().positions, sizes().width), sizes().source)


@number(millions(1))
def gpt2_E_parameters() -> int:
    """Numbers in that table of tokens."""
    rows, columns = gpt2_E().value
    return rows * columns


@number(percent())
def gpt2_E_share() -> float:
    """Its share of all of GPT-2 small's parameters."""
    model = sizes()
    return gpt2_E_parameters().value / parameters(
        model.layers, model.width, model.positions, gpt2_tokens.vocabulary_count().value, model.mlp_factor
    )


@table
def lookup() -> Table:
    """One row for each token of the phrase: its id's row of E, its position's row of P, and their sum."""
    headings = _words.list("lookup.headings")
    E, P = np.array(tables().E), np.array(tables().P)
    rows = [
        (t + 1, _words("lookup.token", piece=chip(piece), id=id), E[id].tolist(), P[t].tolist(), x.tolist())
        for t, (piece, id, x) in enumerate(zip(bpe.pieces().value, ids(), X()))
    ]
    row = vector(plain())
    formats = (count(), None, row, row, row)
    return Table([Column(h, f, "left") if f else Column(h) for h, f in zip(headings, formats)], rows)


@claim
def one_row_an_id(embed: Callable[[Sequence[int], Array, Array], Array] = embed) -> Check:
    """An id gets the same row of E wherever it stands: taken twice, what differs is the position's row alone."""
    E, P = np.array(tables().E), np.array(tables().P)
    X = embed([0, 1, 0], E, P)
    first, _, third = X - P[: len(X)]
    return Check(bool(np.array_equal(first, third)), {"first": first, "third": third})
