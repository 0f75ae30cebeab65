"""The checkpoint of section 6: shuffled tokens, and a vector turned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from figures import rope
from figures.kit.arrays import Array
from figures.kit.checkpoints import Output, Part, Probe
from figures.lab import inputs
from figures.lab.checks.draws import Draws


def order(seed: int | None = None) -> tuple[Part, ...]:
    """What a head makes of shuffled tokens, and a vector turned as RoPE turns it."""
    draws = Draws(seed)
    X, shuffled, q = inputs.order()
    outputs = [(inputs.head(X), shuffled)] if seed is None else []
    for n, width in (draws.sizes(2), draws.sizes(2)):
        outputs.append((draws.array(n, width), draws.order(n)))
    turns = [(q, inputs.records().rotated_to, rope.records().base)] if seed is None else []
    for pairs, base in zip(draws.sizes(2, 2, 7), (500, 10_000)):
        turns.append((draws.array(2 * pairs), draws.one_of(range(2, 30)), base))
    return (
        Part(
            "preve",
            ("O", "ordem"),
            (Output("preve", lambda rows, order: rows[order], SHUFFLED, equal=1e-5),),
            tuple(Probe((rows, list(order))) for rows, order in outputs),
        ),
        Part(
            "gira",
            ("x", "posicao", "base"),
            (Output("gira", rope.rotate, TURNED, equal=1e-5),),
            tuple(Probe(turn) for turn in turns),
            alone=("posicao", "base"),
        ),
    )


SHUFFLED: dict[str, Callable[..., Any]] = {
    "unshuffled": lambda rows, order: rows,
    "other_way": lambda rows, order: rows[np.argsort(order)],
    "backwards_order": lambda rows, order: rows[::-1],
    "one_row": lambda rows, order: rows[order[0]],
    "shuffled_twice": lambda rows, order: rows[order][order],
    "mean_row": lambda rows, order: np.broadcast_to(rows.mean(axis=0), rows.shape),
    "order_itself": lambda rows, order: order,
}


def turned(x: Array, angles: Array) -> Array:
    """`x` with pair i turned by `angles[i]`.

    >>> turned(np.array([1, 0]), np.array([np.pi / 2])).round(9).tolist()
    [0.0, 1.0]
    """
    even, odd = x[0::2], x[1::2]
    return np.stack([even * np.cos(angles) - odd * np.sin(angles), even * np.sin(angles) + odd * np.cos(angles)], axis=-1).ravel()


def _angled(angles: Callable[..., Any]) -> Callable[[Array, int, float], Array]:
    """A vector turned by other angles: a function of the pairs' numbers from 0, the position, and of d and the base."""
    return lambda x, posicao, base: turned(x, np.broadcast_to(angles(np.arange(len(x) // 2), posicao, (len(x), base)), len(x) // 2))


def _parts(x: Array, posicao: int, base: float) -> tuple[Array, Array, Array, Array]:
    angles = posicao * rope.speeds(len(x), base)
    return x[0::2], x[1::2], np.cos(angles), np.sin(angles)


def _combined(first: Callable[..., Array], second: Callable[..., Array]) -> Callable[[Array, int, float], Array]:
    """The pairs that come out of two functions of their even and odd numbers, the cosines and the sines."""
    return lambda x, posicao, base: np.stack([first(*_parts(x, posicao, base)), second(*_parts(x, posicao, base))], axis=-1).ravel()


def _halved(x: Array, posicao: int, base: float) -> Array:
    """The pairs of those who split a vector in halves, (x_0, x_d/2), each kept in its place."""
    pairs = rope.rotate(np.column_stack(np.split(x, 2)).ravel(), posicao, base)
    return np.concatenate([pairs[0::2], pairs[1::2]])


def _right_first(e: Array, o: Array, c: Array, s: Array) -> Array:
    return e * c - o * s


def _right_second(e: Array, o: Array, c: Array, s: Array) -> Array:
    return e * s + o * c


TURNED: dict[str, Callable[..., Any]] = {
    "not_turned": lambda x, posicao, base: x,
    "backwards": lambda x, posicao, base: rope.rotate(x, -posicao, base),
    "position_ignored": lambda x, posicao, base: rope.rotate(x, 1, base),
    "one_position_more": lambda x, posicao, base: rope.rotate(x, posicao + 1, base),
    "one_position_less": lambda x, posicao, base: rope.rotate(x, posicao - 1, base),
    "turned_twice": lambda x, posicao, base: rope.rotate(x, 2 * posicao, base),
    "turned_half": lambda x, posicao, base: rope.rotate(x, posicao / 2, base),
    "position_of_size": lambda x, posicao, base: rope.rotate(x, len(x) - 1, base),
    "same_speed": _angled(lambda i, at, sizes: at * np.ones(len(i))),
    "speed_exponent": _angled(lambda i, at, sizes: at * sizes[1] ** (-i / sizes[0])),
    "twice_the_exponent": _angled(lambda i, at, sizes: at * sizes[1] ** (-4 * i / sizes[0])),
    "odd_exponents": _angled(lambda i, at, sizes: at * sizes[1] ** (-(2 * i + 1) / sizes[0])),
    "pairs_but_one": _angled(lambda i, at, sizes: at * sizes[1] ** (-2 * i / (sizes[0] - 2))),
    "pairs_from_one": _angled(lambda i, at, sizes: at * sizes[1] ** (-2 * (i + 1) / sizes[0])),
    "growing_speed": _angled(lambda i, at, sizes: at * sizes[1] ** (2 * i / sizes[0])),
    "not_divided_by_d": _angled(lambda i, at, sizes: at * float(sizes[1]) ** (-2 * i)),
    "speeds_alone": _angled(lambda i, at, sizes: sizes[1] ** (-2 * i / sizes[0])),
    "position_in_power": _angled(lambda i, at, sizes: (at * sizes[1]) ** (-2 * i / sizes[0])),
    "product_with_base": _angled(lambda i, at, sizes: at * sizes[1] * (-2 * i / sizes[0])),
    "full_turns": _angled(lambda i, at, sizes: 2 * np.pi * at * sizes[1] ** (-2 * i / sizes[0])),
    "degrees": _angled(lambda i, at, sizes: np.deg2rad(at * sizes[1] ** (-2 * i / sizes[0]))),
    "speeds_reversed": _angled(lambda i, at, sizes: at * sizes[1] ** (-2 * i[::-1] / sizes[0])),
    "halves": _halved,
    "halves_joined": lambda x, posicao, base: np.concatenate(
        [_right_first(*_parts(x, posicao, base)), _right_second(*_parts(x, posicao, base))]
    ),
    "overwritten": _combined(_right_first, lambda e, o, c, s: _right_first(e, o, c, s) * s + o * c),
    "both_minus": _combined(_right_first, lambda e, o, c, s: e * s - o * c),
    "both_plus": _combined(lambda e, o, c, s: e * c + o * s, _right_second),
    "sine_for_cosine": _combined(lambda e, o, c, s: e * s - o * c, lambda e, o, c, s: e * c + o * s),
    "axes_exchanged": _combined(_right_second, _right_first),
    "cosines_alone": _combined(lambda e, o, c, s: e * c, lambda e, o, c, s: o * c),
    "sines_alone": _combined(lambda e, o, c, s: -o * s, lambda e, o, c, s: e * s),
    "first_alone": _combined(_right_first, lambda e, o, c, s: o),
    "second_alone": _combined(lambda e, o, c, s: e, _right_second),
    "same_number_twice": _combined(lambda e, o, c, s: e * c - e * s, lambda e, o, c, s: e * s + e * c),
    "odd_number_twice": _combined(lambda e, o, c, s: o * c - o * s, lambda e, o, c, s: o * s + o * c),
    "pairs_exchanged": _combined(lambda e, o, c, s: o * c - e * s, lambda e, o, c, s: o * s + e * c),
}
