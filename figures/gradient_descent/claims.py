"""Sentences of the slides that the numbers must bear out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures.gradient_descent import model, numbers
from figures.kit.claims import Check, claim


def _distances(rate: float) -> list[float]:
    parabola = model.records().parabola
    return [abs(float(x)) for x in model.on_parabola(rate, parabola.curvature, parabola.start, parabola.steps)]


@claim
def small_steps_fall_each_time(rate: float | None = None) -> Check:
    """At the smallest rate of the table every step comes closer and none changes sides: the factor lies between 0 and 1."""
    parabola = model.records().parabola
    chosen = min(parabola.rates) if rate is None else rate
    factor = model.factor(chosen, parabola.curvature)
    path = model.on_parabola(chosen, parabola.curvature, parabola.start, parabola.steps)
    return Check(bool(0 < factor < 1), {"factor": factor, "path": path})


@claim
def one_step_arrives(rate: float | None = None) -> Check:
    """At 1/λ the first step ends in the minimum."""
    distances = _distances(numbers.exact_rate().value if rate is None else rate)
    return Check(distances[1] < 1e-12 * distances[0], {"start": distances[0], "after a step": distances[1]})


@claim
def curvature_sets_the_limit(starts: Sequence[float] = (0.01, 1, 100), margin: float = 0.01) -> Check:
    """Just below 2/λ a path comes closer and just above it goes away, wherever it starts."""
    limit, curvature = numbers.limit().value, numbers.curvature().value
    below, above = ([model.on_parabola(limit * (1 + side * margin), curvature, start, 9)[-1] for start in starts] for side in (-1, 1))
    closer = all(abs(end) < start for end, start in zip(below, starts))
    away = all(abs(end) > start for end, start in zip(above, starts))
    return Check(closer and away, {"limit": limit, "below": below, "above": above})


@claim
def one_rate_for_two_curvatures(rate: float | None = None) -> Check:
    """The rate that ends in the slides' minimum is slow on the flattest parabola of the simulator and at the limit on the steepest."""
    curvatures = model.records().rate_simulator.curvatures
    chosen = numbers.exact_rate().value if rate is None else rate
    flat, steep = (model.factor(chosen, curvature) for curvature in (min(curvatures), max(curvatures)))
    return Check(0 < flat < 1 and steep == -1, {"rate": chosen, "flattest": flat, "steepest": steep})


@claim
def steep_side_sets_the_rate(condition: float | None = None) -> Check:
    """At the largest rate that the steep side allows, the flat one keeps nearly all of its distance at each step."""
    chosen = numbers.condition().value if condition is None else condition
    flat = model.factor(model.limit(chosen), 1)
    return Check(0.9 < flat < 1, {"condition": chosen, "flat side keeps": flat})


@claim
def steps_grow_with_the_condition(conditions: tuple[float, float] | None = None) -> Check:
    """Ten times the condition number takes ten times the steps, and with momentum about √10 times."""
    near, far = conditions or model.records().valley.conditions[-2:]
    grown = {name: numbers.steps(far, on).value / numbers.steps(near, on).value for name, on in (("plain", False), ("momentum", True))}
    ratio = far / near
    holds = abs(grown["plain"] / ratio - 1) < 0.05 and abs(grown["momentum"] / np.sqrt(ratio) - 1) < 0.2 and ratio > 1
    return Check(bool(holds), {"condition": ratio} | grown)


@claim
def usual_momentum_hardly_sees_the_valley(spread: float = 1.1) -> Check:
    """With the usual momentum every valley of the simulator takes nearly as many steps, where the plain method's differ widely."""
    conditions = model.records().valley_simulator.conditions
    taken = {name: [numbers.crossing(one, on).value for one in conditions] for name, on in (("plain", False), ("momentum", True))}
    return Check(max(taken["momentum"]) < spread * min(taken["momentum"]) and max(taken["plain"]) > 5 * min(taken["plain"]), taken)


@claim
def momentum_raises_the_limit(condition: float | None = None) -> Check:
    """At the largest rate of the simulator the plain method runs away and momentum arrives."""
    given, valley = model.records().valley_simulator, model.records().valley
    at = given.opens.condition if condition is None else condition
    rate = max(given.shares) * model.limit(at)
    ends = {beta: model.arrival(model.in_valley(at, rate, beta, valley.longest)) for beta in (0.0, valley.momentum)}
    return Check(ends[0.0] is None and ends[valley.momentum] is not None, {"plain": ends[0.0], "momentum": ends[valley.momentum]})


@claim
def round_bowl_needs_no_momentum(condition: float | None = None) -> Check:
    """Where all directions curve alike, the best rate arrives in one step, and momentum has nothing to add."""
    chosen = min(model.records().valley.conditions) if condition is None else condition
    plain, momentum = numbers.steps(chosen).value, numbers.steps(chosen, with_momentum=True).value
    return Check(plain == momentum == 1, {"condition": chosen, "plain": plain, "momentum": momentum})


@claim
def large_rate_ends_flatter(small: str = "small", large: str = "large") -> Check:
    """The large rate ends in a minimum that it can hold still on, the small one in one where the large could not."""
    ends = {size: numbers.end_curvature(size).value for size in (small, large)}
    limit = numbers.rate_limit(large).value
    return Check(ends[large] < limit < ends[small], {"limit": limit, "small": ends[small], "large": ends[large]})


@claim
def both_rates_fit_the_data(steps: int = -1) -> Check:
    """Both rates end where the loss is zero."""
    target = model.records().product.target
    losses = {}
    for size in ("small", "large"):
        u, v = model.product_path(numbers.rate(size).value)[steps]
        losses[size] = (u * v - target) ** 2 / 2
    return Check(bool(max(losses.values()) < 1e-12), losses)
