"""The numbers, words and table of why scores are divided by √d_k."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from figures import attention
from figures.kit import ledger
from figures.kit.formats import Format, count, fixed, percent, power_of_ten, reciprocal, scientific, significant
from figures.kit.show import Cell, Column, Table, number, table, word
from figures.kit.words import Words
from figures.scaling import model

_words = Words("scaling")


@number(count())
def mean() -> Any:
    """Mean of each component of q and k, by assumption."""
    return ledger.fact(model.argument().mean, model.argument().source)


@number(count())
def variance() -> Any:
    """Variance of each component of q and k, by assumption."""
    return ledger.fact(model.argument().variance, model.argument().source)


@number(count())
def d_k() -> Any:
    """The length of query and key in the argument's example."""
    return ledger.fact(model.argument().d_k, model.argument().source)


@number(count())
def gap() -> Any:
    """The difference between two scores in the example."""
    return ledger.fact(model.argument().gap, model.argument().source)


@number(fixed(0))
def deviation() -> float:
    """Standard deviation of an undivided score."""
    return math.sqrt(model.score_variance(model.argument().d_k, model.argument().variance))


@word
def how_common() -> str:
    """Whether a difference of `gap` is routine at this d_k."""
    argument = model.argument()
    return _words("routine" if model.is_routine(argument.gap, argument.d_k, argument.variance) else "rare")


@number(scientific(1))
def rest() -> float:
    """What a key that lies `gap` below the best one keeps."""
    return math.exp(-model.argument().gap)


@number(power_of_ten())
def rest_order() -> float:
    """The same as an order of magnitude."""
    return math.exp(-model.argument().gap)


@number(fixed(0))
def winner() -> float:
    """Weight of the best of two keys that lie `gap` apart."""
    return float(attention.softmax(np.array([model.argument().gap, 0.0]))[0])


@number(fixed(0))
def variance_divided() -> float:
    """Variance of a score divided by √d_k."""
    argument = model.argument()
    return model.score_variance(argument.d_k, argument.variance, math.sqrt(argument.d_k))


@number(fixed(2))
def deviation_over_d_k() -> float:
    """Standard deviation of a score divided by d_k itself."""
    argument = model.argument()
    return math.sqrt(model.score_variance(argument.d_k, argument.variance, argument.d_k))


@number(count())
def keys() -> Any:
    """Keys that each query of the experiment meets."""
    return ledger.fact(model.experiment().keys, model.experiment().source)


@number(count())
def rows() -> Any:
    """Rows drawn for each d_k."""
    return ledger.fact(model.experiment().rows, model.experiment().source)


@number(fixed(2))
def uniform() -> float:
    """The weight of each key if all were equal."""
    return 1 / model.experiment().keys


@number(reciprocal())
def equal_share() -> float:
    """The same as a fraction."""
    return uniform().value


@number(power_of_ten())
def dead_below() -> Any:
    """The length of gradient under which a row counts as dead."""
    return ledger.fact(model.experiment().dead_below, model.experiment().source)


@word
def what_moves() -> str:
    """What happens with the division as d_k grows."""
    sides = [row.divided for row in model.table_rows()]
    return _words("steady" if model.is_steady(sides, model.experiment().steady_within) else "unsteady")


@number(count())
def largest_d_k() -> int:
    """The last d_k of the table."""
    return model.table_rows()[-1].d_k


@word
def median_row() -> str:
    """What the undivided median row of the largest d_k has become."""
    one_hot = model.is_one_hot(model.table_rows()[-1].undivided.largest, model.experiment().dead_below)
    return _words("one_hot" if one_hot else "spread_out")


@number(significant(2))
def times_smaller() -> float:
    """Gradient with the division over gradient without it, at the largest d_k."""
    row = model.table_rows()[-1]
    return row.divided.gradient / row.undivided.gradient


def short_of_one(weight: float, least: int = 2) -> Format:
    """The fewest decimals, from `least` on, that don't round a weight under 1 up to 1.

    >>> short_of_one(0.99999)(0.99999)
    '0,99999'
    """
    decimals = least
    while weight < 1 and fixed(decimals)(weight) == fixed(decimals)(1):
        decimals += 1
    return fixed(decimals)


@table
def measured() -> Table:
    """One row for each d_k: median largest weight and gradient with the division and without it, share of dead rows."""
    formats = (count(), fixed(2), significant(2), fixed(2), significant(2), percent())
    columns = [Column(heading, format) for heading, format in zip(_words.list("table.columns"), formats, strict=True)]
    cells = [
        [
            row.d_k,
            row.divided.largest,
            row.divided.gradient,
            Cell(row.undivided.largest, short_of_one(row.undivided.largest)),
            row.undivided.gradient,
            row.undivided.dead,
        ]
        for row in model.table_rows()
    ]
    return Table(columns, cells)
