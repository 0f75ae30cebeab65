"""The lab's multi-head attention as a student writes it: its lines are shown on a slide and run one by one.

Names are Portuguese because readers see them. No batch and no projections here: Q, K and V come in, (n, d) each.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, NamedTuple

from figures import attention
from figures.kit.arrays import Array


def atencao(q: Array, k: Array, v: Array, mascara: Array | None) -> tuple[Array, Array]:
    """Section 2's function for any number of heads: weights (h, n, n) and outputs (h, n, d/h)."""
    A = attention.weights(q, k, mascara)
    return A, A @ v


def multi_head(Q: Array, K: Array, V: Array, h: int, mascara: Array | None = None) -> Array:
    n, d = Q.shape
    dh = d // h
    q = Q.reshape(n, h, dh).swapaxes(0, 1)
    k = K.reshape(n, h, dh).swapaxes(0, 1)
    v = V.reshape(n, h, dh).swapaxes(0, 1)
    A, o = atencao(q, k, v, mascara)
    saida: Array = o.swapaxes(0, 1).reshape(n, d)
    return saida


class Step(NamedTuple):
    """One line of the listing once it has run: its number from 1, its text, and what it made, by name."""

    line: int
    text: str
    made: dict[str, Any]


def lines() -> tuple[str, ...]:
    """The body of `multi_head` as shown: the type and the return are left out.

    >>> lines()[1]
    'dh = d // h'
    """
    _, _, body = inspect.getsource(multi_head).partition(":\n")
    shown = textwrap.dedent(body).replace(": Array =", " =").strip().splitlines()
    return tuple(shown[:-1])


def run(Q: Array, K: Array, V: Array, h: int, mascara: Array | None = None) -> list[Step]:
    """The listing run line by line on Q, K, V (n, d), each line with what it made; q, k and v become (h, n, d/h)."""
    variables: dict[str, Any] = {"Q": Q, "K": K, "V": V, "h": h, "mascara": mascara, "atencao": atencao}
    steps = []
    for number, text in enumerate(lines(), 1):
        exec(text, variables)
        names = [name.strip() for name in text.partition(" = ")[0].split(",")]
        steps.append(Step(number, text, {name: variables[name] for name in names}))
    return steps
