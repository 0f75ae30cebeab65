"""The checkpoints of sections 1 to 4: one query, all queries, the root, and the way back."""

from __future__ import annotations

import numpy as np

from figures import attention, hand_example, scaling_experiment
from figures.kit.arrays import Array
from figures.kit.checkpoints import Part
from figures.lab import inputs


def dictionary() -> tuple[Part, ...]:
    """One query against three keys, as slide "Os quatro passos" has it."""
    query, keys, values = inputs.dictionary()
    steps = hand_example.steps(query, keys, values)
    undivided = hand_example.steps(query, keys, values, d_k=1)
    return (
        Part(
            "saida",
            steps.output,
            {
                "forgot_root": undivided.output,
                "divided_by_d_k": hand_example.steps(query, keys, values, d_k=len(query) ** 2).output,
                "unnormalised": steps.exponentials @ values,
                "no_exponential": steps.scaled / steps.scaled.sum() @ values,
                "even": values.mean(axis=0),
                "hard": values[steps.weights.argmax()],
                "mixed_keys": steps.weights @ keys,
                "weights": steps.weights,
                "scores": steps.scaled,
            },
            equal=2e-3,
        ),
    )


def all_queries() -> tuple[Part, ...]:
    """The weights and the output of six queries at once."""
    Q, K, V = (M.astype(np.float64) for M in inputs.all_queries())
    S = attention.scores(Q, K)
    wrong = {
        "forgot_root": attention.weights(Q, K, scale=False),
        "divided_by_d_k": attention.softmax(S / np.sqrt(K.shape[-1])),
        "softmax_of_columns": attention.softmax(S.T).T,
        "swapped": attention.weights(K, Q),
        "unnormalised": np.exp(S),
        "scores": S,
    }
    A = attention.weights(Q, K)
    outputs = {key: weights @ V for key, weights in wrong.items()}
    return (
        Part("A", A, wrong | {"transposed": A.T}, equal=1e-5),
        Part("saida", A @ V, outputs | {"transposed": A.T @ V, "transposed_output": (A @ V).T}, equal=1e-5),
    )


def scaling() -> tuple[Part, ...]:
    """Medians of the largest weight and of ‖∂L/∂S‖, with and without √d_k, at one d_k of the lab's experiment."""
    q, k, g = inputs.scaling()
    measured = scaling_experiment.measured(q.shape[-1])
    right = np.array([[side.largest, side.gradient] for side in (measured.divided, measured.undivided)])
    divided_twice = _row_of(q / np.sqrt(np.float32(q.shape[-1])), k, g, True)
    multiplied = _row_of(q * np.float32(q.shape[-1]), k, g, True)
    return (
        Part(
            "[com, sem]",
            right,
            {
                "exchanged": right[::-1],
                "forgot_root": right[[1, 1]],
                "always_root": right[[0, 0]],
                "divided_by_d_k": np.array([divided_twice, right[1]]),
                "multiplied": np.array([multiplied, right[1]]),
                "only_weights": right[:, 0],
            },
            equal=1e-3,
        ),
    )


def _row_of(q: Array, k: Array, g: Array, scale: bool) -> list[float]:
    side = scaling_experiment.side(q[:, None, :], k, g[:, None, :], scale)
    return [side.largest, side.gradient]


def way_back() -> tuple[Part, ...]:
    """∂L/∂S, ∂L/∂Q and ∂L/∂K of the rows that slide "A volta pelo softmax" measures."""
    Q, K, V, dO = inputs.way_back()
    right = attention.backward(dO, Q, K, V)
    A, dA, dS = attention.weights(Q, K), dO @ V.T, right.scores
    d_k = K.shape[-1]
    root = np.sqrt(d_k)
    return (
        Part(
            "dS",
            dS,
            {
                "no_mean": A * dA,
                "plain_mean": A * (dA - dA.mean(axis=-1, keepdims=True)),
                "mean_of_columns": A * (dA - (A * dA).sum(axis=0)),
                "unkept_axis": A * (dA - (A * dA).sum(axis=-1)),
                "no_weights": dA - (A * dA).sum(axis=-1, keepdims=True),
                "transposed": dS.T,
            },
            equal=1e-5,
        ),
        Part(
            "dQ",
            right.Q,
            {"forgot_root": dS @ K, "divided_by_d_k": dS @ K / d_k, "transposed": dS.T @ K / root, "other_factor": dS @ Q / root},
            equal=1e-5,
        ),
        Part(
            "dK",
            right.K,
            {"forgot_root": dS.T @ Q, "divided_by_d_k": dS.T @ Q / d_k, "transposed": dS @ Q / root, "other_factor": dS.T @ K / root},
            equal=1e-5,
        ),
    )
