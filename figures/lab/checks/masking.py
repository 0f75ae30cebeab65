"""The checkpoint of section 5: two masks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from figures import attention
from figures.kit.arrays import Array
from figures.kit.checkpoints import Output, Part, Probe
from figures.lab import inputs
from figures.lab.checks.draws import Draws

HIDES = -1e3  # what is added to a score and still lets no weight through: e to this power is nothing in any precision


def masks(seed: int | None = None) -> tuple[Part, ...]:
    """The two masks of slide "Quatro máscaras" that the lab builds, for several lengths and several places of the filling."""
    draws = Draws(seed)
    n, real = inputs.filled()
    lengths = [*([n] if seed is None else []), *draws.sizes(2)]
    marks: list[Any] = [real] if seed is None else []
    for length in draws.sizes(2, 4, 9):
        marks.append(np.isin(np.arange(length), draws.order(length)[: length // 2 + 1]))
    shared: dict[str, Any] = {"infinite": True, "read": as_mask, "explains": explained, "equal": 1e-9}
    return (
        Part("causal", ("n",), (Output("causal", attention.causal, CAUSAL, **shared),), tuple(Probe((length,)) for length in lengths)),
        Part("padding", ("real",), (Output("padding", attention.padding, PADDING, **shared),), tuple(Probe((mark,)) for mark in marks)),
    )


def _causal(allowed: Callable[..., Any]) -> Callable[[int], Array]:
    """A mask to add, from what a function allows by how far back it is, i − j."""
    return lambda n: attention.additive(allowed(np.subtract.outer(np.arange(n), np.arange(n))))


CAUSAL: dict[str, Callable[..., Any]] = {
    "forgot_mask": lambda n: np.zeros((n, n)),
    "hides_the_past": _causal(lambda back: back <= 0),
    "hides_itself": _causal(lambda back: back > 0),
    "sees_one_ahead": _causal(lambda back: back >= -1),
    "inverted": _causal(lambda back: back < 0),
    "itself_alone": _causal(lambda back: back == 0),
    "reversed": lambda n: attention.causal(n)[:, ::-1],
    "multiplies": lambda n: attention.causal(n) == 0,
    "truth_of_hidden": lambda n: attention.causal(n) != 0,
    "plus_infinity": lambda n: -attention.causal(n),
    "hides_all": lambda n: np.full((n, n), -np.inf),
}


def _filling(allowed: Callable[..., Any]) -> Callable[[Array], Array]:
    """A mask to add, from what a function allows by the marks of who looks (a column) and who is looked at (a row)."""
    return lambda real: attention.additive(np.broadcast_to(allowed(np.asarray(real)[None]), (len(real), len(real))))


PADDING: dict[str, Callable[..., Any]] = {
    "forgot_mask": lambda real: np.zeros((len(real), len(real))),
    "hides_queries": _filling(lambda seen: seen.T),
    "hides_both": _filling(lambda seen: seen & seen.T),
    "hides_either": _filling(lambda seen: seen | seen.T),
    "inverted": _filling(lambda seen: ~seen),
    "multiplies": lambda real: np.broadcast_to(real, (len(real), len(real))),
    "truth_of_hidden": lambda real: np.broadcast_to(~np.asarray(real), (len(real), len(real))),
    "plus_infinity": lambda real: -attention.padding(real),
    "causal_too": lambda real: attention.padding(real) + attention.causal(len(real)),
    "only_causal": lambda real: attention.causal(len(real)),
}


def as_mask(value: Array, right: Array) -> Array:
    """A mask as (n, n), a row or a column of it repeated; whatever hides as well as −∞ counts as −∞.

    >>> as_mask(np.array([0, -1e4]), np.zeros((2, 2))).tolist()
    [[0.0, -inf], [0.0, -inf]]
    """
    n = len(right)
    hidden = np.where(value <= HIDES, -np.inf, value)
    while hidden.ndim > 2 and len(hidden) == 1:
        hidden = hidden[0]
    return np.array(np.broadcast_to(hidden, (n, n))) if hidden.shape in {(n,), (1, n), (n, 1)} else hidden


def explained(answer: Array, right: Array) -> tuple[str, Mapping[str, Any]] | None:
    """What is true of a wrong mask: +∞, numbers that don't hide, numbers where nothing should be added, one wrong pair."""
    if answer.shape != right.shape:
        return None
    hidden, wanted = np.isneginf(answer), np.isneginf(right)
    if np.isposinf(answer).any():
        return "plus_infinity", {}
    if (answer[wanted & ~hidden] < 0).any():
        return "weak_hiding", {}
    if (answer[~wanted & ~hidden] != 0).any():
        return "shifts_allowed", {}
    for key, places in (("sees_forbidden", wanted & ~hidden), ("blind_to_allowed", hidden & ~wanted)):
        if places.any():
            row, column = np.argwhere(places)[0]
            return key, {"row": row + 1, "column": column + 1}
    return None
