"""The two simulators of the lecture: choosing a rate on a parabola, and crossing a valley."""

from __future__ import annotations

import numpy as np

from figures.gradient_descent import model
from figures.gradient_descent.drawing import levels, ticks, trail
from figures.kit import style
from figures.kit.formats import count, fixed, percent, plain, scientific
from figures.kit.markup import Markup
from figures.kit.precomputed import Choice, Slider, Switch, precomputed
from figures.kit.show import Column, Picture, Table
from figures.kit.style import COLOURS
from figures.kit.words import Words

_words = Words("gradient_descent")
ROWS = 5  # of the table beside the picture: the start and the first steps


def _rates() -> Slider:
    settings = model.records().rate_simulator
    return Slider(settings.rates, opens=settings.opens, format=fixed(1))


def _curvatures() -> Choice:
    return Choice(model.records().rate_simulator.curvatures, opens=model.records().parabola.curvature)


@precomputed(rate=_rates, curvature=_curvatures)
def choosing_a_rate(rate: float, curvature: float) -> tuple[Picture, Table, str]:
    """A walk on the parabola: its steps, where each stands, and what the factor makes of it."""
    steps, start = model.records().rate_simulator.steps, model.records().parabola.start
    path = model.on_parabola(rate, curvature, start, steps)
    factor = round(model.factor(rate, curvature), 9)
    verdict = _verdict(factor)
    drawing, axes = style.canvas(700, 480)
    x = np.linspace(-6, 6, 81)
    axes.plot(x, curvature / 2 * x**2, color=COLOURS.rule, linewidth=2)
    shown = path[: int(np.argmax(np.abs(path) > 7)) + 1] if np.any(np.abs(path) > 7) else path
    trail(axes, np.column_stack([shown, curvature / 2 * shown**2]), COLOURS.stress if abs(factor) >= 1 else COLOURS.ink)
    axes.set(xlim=(-6, 6), ylim=(-1, 36))
    ticks(axes, [-4, 0, 4], [0, 16, 32])
    axes.set_xlabel(_words("choosing_a_rate.x"))
    axes.set_title(_words("choosing_a_rate.loss"), pad=12, x=0, weight=400, color=COLOURS.soft)
    table = Table(
        [Column(_words("walks.step"), count()), Column(Markup("$x$"), fixed(2)), Column(_words("choosing_a_rate.loss_short"), fixed(2))],
        [[n, at, curvature / 2 * at**2] for n, at in enumerate(path[:ROWS])],
    )
    values = {
        "factor": fixed(1)(factor),
        "limit": plain(2)(model.limit(curvature)),
        "rate": fixed(1)(rate),
        "curvature": plain()(curvature),
    }
    sentence = _words(f"choosing_a_rate.{verdict}", **values)
    return Picture(drawing, _words("choosing_a_rate.alt", told=sentence, **values), cut=True), table, sentence


def _verdict(factor: float) -> str:
    """What a factor makes of a walk, as a key of the words."""
    if factor == 0:
        return "arrives"
    if factor == -1:
        return "mirrors"
    return ("direct" if factor > 0 else "swings") if abs(factor) < 1 else "away"


def _conditions() -> Choice:
    settings = model.records().valley_simulator
    return Choice(settings.conditions, opens=settings.opens.condition)


def _shares() -> Slider:
    settings = model.records().valley_simulator
    return Slider(settings.shares, opens=settings.opens.share, format=percent())


@precomputed(condition=_conditions, share=_shares, momentum=Switch())
def crossing_a_valley(condition: float, share: float, momentum: bool) -> tuple[Picture, str]:
    """A walk in a valley, its rate a share of the limit without momentum: the path, and how many steps it takes."""
    valley, drawn = model.records().valley, model.records().valley_simulator.steps
    rate = share * model.limit(condition)
    points = model.in_valley(condition, rate, valley.momentum if momentum else 0.0, valley.longest)
    arrived = model.arrival(points)
    drawing, axes = style.canvas(700, 480)
    levels(axes, condition, valley.start)
    trail(axes, points[: drawn + 1], COLOURS.ink if arrived else COLOURS.stress)
    axes.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6))
    axes.set_axis_off()
    values = {"condition": plain()(condition), "share": percent()(share), "steps": count()(arrived) if arrived else ""}
    if arrived == 1:
        sentence = _words("crossing_a_valley.arrives_at_once")
    elif arrived:
        sentence = _words("crossing_a_valley.arrives", **values)
    else:
        sentence = _words("crossing_a_valley.away", distance=scientific(1)(float(np.linalg.norm(points[min(drawn, len(points) - 1)]))))
    return Picture(drawing, _words("crossing_a_valley.alt", drawn=count()(drawn), told=sentence, **values), cut=True), sentence
