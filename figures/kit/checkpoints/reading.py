"""Reads an answer as numbers, and says in words what was expected and what came."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np

from figures.kit.arrays import Array
from figures.kit.checkpoints.calling import plain
from figures.kit.checkpoints.parts import Part, Probe, Unfit
from figures.kit.formats import exact, joined, shape
from figures.kit.words import Words

_words = Words("checkpoints")
LONG_LIST = 5


def numbers(value: Any, wanted: str, infinite: bool = False) -> Array:
    """An answer as float64, or Unfit: no text, no NaN, no ±∞ where none belongs; tensors are read as arrays."""
    value = plain(value)
    if value is None:
        raise Unfit(_words("unfit.none", expected=wanted))
    if isinstance(value, (str, bytes)):
        raise Unfit(_words("unfit.text", expected=wanted))
    if callable(value):
        raise Unfit(_words("unfit.function", expected=wanted))
    try:
        raw = np.asarray(value)
    except Exception:
        raise Unfit(_words("unfit.kind", expected=wanted, kind=type(value).__name__)) from None
    if raw.size == 0:
        raise Unfit(_words("unfit.empty", expected=wanted))
    if raw.dtype.kind == "c":
        raise Unfit(_words("unfit.complex", expected=wanted))
    if raw.dtype.kind == "O" and all(isinstance(item, Number) and not isinstance(item, complex) for item in raw.flat):
        raw = raw.astype(np.float64)  # fractions, decimals, whole numbers past 64 bits
    if raw.dtype.kind not in "iufb":
        raise Unfit(_words("unfit.kind", expected=wanted, kind=type(value).__name__))
    answer: Array = raw.astype(np.float64)
    if np.isnan(answer).any():
        raise Unfit(_words("unfit.nan", expected=wanted), value=answer)
    if np.isinf(answer).any() and not infinite:
        raise Unfit(_words("unfit.infinite", expected=wanted), value=answer)
    return answer


def expected(right: Array) -> str:
    """What an answer must be: a number, or an array and its shape."""
    return _words("expected.number") if right.size == 1 else _words("expected.array", shape=shape_in_words(right))


def shape_in_words(values: Array) -> str:
    """A shape in words: "6 × 4"; one axis as its length, none as a lone number."""
    return _words("shape.none") if values.ndim == 0 else shape()(values.shape) if values.ndim > 1 else _words("shape.one", n=len(values))


def call_in_words(part: Part, probe: Probe, sizes: bool = False) -> str:
    """A call as a student would write it: "`f(Q, 7)`"; with `sizes`, what is said of its arrays follows."""
    given = [*zip(part.parameters, probe.args), *probe.named.items()]
    shown = [_argument(name, value, name in probe.named) for name, value in given]
    arrays = [_words("call.array", name=name, shape=shape_in_words(value)) for name, value in given if isinstance(value, np.ndarray)]
    call = _words("call.plain", name=part.name, arguments=", ".join(shown))
    return _words("call.sizes", call=call, arrays=joined(arrays, _words("and"))) if sizes and arrays else call


def _argument(name: str, value: Any, named: bool) -> str:
    short = isinstance(value, (bool, int, float)) or (isinstance(value, list) and len(value) <= LONG_LIST)
    if not short:
        return f"{name}={name}" if named else name
    text = exact()(value) if isinstance(value, float) else str(value)
    return f"{name}={text}" if named else text


def within(answer: Any, right: Any, share: float) -> bool:
    """Whether all numbers agree, up to a share of the largest right one.

    Infinite numbers and NaN must stand in the same places; axes of length 1 don't count.

    >>> within([1.04], [1], 0.05)
    True
    """
    answer, right = np.squeeze(np.asarray(answer, np.float64)), np.squeeze(np.asarray(right, np.float64))
    if answer.shape != right.shape:
        return False
    finite = np.isfinite(right)
    if not np.isfinite(answer[finite]).all() or not np.array_equal(answer[~finite], right[~finite], equal_nan=True):
        return False
    scale = np.abs(right[finite]).max(initial=0.0)
    return bool((np.abs(answer[finite] - right[finite]) <= share * (scale or 1.0)).all())
