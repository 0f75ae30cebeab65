"""The checkpoint of section 4: the way back, by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from figures import attention
from figures.kit.arrays import Array
from figures.kit.checkpoints import Output, Part, Probe
from figures.lab import inputs
from figures.lab.checks.draws import Draws


def way_back(seed: int | None = None) -> tuple[Part, ...]:
    """∂L/∂S, ∂L/∂Q and ∂L/∂K: of the rows that slide "A volta pelo softmax" measures, and of others with more keys than queries."""
    draws = Draws(seed)
    probes = [] if seed is not None else [_probe(*inputs.way_back())]
    for _ in range(2):
        n, m, d, width = draws.sizes(4)
        probes.append(_probe(draws.array(n, d), draws.array(m, d), draws.array(m, width), draws.array(n, width)))
    return (
        Part(
            "volta",
            ("A", "Q", "K", "V", "dO"),
            (
                Output("dS", lambda A, Q, K, V, dO: attention.softmax_backward(A, dO @ V.T), OF_SCORES, equal=1e-5),
                Output("dQ", _own(lambda dS, Q, K: dS @ K / _root(K)), OF_QUERIES, after="dS", equal=1e-5),
                Output("dK", _own(lambda dS, Q, K: dS.T @ Q / _root(K)), OF_KEYS, after="dS", equal=1e-5),
            ),
            tuple(probes),
            alone=("A", "V", "dO"),
        ),
    )


def _probe(Q: Array, K: Array, V: Array, dO: Array) -> Probe:
    return Probe((attention.weights(Q, K), Q, K, V, dO))


def _root(K: Array) -> float:
    return float(np.sqrt(K.shape[-1]))


def _scores(change: Callable[[Array, Array], Array]) -> Callable[..., Array]:
    """What a function makes of A and ∂L/∂A."""
    return lambda A, Q, K, V, dO: change(A, dO @ V.T)


def _mean(A: Array, dA: Array) -> Array:
    mean: Array = (A * dA).sum(axis=-1, keepdims=True)
    return mean


OF_SCORES: dict[str, Callable[..., Any]] = {
    "no_mean": _scores(lambda A, dA: A * dA),
    "plain_mean": _scores(lambda A, dA: A * (dA - dA.mean(axis=-1, keepdims=True))),
    "plain_sum": _scores(lambda A, dA: A * (dA - dA.sum(axis=-1, keepdims=True))),
    "mean_of_columns": _scores(lambda A, dA: A * (dA - (A * dA).sum(axis=0))),
    "one_mean": _scores(lambda A, dA: A * (dA - (A * dA).sum())),
    "mean_of_products": _scores(lambda A, dA: A * (dA - (A * dA).mean(axis=-1, keepdims=True))),
    "unkept_axis": _scores(lambda A, dA: A * (dA - (A * dA).sum(axis=-1))),
    "no_weights": _scores(lambda A, dA: dA - _mean(A, dA)),
    "weights_inside": _scores(lambda A, dA: A * dA - _mean(A, dA)),
    "added_mean": _scores(lambda A, dA: A * (dA + _mean(A, dA))),
    "negative": _scores(lambda A, dA: A * (_mean(A, dA) - dA)),
    "diagonal_alone": _scores(lambda A, dA: A * (1 - A) * dA),
    "matrix_product": _scores(lambda A, dA: A @ (dA - _mean(A, dA))),
    "weights_twice": _scores(lambda A, dA: A * A * (dA - _mean(A, dA))),
    "before_softmax": _scores(lambda A, dA: dA),
    "transposed": _scores(lambda A, dA: attention.softmax_backward(A, dA).T),
    "only_mean": _scores(lambda A, dA: -A * _mean(A, dA)),
}


def _own(follow: Callable[[Array, Array, Array], Array]) -> Callable[..., Array]:
    """What follows from the student's own ∂L/∂S, or from the right one where there is none of the right shape."""

    def followed(dS: Array | None, A: Array, Q: Array, K: Array, V: Array, dO: Array) -> Array:
        return follow(attention.softmax_backward(A, dO @ V.T) if dS is None else dS, Q, K)

    return followed


def _from(use: Callable[..., Array]) -> Callable[..., Array]:
    return lambda dS, A, Q, K, V, dO: use(A, Q, K, V, dO)


OF_QUERIES: dict[str, Callable[..., Any]] = {
    "forgot_root": _own(lambda dS, Q, K: dS @ K),
    "divided_by_d_k": _own(lambda dS, Q, K: dS @ K / K.shape[-1]),
    "multiplied": _own(lambda dS, Q, K: dS @ K * _root(K)),
    "root_of_m": _own(lambda dS, Q, K: dS @ K / np.sqrt(len(K))),
    "root_of_n": _own(lambda dS, Q, K: dS @ K / np.sqrt(len(Q))),
    "transposed": _own(lambda dS, Q, K: dS.T @ K / _root(K)),
    "other_factor": _own(lambda dS, Q, K: dS @ Q / _root(K)),
    "exchanged_gradients": _own(lambda dS, Q, K: dS.T @ Q / _root(K)),
    "negative": _own(lambda dS, Q, K: -dS @ K / _root(K)),
    "from_dA": _from(lambda A, Q, K, V, dO: dO @ V.T @ K / _root(K)),
    "from_A": _from(lambda A, Q, K, V, dO: A @ K / _root(K)),
}
OF_KEYS: dict[str, Callable[..., Any]] = {
    "forgot_root": _own(lambda dS, Q, K: dS.T @ Q),
    "divided_by_d_k": _own(lambda dS, Q, K: dS.T @ Q / K.shape[-1]),
    "multiplied": _own(lambda dS, Q, K: dS.T @ Q * _root(K)),
    "root_of_m": _own(lambda dS, Q, K: dS.T @ Q / np.sqrt(len(K))),
    "root_of_n": _own(lambda dS, Q, K: dS.T @ Q / np.sqrt(len(Q))),
    "transposed": _own(lambda dS, Q, K: dS @ Q / _root(K)),
    "other_factor": _own(lambda dS, Q, K: dS.T @ K / _root(K)),
    "exchanged_gradients": _own(lambda dS, Q, K: dS @ K / _root(K)),
    "negative": _own(lambda dS, Q, K: -dS.T @ Q / _root(K)),
    "from_dA": _from(lambda A, Q, K, V, dO: (dO @ V.T).T @ Q / _root(K)),
    "from_A": _from(lambda A, Q, K, V, dO: A.T @ Q / _root(K)),
}
