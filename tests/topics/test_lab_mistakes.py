"""The known mistakes as students make them: code that goes wrong, and the sentence that it must meet.

Written with numpy alone, so that what `lab_checks` holds for a mistake is what that mistake gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from figures.kit.words import Words
from figures.lab import checks
from figures.lab.student import cabeca, confere, dados, mediana, tamanho_do_gradiente

WORDS = Words("checkpoints")


def soft(S: Any, axis: int = -1) -> Any:
    e = np.exp(S)
    return e / e.sum(axis=axis, keepdims=True)


def by_d_k(K: Any) -> Any:
    return np.sqrt(K.shape[-1])


def section_1() -> dict[str, Any]:
    q, K, V = dados(1)
    s = K @ q / np.sqrt(2)
    a = soft(s)
    return {
        "forgot_root": soft(K @ q) @ V,
        "divided_by_d_k": soft(K @ q / 2) @ V,
        "unnormalised": np.exp(s) @ V,
        "no_exponential": s / s.sum() @ V,
        "even": np.ones(3) / 3 @ V,
        "hard": V[np.argmax(s)],
        "mixed_keys": a @ K,
        "weights": a,
        "scores": s,
    }


def section_2() -> dict[str, Any]:
    Q, K, V = dados(2)
    S = Q @ K.T / by_d_k(K)

    def both(A: Any) -> list[Any]:
        return [A, A @ V]

    A = soft(S)
    return {
        "forgot_root": both(soft(Q @ K.T)),
        "divided_by_d_k": both(soft(Q @ K.T / 8)),
        "softmax_of_columns": both(soft(S, axis=0)),
        "swapped": both(soft(K @ Q.T / by_d_k(K))),
        "unnormalised": both(np.exp(S)),
        "scores": both(S),
        "transposed": [A.T, A.T @ V],
        "transposed_output": [A.T, (A @ V).T],
    }


def section_3() -> dict[str, Any]:
    q, k, g = dados(3)

    def row(divisor: float) -> list[float]:
        A = soft(np.einsum("ld,lkd->lk", q, k) / divisor)
        return [mediana(A.max(axis=-1)), mediana(tamanho_do_gradiente(A, g))]

    root, plain = row(np.sqrt(q.shape[-1])), row(1)
    return {
        "exchanged": [plain, root],
        "forgot_root": [plain, plain],
        "always_root": [root, root],
        "divided_by_d_k": [row(q.shape[-1]), plain],
        "multiplied": [row(1 / np.sqrt(q.shape[-1])), plain],
        "only_weights": [root[0], plain[0]],
    }


def section_4() -> dict[str, Any]:
    Q, K, V, dO = dados(4)
    A = soft(Q @ K.T / 2)
    dA = dO @ V.T
    dS = A * (dA - (A * dA).sum(axis=1)[:, None])
    dQ, dK = dS @ K / 2, dS.T @ Q / 2
    return {
        "no_mean": [A * dA, dQ, dK],
        "plain_mean": [A * (dA - dA.mean(axis=1)[:, None]), dQ, dK],
        "mean_of_columns": [A * (dA - (A * dA).sum(axis=0)), dQ, dK],
        "unkept_axis": [A * (dA - (A * dA).sum(axis=1)), dQ, dK],
        "no_weights": [dA - (A * dA).sum(axis=1)[:, None], dQ, dK],
        "transposed": [dS.T, dS.T @ K / 2, dS @ Q / 2],
        "forgot_root": [dS, dS @ K, dS.T @ Q],
        "divided_by_d_k": [dS, dS @ K / 4, dS.T @ Q / 4],
        "other_factor": [dS, dS @ Q / 2, dS.T @ K / 2],
    }


def section_5() -> dict[str, Any]:
    def hidden(where: Any) -> Any:
        return np.where(where, -np.inf, 0.0)

    def future(n: int) -> Any:
        return np.arange(n)[None, :] > np.arange(n)[:, None]

    def filling(real: Any) -> Any:
        return ~np.tile(real, (len(real), 1))

    return {
        "forgot_mask": [lambda n: np.zeros((n, n)), lambda real: np.zeros((len(real),) * 2)],
        "hides_the_past": [lambda n: hidden(future(n).T), lambda real: hidden(filling(real))],
        "hides_itself": [lambda n: hidden(future(n) | np.eye(n, dtype=bool)), lambda real: hidden(filling(real))],
        "inverted": [lambda n: hidden(~future(n)), lambda real: hidden(~filling(real))],
        "multiplies": [lambda n: np.tril(np.ones((n, n))), lambda real: np.tile(real * 1.0, (len(real), 1))],
        "truth_of_hidden": [future, filling],
        "hides_queries": [lambda n: hidden(future(n)), lambda real: hidden(filling(real).T)],
    }


def section_6() -> dict[str, Any]:
    X, order, base = dados(6)
    O = cabeca(X)  # noqa: E741
    right = cabeca(X[order])

    def turn(x: Any, alpha: Any) -> Any:
        z = (x[0::2] + 1j * x[1::2]) * np.exp(1j * alpha)
        return np.ravel(np.column_stack([z.real, z.imag]))

    def speeds(x: Any) -> Any:
        return np.array([base ** (-2 * i / len(x)) for i in range(len(x) // 2)])

    def halves(x: Any, at: int) -> Any:
        half = len(x) // 2
        z = (x[:half] + 1j * x[half:]) * np.exp(1j * at * speeds(x))
        return np.concatenate([z.real, z.imag])

    def good(x: Any, at: int) -> Any:
        return turn(x, at * speeds(x))

    return {
        "unshuffled": [O, good],
        "other_way": [O[np.argsort(order)], good],
        "shuffled_input": [X[order], good],
        "not_turned": [right, lambda x, at: x],
        "backwards": [right, lambda x, at: turn(x, -at * speeds(x))],
        "position_ignored": [right, lambda x, at: turn(x, speeds(x))],
        "same_speed": [right, lambda x, at: turn(x, at * np.ones(len(x) // 2))],
        "speed_exponent": [right, lambda x, at: turn(x, at * base ** (-np.arange(len(x) // 2) / len(x)))],
        "growing_speed": [right, lambda x, at: turn(x, at / speeds(x))],
        "halves": [right, halves],
    }


def section_7() -> dict[str, Any]:
    def gqa(reads: Callable[[int, int], Any] = lambda h, g: np.arange(h) // (h // g), root: Any = None) -> Callable[..., Any]:
        def computed(Q: Any, K: Any, V: Any, h: int, g: int) -> Any:
            width = Q.shape[1] // h
            out = []
            for head, group in enumerate(reads(h, g)):
                q, k, v = (M[:, at * width : (at + 1) * width] for M, at in ((Q, head), (K, group), (V, group)))
                out.append(soft(q @ k.T / (root or np.sqrt)(width if root is None else Q.shape[1])) @ v)
            return np.hstack(out)

        return computed

    def no_swap(Q: Any, K: Any, V: Any, h: int, g: int) -> Any:
        q, k, v = Q.reshape(h, len(Q), -1), K.reshape(g, len(K), -1).repeat(h // g, 0), V.reshape(g, len(V), -1).repeat(h // g, 0)
        return (soft(q @ k.mT / np.sqrt(q.shape[-1])) @ v).reshape(Q.shape)

    def not_merged(Q: Any, K: Any, V: Any, h: int, g: int) -> Any:
        n, width = len(Q), Q.shape[1] // h
        o = gqa()(Q, K, V, h, g).reshape(n, h, width).swapaxes(0, 1)
        return o.reshape(n, h * width)

    def count(d: int, h: int, g: int) -> int:
        return 2 * d * (d + 1) + 2 * (d + 1) * g * (d // h)

    return {
        "tiled": [gqa(lambda h, g: [head % g for head in range(h)]), count],
        "one_group": [gqa(lambda h, g: [0] * h), count],
        "no_swap": [no_swap, count],
        "not_merged": [not_merged, count],
        "root_of_d": [gqa(root=np.sqrt), count],
        "forgot_root": [gqa(root=lambda d: 1), count],
        "no_biases": [gqa(), lambda d, h, g: 2 * d * d + 2 * d * g * (d // h)],
        "every_head": [gqa(), lambda d, h, g: 4 * (d * d + d)],
        "times_heads": [gqa(), lambda d, h, g: h * count(d, h, g)],
        "no_output": [gqa(), lambda d, h, g: count(d, h, g) - d * d - d],
        "one_kv_head": [gqa(), lambda d, h, g: count(d, h, 1)],
    }


def section_8() -> dict[str, Any]:
    def size(h: int, n: int, b: int) -> int:
        return h * n * n * b

    def longest(memory: int, h: int, b: int) -> int:
        return int(np.floor(np.sqrt(memory / h / b)))

    return {
        "forgot_heads": [lambda h, n, b: n * n * b, lambda m, h, b: longest(m, 1, b)],
        "not_squared": [lambda h, n, b: h * n * b, longest],
        "bits": [lambda h, n, b: 8 * size(h, n, b), longest],
        "forgot_bytes": [lambda h, n, b: h * n * n, lambda m, h, b: longest(m, h, 1)],
        "half": [lambda h, n, b: size(h, n, b) // 2, longest],
        "half_with_diagonal": [lambda h, n, b: h * b * sum(range(1, n + 1)), longest],
        "no_root": [size, lambda m, h, b: m // (h * b)],
        "too_long": [size, lambda m, h, b: int(np.ceil(np.sqrt(m / h / b)))],
        "not_whole": [size, lambda m, h, b: np.sqrt(m / h / b)],
    }


def section_9() -> dict[str, Any]:
    def size(layers: int, heads: int, width: int, b: int) -> int:
        return 2 * layers * heads * width * b

    def last(prompt: list[int], new: list[int]) -> list[int]:
        return [new[-1]] if new else prompt

    return {
        "forgot_values": [lambda L, h, d, b: L * h * d * b, last],
        "forgot_layers": [lambda L, h, d, b: 2 * h * d * b, last],
        "forgot_bytes": [lambda L, h, d, b: 2 * L * h * d, last],
        "bits": [lambda L, h, d, b: 16 * L * h * d * b, last],
        "one_kv_head": [lambda L, h, d, b: 2 * L * d * b, last],
        "whole_prefix": [size, lambda prompt, new: prompt + new],
        "all_written": [size, lambda prompt, new: new or prompt],
        "last_of_prompt": [size, lambda prompt, new: (prompt + new)[-1:]],
        "prompt_always": [size, lambda prompt, new: prompt],
        "prompt_and_last": [size, lambda prompt, new: prompt + new[-1:]],
    }


def section_10() -> dict[str, Any]:
    trained = np.eye(12, k=-1)
    trained[0, 0] = 1
    return {
        "on_itself": [lambda A: np.mean([A[t, t] for t in range(len(A))]), trained],
        "on_next": [lambda A: np.mean([A[t - 1, t] for t in range(1, len(A))]), trained],
        "on_first": [lambda A: A[1:, 0].mean(), trained],
        "summed": [lambda A: sum(A[t, t - 1] for t in range(1, len(A))), trained],
        "over_n": [lambda A: sum(A[t, t - 1] for t in range(1, len(A))) / len(A), trained],
        "largest": [lambda A: A.max(axis=1).mean(), trained],
    }


SECTIONS = (section_1, section_2, section_3, section_4, section_5, section_6, section_7, section_8, section_9, section_10)
CASES = [(n, key) for n, section in enumerate(SECTIONS, 1) for key in section()]


@pytest.mark.parametrize(("n", "key"), CASES, ids=str)
def test_a_mistake_meets_its_sentence(n: int, key: str):
    parts = checks.parts_of(n)[1]
    found = confere(n, SECTIONS[n - 1]()[key])
    for part, finding in zip(parts, found.findings):
        if key in part.mistakes:
            assert (part.name, finding.status, finding.text) == (part.name, "mistake", WORDS(f"mistakes.{key}"))
        elif len(parts) > 1 and key != "transposed_output":
            assert (part.name, finding.status) == (part.name, "right")


def test_no_mistake_is_left_out():
    known = {(n, key) for n in range(1, len(SECTIONS) + 1) for part in checks.parts_of(n)[1] for key in part.mistakes}
    assert set(CASES) == known
