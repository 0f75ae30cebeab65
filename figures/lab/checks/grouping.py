"""The checkpoint of section 7: grouped heads, and their parameters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import attention, multihead
from figures.kit.arrays import Array
from figures.kit.checkpoints import Part
from figures.kit.formats import count
from figures.lab import inputs


def heads() -> tuple[Part, ...]:
    """Grouped heads on the drawn example, and the parameters of a grouped layer."""
    Q, K, V = inputs.grouped()
    example = inputs.records().grouped
    h, h_kv, layer = example.heads, example.kv_heads, example.layer
    sizes = (layer.d, layer.heads, layer.kv_heads)
    columns = layer.kv_heads * (layer.d // layer.heads)
    right = grouped_count(*sizes)
    return (
        Part(
            "gqa",
            grouped(Q, K, V, h, h_kv),
            {
                "tiled": grouped(Q, K, V, h, h_kv, np.tile(np.arange(h_kv), h // h_kv)),
                "one_group": grouped(Q, K, V, h, h_kv, np.zeros(h, dtype=int)),
                "no_swap": _reshaped_only(Q, K, V, h, h_kv),
                "not_merged": multihead.split(grouped(Q, K, V, h, h_kv), h).reshape(Q.shape),
                "root_of_d": grouped(Q / np.sqrt(h), K, V, h, h_kv),
                "forgot_root": grouped(Q * np.sqrt(Q.shape[-1] // h), K, V, h, h_kv),
            },
            call=lambda function: function(Q.copy(), K.copy(), V.copy(), h, h_kv),
            takes=f"`gqa(Q, K, V, h, h_kv)`, com Q de {count()(len(Q))} linhas",
            equal=1e-5,
        ),
        Part(
            "parametros",
            np.array(right),
            {
                "no_biases": np.array(right - 2 * layer.d - 2 * columns),
                "every_head": np.array(multihead.parameter_count(layer.d, layer.heads, 4)),
                "times_heads": np.array(right * layer.heads),
                "no_output": np.array(right - multihead.parameter_count(layer.d, layer.heads, 1)),
                "one_kv_head": np.array(grouped_count(layer.d, layer.heads, 1)),
            },
            call=lambda function: function(*sizes),
            takes="`parametros(d, h, h_kv)`",
            equal=1e-9,
        ),
    )


def grouped(Q: Array, K: Array, V: Array, h: int, h_kv: int, reads: Sequence[int] | Array | None = None) -> Array:
    """Grouped-query attention: Q (n, h·d_h), K and V (n, h_kv·d_h); head i reads the keys and values of group `reads[i]`.

    By default neighbours share: with four heads and two groups, [0, 0, 1, 1]. With h_kv = h this is multi-head attention.
    """
    groups = np.repeat(np.arange(h_kv), h // h_kv) if reads is None else np.asarray(reads)
    k, v = multihead.split(K, h_kv)[groups], multihead.split(V, h_kv)[groups]
    return multihead.merge(attention.attention(multihead.split(Q, h), k, v))


def _reshaped_only(Q: Array, K: Array, V: Array, h: int, h_kv: int) -> Array:
    """What comes out when (n, h·d_h) is reshaped to (h, n, d_h) at once, and back."""
    d_h = Q.shape[1] // h
    q, k, v = (M.reshape(heads, len(M), d_h) for M, heads in ((Q, h), (K, h_kv), (V, h_kv)))
    mixed = attention.attention(q, k.repeat(h // h_kv, axis=0), v.repeat(h // h_kv, axis=0))
    return mixed.reshape(Q.shape)


def grouped_count(d: int, h: int, h_kv: int) -> int:
    """Numbers learnt by a grouped layer with biases: W_Q and W_O as in multi-head, W_K and W_V with h_kv heads alone.

    >>> grouped_count(64, 8, 8) == multihead.parameter_count(64, 8, 4)
    True
    """
    columns = h_kv * (d // h)
    return multihead.parameter_count(d, h, 2) + 2 * (d * columns + columns)
