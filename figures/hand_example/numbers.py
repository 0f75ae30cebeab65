"""The numbers that slides show of the example worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures.hand_example import model
from figures.hand_example.model import steps_of
from figures.kit import ledger
from figures.kit.formats import Format, count, fixed, plain, spelled, vector
from figures.kit.show import number


def zero(inner: Format) -> Format:
    """`inner`, with an exact zero written "0".

    >>> zero(fixed(3))(0.0), zero(fixed(3))(0.074)
    ('0', '0,074')
    """
    return Format(f"zero({inner.name})", lambda value: "0" if value == 0 else inner(value))


@number(spelled(feminine=True))
def sentence_count() -> int:
    """In how many sentences the ambiguous word stands."""
    return len(model.example().sentences)


@number(count())
def token_count() -> int:
    """How many words the example keeps."""
    return len(model.example().tokens)


@number(count())
def dimensions() -> int:
    """Numbers in a key, d_k."""
    return len(model.example().query)


@number(spelled(feminine=True))
def dimension_count() -> int:
    """The same in words."""
    return len(model.example().query)


@number(spelled(feminine=True))
def key_count() -> int:
    """How many keys the query meets, in words."""
    return len(model.example().tokens)


@number(fixed(2))
def root() -> float:
    """The divisor √d_k."""
    return float(np.sqrt(len(model.example().query)))


@number(spelled())
def step_count() -> int:
    """How many numbered steps the table shows."""
    return len(STEPS)


# ① to ④ as fields of Steps; ③ has two columns, the exponential and the weight.
STEPS: tuple[tuple[str, ...], ...] = (("products",), ("scaled",), ("exponentials", "weights"), ("contributions",))


@number(vector(plain()))
def query() -> Any:
    """The query of "banco"."""
    return ledger.fact(model.example().query, model.example().source)


@number(vector(plain()))
def value(token: str) -> Any:
    """The value of a token.

    >>> value("banco")
    [0,5; 0,5]
    """
    return ledger.fact(model.token_of(token).value, model.example().source)


@number(fixed(2))
def scaled(token: str) -> float:
    """Step ②, the score over √d_k.

    >>> scaled("banco")
    2,12
    """
    return float(_entry("scaled", token))


@number(fixed(2))
def exponential(token: str) -> float:
    """Step ③, e to the scaled score.

    >>> exponential("banco")
    8,34
    """
    return float(_entry("exponentials", token))


@number(fixed(2))
def total() -> float:
    """The sum of the exponentials."""
    return steps_of(model.example()).total


@number(fixed(3))
def weight(token: str) -> float:
    """Step ③, the weight that the query gives to `token`.

    >>> weight("praça")
    0,620
    """
    return float(_entry("weights", token))


@number(plain())
def weight_sum() -> float:
    """What the weights add up to."""
    return float(steps_of(model.example()).weights.sum())


@number(vector(fixed(2)))
def output() -> tuple[float, ...]:
    """The new vector of "banco"."""
    return tuple(steps_of(model.example()).output.tolist())


def _entry(step: str, token: str) -> Any:
    """What a step gives for one token."""
    example = model.example()
    return getattr(steps_of(example), step)[example.names.index(model.token_of(token).name)]
