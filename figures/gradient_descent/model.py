"""Gradient descent where it can be computed by hand: on a parabola, along a valley, on the product of two weights.

Plain numpy; nothing is drawn here. Sources: Polyak, "Some methods of speeding up the convergence of iteration methods",
1964; Cohen et al., "Gradient Descent on Neural Networks Typically Occurs at the Edge of Stability", 2021.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from figures.kit import data
from figures.kit.arrays import Array
from figures.kit.simulator import Range

WITHIN = 1e-9  # of a step
FAR = 1e6  # beyond it a path has left every picture and is not followed


def _misfits(name: str, choices: tuple[float, ...], opens: float | None = None) -> Iterator[str]:
    """What a control can't do: offer one choice alone, or choices that don't rise, or open with another."""
    if len(choices) < 2 or list(choices) != sorted(set(choices)):
        yield f"`{name}` must be two choices or more, each larger than the one before"
    if opens is not None and opens not in choices:
        yield f"it opens with {opens:g}, which `{name}` doesn't offer"


class Parabola(data.Record):
    """L(x) = curvature/2 · x²."""

    curvature: data.Above
    start: data.Above
    steps: data.Positive
    rates: tuple[data.Above, ...]
    furthest: data.Above


class Valley(data.Record):
    """L(x, y) = (x² + κ y²)/2."""

    start: tuple[float, float]
    left: data.Share
    conditions: tuple[data.Above, ...]
    drawn: data.Above
    momentum: data.Share
    longest: data.Positive

    def faults(self) -> Iterator[str]:
        if min(self.conditions) < 1:
            yield "a condition number is the larger curvature over the smaller: at least 1"
        if not self.left or not math.isclose(1 / self.left, round(1 / self.left), rel_tol=1e-9):
            yield f"`left` is {self.left:g}, and is said as one of so many equal parts, such as 0.001"


class Rates(data.Record):
    small: data.Above
    large: data.Above


class Product(data.Record):
    """L(u, v) = (u v − target)²/2."""

    target: data.Above
    start: tuple[float, float]
    rates: Rates
    steps: data.Positive


class RateSimulator(data.Record):
    rates: Range
    curvatures: tuple[data.Above, ...]
    opens: data.Above
    steps: data.Positive

    def faults(self) -> Iterator[str]:
        yield from _misfits("curvatures", self.curvatures)
        steps = (self.opens - self.rates.min) / self.rates.step
        if abs(steps - round(steps)) > WITHIN or not self.rates.min <= self.opens <= self.rates.max:
            yield f"it opens with {self.opens:g}, which `rates` doesn't offer"


class ValleyOpening(data.Record):
    condition: data.Above
    share: data.Above


class ValleySimulator(data.Record):
    conditions: tuple[data.Above, ...]
    shares: tuple[data.Above, ...]
    opens: ValleyOpening
    steps: data.Positive

    def faults(self) -> Iterator[str]:
        yield from _misfits("conditions", self.conditions, self.opens.condition)
        yield from _misfits("shares", self.shares, self.opens.share)


class Paper(data.Record):
    """A paper by its first author; `others` says that there are more."""

    name: str
    year: int
    source: str
    others: bool = False


class Descent(data.Record):
    """`data/gradient_descent.yml`."""

    parabola: Parabola
    valley: Valley
    product: Product
    rate_simulator: RateSimulator
    valley_simulator: ValleySimulator
    papers: dict[str, Paper]

    def faults(self) -> Iterator[str]:
        if self.parabola.curvature not in self.rate_simulator.curvatures:
            yield f"`rate_simulator.curvatures` doesn't offer that of the parabola, {self.parabola.curvature:g}"


def records() -> Descent:
    """The records, as `data/gradient_descent.yml` has them."""
    return data.load("gradient_descent", Descent)


def descend(gradient: Callable[[Array], Array], start: Array, rate: float, steps: int, momentum: float = 0.0) -> Array:
    """The points θ_0 … θ_steps of θ ← θ − rate · velocity, velocity ← momentum · velocity + gradient; fewer where it runs away.

    >>> descend(lambda x: 2 * x, np.array([4.0]), 0.25, 2).ravel().tolist()
    [4.0, 2.0, 1.0]
    """
    points, velocity = [start], np.zeros_like(start)
    while len(points) <= steps and np.abs(points[-1]).max() < FAR:
        velocity = momentum * velocity + gradient(points[-1])
        points.append(points[-1] - rate * velocity)
    return np.array(points)


def on_parabola(rate: float, curvature: float, start: float, steps: int) -> Array:
    """The points x_0 … x_steps on curvature/2 · x²."""
    return descend(lambda x: curvature * x, np.array([start]), rate, steps)[:, 0]


def factor(rate: float, curvature: float) -> float:
    """What one step multiplies the distance to the minimum by.

    >>> factor(0.25, 2)
    0.5
    """
    return 1 - rate * curvature


def limit(curvature: float, momentum: float = 0.0) -> float:
    """The rate from which on the steps no longer come closer: 2/λ, with momentum (1 + β) times that."""
    return 2 * (1 + momentum) / curvature


def in_valley(condition: float, rate: float, momentum: float, steps: int) -> Array:
    """The points on (x² + κ y²)/2 from the valley's start, (steps + 1, 2)."""
    curvatures = np.array([1.0, condition])
    return descend(lambda at: curvatures * at, np.array(records().valley.start, float), rate, steps, momentum)


def best(condition: float, with_momentum: bool) -> tuple[float, float]:
    """The rate and the momentum that bring both directions of a valley home at one pace.

    >>> best(9, with_momentum=True)
    (0.25, 0.25)
    """
    root = np.sqrt(condition)
    if with_momentum:
        return float(4 / (1 + root) ** 2), float(((root - 1) / (root + 1)) ** 2)
    return 2 / (1 + condition), 0.0


def arrival(points: Array) -> int | None:
    """The step from which on no more than `left` remains of the first distance; None where that never comes.

    >>> arrival(np.array([[1.0, 0.0], [0.0, 0.0], [0.5, 0.0], [0.0, 0.0]]))
    3
    """
    distance = np.linalg.norm(points, axis=1)
    last_far = int(np.flatnonzero(distance > records().valley.left * distance[0])[-1])
    return last_far + 1 if last_far + 1 < len(points) else None


def steps_needed(condition: float, with_momentum: bool) -> int | None:
    """The steps to arrive at the best rate, and the best momentum where there is one."""
    rate, momentum = best(condition, with_momentum)
    return arrival(in_valley(condition, rate, momentum, records().valley.longest))


def product_path(rate: float) -> Array:
    """The points (u, v) on (u v − target)²/2 from the product's start, (steps + 1, 2)."""
    product = records().product
    return descend(lambda at: (at[0] * at[1] - product.target) * at[::-1], np.array(product.start), rate, product.steps)


def sharpness(at: Array) -> float:
    """The largest curvature of (u v − target)²/2 at a point where u v is the target: u² + v²."""
    return float(at @ at)
