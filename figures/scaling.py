"""Why scores are divided by √d_k: the argument on variances, and the lab's measurement with and without it."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from figures import attention, scaling_experiment
from figures.kit import ledger, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import (
    Format,
    capital,
    count,
    decade,
    fixed,
    percent,
    plain,
    power_of_ten,
    reciprocal,
    scientific,
    significant,
    spelled,
)
from figures.kit.show import Cell, Column, Picture, Table, figure, number, table, word
from figures.kit.theme import series
from figures.kit.words import Words
from figures.scaling_experiment import Measured, Side

_words = Words("scaling")


def _argument() -> scaling_experiment.Argument:
    return scaling_experiment.records().argument


def _experiment() -> scaling_experiment.Experiment:
    return scaling_experiment.records().experiment


# The argument


def score_variance(d_k: int, variance: float, divisor: float = 1.0, mean: float = 0.0) -> float:
    """Variance of q·k / divisor for independent components: d_k (σ⁴ + 2 μ² σ²), which is d_k for μ = 0 and σ² = 1.

    >>> score_variance(128, 1)
    128.0
    """
    return d_k * (variance * variance + 2 * mean * mean * variance) / divisor**2


def is_routine(gap: float, d_k: int, variance: float) -> bool:
    """Whether two scores often lie `gap` apart: within two standard deviations of their difference, 2·√(2·d_k)."""
    return gap <= 2 * math.sqrt(2 * score_variance(d_k, variance))


@number(count())
def mean() -> Any:
    """Mean of each component of q and k, by assumption."""
    return ledger.fact(_argument().mean, _argument().source)


@number(count())
def variance() -> Any:
    """Variance of each component of q and k, by assumption."""
    return ledger.fact(_argument().variance, _argument().source)


@number(count())
def d_k() -> Any:
    """The length of query and key in the argument's example."""
    return ledger.fact(_argument().d_k, _argument().source)


@number(count())
def gap() -> Any:
    """The difference between two scores in the example."""
    return ledger.fact(_argument().gap, _argument().source)


@number(fixed(0))
def deviation() -> float:
    """Standard deviation of an undivided score."""
    return math.sqrt(score_variance(_argument().d_k, _argument().variance))


@word
def how_common() -> str:
    """Whether a difference of `gap` is routine at this d_k."""
    argument = _argument()
    return _words("routine" if is_routine(argument.gap, argument.d_k, argument.variance) else "rare")


@number(scientific(1))
def rest() -> float:
    """What a key that lies `gap` below the best one keeps."""
    return math.exp(-_argument().gap)


@number(power_of_ten())
def rest_order() -> float:
    """The same as an order of magnitude."""
    return math.exp(-_argument().gap)


@number(fixed(0))
def winner() -> float:
    """Weight of the best of two keys that lie `gap` apart."""
    return float(attention.softmax(np.array([_argument().gap, 0.0]))[0])


@number(fixed(0))
def variance_divided() -> float:
    """Variance of a score divided by √d_k."""
    argument = _argument()
    return score_variance(argument.d_k, argument.variance, math.sqrt(argument.d_k))


@number(fixed(2))
def deviation_over_d_k() -> float:
    """Standard deviation of a score divided by d_k itself."""
    argument = _argument()
    return math.sqrt(score_variance(argument.d_k, argument.variance, argument.d_k))


# The experiment


def table_rows() -> list[Measured]:
    """What was measured at each d_k of the table."""
    return [scaling_experiment.measured(d_k) for d_k in _experiment().table]


def is_steady(sides: Sequence[Side], within: float) -> bool:
    """Whether weight and gradient stay put: the largest of each exceeds the smallest by `within` of it at most.

    What two samples differ by chance, two standard errors of their difference, is no move.
    """
    quantities = ([(side.largest, side.largest_error) for side in sides], [(side.gradient, side.gradient_error) for side in sides])
    return all(_is_near(*min(values), *max(values), within) for values in quantities)


def _is_near(low: float, low_error: float, high: float, high_error: float, within: float) -> bool:
    return high - low <= within * low + 2 * math.hypot(low_error, high_error)


def is_one_hot(largest: float, tolerance: float) -> bool:
    """Whether a row's largest weight leaves the others next to nothing.

    >>> is_one_hot(0.99999, 1e-3)
    True
    """
    return 1 - largest < tolerance


@number(count())
def keys() -> Any:
    """Keys that each query of the experiment meets."""
    return ledger.fact(_experiment().keys, _experiment().source)


@number(count())
def rows() -> Any:
    """Rows drawn for each d_k."""
    return ledger.fact(_experiment().rows, _experiment().source)


@number(fixed(2))
def uniform() -> float:
    """The weight of each key if all were equal."""
    return 1 / _experiment().keys


@number(reciprocal())
def equal_share() -> float:
    """The same as a fraction."""
    return uniform().value


