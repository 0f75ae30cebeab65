"""The experiment behind √d_k: one query against many keys; the row's largest weight and its gradient as d_k grows.

Only measures; figures/scaling/ shows. Shapes: q (rows, 1, d_k), k (rows, keys, d_k), dL/dA (rows, 1, keys), float32.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta

from figures import attention
from figures.kit.arrays import Array
from figures.kit.data import Above, Natural, Positive, Record, load
from figures.kit.slow import slow

MOST = 10**9  # 4 GB


class Argument(Record):
    """The assumptions of the two-line argument: components of q and k, and the example's d_k and gap between scores."""

    mean: int
    variance: Positive
    d_k: Positive
    gap: Positive
    source: str


class Experiment(Record):
    """What the lab draws, the d_k that the table and the figure show, and where its words change."""

    seed: Natural
    rows: Positive
    keys: Annotated[int, Meta(ge=2, le=16)]  # bars of a picture
    table: tuple[Positive, ...]
    figure: tuple[Positive, ...]
    dead_below: Above
    steady_within: Above
    source: str

    def faults(self) -> Iterator[str]:
        numbers = self.rows * self.keys * max(*self.table, *self.figure)
        if numbers > MOST:
            yield f"rows × keys × d_k would draw {numbers} numbers, more than a classroom's machine holds: at most {MOST:.0e}"


class Scaling(Record):
    """`data/scaling.yml`."""

    argument: Argument
    experiment: Experiment


class Side(Record):
    """With or without the division: median largest weight, median ‖∂L/∂S‖, the standard error of each, share of dead rows."""

    largest: float
    gradient: float
    dead: float
    largest_error: float = 0.0
    gradient_error: float = 0.0


class Measured(Record):
    """Both sides of one d_k."""

    d_k: int
    divided: Side
    undivided: Side


def records() -> Scaling:
    """The records, as `data/scaling.yml` has them."""
    return load("scaling", Scaling)


def dimensions() -> list[int]:
    """Every d_k that a slide shows, once, in order."""
    experiment = records().experiment
    return sorted({*experiment.table, *experiment.figure})


@slow(
    "measuring the softmax with and without √d_k",
    files=("scaling.yml",),
    calls=lambda: [(d_k,) for d_k in dimensions()],
    seeds=lambda: {"scaling.yml": records().experiment.seed},
)
def measured(d_k: int) -> Measured:
    """Both sides for one d_k.

    >>> round(measured(4).divided.largest, 3)
    0.205
    """
    q, k, g = drawn(d_k)
    q, g = q[:, None, :], g[:, None, :]
    return Measured(d_k=d_k, divided=side(q, k, g, True), undivided=side(q, k, g, False))


def drawn(d_k: int) -> tuple[Array, Array, Array]:
    """q (rows, d_k), k (rows, keys, d_k) and dL/dA (rows, keys) of one d_k, as torch draws them."""
    import torch

    experiment = records().experiment
    torch.manual_seed(experiment.seed)
    q = torch.randn(experiment.rows, d_k)
    k = torch.randn(experiment.rows, experiment.keys, d_k)
    return q.numpy(), k.numpy(), torch.randn(experiment.rows, experiment.keys).numpy()


def side(q: Array, k: Array, gradient: Array, scale: bool) -> Side:
    """One side of the comparison; the gradient is that with respect to the scores which enter the softmax."""
    weights = attention.weights(q, k, scale=scale)
    lengths = np.linalg.norm(attention.softmax_backward(weights, gradient), axis=-1).ravel()
    largest = weights.max(axis=-1).ravel()
    return Side(
        largest=lower_median(largest),
        gradient=lower_median(lengths),
        dead=float((lengths < records().experiment.dead_below).mean()),
        largest_error=median_error(largest),
        gradient_error=median_error(lengths),
    )


def lower_median(values: Array) -> float:
    """torch's median, the lower of two middle values.

    >>> lower_median([4, 1, 3, 2])
    2.0
    """
    return float(np.sort(values)[(len(values) - 1) // 2])


def median_error(values: Array) -> float:
    """The standard error of the median of a sample: half of what lies between the values √n/2 places below and above it.

    How many of n values fall below the true median varies by √n/2; so does the place of the sample's own.

    >>> median_error(range(100))
    5.0
    """
    ordered, places = np.sort(values), np.sqrt(len(values)) / 2
    middle = (len(ordered) - 1) / 2
    below, above = np.interp((middle - places, middle + places), np.arange(len(ordered)), ordered)
    return float(above - below) / 2
