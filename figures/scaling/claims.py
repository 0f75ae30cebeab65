"""What sentences about the division rest on."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from figures import attention
from figures.kit.claims import Check, claim
from figures.scaling import model
from figures.scaling_experiment import Measured


@claim
def one_key_takes_it_all(d_k: int | None = None) -> Check:
    """Of scores that spread as the argument supposes, undivided the highest takes nearly all; divided, less than half."""
    made = model.two_softmaxes(model.argument().d_k if d_k is None else d_k, model.experiment().keys)
    largest = {name: float(weights.max()) for name, weights in made.items()}
    return Check(largest["undivided"] > 0.99 and largest["divided"] < 0.5, largest)


@claim
def variance_is_d_k(mean: float | None = None, variance: float | None = None) -> Check:
    """What the components' mean and variance make of the variance of q·k is d_k itself, as the formula says."""
    argument = model.argument()
    mu, sigma2 = argument.mean if mean is None else mean, argument.variance if variance is None else variance
    computed = model.score_variance(argument.d_k, sigma2, mean=mu)
    return Check(computed == argument.d_k, {"mean": mu, "variance": sigma2, "Var(q·k)": computed, "d_k": argument.d_k})


@claim
def argmax_passes_no_gradient(gap: float | None = None) -> Check:
    """Of two keys so far apart one has all the weight, and the gradient that reaches the scores counts as dead."""
    weights = attention.softmax(np.array([model.argument().gap if gap is None else gap, 0.0]))
    passed = float(attention.softmax_backward(weights, np.array([0.0, 1.0])).max())  # the other key gets as much, negative
    return Check(passed < model.experiment().dead_below, {"weights": weights, "gradient": passed})


@claim
def over_d_k_chooses_nobody(divisor: float | None = None) -> Check:
    """Divided by d_k itself, two scores one deviation apart get nearly equal weights: a tenth over the equal share at most."""
    argument = model.argument()
    deviation = math.sqrt(model.score_variance(argument.d_k, argument.variance, argument.d_k if divisor is None else divisor))
    largest = float(attention.softmax(np.array([deviation, 0.0])).max())
    return Check(largest < 0.5 * 1.1, {"deviation": deviation, "largest weight": largest, "equal share": 0.5})


@claim
def saturates_without_division(row: Measured | None = None) -> Check:
    """Undivided, the median row of the largest d_k is one-hot, and its gradient counts as dead."""
    side, dead_below = (row or model.table_rows()[-1]).undivided, model.experiment().dead_below
    holds = model.is_one_hot(side.largest, dead_below) and side.gradient < dead_below
    return Check(holds, {"largest weight": side.largest, "gradient": side.gradient})


@claim
def gradient_falls_without_division(rows: Sequence[Measured] | None = None) -> Check:
    """Undivided, the gradient falls from row to row of the table; divided, it stays the larger."""
    rows = rows or model.table_rows()
    without, divided = [row.undivided.gradient for row in rows], [row.divided.gradient for row in rows]
    falls = all(after < before for before, after in zip(without, without[1:]))
    return Check(falls and without[-1] < divided[-1], {"without": without, "with": divided})
