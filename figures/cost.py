"""The n² bill of one attention layer: the bytes of its scores, how the work grows, and what a fused kernel saves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from figures import cost_experiment
from figures.cost_experiment import Layer, Timing
from figures.kit import ledger, measurement
from figures.kit.claims import Check, claim
from figures.kit.equations import result_of
from figures.kit.formats import binary_bytes, count, scientific, times
from figures.kit.ledger import Known
from figures.kit.measurement import milliseconds
from figures.kit.show import number, word
from figures.kit.words import Words

_words = Words("cost")

# Above this, two outputs of float32 differ by more than the order of their sums explains.
ROUNDING = 1e-5


def score_bytes(layer: Layer) -> int:
    """Bytes of the scores S, (heads, n, n), of one layer."""
    return layer.heads * layer.n**2 * layer.bytes_per_number


def products(layer: Layer, n: int) -> int:
    """Multiplications of QKᵀ and AV for n tokens: 2 · heads · n² · head_dim."""
    return 2 * layer.heads * n**2 * layer.head_dim


@number(count())
def n() -> Any:
    """Tokens of the layer that is timed."""
    return ledger.fact(cost_experiment.layer().n, cost_experiment.layer().source)


@number(count())
def heads() -> Any:
    """Heads of the layer that is timed."""
    return ledger.fact(cost_experiment.layer().heads, cost_experiment.layer().source)


@word
def score_size() -> str:
    """The bytes of S, factor by factor."""
    layer = cost_experiment.layer()
    factors = {"heads": count()(layer.heads), "n": count()(layer.n), "bytes": count()(layer.bytes_per_number)}
    return _words("size", **factors, total=result_of(binary_bytes())(score_bytes(layer)))


@number(times())
def per_doubling() -> float:
    """How the work grows when n doubles."""
    layer = cost_experiment.layer()
    return products(layer, 2 * layer.n) / products(layer, layer.n)


@word
def speed() -> Known:
    """What the two versions took, in words."""
    return measurement.noted(speed_in_words(cost_experiment.timing()), cost_experiment.timing().machine)


def speed_in_words(timing: Timing) -> str:
    """What the two versions took in one timing, in words."""
    took = {"naive": milliseconds()(timing.naive_ms), "fused": milliseconds()(timing.fused_ms)}
    return _words("speed.faster" if timing.fused_ms < timing.naive_ms else "speed.slower", **took)


@word
def exactness() -> str:
    """Whether the two outputs differ by no more than rounding, in words."""
    return _exactness(cost_experiment.timing().difference)


def _exactness(difference: float) -> str:
    return _words("exact") if difference < ROUNDING else _words("inexact", difference=scientific(1)(difference))


@claim
def fused_is_exact(difference: float | None = None) -> Check:
    """The fused kernel's output is the other's, rounding aside."""
    largest = cost_experiment.timing().difference if difference is None else difference
    return Check(largest < ROUNDING, {"difference": largest})


@claim
def work_is_quadratic(products: Callable[[Layer, int], int] = products) -> Check:
    """Twice the tokens, four times the products, at any length."""
    layer = cost_experiment.layer()
    growth = {f"n = {n}": products(layer, 2 * n) / products(layer, n) for n in (1, 10, layer.n)}
    return Check(set(growth.values()) == {4.0}, growth)


@word
def where() -> Known:
    """Hardware, version and date of the timing."""
    return measurement.noted(measurement.in_words(cost_experiment.timing().machine), cost_experiment.timing().machine)
