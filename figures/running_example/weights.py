"""The running example's scores, weights and outputs, above all those of its last token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures.hand_example import zero
from figures.kit.formats import count, fixed, joined, percent, plain, vector
from figures.kit.show import Cell, Column, Table, number, table, word
from figures.kit.words import Words
from figures.pieces import chip
from figures.running_example import model
from figures.running_example.model import pieces, rounded, share_ahead, three
from figures.running_example.sizes import d_k

_words = Words("running_example")


@table
def last_row() -> Table:
    """The steps ① to ④ for the last token's query, one row for each key, and their sums."""
    chain = model.run()
    products, scaled = chain.Q[-1] @ chain.K.T, chain.scores[-1]
    exponentials, weights = np.exp(scaled), chain.weights[-1]
    row = vector(zero(three))
    columns = (
        Column(_words("token")),
        Column(_words("steps.product"), three),
        Column(_words("steps.scaled", d_k=d_k()), three),
        Column(_words("steps.exponential"), three),
        Column(_words("steps.weight"), three),
        Column(_words("steps.contribution"), row, "right"),
    )
    rows: list[tuple[Any, ...]] = []
    for i, piece in enumerate(pieces()):
        weight = Cell(weights[i], role="best" if i == int(weights.argmax()) else "")
        rows.append((chip(piece), products[i], scaled[i], exponentials[i], weight, rounded(weights[i] * chain.V[i])))
    total = Cell(weights.sum(), plain())
    rows.append((_words("steps.sum"), None, None, exponentials.sum(), total, rounded(chain.output[-1])))
    return Table(columns, rows, classes=("sum",))


@number(vector(three))
def weights_last() -> list[float]:
    """The last row of weights."""
    return rounded(model.run().weights[-1])


@number(vector(three))
def weights_last_undivided() -> list[float]:
    """The same without the division by √d_k."""
    return rounded(model.run(divide=False).weights[-1])


@word
def undivided_verdict() -> str:
    """What leaving the division out does to the last row."""
    return peaks_in_words(weights_last().value, weights_last_undivided().value)


def peaks_in_words(divided: Sequence[float], undivided: Sequence[float]) -> str:
    """The same for any two rows of weights, by their largest."""
    difference = max(undivided) - max(divided)
    if difference > 1e-12:
        return _words("sharper")
    return _words("flatter" if difference < -1e-12 else "same")


@number(vector(three))
def output_last() -> list[float]:
    """The new vector of the last token."""
    return rounded(model.run().output[-1])


@number(percent())
def on_the_verb() -> float:
    """The share of the last token's weight on the verb's pieces."""
    verb = set(model.records().verb)
    return float(sum(weight for piece, weight in zip(pieces(), model.run().weights[-1]) if piece in verb))


@word
def verb_pieces() -> str:
    """The verb's pieces as chips."""
    return joined([chip(piece) for piece in model.records().verb], _words("and"))


@word
def rows_that_look_ahead() -> str:
    """The rows, counted from 1, that put weight on later tokens."""
    weights = model.run().weights
    rows = [i + 1 for i in range(len(weights)) if share_ahead(weights, i) > 0]
    if len(rows) > 1 and rows == list(range(rows[0], rows[-1] + 1)):
        return _words("span", first=rows[0], last=rows[-1])
    return joined([count()(row) for row in rows], _words("and"))


@number(fixed(2))
def first_row_peak() -> float:
    """The largest weight of the first row."""
    return float(model.run().weights[0].max())


@word
def first_row_peak_token() -> str:
    """The token that it goes to, as a chip."""
    return chip(pieces()[int(model.run().weights[0].argmax())])