@number(power_of_ten())
def dead_below() -> Any:
    """The length of gradient under which a row counts as dead."""
    return ledger.fact(_experiment().dead_below, _experiment().source)


@word
def what_moves() -> str:
    """What happens with the division as d_k grows."""
    sides = [row.divided for row in table_rows()]
    return _words("steady" if is_steady(sides, _experiment().steady_within) else "unsteady")


@number(count())
def largest_d_k() -> int:
    """The last d_k of the table."""
    return table_rows()[-1].d_k


@word
def median_row() -> str:
    """What the undivided median row of the largest d_k has become."""
    one_hot = is_one_hot(table_rows()[-1].undivided.largest, _experiment().dead_below)
    return _words("one_hot" if one_hot else "spread_out")


@number(significant(2))
def times_smaller() -> float:
    """Gradient with the division over gradient without it, at the largest d_k."""
    row = table_rows()[-1]
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
        for row in table_rows()
    ]
    return Table(columns, cells)


@figure
def against_d_k() -> Picture:
    """Median largest weight and median gradient against d_k, with the division and without it."""
    curves = [scaling_experiment.measured(d_k) for d_k in _experiment().figure]
    drawing, (above, below) = style.canvas(460, 440, nrows=2, sharex=True)
    x = [point.d_k for point in curves]
    panels = ((above, "largest", ((0, 18), (24, -20))), (below, "gradient", ((0, 18), (-52, -24))))
    for axes, quantity, offsets in panels:
        for name, offset in zip(("divided", "undivided"), offsets):
            y = [getattr(getattr(point, name), quantity) for point in curves]
            style.curve(axes, name, x, y)
            middle = len(x) // 2
            text = f"{_words(f'figure.{name}')} {style.math(_words('figure.root'))}"
            style.label(axes, text, (x[middle], y[middle]), offset=offset, ha="center", colour=series(name).ink, weight=600, label=name)
    least, most = _ends([side.gradient for point in curves for side in (point.divided, point.undivided)])
    above.set(xscale="log", ylim=(0, 1.05))
    above.set_yticks(shares := (0, 0.5, 1), [plain()(share) for share in shares])
    above.set_title(_words("figure.weight"))
    below.set(yscale="log", ylim=(least, most), xlabel=style.math(_words("figure.d_k")))
    below.set_yticks(powers := _powers(least, most), [decade()(power) for power in powers])
    below.set_title(_words("figure.gradient"))
    below.set_xticks(ticks := _experiment().table, [count()(tick) for tick in ticks])
    for axes in (above, below):
        axes.minorticks_off()
    return Picture(drawing, alt=_alt(curves), values=[_values(curves)])


def _values(curves: Sequence[Measured]) -> Table:
    """The four lines as a table, a row for each d_k."""
    columns = [Column(_words("figure.d_k"), count())]
    for quantity, format in (("weight", fixed(3)), ("gradient", significant(2))):
        columns += [Column(f"{_words(f'figure.{quantity}')}, {_words(f'figure.{name}')} √d_k", format) for name in SIDES]
    sides = [(point.d_k, *(getattr(point, name) for name in SIDES)) for point in curves]
    return Table(columns, [[d_k, *(s.largest for s in both), *(s.gradient for s in both)] for d_k, *both in sides])


