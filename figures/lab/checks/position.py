"""The checkpoint of section 6: shuffled tokens, and a vector turned."""

from __future__ import annotations

import numpy as np

from figures import rope
from figures.kit.arrays import Array
from figures.kit.checkpoints import Part
from figures.kit.formats import count
from figures.lab import inputs


def order() -> tuple[Part, ...]:
    """What a head makes of shuffled tokens, and a vector turned as RoPE turns it."""
    X, shuffled, q = inputs.order()
    outputs = inputs.head(X)
    at, base = inputs.records().rotated_to, rope.records().base
    d, speeds = len(q), rope.speeds(len(q), base)
    halves = rope.rotate(_paired(q), at, base)
    return (
        Part(
            "previsto",
            inputs.head(X[shuffled]),
            {"unshuffled": outputs, "other_way": outputs[np.argsort(shuffled)], "shuffled_input": X[shuffled]},
            equal=1e-5,
        ),
        Part(
            "gira",
            rope.rotate(q, at, base),
            {
                "not_turned": q,
                "backwards": rope.rotate(q, -at, base),
                "position_ignored": rope.rotate(q, 1, base),
                "same_speed": turned(q, np.full(d // 2, float(at))),
                "speed_exponent": turned(q, at * base ** (-np.arange(d // 2) / d)),
                "growing_speed": turned(q, at / speeds),
                "halves": np.concatenate([halves[0::2], halves[1::2]]),
            },
            call=lambda function: function(q.copy(), at),
            takes=f"`gira(x, posicao)`, com x de {count()(d)} números e uma posição inteira",
            equal=1e-5,
        ),
    )


def turned(x: Array, angles: Array) -> Array:
    """`x` with pair i turned by `angles[i]`.

    >>> turned(np.array([1, 0]), np.array([np.pi / 2])).round(9).tolist()
    [0.0, 1.0]
    """
    even, odd = x[0::2], x[1::2]
    return np.stack([even * np.cos(angles) - odd * np.sin(angles), even * np.sin(angles) + odd * np.cos(angles)], axis=-1).ravel()


def _paired(x: Array) -> Array:
    """(x_0, x_d/2, x_1, x_d/2+1, …): the pairs of those who split a vector in halves, side by side."""
    return np.column_stack(np.split(x, 2)).ravel()
