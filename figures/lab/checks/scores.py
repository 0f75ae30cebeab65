"""The checkpoints of sections 1 to 3: one query, all queries at once, and why the root."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from figures import attention, scaling_experiment
from figures.kit.arrays import Array
from figures.kit.checkpoints import Output, Part, Probe
from figures.lab import inputs
from figures.lab.checks.draws import Draws

BY_HAND = 6e-3  # two decimals, as a hand writes them


def dictionary(seed: int | None = None) -> tuple[Part, ...]:
    """One query against a few keys, as slide "Os quatro passos" has it; the section's own may be done on paper."""
    draws = Draws(seed)
    probes = [] if seed is not None else [Probe(inputs.dictionary())]
    for _ in range(2):
        d, m, width = draws.sizes(3)
        probes.append(Probe((draws.array(d), draws.array(m, d), draws.array(m, width))))
    return (
        Part(
            "consulta",
            ("q", "K", "V"),
            (Output("saida", consulted, ONE_QUERY, equal=1e-5),),
            tuple(probes),
            alone=("q", "K"),
            value=BY_HAND,
        ),
    )


def consulted(q: Array, K: Array, V: Array) -> Array:
    """The mean of the values, weighted by the softmax of the query's scores."""
    mixed: Array = attention.attention(q[None], K, V)[0]
    return mixed


def _mixing(weigh: Callable[[Array, Any], Array]) -> Callable[..., Any]:
    """The values mixed by what a function makes of the products K q and the number of their terms."""
    return lambda q, K, V: weigh(K @ q, len(q)) @ V


ONE_QUERY: dict[str, Callable[..., Any]] = {
    "forgot_root": _mixing(lambda s, d: attention.softmax(s)),
    "divided_by_d_k": _mixing(lambda s, d: attention.softmax(s / d)),
    "multiplied": _mixing(lambda s, d: attention.softmax(s * np.sqrt(d))),
    "root_of_n": _mixing(lambda s, d: attention.softmax(s / np.sqrt(len(s)))),
    "root_of_width": lambda q, K, V: attention.softmax(K @ q / np.sqrt(V.shape[1])) @ V,
    "unnormalised": _mixing(lambda s, d: np.exp(s / np.sqrt(d))),
    "unnormalised_and_no_root": _mixing(lambda s, d: np.exp(s)),
    "no_exponential": _mixing(lambda s, d: s / s.sum()),
    "scores_as_weights": _mixing(lambda s, d: s / np.sqrt(d)),
    "even": _mixing(lambda s, d: np.full(len(s), 1 / len(s))),
    "hard": _mixing(lambda s, d: np.eye(len(s))[s.argmax()]),
    "falling": _mixing(lambda s, d: attention.softmax(-s / np.sqrt(d))),
    "summed_values": _mixing(lambda s, d: np.ones(len(s))),
    "other_base": _mixing(lambda s, d: 2.0 ** (s / np.sqrt(d)) / (2.0 ** (s / np.sqrt(d))).sum()),
    "divided_by_count": _mixing(lambda s, d: np.exp(s / np.sqrt(d)) / len(s)),
    "divided_by_largest": _mixing(lambda s, d: np.exp(s / np.sqrt(d)) / np.exp(s / np.sqrt(d)).max()),
    "mixed_keys": lambda q, K, V: consulted(q, K, K),
    "weights": lambda q, K, V: attention.weights(q[None], K)[0],
    "exponentials": lambda q, K, V: np.exp(K @ q / np.sqrt(len(q))),
    "scores": lambda q, K, V: K @ q / np.sqrt(len(q)),
    "divided_values": lambda q, K, V: consulted(q, K, V) / np.sqrt(len(q)),
}


def all_queries(seed: int | None = None) -> tuple[Part, ...]:
    """The weights and the output of all queries at once, with a mask and without, for one head and for several."""
    draws = Draws(seed)
    probes = [] if seed is not None else [Probe(inputs.all_queries())]
    n, m, d, width, h = draws.sizes(5)
    one = draws.array(n, d), draws.array(m, d), draws.array(m, width)
    many = draws.array(h, n, d), draws.array(h, m, d), draws.array(h, m, width)
    probes += [Probe(one), Probe((*one, draws.mask(n, m))), Probe(many), Probe((*many, draws.mask(n, m)))]
    return (
        Part(
            "atencao",
            ("Q", "K", "V", "mascara"),
            (
                Output("A", weighted, OF_WEIGHTS, weights=True, equal=1e-5),
                Output("saida", _with_own(lambda A, V, K, Q: A @ V), OF_OUTPUT, after="A", equal=1e-5),
            ),
            tuple(probes),
            alone=("Q", "K"),
        ),
    )


