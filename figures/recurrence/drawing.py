"""The pictures of a gradient that fades: against the text's length, and step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from figures.kit import style
from figures.kit.arrays import Array
from figures.kit.formats import count, decade, plain, scientific
from figures.kit.show import Column, Picture, Table, figure
from figures.kit.theme import series
from figures.kit.words import Words
from figures.recurrence import model
from figures.recurrence.model import attention_path, product_path, rnn_path
from figures.recurrence.paths import forget, scale, tokens

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("recurrence")


@figure
def decay() -> Picture:
    """What is left of the gradient at the first token, against the length of the text."""
    least, most = model.records().range.tokens
    lengths = range(least, most + 1, 4)
    left = {
        "attention": np.array([1 / n for n in lengths]),
        "lstm": np.array([model.records().forget ** n for n in lengths]),
        "rnn": np.array([rnn_path(n, scale().value)[0] for n in lengths]),
    }
    drawing, axes = style.canvas(540, 330)
    _draw_paths(axes, lengths, left, every=5)
    axes.set_xlabel(_words("figure.length"))
    _head(axes, _words("paths.left"))
    axes.set_xticks([least, tokens().value, most // 2, most])
    ends = {name: scientific(1)(values[-1]) for name, values in left.items()}
    alt = _words("figure.decay_alt", least=least, most=most, first=scientific(1)(left["rnn"][0]), **ends)
    return Picture(drawing, alt, values=[_values(_words("figure.length"), lengths, left)])


@figure
def opening_state() -> Picture:
    """The simulator's first view: what is left of the gradient at each position, from the last token back to the first."""
    n, s = tokens().value, scale().value
    left = {
        "attention": np.append(attention_path(n), 1 / n)[::-1],
        "lstm": product_path(n, model.records().forget)[::-1],
        "rnn": rnn_path(n, s)[::-1],
    }
    drawing, axes = style.canvas(1152, 470)
    _draw_paths(axes, range(n + 1), left, every=1)
    axes.set_xlabel(_words("paths.back"))
    axes.xaxis.set_major_locator(style.ticker.MaxNLocator(6, steps=[1, 2, 5, 10]))
    _head(axes, _words("figure.opening", left=_words("paths.left"), tokens=count()(n), scale=plain()(s)))
    ends = {name: scientific(1)(values[-1]) for name, values in left.items()}
    alt = _words("figure.opening_alt", tokens=count()(n), scale=plain()(s), **ends)
    return Picture(drawing, alt, values=[_values(_words("paths.back"), range(n + 1), left, every=4)])


def _values(heading: str, x: Sequence[int], left: dict[str, Array], every: int = 1) -> Table:
    """The lines as a table, a row for each place, or for `every` so many."""
    names, columns = words_of_paths(), [Column(heading, count())]
    columns += [Column(names[name], scientific(1)) for name in left]
    rows = [[place, *map(float, values)] for place, *values in zip(x, *left.values())]
    return Table(columns, rows[::every], _words("paths.left"))


NAMES = ("attention", "lstm", "rnn")


def words_of_paths() -> dict[str, str]:
    """What each path and each axis is called, in the simulator and in its picture."""
    return {name: _words(f"paths.{name}", forget=forget()) for name in (*NAMES, "left", "back")}


def _draw_paths(axes: Axes, x: Sequence[int], left: dict[str, Array], every: int) -> None:
    """Three lines on a log axis, each with its name and its last value at its end; a tick `every` so many powers of ten."""
    names = words_of_paths()
    for name, values in left.items():
        style.curve(axes, name, x, values)
        text = f"{names[name]}: {scientific(1)(values[-1])}"
        style.label(axes, text, (x[-1], float(values[-1])), colour=series(name).ink, weight=600, offset=(12, 0), label=name)
    lowest = min(float(np.min(values)) for values in left.values())
    floor = min(-5, 5 * int(np.floor(np.log10(lowest) / 5)))
    axes.set(yscale="log", ylim=(10.0**floor, 10**0.15), xlim=(0, 1.02 * x[-1]))
    powers = [10.0**power for power in range(floor, 1, every)]
    axes.set_yticks(powers, [decade()(power) for power in powers])
    axes.yaxis.set_minor_locator(style.ticker.NullLocator())


def _head(axes: Axes, text: str) -> None:
    """What the upright axis measures, written above it."""
    axes.set_title(text, pad=14, x=0, weight=400, color=style.COLOURS.soft)
