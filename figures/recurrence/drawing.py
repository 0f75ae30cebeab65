"""The pictures of a gradient that fades: against the text's length, and step by step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from figures.kit import style
from figures.kit.arrays import Array
from figures.kit.formats import count, plain, power_of_ten, scientific
from figures.kit.show import Picture, figure
from figures.kit.theme import series
from figures.kit.words import Words
from figures.recurrence import model
from figures.recurrence.model import attention_path, product_path, rnn_path
from figures.recurrence.paths import forget, scale, tokens

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
    _draw_paths(axes, lengths, left)
    axes.set_xlabel(_words("figure.length"))
    _head(axes, _words("figure.left"))
    axes.set_xticks([least, tokens().value, most // 2, most])
    ends = {name: scientific(1)(values[-1]) for name, values in left.items()}
    alt = _words("figure.decay_alt", least=least, most=most, first=scientific(1)(left["rnn"][0]), **ends)
    return Picture(drawing, alt)


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
    _draw_paths(axes, range(n + 1), left)
    axes.set_xlabel(_words("figure.back"))
    axes.set_xticks(range(0, n + 1, n // 4))
    _head(axes, _words("figure.opening", tokens=count()(n), scale=plain()(s)))
    ends = {name: scientific(1)(values[-1]) for name, values in left.items()}
    return Picture(drawing, _words("figure.opening_alt", tokens=count()(n), scale=plain()(s), **ends))


def _draw_paths(axes: Axes, x: Sequence[int], left: dict[str, Array]) -> None:
    """Three lines on a log axis, each with its name and its last value at its end."""
    looks = series("recurrence")
    for name, values in left.items():
        axes.plot(x, values, color=looks[name].ink, linestyle=looks[name].dash)
        text = _words(f"figure.{name}", value=scientific(1)(values[-1]), forget=forget())
        style.label(axes, text, (x[-1], float(values[-1])), colour=looks[name].ink, weight=600, offset=(10, 0))
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=5))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: power_of_ten()(value)))


def _head(axes: Axes, text: str) -> None:
    """What the upright axis measures, written above it."""
    axes.set_title(text, pad=14, x=0, weight=400, color=style.COLOURS.soft)
