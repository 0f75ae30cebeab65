"""The way back through the softmax, and the lab's rows that the softmax has saturated.

Q, K, V and ∂L/∂O are (n, d), float64. The formula itself is attention.softmax_backward.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from figures import attention, random_draws, scaling_experiment
from figures.kit import data, ledger
from figures.kit.arrays import Array, Booleans
from figures.kit.claims import Check, claim
from figures.kit.formats import count, fixed, power_of_ten, scientific, spelled
from figures.kit.show import number, word
from figures.kit.words import Words

_words = Words("backward")


class Backward(data.Record):
    """Which draw, how much its queries grow, and when a row counts as saturated."""

    draw: str
    factor: data.Positive
    decimals: data.Natural
    source: str


class Rows(NamedTuple):
    """Of each row of a head: its largest weight, the length of ∂L/∂S, and what that row of ∂L/∂S sums to."""

    largest: Array
    gradient: Array
    sums: Array


def records() -> Backward:
    """The records, as `data/backward.yml` has them."""
    return data.load("backward", Backward)


def rows_of(Q: Array, K: Array, V: Array, dO: Array) -> Rows:
    """What one head does to each of its rows; where all n scores of a row are equal, its largest weight is 1/n."""
    gradient = attention.backward(dO, Q, K, V).scores
    return Rows(attention.weights(Q, K).max(axis=-1), np.linalg.norm(gradient, axis=-1), gradient.sum(axis=-1))


def is_saturated(largest: Array, decimals: int) -> Booleans:
    """The rows whose largest weight prints as 1.

    >>> is_saturated([0.97, 0.94], 1).tolist()
    [True, False]
    """
    rounded: Booleans = np.round(np.asarray(largest), decimals) >= 1
    return rounded


def before() -> Rows:
    """The rows as drawn."""
    drawn = random_draws.drawn(records().draw)
    return rows_of(drawn["Q"], drawn["K"], drawn["V"], drawn["dO"])


def after() -> Rows:
    """The same rows with the queries multiplied."""
    drawn = random_draws.drawn(records().draw)
    return rows_of(drawn["Q"] * records().factor, drawn["K"], drawn["V"], drawn["dO"])


def saturated() -> Booleans:
    """Which rows are saturated once the queries have grown."""
    return is_saturated(after().largest, records().decimals)


def is_null(gradients: Array, negligible: float) -> bool:
    """Whether no gradient of these rows is worth the name.

    >>> is_null([1e-5, 1e-30], 1e-3)
    True
    """
    return bool((np.asarray(gradients) < negligible).all())


def brackets(A: Array, dA: Array) -> Array:
    """Of each row, what stands in brackets where its largest weight is, beside its largest ∂L/∂A.

    >>> brackets(np.array([[0.75, 0.25]]), np.array([[2.0, -4.0]])).round(3).tolist()
    [0.375]
    """
    bracket = np.abs(dA - (dA * A).sum(axis=-1, keepdims=True)) / np.abs(dA).max(axis=-1, keepdims=True)
    peaks: Array = bracket[np.arange(len(A)), A.argmax(axis=-1)]
    return peaks


@number(count())
def factor() -> Any:
    """What the lab multiplies the queries by."""
    return ledger.fact(records().factor, records().source)


@number(spelled(feminine=True))
def rows() -> int:
    """How many rows the lab's head has, in words."""
    return len(after().largest)


@number(spelled(feminine=True))
def saturated_rows() -> int:
    """How many of them saturate, in words."""
    return int(saturated().sum())


@number(fixed(1))
def saturated_weight() -> float:
    """The largest weight that each saturated row prints, the least of them."""
    return float(after().largest[saturated()].min())


@number(fixed(2))
def least_before() -> float:
    """The shortest ∂L/∂S of those rows before the queries grew."""
    return float(before().gradient[saturated()].min())


@number(fixed(2))
def most_before() -> float:
    """The longest ∂L/∂S of those rows before the queries grew."""
    return float(before().gradient[saturated()].max())


@number(power_of_ten())
def least_after() -> float:
    """The shortest ∂L/∂S of those rows afterwards."""
    return float(after().gradient[saturated()].min())


@number(scientific(1))
def most_after() -> float:
    """The longest ∂L/∂S of those rows afterwards."""
    return float(after().gradient[saturated()].max())


@word
def verdict() -> str:
    """What a saturated row hands back."""
    dead_below = scaling_experiment.records().experiment.dead_below
    null = is_null(after().gradient[saturated()], dead_below)
    return _words("null_gradient" if null else "some_gradient")


@number(spelled())
def row_sum() -> int:
    """What every row of ∂L/∂S sums to, up to rounding, in words."""
    return round(max(float(np.abs(rows.sums).max()) for rows in (before(), after())))


@claim
def rows_sum_to_zero(tolerance: float = 1e-12) -> Check:
    """Every row of ∂L/∂S sums to zero, before and after the queries grow; the values are the largest sums found."""
    largest = {name: float(np.abs(rows.sums).max()) for name, rows in (("before", before()), ("after", after()))}
    return Check(max(largest.values()) <= tolerance, largest)


@claim
def bracket_nearly_vanishes(factor: float | None = None) -> Check:
    """Where a saturated row has its weight, what stands in brackets is next to nothing beside the row's largest ∂L/∂A."""
    drawn = random_draws.drawn(records().draw)
    A = attention.weights(drawn["Q"] * (records().factor if factor is None else factor), drawn["K"])
    peaks = brackets(A, drawn["dO"] @ drawn["V"].T)[saturated()]
    return Check(is_null(peaks, 0.01), {"bracket at the weight": peaks})