def weighted(Q: Array, K: Array, V: Array, mascara: Any = 0.0) -> Array:
    """The weights; V counts for nothing."""
    return attention.weights(np.asarray(Q, np.float64), K, np.asarray(mascara))


def _scored(change: Callable[[Array, int], Any]) -> Callable[..., Array]:
    """What a function makes of the scores with their mask, √d_k divided out, and of d_k."""
    return lambda Q, K, V, mascara=0.0: change(attention.scores(Q, K) + np.asarray(mascara), K.shape[-1])


def _raw(Q: Array, K: Array, mascara: Any, divisor: float) -> Array:
    return attention.softmax(attention.scores(Q, K, scale=False) / divisor + np.asarray(mascara))


def _soft(S: Array) -> Array:
    """A softmax that lets through what comes of +∞ and NaN."""
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    shares: Array = E / E.sum(axis=-1, keepdims=True)
    return shares


def _whole(S: Array, d: int) -> Any:
    return np.exp(S) / np.exp(S).sum()


def _columns(S: Array, d: int) -> Any:
    return np.exp(S) / np.exp(S).sum(axis=-2, keepdims=True)


OF_WEIGHTS: dict[str, Callable[..., Any]] = {
    "forgot_root": lambda Q, K, V, mascara=0.0: _raw(Q, K, mascara, 1),
    "divided_by_d_k": lambda Q, K, V, mascara=0.0: _raw(Q, K, mascara, K.shape[-1]),
    "multiplied": lambda Q, K, V, mascara=0.0: _raw(Q, K, mascara, K.shape[-1] ** -0.5),
    "root_of_n": lambda Q, K, V, mascara=0.0: _raw(Q, K, mascara, Q.shape[-2] ** 0.5),
    "root_of_length": lambda Q, K, V, mascara=0.0: _raw(Q, K, mascara, len(Q) ** 0.5),
    "root_of_m": lambda Q, K, V, mascara=0.0: _raw(Q, K, mascara, K.shape[-2] ** 0.5),
    "root_of_width": lambda Q, K, V, mascara=0.0: _raw(Q, K, mascara, V.shape[-1] ** 0.5),
    "softmax_of_columns": _scored(_columns),
    "unkept_sum": _scored(lambda S, d: np.exp(S) / np.exp(S).sum(axis=-1)),
    "softmax_of_all": _scored(_whole),
    "softmax_of_heads": _scored(lambda S, d: np.exp(S) / np.exp(S).sum(axis=0, keepdims=True)),
    "falling": _scored(lambda S, d: attention.softmax(np.where(np.isinf(S), S, -S))),
    "unnormalised": _scored(lambda S, d: np.exp(S)),
    "scores": _scored(lambda S, d: S),
    "scores_as_weights": _scored(lambda S, d: S / S.sum(axis=-1, keepdims=True)),
    "hard": _scored(lambda S, d: (S.max(axis=-1, keepdims=True) == S) * 1.0),
    "mask_multiplies": lambda Q, K, V, mascara=0.0: _soft(attention.scores(Q, K) * np.asarray(mascara)),
    "even": _scored(lambda S, d: np.full(S.shape, 1 / S.shape[-1])),
    "divided_after": _scored(lambda S, d: attention.softmax(S * np.sqrt(d)) / np.sqrt(d)),
    "other_base": _scored(lambda S, d: attention.softmax(S * np.log(2))),
    "mask_ignored": lambda Q, K, V, mascara=0.0: attention.weights(Q, K),
    "mask_subtracted": lambda Q, K, V, mascara=0.0: _soft(attention.scores(Q, K) - np.asarray(mascara)),
    "mask_after": lambda Q, K, V, mascara=0.0: attention.weights(Q, K) + np.asarray(mascara),
    "mask_divided": lambda Q, K, V, mascara=0.0: attention.softmax(
        (attention.scores(Q, K, scale=False) + np.asarray(mascara)) / np.sqrt(K.shape[-1])
    ),
    "swapped": lambda Q, K, V, mascara=0.0: attention.weights(K, Q, mascara),
    "queries_alone": lambda Q, K, V, mascara=0.0: attention.weights(Q, Q, mascara),
    "keys_alone": lambda Q, K, V, mascara=0.0: attention.weights(K, K, mascara),
    "transposed": lambda Q, K, V, mascara=0.0: np.swapaxes(weighted(Q, K, V, mascara), -1, -2),
}