SIDES = ("divided", "undivided")


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis by powers of ten that holds these values, with some room, and reaches at least from 0.1 to 1.

    >>> _ends([1e-5, 0.3])
    (5e-06, 2.0)
    """
    return min(*values, 0.2) / 2, 2 * max(*values, 1.0)


def _powers(least: float, most: float) -> list[float]:
    """Powers of ten between two values, every second one from 1 down, or fewer where there would be more than four.

    >>> _powers(5e-6, 2)
    [0.0001, 0.01, 1.0]
    """
    lowest = math.ceil(math.log10(least))
    step = next(step for step in itertools.count(2) if -lowest // step < 4)
    return [10.0**power for power in range(0, lowest - 1, -step)][::-1]


def _alt(curves: Sequence[Measured]) -> str:
    ends = {}
    for where, point in (("first", curves[0]), ("last", curves[-1])):
        for name, side in (("with", point.divided), ("without", point.undivided)):
            ends[f"weight_{name}_{where}"] = short_of_one(side.largest)(side.largest)
            ends[f"gradient_{name}_{where}"] = significant(2)(side.gradient)
    return _words("figure.alt", panels=capital(spelled())(2), first=count()(curves[0].d_k), last=count()(curves[-1].d_k), **ends)


@figure
def one_softmax() -> Picture:
    """The same scores through the softmax, divided by √d_k and undivided: a bar for each key."""
    made = two_softmaxes(_argument().d_k, _experiment().keys)
    drawing, page = style.canvas(360, 338, bare=True)
    for low, name in ((176, "undivided"), (0, "divided")):
        _draw_bars(page, name, made[name], low)
    ends = {name: short_of_one(float(weights.max()))(weights.max()) for name, weights in made.items()}
    names = [f"{_words(f'figure.{name}')} √d_k" for name in SIDES]
    rows = [[place, *weights] for place, *weights in zip(range(1, _experiment().keys + 1), *(made[name].tolist() for name in SIDES))]
    table = Table([Column(_words("bars.key"), count()), *(Column(name, significant(2)) for name in names)], rows)
    return Picture(drawing, _words("bars.alt", d_k=d_k(), keys=count()(_experiment().keys), **ends), values=[table])


def two_softmaxes(d_k: int, keys: int) -> dict[str, Array]:
    """The weights of so many scores that spread as a normal of variance d_k, highest first, divided by √d_k and undivided.

    >>> two_softmaxes(64, 2)["divided"].round(2).tolist()
    [0.79, 0.21]
    """
    normal = np.array([statistics.NormalDist().inv_cdf(1 - (i + 0.5) / keys) for i in range(keys)])
    return {"divided": attention.softmax(normal), "undivided": attention.softmax(normal * math.sqrt(d_k))}


def _draw_bars(page: Axes, name: str, weights: Array, low: float) -> None:
    """One panel: a bar for each weight over a line, the largest with its number."""
    wide, tall, floor, ink = 22, 96, low + 10, series(name).ink
    page.text(0, low + 146, f"{_words(f'figure.{name}')} {style.math(_words('figure.root'))}", weight=600, color=ink, va="center")
    for i, weight in enumerate(weights):
        page.add_patch(Rectangle((3 + wide * i, floor), wide - 6, tall * float(weight), facecolor=ink, linewidth=0, label=name))
    page.plot([0, wide * len(weights)], [floor, floor], color=style.COLOURS.rule, linewidth=1.5)
    largest = short_of_one(float(weights.max()))(weights.max())
    page.text(0, floor + tall * float(weights.max()) + 14, largest, va="center", weight=600, color=ink)


# Claims


@claim
def one_key_takes_it_all(d_k: int | None = None) -> Check:
    """Of scores that spread as the argument supposes, undivided the highest takes nearly all; divided, less than half."""
    made = two_softmaxes(_argument().d_k if d_k is None else d_k, _experiment().keys)
    largest = {name: float(weights.max()) for name, weights in made.items()}
    return Check(largest["undivided"] > 0.99 and largest["divided"] < 0.5, largest)


@claim
def variance_is_d_k(mean: float | None = None, variance: float | None = None) -> Check:
    """What the components' mean and variance make of the variance of q·k is d_k itself, as the formula says."""
    argument = _argument()
    mu, sigma2 = argument.mean if mean is None else mean, argument.variance if variance is None else variance
    computed = score_variance(argument.d_k, sigma2, mean=mu)
    return Check(computed == argument.d_k, {"mean": mu, "variance": sigma2, "Var(q·k)": computed, "d_k": argument.d_k})


@claim
def argmax_passes_no_gradient(gap: float | None = None) -> Check:
    """Of two keys so far apart one has all the weight, and the gradient that reaches the scores counts as dead."""
    weights = attention.softmax(np.array([_argument().gap if gap is None else gap, 0.0]))
    passed = float(attention.softmax_backward(weights, np.array([0.0, 1.0])).max())  # the other key gets as much, negative
    return Check(passed < _experiment().dead_below, {"weights": weights, "gradient": passed})


@claim
def over_d_k_chooses_nobody(divisor: float | None = None) -> Check:
    """Divided by d_k itself, two scores one deviation apart get nearly equal weights: a tenth over the equal share at most."""
    argument = _argument()
    deviation = math.sqrt(score_variance(argument.d_k, argument.variance, argument.d_k if divisor is None else divisor))
    largest = float(attention.softmax(np.array([deviation, 0.0])).max())
    return Check(largest < 0.5 * 1.1, {"deviation": deviation, "largest weight": largest, "equal share": 0.5})


@claim
def saturates_without_division(row: Measured | None = None) -> Check:
    """Undivided, the median row of the largest d_k is one-hot, and its gradient counts as dead."""
    side, dead_below = (row or table_rows()[-1]).undivided, _experiment().dead_below
    holds = is_one_hot(side.largest, dead_below) and side.gradient < dead_below
    return Check(holds, {"largest weight": side.largest, "gradient": side.gradient})


@claim
def gradient_falls_without_division(rows: Sequence[Measured] | None = None) -> Check:
    """Undivided, the gradient falls from row to row of the table; divided, it stays the larger."""
    rows = rows or table_rows()
    without, divided = [row.undivided.gradient for row in rows], [row.divided.gradient for row in rows]
    falls = all(after < before for before, after in zip(without, without[1:]))
    return Check(falls and without[-1] < divided[-1], {"without": without, "with": divided})
