"""The curves against d_k, and one softmax with the division and without it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from figures import scaling_experiment
from figures.kit import style
from figures.kit.arrays import Array
from figures.kit.formats import capital, count, decade, fixed, plain, significant, spelled
from figures.kit.show import Column, Picture, Table, figure
from figures.kit.theme import series
from figures.kit.words import Words
from figures.scaling import model
from figures.scaling.numbers import d_k, short_of_one
from figures.scaling_experiment import Measured

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("scaling")


@figure
def against_d_k() -> Picture:
    """Median largest weight and median gradient against d_k, with the division and without it."""
    curves = [scaling_experiment.measured(d_k) for d_k in model.experiment().figure]
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
    below.set_xticks(ticks := model.experiment().table, [count()(tick) for tick in ticks])
    for axes in (above, below):
        axes.minorticks_off()
    return Picture(drawing, alt=_alt(curves), values=[_values(curves)])


def _values(curves: Sequence[Measured]) -> Table:
    """The four lines as a table, a row for each d_k."""
    columns = [Column(_words("figure.d_k"), count())]
    for quantity, format in (("weight", fixed(3)), ("gradient", significant(2))):
        columns += [Column(f"{_words(f'figure.{quantity}')}, {_words(f'figure.{name}')} √d_k", format) for name in model.SIDES]
    sides = [(point.d_k, *(getattr(point, name) for name in model.SIDES)) for point in curves]
    return Table(columns, [[d_k, *(s.largest for s in both), *(s.gradient for s in both)] for d_k, *both in sides])


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
    made = model.two_softmaxes(model.argument().d_k, model.experiment().keys)
    drawing, page = style.canvas(360, 338, bare=True)
    for low, name in ((176, "undivided"), (0, "divided")):
        _draw_bars(page, name, made[name], low)
    ends = {name: short_of_one(float(weights.max()))(weights.max()) for name, weights in made.items()}
    names = [f"{_words(f'figure.{name}')} √d_k" for name in model.SIDES]
    rows = [
        [place, *weights] for place, *weights in zip(range(1, model.experiment().keys + 1), *(made[name].tolist() for name in model.SIDES))
    ]
    table = Table([Column(_words("bars.key"), count()), *(Column(name, significant(2)) for name in names)], rows)
    return Picture(drawing, _words("bars.alt", d_k=d_k(), keys=count()(model.experiment().keys), **ends), values=[table])


def _draw_bars(page: Axes, name: str, weights: Array, low: float) -> None:
    """One panel: a bar for each weight over a line, the largest with its number."""
    wide, tall, floor, ink = 22, 96, low + 10, series(name).ink
    page.text(0, low + 146, f"{_words(f'figure.{name}')} {style.math(_words('figure.root'))}", weight=600, color=ink, va="center")
    for i, weight in enumerate(weights):
        page.add_patch(
            style.patches.Rectangle((3 + wide * i, floor), wide - 6, tall * float(weight), facecolor=ink, linewidth=0, label=name)
        )
    page.plot([0, wide * len(weights)], [floor, floor], color=style.COLOURS.rule, linewidth=1.5)
    largest = short_of_one(float(weights.max()))(weights.max())
    page.text(0, floor + tall * float(weights.max()) + 14, largest, va="center", weight=600, color=ink)
