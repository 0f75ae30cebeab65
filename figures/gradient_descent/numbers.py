"""What slides say of gradient descent: numbers and tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures.gradient_descent import model
from figures.kit import data, ledger
from figures.kit.formats import count, fixed, plain, reciprocal, times
from figures.kit.show import Cell, Column, Table, number, table, word
from figures.kit.words import Words

_words = Words("gradient_descent")


@word
def author(paper: str) -> Any:
    """Who wrote a paper of data/gradient_descent.yml."""
    record = model.records().papers[paper]
    return ledger.fact(_words("several", name=record.name) if record.others else record.name, record.source)


@number(plain())
def year(paper: str) -> Any:
    """When it was published."""
    record = model.records().papers[paper]
    return ledger.fact(record.year, record.source)


@number(plain())
def curvature() -> float:
    """The curvature λ of the slides' parabola."""
    return model.records().parabola.curvature


@number(plain())
def exact_rate() -> float:
    """The rate whose first step ends in the minimum, 1/λ.

    >>> exact_rate()
    0,5
    """
    return 1 / curvature().value


@number(plain())
def limit() -> float:
    """The rate from which on nothing comes closer, 2/λ.

    >>> limit()
    1
    """
    return model.limit(curvature().value)


@table
def walks() -> Table:
    """Where each rate stands after each step on the parabola; one column a rate."""
    parabola = model.records().parabola
    paths = [model.on_parabola(rate, parabola.curvature, parabola.start, parabola.steps) for rate in parabola.rates]
    columns = [Column(_words("walks.step"), count())]
    columns += [Column(_words("walks.rate", rate=plain()(rate)), fixed(2)) for rate in parabola.rates]
    return Table(columns, [[step, *(path[step] for path in paths)] for step in range(parabola.steps + 1)])


@number(plain())
def condition() -> float:
    """The κ of the drawn valley."""
    return model.records().valley.drawn


@number(fixed(2))
def best_factor() -> float:
    """What a step at the best rate leaves of the distance in the drawn valley, (κ − 1)/(κ + 1).

    >>> best_factor()
    0,92
    """
    return (condition().value - 1) / (condition().value + 1)


@number(count())
def steps(condition: float, with_momentum: bool = False) -> int:
    """The steps from start to arrival in a valley, each at its best rate.

    >>> steps(100)
    346
    >>> steps(100, with_momentum=True)
    56
    """
    return _arrived(model.steps_needed(condition, with_momentum))


@number(count())
def crossing(condition: float, momentum: bool = False) -> int:
    """The steps that the simulator takes in a valley at the rate in which it opens.

    >>> crossing(10), crossing(10, momentum=True)
    (34, 131)
    """
    share = model.records().valley_simulator.opens.share
    beta = usual_momentum().value if momentum else 0.0
    return _arrived(model.arrival(model.in_valley(condition, share * model.limit(condition), beta, model.records().valley.longest)))


def _arrived(step: int | None) -> int:
    """The step of an arrival, or an error of data/ where a slide would wait for one that never comes."""
    if step is None:
        raise data.fault("gradient_descent", "valley.longest", "a path of the slides arrives later, or never", "Raise it, or lower κ")
    return step


@number(plain())
def crossing_opens() -> float:
    """The κ of the valley in which the simulator opens."""
    return model.records().valley_simulator.opens.condition


@number(plain())
def usual_momentum() -> float:
    """The β of the simulator."""
    return model.records().valley.momentum


@number(fixed(2))
def pace_of_momentum() -> float:
    """What each step leaves of the distance where β is too large for the valley, √β.

    >>> pace_of_momentum()
    0,95
    """
    return float(np.sqrt(usual_momentum().value))


@number(reciprocal())
def left() -> float:
    """The share of the first distance at which a path has arrived.

    >>> left()
    1/1000
    """
    return model.records().valley.left


@number(plain())
def longest_valley() -> float:
    """The largest κ of the table."""
    return max(model.records().valley.conditions)


@number(times(1))
def fewer() -> float:
    """How many times fewer steps momentum needs in the longest valley of the table.

    >>> fewer()
    17,4×
    """
    longest = longest_valley().value
    return steps(longest).value / steps(longest, with_momentum=True).value


@table
def valleys() -> Table:
    """Steps to arrive without and with momentum; one row a condition number."""
    columns = [
        Column(_words("valleys.condition"), count()),
        Column(_words("valleys.plain"), count()),
        Column(_words("valleys.momentum"), count()),
        Column(_words("valleys.fewer"), times(1)),
    ]
    rows = []
    for one in model.records().valley.conditions:
        plain_steps, with_momentum = steps(one).value, steps(one, with_momentum=True).value
        rows.append([one, plain_steps, with_momentum, plain_steps / with_momentum])
    rows[-1] = [Cell(value, role="best") for value in rows[-1]]
    return Table(columns, rows)


@number(plain())
def target() -> float:
    """What the product of the two weights must be."""
    return model.records().product.target


@number(plain())
def rate(size: str) -> float:
    """The small or the large rate on the product of two weights."""
    chosen: float = getattr(model.records().product.rates, size)
    return chosen


@number(fixed(1))
def rate_limit(size: str) -> float:
    """The largest curvature that this rate can hold still on, 2/η.

    >>> rate_limit("large")
    6,7
    """
    return 2 / rate(size).value


@number(fixed(1))
def end_curvature(size: str) -> float:
    """The curvature of the minimum in which this rate ends.

    >>> end_curvature("small"), end_curvature("large")
    (9,0, 3,2)
    """
    return model.sharpness(np.asarray(model.product_path(rate(size).value)[-1]))
