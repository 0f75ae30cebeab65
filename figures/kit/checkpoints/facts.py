"""What is true of a wrong array beside the right one, whatever made it: a factor too many, rows exchanged, some places wrong.

Each fact is a key of the words (`facts.KEY`) with its fields, or None. None says what the right value is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from figures.kit.arrays import Array, Booleans
from figures.kit.checkpoints.parts import Output
from figures.kit.checkpoints.reading import within
from figures.kit.formats import joined
from figures.kit.words import Words

_words = Words("checkpoints")
Fact = tuple[str, Mapping[str, Any]]
FEW = 4  # places that are named one by one
COARSE = 2e-3  # the share of the largest number by which half precision may be off


def fact(output: Output, answer: Array, right: Array) -> Fact | None:
    """The first thing that is true of the answer, from the plainest on."""
    if answer.shape != right.shape or not (np.isfinite(answer).all() and np.isfinite(right).all()):
        return None
    same = _closeness(right, output.equal)
    told: Callable[[Array, Array, Same], Fact | None]
    for told in (of_precision, *((of_weights,) if output.weights else ()), of_numbers, of_order, of_lines, of_places):
        if found := told(answer, right, same):
            return found
    return None


Same = Callable[[Array, Array], bool]


def _closeness(right: Array, equal: float) -> Same:
    tolerance = max(equal, 1e-5) * (np.abs(right).max(initial=0.0) or 1.0)
    return lambda a, b: bool(a.shape == b.shape and (np.abs(a - b) <= tolerance).all())


def of_precision(answer: Array, right: Array, same: Same) -> Fact | None:
    """Whether only digits are missing."""
    if same(answer, np.zeros_like(right)):
        return "zeros", {}
    if within(answer, right, COARSE):
        return "coarse", {}
    if any(same(answer, np.round(right, digits)) and not same(right, np.round(right, digits)) for digits in (0, 1, 2)):
        return "rounded", {}
    if same(answer, np.trunc(right)) or same(answer, np.floor(right)):
        return "truncated", {}
    return None


def of_numbers(answer: Array, right: Array, same: Same) -> Fact | None:
    """What can be said of all its numbers at once."""
    if same(answer, -right):
        return "sign", {}
    if same(np.abs(answer), np.abs(right)):
        return "signs", {}
    if right.size > 1 and same(answer, np.broadcast_to(answer.flat[0], right.shape)):
        return "all_equal", {}
    if right.size > 1 and (factor := _factor(answer, right)) and same(answer, factor * right):
        return "factor", {}
    if right.size > 1 and same(answer - right, np.full_like(right, (answer - right).mean())):
        return "shifted", {}
    return None


def of_weights(answer: Array, right: Array, same: Same) -> Fact | None:
    """Whether its rows are shares of a whole."""
    if (answer < -1e-6).any():
        return "negative_weights", {}
    if np.allclose(answer.sum(axis=-1), 1, atol=1e-4):
        return None
    if answer.ndim > 1 and np.allclose(answer.sum(axis=-2), 1, atol=1e-4):
        return "columns_sum", {}
    return ("whole_sum" if np.isclose(answer.sum(), 1, atol=1e-4) else "rows_do_not_sum"), {}


def of_order(answer: Array, right: Array, same: Same) -> Fact | None:
    """Whether it holds the right numbers in other places."""
    if answer.ndim >= 2:
        if same(answer, np.swapaxes(right, -1, -2)) if answer.shape[-1] == answer.shape[-2] else False:
            return "transposed", {}
        if same(_sorted_rows(answer), _sorted_rows(right)):
            return "rows_exchanged", {}
        if same(_sorted_rows(answer.T), _sorted_rows(right.T)):
            return "columns_exchanged", {}
    if answer.size > 1 and same(np.sort(answer, axis=None), np.sort(right, axis=None)):
        return "reordered", {}
    return None


def of_lines(answer: Array, right: Array, same: Same) -> Fact | None:
    """Whether each row, or each column, is right but for a factor or a shift of its own."""
    if answer.ndim < 2:
        return None
    for axis, key in ((-1, "rows"), (-2, "columns")):
        if answer.shape[axis] < 2:
            continue
        factors = (answer * right).sum(axis=axis, keepdims=True) / np.maximum((right * right).sum(axis=axis, keepdims=True), 1e-300)
        if same(answer, factors * right):
            return f"{key}_factor", {}
        if same(answer - right, np.broadcast_to((answer - right).mean(axis=axis, keepdims=True), right.shape)):
            return f"{key}_shifted", {}
    return None


def of_places(answer: Array, right: Array, same: Same) -> Fact | None:
    """Where it is wrong, if that is in a few places alone."""
    wrong = ~np.isclose(answer, right, rtol=0, atol=1e-5 * (np.abs(right).max(initial=0.0) or 1.0))
    if wrong.ndim == 1 and wrong.size > 2 and 0 < wrong.sum() <= wrong.size / 2:
        return "places", {"places": _listed(wrong)}
    if wrong.ndim == 2:
        for axis, key in ((1, "rows"), (0, "columns")):
            lines = np.asarray(wrong.any(axis=axis))
            if lines.size > 1 and lines.sum() <= lines.size / 2:
                return f"some_{key}", {"places": _listed(lines)}
        if wrong.shape[0] == wrong.shape[1] and not np.diagonal(wrong).any():
            return "off_diagonal", {}
    return None


def _listed(places: Booleans) -> str:
    """The places that are marked, counted from 1: "2, 4 e 5"; the first few where there are many."""
    where = [str(n + 1) for n in np.flatnonzero(places)]
    return joined(where, _words("and")) if len(where) <= FEW else _words("facts.and_more", first=", ".join(where[:FEW]))


def _factor(answer: Array, right: Array) -> float:
    """The factor between two arrays, by their largest number."""
    at = np.abs(right).argmax()
    return float(answer.flat[at] / right.flat[at]) if right.flat[at] else 0.0


def _sorted_rows(values: Array) -> Array:
    flat = values.reshape(len(values), -1)
    ordered: Array = flat[np.lexsort(np.round(flat, 6).T[::-1])]
    return ordered
