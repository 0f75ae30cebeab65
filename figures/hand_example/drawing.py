"""The picture of the example worked by hand: what the simulator opens with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.hand_example import model
from figures.hand_example.model import Example, Pair, Steps, steps_of
from figures.hand_example.numbers import dimensions, zero
from figures.hand_example.words import verdict
from figures.kit import style
from figures.kit.formats import count, fixed, plain, vector
from figures.kit.show import Column, Picture, Table, figure
from figures.kit.theme import look, series
from figures.kit.words import Words
from figures.roles import QUERY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("hand_example")


@figure
def opening_state() -> Picture:
    """The plane of query and keys, the plane of values and output, and the four steps: what the simulator opens with."""
    example, steps = model.example(), steps_of(model.example())
    width, height = 1152, 480
    drawing, page = style.canvas(width, height, bare=True)
    left = drawing.add_axes((50 / width, 76 / height, 250 / width, 340 / height))
    middle = drawing.add_axes((338 / width, 76 / height, 180 / width, 340 / height))
    _plane(left, [example.query, *example.keys.tolist()], *(_words("opening.axis", n=n) for n in (1, 2)))
    _plane(middle, [*example.values.tolist(), steps.output.tolist()], *example.meaning)
    output = vector(fixed(2))(steps.output)
    _draw_query(left, example)
    _points(left, "key", [(token.key, token.name) for token in example.tokens], [11] * len(example.tokens))
    sizes = 7 + 13 * np.sqrt(steps.weights)
    _points(middle, "value", [(token.value, token.name) for token in example.tokens], sizes.tolist())
    style.points(middle, "output", *steps.output, size=22)
    text, ink = _words("opening.output", vector=output), series("output").ink
    style.label(middle, text, steps.output.tolist(), offset=(0, 26), ha="center", weight=600, colour=ink, label="output")
    for x, title in ((50, "opening.key_plane"), (338, "opening.value_plane")):
        page.text(x, 452, style.rich(_words(title)), weight=600, va="center")
    _steps_beside(page, example, steps)
    return Picture(drawing, _alt(example, steps), values=[_points_table(example), _steps_table(example, steps)])


@figure
def query_and_keys() -> Picture:
    """The query and the keys in their plane, before anything is computed."""
    example, height = model.example(), 310
    drawing, _ = style.canvas(360, height, bare=True)
    axes = drawing.add_axes((56 / 360, 62 / height, 240 / 360, 232 / height))
    _plane(axes, [example.query, *example.keys.tolist()], *(_words("opening.axis", n=n) for n in (1, 2)))
    _draw_query(axes, example)
    _points(axes, "key", [(token.key, token.name) for token in example.tokens], [11] * len(example.tokens))
    whole = vector(plain())
    keys = ", ".join(f"{token.name} {whole(token.key)}" for token in example.tokens)
    return Picture(
        drawing, _words("plane.alt", asking=example.asking, query=whole(example.query), keys=keys), values=[_points_table(example)]
    )


def _points_table(example: Example) -> Table:
    """The query and the keys as a table, a row for each point."""
    axes = [Column(_words("opening.axis", n=n), plain()) for n in (1, 2)]
    points = [(_words("plane.query", asking=example.asking), example.query), *((token.name, token.key) for token in example.tokens)]
    return Table([Column(_words("steps.token")), *axes], [[name, *map(float, point)] for name, point in points])


def _steps_table(example: Example, steps: Steps) -> Table:
    """The four steps of each token as a table."""
    formats = {"score": plain(), "scaled": fixed(2), "exponential": fixed(2), "weight": fixed(3)}
    columns = [Column(_words("steps.token")), *(Column(_words(f"plane.{name}"), format) for name, format in formats.items())]
    rows = zip(example.names, steps.products, steps.scaled, steps.exponentials, steps.weights)
    return Table(columns, [[name, *map(float, values)] for name, *values in rows])


def _draw_query(axes: Axes, example: Example) -> None:
    """The query as a line from the origin, named at its end."""
    axes.plot([0, example.query[0]], [0, example.query[1]], color=QUERY.ink, linestyle=QUERY.dash, clip_on=False, label="query")
    text = style.rich(_words("opening.query", vector=vector(plain())(example.query)))
    _points(axes, "query", [(example.query, text)], [11])


def words_of_the_simulator() -> dict[str, Any]:
    """What the simulator says in the words of its picture."""
    names = ("key_plane", "value_plane", "output_mark", "total")
    said = {name: _words(f"opening.{name}") for name in names}
    return said | {"columns": _words.list("opening.columns"), "comes_out": _words("opening.comes_out", asking=model.example().asking)}


def _plane(axes: Axes, points: Sequence[Sequence[float]], across: str, up: str) -> None:
    """Axes of one scale with the origin and every point in view, a tick at each whole number."""
    for side, values in (("x", [point[0] for point in points]), ("y", [point[1] for point in points])):
        low, high = min(0.0, *values), max(0.0, *values)
        room = 0.12 * (high - low or 1)
        axes.set(**{f"{side}lim": (low - room * (low < 0), high + room)})
    _fill(axes)
    for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
        ticks = range(int(np.ceil(low)), int(high) + 1)
        axis.set_ticks(ticks, [count()(tick) for tick in ticks])
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def _fill(axes: Axes) -> None:
    """Widen the narrower side, to the right or upwards, until a unit measures the same on both."""
    drawing = axes.get_figure(root=True)
    assert drawing is not None
    box = axes.get_position()
    wide, high = box.width * drawing.get_figwidth(), box.height * drawing.get_figheight()
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    unit = min(wide / (right - left), high / (top - bottom))
    axes.set(xlim=(left, left + wide / unit), ylim=(bottom, bottom + high / unit))


def _points(axes: Axes, name: str, named: Sequence[tuple[Pair, str]], sizes: Sequence[float]) -> None:
    """A mark for each point in the look of its series; names that share a point stand together."""
    for (point, _), size in zip(named, sizes):
        style.points(axes, name, *point, size=size)
    for point in dict.fromkeys(point for point, _ in named):
        names = ", ".join(text for other, text in named if other == point)
        style.label(axes, names, (point[0], point[1]), colour=look(name).ink, offset=(14, 14), weight=600, label=name)


def _steps_beside(page: Axes, example: Example, steps: Steps) -> None:
    """The four steps as a small table in pixels at the right of the page."""
    left, right = 650, 1150
    cells = (
        (left, [*example.names, _words("opening.total")]),
        (764, [*map(plain(), steps.products), ""]),
        (840, [*map(fixed(2), steps.scaled), ""]),
        (904, [*map(fixed(2), steps.exponentials), fixed(2)(steps.total)]),
        (1002, [*map(fixed(3), steps.weights), plain()(steps.weights.sum())]),
        (right, [*map(vector(zero(fixed(3))), steps.contributions), vector(fixed(2))(steps.output)]),
    )
    rows = len(example.tokens) + 1
    for (x, column), heading in zip(cells, _words.list("opening.columns"), strict=True):
        side = "left" if x == left else "right"
        page.text(x, 400, style.rich(heading), ha=side, va="center", weight=600)
        for row, cell in enumerate(column):
            page.text(x, 352 - 46 * row, cell, ha=side, va="center", weight=600 if row == rows - 1 else 400)
    for y in (378, 352 - 46 * (rows - 1.5)):
        page.plot([left, right], [y, y], color=style.COLOURS.rule, linewidth=1.5)
    y = 352 - 46 * rows - 20
    page.text(left, y, _words("opening.comes_out", asking=example.asking), va="center")
    page.text(left, y - 40, str(verdict()), va="center", weight=600, size=32, color=style.COLOURS.stress)


def _alt(example: Example, steps: Steps) -> str:
    whole = vector(plain())
    return _words(
        "opening.alt",
        asking=example.asking,
        query=whole(example.query),
        keys=", ".join(f"{token.name} {whole(token.key)}" for token in example.tokens),
        values=", ".join(f"{token.name} {whole(token.value)}" for token in example.tokens),
        output=vector(fixed(2))(steps.output),
        products=whole(steps.products),
        scaled=vector(fixed(2))(steps.scaled),
        exponentials=vector(fixed(2))(steps.exponentials),
        weights=vector(fixed(3))(steps.weights),
        d_k=dimensions(),
        verdict=verdict(),
    )
