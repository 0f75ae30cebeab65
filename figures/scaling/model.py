"""The argument on variances, and what the experiment measured: pure functions beside the records that they read."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import numpy as np

from figures import attention, scaling_experiment
from figures.kit.arrays import Array
from figures.scaling_experiment import Measured, Side


def argument() -> scaling_experiment.Argument:
    """The example of the argument, as `data/scaling.yml` has it."""
    return scaling_experiment.records().argument


def experiment() -> scaling_experiment.Experiment:
    """What the experiment draws and counts, as `data/scaling.yml` has it."""
    return scaling_experiment.records().experiment


def score_variance(d_k: int, variance: float, divisor: float = 1.0, mean: float = 0.0) -> float:
    """Variance of q·k / divisor for independent components: d_k (σ⁴ + 2 μ² σ²), which is d_k for μ = 0 and σ² = 1.

    >>> score_variance(128, 1)
    128.0
    """
    return d_k * (variance * variance + 2 * mean * mean * variance) / divisor**2


def is_routine(gap: float, d_k: int, variance: float) -> bool:
    """Whether two scores often lie `gap` apart: within two standard deviations of their difference, 2·√(2·d_k)."""
    return gap <= 2 * math.sqrt(2 * score_variance(d_k, variance))


def table_rows() -> list[Measured]:
    """What was measured at each d_k of the table."""
    return [scaling_experiment.measured(d_k) for d_k in experiment().table]


def is_steady(sides: Sequence[Side], within: float) -> bool:
    """Whether weight and gradient stay put: the largest of each exceeds the smallest by `within` of it at most.

    What two samples differ by chance, two standard errors of their difference, is no move.
    """
    quantities = ([(side.largest, side.largest_error) for side in sides], [(side.gradient, side.gradient_error) for side in sides])
    return all(_is_near(*min(values), *max(values), within) for values in quantities)


def _is_near(low: float, low_error: float, high: float, high_error: float, within: float) -> bool:
    return high - low <= within * low + 2 * math.hypot(low_error, high_error)


def is_one_hot(largest: float, tolerance: float) -> bool:
    """Whether a row's largest weight leaves the others next to nothing.

    >>> is_one_hot(0.99999, 1e-3)
    True
    """
    return 1 - largest < tolerance


def two_softmaxes(d_k: int, keys: int) -> dict[str, Array]:
    """The weights of so many scores that spread as a normal of variance d_k, highest first, divided by √d_k and undivided.

    >>> two_softmaxes(64, 2)["divided"].round(2).tolist()
    [0.79, 0.21]
    """
    normal = np.array([statistics.NormalDist().inv_cdf(1 - (i + 0.5) / keys) for i in range(keys)])
    return {"divided": attention.softmax(normal), "undivided": attention.softmax(normal * math.sqrt(d_k))}


SIDES = ("divided", "undivided")
