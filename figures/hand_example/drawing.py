"""The picture of the example worked by hand: what the simulator opens with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from figures.hand_example import model
from figures.hand_example.model import Example, Pair, Steps, steps_of
from figures.hand_example.numbers import dimensions, zero
from figures.hand_example.words import verdict
from figures.kit import style
from figures.kit.formats import count, fixed, plain, vector
from figures.kit.show import Picture, figure
from figures.kit.theme import Role
from figures.kit.words import Words
from figures.roles import KEY, QUERY, VALUE

_words = Words("hand_example")


@figure
def opening_state() -> Picture:
    """The plane of query and keys, the plane of values and output, and the four steps: what the simulator opens with."""
    example, steps = model.example(), steps_of(model.example())
    width, height = 1152, 480
    drawing, page = style.canvas(width, height, bare=True)
    left = drawing.add_axes((50 / width, 76 / height, 260 / width, 340 / height))
    middle = drawing.add_axes((380 / width, 76 / height, 240 / width, 340 / height))
    _plane(left, [example.query, *example.keys.tolist()], *(_words("opening.axis", n=n) for n in (1, 2)))
    _plane(middle, [*example.values.tolist(), steps.output.tolist()], *example.meaning)
    _arrow(left, example.query, QUERY, _words("opening.query", vector=vector(plain())(example.query)))
    _arrows(left, [(token.key, token.name) for token in example.tokens], KEY)
    _arrows(middle, [(token.value, token.name) for token in example.tokens], VALUE)
    middle.plot(*steps.output, marker="*", markersize=22, color=style.COLOURS.ink, clip_on=False, linestyle="none")
    output_text = _words("opening.output", vector=vector(fixed(2))(steps.output))
    style.label(middle, output_text, steps.output.tolist(), offset=(0, 26), ha="center", weight=600)
    for x, title in ((50, "opening.keys"), (380, "opening.values")):
        page.text(x, 452, _words(title), weight=600, va="center")
    _steps_beside(page, example, steps)
    return Picture(drawing, _alt(example, steps))


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


def _arrow(axes: Axes, tip: Sequence[float], role: Role, text: str) -> None:
    """A line from the origin to `tip` in the colour, dash and end mark of its role, named at its end."""
    axes.plot([0, tip[0]], [0, tip[1]], color=role.colour, linestyle=role.dash, clip_on=False)
    axes.plot(*tip, marker=role.marker, markersize=11, color=role.colour, linestyle="none", clip_on=False)
    style.label(axes, text, (tip[0], tip[1]), colour=role.colour, offset=(12, 12), weight=600)


def _arrows(axes: Axes, tips: Sequence[tuple[Pair, str]], role: Role) -> None:
    """One line for each different point; names that share a point stand together."""
    for tip in dict.fromkeys(point for point, _ in tips):
        names = ", ".join(name for point, name in tips if point == tip)
        _arrow(axes, tip, role, _words(f"opening.{role.name}", names=names))


def _steps_beside(page: Axes, example: Example, steps: Steps) -> None:
    """The four steps as a small table in pixels at the right of the page."""
    columns = (
        (716, "left", _words("opening.token"), [*example.names, _words("opening.sum")]),
        (846, "right", _words("opening.product"), [*map(plain(), steps.products), ""]),
        (928, "right", _words("opening.scaled", d_k=dimensions()), [*map(fixed(2), steps.scaled), ""]),
        (1012, "right", _words("opening.weight"), [*map(fixed(3), steps.weights), plain()(steps.weights.sum())]),
        (
            1150,
            "right",
            _words("opening.contribution"),
            [*map(vector(zero(fixed(3))), steps.contributions), vector(fixed(2))(steps.output)],
        ),
    )
    rows = len(example.tokens) + 1
    for x, side, heading, cells in columns:
        page.text(x, 400, heading, ha=side, va="center", weight=600)
        for row, cell in enumerate(cells):
            page.text(x, 352 - 46 * row, cell, ha=side, va="center", weight=600 if row == rows - 1 else 400)
    for y in (378, 352 - 46 * (rows - 1.5)):
        page.plot([716, 1150], [y, y], color=style.COLOURS.rule, linewidth=1.5)
    verdict_text = _words("opening.verdict", asking=example.asking, verdict=verdict())
    page.text(716, 352 - 46 * rows - 20, verdict_text, va="center", weight=600, size=28, color=style.COLOURS.stress)


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
        weights=vector(fixed(3))(steps.weights),
        d_k=dimensions(),
        verdict=verdict(),
    )
