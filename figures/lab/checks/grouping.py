"""The checkpoint of section 7: grouped heads, and their parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures import attention, multihead
from figures.kit.arrays import Array
from figures.kit.checkpoints import Output, Part, Probe
from figures.lab import inputs
from figures.lab.checks.draws import Draws


def heads(seed: int | None = None) -> tuple[Part, ...]:
    """Grouped heads, and the parameters of a grouped layer."""
    draws = Draws(seed)
    example = inputs.records().grouped
    drawn = [(*inputs.grouped(), example.heads, example.kv_heads)] if seed is None else []
    layers = [(example.layer.d, example.layer.heads, example.layer.kv_heads)] if seed is None else []
    for _ in range(2):
        h_kv, group, d_h = draws.sizes(3, 3, 7)  # the section's own has two heads a group
        h, n = h_kv * group, draws.one_of([7, 9, 11])
        drawn.append((draws.array(n, h * d_h), draws.array(n, h_kv * d_h), draws.array(n, h_kv * d_h), h, h_kv))
    for _ in range(2):
        h_kv, group, d_h = draws.sizes(3, 3, 12)
        layers.append((h_kv * group * d_h, h_kv * group, h_kv))
    return (
        Part(
            "gqa",
            ("Q", "K", "V", "h", "h_kv"),
            (Output("gqa", grouped, MIXED, equal=1e-5),),
            tuple(Probe(args) for args in drawn),
            alone=("Q", "K", "V"),
        ),
        Part(
            "parametros",
            ("d", "h", "h_kv"),
            (Output("parametros", grouped_count, COUNTED, equal=1e-9),),
            tuple(Probe(sizes) for sizes in layers),
            alone=("d", "h_kv"),
        ),
    )


def grouped(Q: Array, K: Array, V: Array, h: int, h_kv: int, reads: Sequence[int] | Array | None = None) -> Array:
    """Grouped-query attention: Q (n, h·d_h), K and V (n, h_kv·d_h); head i reads the keys and values of group `reads[i]`.

    By default neighbours share: with four heads and two groups, [0, 0, 1, 1]. With h_kv = h this is multi-head attention.
    """
    groups = np.repeat(np.arange(h_kv), h // h_kv) if reads is None else np.asarray(reads)
    k, v = multihead.split(K, h_kv)[groups], multihead.split(V, h_kv)[groups]
    return multihead.merge(attention.attention(multihead.split(Q, h), k, v))


def _reading(reads: Callable[[int, int], Any]) -> Callable[..., Array]:
    return lambda Q, K, V, h, h_kv: grouped(Q, K, V, h, h_kv, reads(h, h_kv))


def _apart(keys: Callable[[int, int], Any], values: Callable[[int, int], Any]) -> Callable[..., Array]:
    """Heads that read other groups for their keys than for their values."""

    def mixed(Q: Array, K: Array, V: Array, h: int, h_kv: int) -> Array:
        k, v = multihead.split(K, h_kv)[keys(h, h_kv)], multihead.split(V, h_kv)[values(h, h_kv)]
        return multihead.merge(attention.attention(multihead.split(Q, h), k, v))

    return mixed


def _neighbours(h: int, h_kv: int) -> Any:
    return np.arange(h) // (h // h_kv)


def _in_turn(h: int, h_kv: int) -> Any:
    return np.arange(h) % h_kv


def _reshaped_only(Q: Array, K: Array, V: Array, h: int, h_kv: int) -> Array:
    """What comes out when (n, h·d_h) is reshaped to (h, n, d_h) at once, and back."""
    d_h = Q.shape[1] // h
    q, k, v = (M.reshape(heads, len(M), d_h) for M, heads in ((Q, h), (K, h_kv), (V, h_kv)))
    mixed = attention.attention(q, k.repeat(h // h_kv, axis=0), v.repeat(h // h_kv, axis=0))
    return mixed.reshape(Q.shape)


def _keys_reshaped_only(which: str) -> Callable[..., Array]:
    """The same of the keys alone, of the values alone, or of both, the queries split as they should be."""

    def mixed(Q: Array, K: Array, V: Array, h: int, h_kv: int) -> Array:
        d_h = Q.shape[1] // h
        k, v = (M.reshape(h_kv, len(M), d_h) if name in which else multihead.split(M, h_kv) for name, M in (("k", K), ("v", V)))
        groups = _neighbours(h, h_kv)
        return multihead.merge(attention.attention(multihead.split(Q, h), k[groups], v[groups]))

    return mixed


def _asked_by_keys(Q: Array, K: Array, V: Array, h: int, h_kv: int) -> Array:
    """Each head with its keys for queries and its queries for keys."""
    groups = _neighbours(h, h_kv)
    k, v = multihead.split(K, h_kv)[groups], multihead.split(V, h_kv)[groups]
    return multihead.merge(attention.attention(k, multihead.split(Q, h), v))


def _interleaved(Q: Array, h: int) -> Array:
    """Queries whose head i takes every h-th column from i on."""
    return Q.reshape(len(Q), -1, h).swapaxes(1, 2).reshape(Q.shape)


MIXED: dict[str, Callable[..., Any]] = {
    "tiled": _reading(_in_turn),
    "tiled_keys": _apart(_in_turn, _neighbours),
    "tiled_values": _apart(_neighbours, _in_turn),
    "one_group": _reading(lambda h, h_kv: np.zeros(h, dtype=int)),
    "groups_reversed": _reading(lambda h, h_kv: _neighbours(h, h_kv)[::-1]),
    "no_swap": _reshaped_only,
    "no_swap_of_keys": _keys_reshaped_only("kv"),
    "no_swap_of_k": _keys_reshaped_only("k"),
    "no_swap_of_v": _keys_reshaped_only("v"),
    "keys_for_values": lambda Q, K, V, h, h_kv: grouped(Q, K, K, h, h_kv),
    "values_for_keys": lambda Q, K, V, h, h_kv: grouped(Q, V, V, h, h_kv),
    "keys_and_values_exchanged": lambda Q, K, V, h, h_kv: grouped(Q, V, K, h, h_kv),
    "queries_for_keys": lambda Q, K, V, h, h_kv: _asked_by_keys(Q, K, V, h, h_kv),
    "interleaved_queries": lambda Q, K, V, h, h_kv: grouped(_interleaved(Q, h), K, V, h, h_kv),
    "not_merged": lambda Q, K, V, h, h_kv: multihead.split(grouped(Q, K, V, h, h_kv), h).reshape(Q.shape),
    "not_joined": lambda Q, K, V, h, h_kv: multihead.split(grouped(Q, K, V, h, h_kv), h),
    "joined_by_dimension": lambda Q, K, V, h, h_kv: multihead.split(grouped(Q, K, V, h, h_kv), h).transpose(1, 2, 0).reshape(Q.shape),
    "root_of_d": lambda Q, K, V, h, h_kv: grouped(Q / np.sqrt(h), K, V, h, h_kv),
    "forgot_root": lambda Q, K, V, h, h_kv: grouped(Q * np.sqrt(Q.shape[-1] // h), K, V, h, h_kv),
    "weights": lambda Q, K, V, h, h_kv: attention.weights(multihead.split(Q, h), multihead.split(K, h_kv)[_neighbours(h, h_kv)]),
}


def grouped_count(d: int, h: int, h_kv: int) -> int:
    """Numbers learnt by a grouped layer with biases: W_Q and W_O as in multi-head, W_K and W_V with h_kv heads alone.

    >>> grouped_count(64, 8, 8) == multihead.parameter_count(64, 8, 4)
    True
    """
    columns = h_kv * (d // h)
    return multihead.parameter_count(d, h, 2) + 2 * (d * columns + columns)


def _layer(count: Callable[[int, int, int, int], int]) -> Callable[[int, int, int], int]:
    """A count from d, h, h_kv and the columns of W_K."""
    return lambda d, h, h_kv: count(d, h, h_kv, h_kv * (d // h))


COUNTED: dict[str, Callable[..., Any]] = {
    "no_biases": _layer(lambda d, h, g, c: 2 * d * d + 2 * d * c),
    "one_bias": _layer(lambda d, h, g, c: 2 * d * d + 2 * d * c + d),
    "wide_biases": _layer(lambda d, h, g, c: 2 * d * d + 2 * d * c + 4 * d),
    "no_small_biases": _layer(lambda d, h, g, c: 2 * (d * d + d) + 2 * d * c),
    "no_large_biases": _layer(lambda d, h, g, c: 2 * d * d + 2 * (d * c + c)),
    "narrow_biases": _layer(lambda d, h, g, c: 2 * d * d + 2 * d * c + 4 * c),
    "every_head": _layer(lambda d, h, g, c: 4 * (d * d + d)),
    "times_heads": _layer(lambda d, h, g, c: h * (2 * (d * d + d) + 2 * (d * c + c))),
    "times_groups": _layer(lambda d, h, g, c: g * (2 * (d * d + d) + 2 * (d * c + c))),
    "no_output": _layer(lambda d, h, g, c: d * d + d + 2 * (d * c + c)),
    "no_query": _layer(lambda d, h, g, c: 2 * (d * c + c)),
    "only_large": _layer(lambda d, h, g, c: 2 * (d * d + d)),
    "one_of_two": _layer(lambda d, h, g, c: 2 * (d * d + d) + d * c + c),
    "output_too_small": _layer(lambda d, h, g, c: d * d + d + 3 * (d * c + c)),
    "one_kv_head": _layer(lambda d, h, g, c: 2 * (d * d + d) + 2 * (d + 1) * (d // h)),
    "groups_times_heads": _layer(lambda d, h, g, c: 2 * (d * d + d) + 2 * (d + 1) * g * h),
    "groups_times_d": _layer(lambda d, h, g, c: 2 * (d * d + d) + 2 * (d + 1) * g * d),
    "groups_alone": _layer(lambda d, h, g, c: 2 * (d * d + d) + 2 * (d + 1) * g),
    "width_by_groups": _layer(lambda d, h, g, c: 2 * (d * d + d) + 2 * (d + 1) * (d // g)),
}