def _with_own(mix: Callable[[Array, Array, Array, Array], Array]) -> Callable[..., Array]:
    """An output by the student's own weights, or by the right ones where there are none of the right shape."""

    def mixed(A: Array | None, Q: Array, K: Array, V: Array, mascara: Any = 0.0) -> Array:
        return mix(weighted(Q, K, V, mascara) if A is None else A, V, K, Q)

    return mixed


OF_OUTPUT: dict[str, Callable[..., Any]] = {
    "mixed_keys": _with_own(lambda A, V, K, Q: A @ K),
    "mixed_queries": _with_own(lambda A, V, K, Q: A @ Q),
    "transposed": _with_own(lambda A, V, K, Q: np.swapaxes(A, -1, -2) @ V),
    "transposed_output": _with_own(lambda A, V, K, Q: np.swapaxes(A @ V, -1, -2)),
    "weights": _with_own(lambda A, V, K, Q: A),
    "values_alone": _with_own(lambda A, V, K, Q: V),
    "divided_values": _with_own(lambda A, V, K, Q: A @ V / np.sqrt(K.shape[-1])),
}


def scaling(seed: int | None = None) -> tuple[Part, ...]:
    """Medians of the largest weight and of ‖∂L/∂S‖, with and without √d_k, for the section's draw and for smaller ones."""
    draws = Draws(seed)
    # An odd number of rows has one median, whichever of two middle values the student's own would take.
    drawn = [] if seed is not None else [tuple(array[: len(array) - 1 | 1] for array in inputs.scaling())]
    for _ in range(2):
        rows, keys, d = draws.sizes(3, 8, 25)
        rows = 2 * rows + 9
        drawn.append((draws.array(rows, d), draws.array(rows, keys, d), draws.array(rows, keys)))
    probes = [Probe((*arrays, divided)) for arrays in drawn for divided in (True, False)]
    slips = [{key: _side(side, key) for key in SCORES if key != "right"} for side in (0, 1)]
    largest = Output("maior", _side(0, "right"), slips[0] | LARGEST, equal=1e-3)
    gradient = Output("gradiente", _side(1, "right"), slips[1], equal=1e-3)
    return (Part("mede", ("q", "k", "g", "dividir"), (largest, gradient), tuple(probes), alone=("q", "k")),)


SCORES: dict[str, Callable[[Array, int, int, bool], Array]] = {
    "right": lambda S, d, keys, divided: S / np.sqrt(d) if divided else S,
    "forgot_root": lambda S, d, keys, divided: S,
    "always_root": lambda S, d, keys, divided: S / np.sqrt(d),
    "exchanged": lambda S, d, keys, divided: S if divided else S / np.sqrt(d),
    "divided_by_d_k": lambda S, d, keys, divided: S / d if divided else S,
    "multiplied": lambda S, d, keys, divided: S * np.sqrt(d) if divided else S,
    "multiplied_by_d_k": lambda S, d, keys, divided: S * d if divided else S,
    "root_of_n": lambda S, d, keys, divided: S / np.sqrt(keys) if divided else S,
    "root_of_rows": lambda S, d, keys, divided: S / np.sqrt(len(S)) if divided else S,
    "falling": lambda S, d, keys, divided: -S / np.sqrt(d) if divided else S,
}


def _side(side: int, key: str) -> Callable[..., Any]:
    """The median largest weight (side 0) or gradient (side 1) of the scores as a key of SCORES makes them."""

    def measured(q: Array, k: Array, g: Array, dividir: bool) -> float:
        A = attention.softmax(SCORES[key](np.einsum("ld,lkd->lk", q, k), q.shape[-1], k.shape[1], dividir))
        lengths = np.linalg.norm(attention.softmax_backward(A, g), axis=-1)
        return scaling_experiment.lower_median(lengths if side else A.max(axis=-1))

    return measured


def _largest(read: Callable[[Array], Any]) -> Callable[..., float]:
    def measured(q: Array, k: Array, g: Array, dividir: bool) -> float:
        A = attention.softmax(SCORES["right"](np.einsum("ld,lkd->lk", q, k), q.shape[-1], k.shape[1], dividir))
        return scaling_experiment.lower_median(np.atleast_1d(read(A)))

    return measured


LARGEST: dict[str, Callable[..., Any]] = {
    "largest_of_columns": _largest(lambda A: A.max(axis=0)),
    "largest_of_all": _largest(lambda A: A.max()),
    "smallest": _largest(lambda A: A.min(axis=-1)),
    "mean_weight": _largest(lambda A: A.mean(axis=-1)),
    "place_of_largest": _largest(lambda A: A.argmax(axis=-1)),
    "summed_row": _largest(lambda A: A.sum(axis=-1)),
    "first_key": _largest(lambda A: A[:, 0]),
    "last_key": _largest(lambda A: A[:, -1]),
}
