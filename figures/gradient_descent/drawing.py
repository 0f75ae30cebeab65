"""The pictures of gradient descent: the factor of a step, a valley crossed, two weights that find two minima."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from figures.gradient_descent import model, numbers
from figures.kit import style
from figures.kit.arrays import Array
from figures.kit.formats import count, fixed, plain
from figures.kit.show import Column, Picture, Table, figure
from figures.kit.style import COLOURS, math
from figures.kit.words import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("gradient_descent")


def _plain(value: float, _: object) -> str:
    """A tick's label."""
    return plain()(round(value, 6))


def ticks(axes: Axes, x: Any = None, y: Any = None) -> None:
    """Few ticks, written as the document's language writes numbers."""
    for axis, places in ((axes.xaxis, x), (axes.yaxis, y)):
        if places is not None:
            axis.set_ticks(places)
        axis.set_major_formatter(_plain)


@figure
def factors() -> Picture:
    """How much of the distance a step leaves, against the rate: it arrives, swings or runs away."""
    parabola = model.records().parabola
    exact, limit, last = numbers.exact_rate().value, numbers.limit().value, parabola.furthest
    drawing, axes = style.canvas(620, 430)
    axes.axhline(1, color=COLOURS.rule, linewidth=1.5)
    for rates, colour, dash in (
        ([0, exact], COLOURS.ink, "-"),
        ([exact, limit], COLOURS.ink, (0, (6, 3))),
        ([limit, last], COLOURS.stress, "-"),
    ):
        axes.plot(rates, [abs(model.factor(rate, parabola.curvature)) for rate in rates], color=colour, linestyle=dash)
    for name, (x, y), colour, side in (
        ("direct", (0.08 * exact, 0.3), COLOURS.ink, "left"),
        ("swings", (0.66 * limit + 0.34 * exact, 0.42), COLOURS.ink, "left"),
        ("away", (limit + 0.12, 1.5), COLOURS.stress, "right"),
    ):
        style.label(axes, _words(f"factors.{name}"), (x, y), colour=colour, weight=600, ha=side, offset=(0, 0))
    axes.set(xlim=(0, last), ylim=(0, abs(model.factor(last, parabola.curvature))))
    ticks(axes, [0, exact, limit], [0, 1])
    axes.set_xlabel(_words("factors.rate"))
    axes.set_title(_words("factors.left"), pad=14, x=0, weight=400, color=COLOURS.soft)
    columns = [Column(_words("factors.rate"), plain()), Column(_words("factors.left"), plain())]
    table = Table(columns, [[rate, abs(model.factor(rate, parabola.curvature))] for rate in (0, exact, limit, last)])
    return Picture(drawing, _words("factors.alt", exact=plain()(exact), limit=plain()(limit)), values=[table])


def levels(axes: Axes, condition: float, start: tuple[float, float]) -> None:
    """The lines on which (x² + κ y²)/2 is equal, the outermost through the start."""
    angle = np.linspace(0, 2 * np.pi, 121)
    for share in (1, 0.7, 0.45, 0.2):
        radius = share * np.sqrt(start[0] ** 2 + condition * start[1] ** 2)
        axes.plot(radius * np.cos(angle), radius / np.sqrt(condition) * np.sin(angle), color=COLOURS.line, linewidth=1.5)
    axes.plot(0, 0, marker="+", color=COLOURS.soft, markersize=14, markeredgewidth=2)


def trail(axes: Axes, points: Array, colour: str, linewidth: float = 2) -> None:
    """A path with a dot at each step and a ring at its start."""
    axes.plot(*points.T, color=colour, linewidth=linewidth, marker="o", markersize=5)
    axes.plot(*points[0], marker="o", color=colour, markersize=11, fillstyle="none", markeredgewidth=2)


@figure
def valley() -> Picture:
    """A narrow valley at its best rate: the path swings across and creeps along."""
    valley = model.records().valley
    rate, _ = model.best(valley.drawn, with_momentum=False)
    points = model.in_valley(valley.drawn, rate, 0.0, valley.longest)
    shown = points[: (model.arrival(points) or len(points)) // 3]
    drawing, axes = style.canvas(640, 430)
    levels(axes, valley.drawn, valley.start)
    trail(axes, shown, COLOURS.stress)
    style.label(axes, _words("valley.steep"), (1.06, 0.5), offset=(0, 0), colour=COLOURS.soft)
    style.label(axes, _words("valley.flat"), (-0.2, -0.9), offset=(0, 0), colour=COLOURS.soft, ha="center")
    axes.set(xlim=(-1.5, 1.5), ylim=(-1.1, 1.1))
    axes.set_axis_off()
    arrived = count()(model.arrival(points))
    alt = _words("valley.alt", condition=plain()(valley.drawn), shown=count()(len(shown) - 1), steps=arrived)
    return Picture(drawing, alt, cut=True, values=[_path(shown, ("x", "y"))])


def _path(points: Array, names: tuple[str, str], caption: str = "") -> Table:
    """A path as a table, a row for each step."""
    columns = [Column(_words("walks.step"), count()), *(Column(name, fixed(3)) for name in names)]
    return Table(columns, [[step, *map(float, point)] for step, point in enumerate(points)], caption)


@figure
def two_minima() -> Picture:
    """Two weights whose product must be one: each rate ends elsewhere on the curve of minima."""
    product = model.records().product
    drawing, axes = style.canvas(584, 430)
    u = np.linspace(0.42 * product.target, max(4.1, 0.84 * product.target), 200)
    paths = {size: model.product_path(numbers.rate(size).value) for size in ("small", "large")}
    least, most = (getattr(np.concatenate(list(paths.values())), end)(axis=0) for end in ("min", "max"))
    axes.plot(u, product.target / u, color=COLOURS.rule, linewidth=2)
    style.label(axes, _words("minima.curve", target=plain()(product.target)), (0.55, 2.1), colour=COLOURS.soft, offset=(14, 0))
    ends, tables = {}, []
    leader = {"arrowstyle": "-", "color": COLOURS.rule, "shrinkA": 2, "shrinkB": 7}
    places: dict[str, dict[str, Any]] = {
        "small": {"colour": COLOURS.ink, "ha": "center", "offset": (54, 96), "arrowprops": leader},
        "large": {"colour": COLOURS.stress, "ha": "right", "offset": (-8, -28)},
    }
    for size, place in places.items():
        points = paths[size]
        tables.append(_path(points, ("u", "v"), _words("minima.rate", rate=plain()(numbers.rate(size).value))))
        trail(axes, points, place["colour"], linewidth=1.5)
        ends[size] = fixed(1)(model.sharpness(points[-1]))
        text = _words("minima.end", rate=plain()(numbers.rate(size).value), curvature=ends[size])
        style.label(axes, text, tuple(points[-1]), weight=600, **place)
    axes.set(xlim=(min(0, least[0]), max(u[-1], most[0])), ylim=(min(-0.6, least[1]), max(2.4, most[1])))
    ticks(axes, [0, 1, 2, 3, 4], [0, 1, 2])
    axes.set_xlabel(math("u"))
    axes.set_title(math("v"), pad=10, x=0, color=COLOURS.soft)
    return Picture(drawing, _words("minima.alt", **ends), values=tables)
