"""What the lecture TITLE computes: the mean of a week, and what a moving mean leaves of its ups and downs.

Written by `make new` as a start: put your own data, functions and words in place of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from collections.abc import Iterator, Sequence

import numpy as np

from figures.kit import data, ledger, style
from figures.kit.claims import Check, claim
from figures.kit.formats import count, fixed
from figures.kit.origin import Known
from figures.kit.precomputed import Slider, precomputed
from figures.kit.show import Cell, Column, Picture, Table, figure, number, table, word
from figures.kit.words import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("NAME")


class Day(data.Record):
    name: str
    degrees: float


class Week(data.Record):
    """The days in order, where they were measured, and how many the simulator opens with."""

    source: str
    days: tuple[Day, ...]
    opens: data.Positive

    def faults(self) -> Iterator[str]:
        if len(self.days) < 3:
            yield f"`days` has {len(self.days)} of them, and a moving mean needs three"
        if self.opens >= len(self.days):
            yield f"`opens` is {self.opens}, and must be below the {len(self.days)} days"


def week() -> Week:
    """The week as `data/NAME.yml` has it."""
    return data.load("NAME", Week)


def degrees() -> list[float]:
    return [day.degrees for day in week().days]


def moving(values: Sequence[float], size: int) -> list[float]:
    """The mean of each `size` neighbours.

    >>> moving([1, 2, 6], 2)
    [1.5, 4.0]
    """
    return [float(np.mean(values[start : start + size])) for start in range(len(values) - size + 1)]


@number(fixed(1))
def mean() -> float:
    """The mean of the week."""
    return float(np.mean(degrees()))


@number(fixed(1))
def measured(name: str) -> Known:
    """What one day's measurement is."""
    return ledger.fact(data.one(week().days, lambda day: day.name, name, "data/NAME.yml").degrees, week().source)


@number(count())
def above() -> int:
    """How many days lie above the mean."""
    return sum(value > mean().value for value in degrees())


@word
def hottest() -> str:
    """The name of the hottest day."""
    return max(week().days, key=lambda day: day.degrees).name


@word
def trend() -> str:
    """Whether the last day is above the first, in a word."""
    return _words("rises" if degrees()[-1] > degrees()[0] else "falls")


@table
def days() -> Table:
    """Each day with its distance from the mean, the largest stressed."""
    far = max(degrees())
    columns = [Column(_words("day")), Column(_words("degrees"), fixed(1)), Column(_words("from_mean"), fixed(1, sign=True))]
    return Table(columns, [[day.name, day.degrees, _distance(day.degrees, far)] for day in week().days])


def _distance(value: float, far: float) -> float | Cell:
    distance = value - mean().value
    return Cell(distance, role="best") if value == far else distance


@figure
def line() -> Picture:
    """The week as a line, and its mean as another."""
    drawing, axes = style.canvas(1100, 400)
    _draw_week(axes)
    axes.axhline(mean().value, color=style.COLOURS.stress)
    style.label(axes, _words("mean"), (0, mean().value), colour=style.COLOURS.stress, offset=(0, 14))
    alt = _words("week_alt", least=fixed(1)(min(degrees())), most=fixed(1)(max(degrees())), mean=mean())
    drawn = Table([Column(_words("day"), count()), Column(_words("degrees"), fixed(1))], [list(one) for one in enumerate(degrees(), 1)])
    return Picture(drawing, alt, values=[drawn])


def _draw_week(axes: Axes) -> None:
    axes.plot(range(len(degrees())), degrees(), color=style.COLOURS.ink, marker="o")
    axes.set_xticks(range(len(degrees())), [day.name for day in week().days])
    axes.set_title(_words("degrees"))


@precomputed(days=lambda: Slider(range(1, len(degrees())), opens=week().opens))
def smoothed(days: int) -> tuple[Picture, str]:
    """The moving mean of so many days over the week."""
    drawing, axes = style.canvas(700, 420)
    _draw_week(axes)
    means = moving(degrees(), days)
    middles = [start + (days - 1) / 2 for start in range(len(means))]
    axes.plot(middles, means, color=style.COLOURS.stress)
    style.label(axes, _words("mean"), (middles[-1], means[-1]), colour=style.COLOURS.stress, offset=(0, 14))
    texts = {name: fixed(1)(value) for name, value in zip(("least", "most", "low", "high"), (*_ends(degrees()), *_ends(means)))}
    return Picture(drawing, _words("smoothed.alt", **texts)), _words("smoothed.told", days=days, range=fixed(1)(max(means) - min(means)))


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


@claim
def a_longer_mean_varies_less() -> Check:
    """Over all but one day the moving mean varies less than the days do."""
    ranges = [max(means) - min(means) for means in (degrees(), moving(degrees(), len(degrees()) - 1))]
    return Check(ranges[1] < ranges[0], dict(zip(("days", "longest mean"), ranges)))
