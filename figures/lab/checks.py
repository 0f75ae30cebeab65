"""The lab's ten checkpoints: for each, the right value and what every known mistake gives, all from figures/.

The right values come from the very functions that the deck's "Laboratório, seção k" numbers come from. Texts are in
data/words/checkpoints.yml; how an answer is judged is in checkpoints.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures import attention, cost, cost_experiment, hand_example, lab, multihead, real_model, rope, scaling_experiment
from figures.kit import data
from figures.kit.arrays import Array
from figures.kit.checkpoints import BLANK, UNFIT, Finding, Part, Unfit, Verdict, is_blank, verdict
from figures.kit.formats import count
from figures.kit.words import Words
from figures.lab import generation, inputs, training

_words = Words("checkpoints")


def checked(section: object = None, answer: object = ...) -> Verdict:
    """The verdict on an answer to a section, 1 to 10; whatever is handed in, nothing is raised."""
    found = parts_of(section)
    if found is None:
        told = _words("unfit.section", first=1, last=len(PARTS))
        return Verdict(_words("lab"), ("",), (Finding(UNFIT, told),))
    number, parts = found
    return verdict(_words("section", n=count()(number)), parts, answer)


def parts_of(section: object) -> tuple[int, tuple[Part, ...]] | None:
    """A section's number and parts, None where there is no such section: `parts_of(3)[0]` -> 3"""
    if isinstance(section, bool) or not isinstance(section, (int, np.integer)) or not 1 <= section <= len(PARTS):
        return None
    return int(section), PARTS[lab.records().sections[int(section) - 1].id]()


# 1 to 3: one query, all queries, the root


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


# 4: the way back


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


# 5: masks


def masks() -> tuple[Part, ...]:
    """The two masks of slide "Quatro máscaras" that the lab builds, each from a student's function."""
    n, real = inputs.filled()
    causal, padding = attention.causal(n), attention.padding(real)
    allowed, seen = causal == 0, padding == 0
    shared: dict[str, Any] = {"infinite": True, "read": lambda value: as_mask(value, n), "equal": 1e-9}
    return (
        Part(
            "causal",
            causal,
            {
                "forgot_mask": np.zeros((n, n)),
                "hides_the_past": causal.T,
                "hides_itself": attention.additive(np.tri(n, k=-1, dtype=bool)),
                "inverted": attention.additive(~allowed),
                "multiplies": allowed,
                "truth_of_hidden": ~allowed,
            },
            call=lambda function: function(n),
            takes="`causal(n)`, com n inteiro",
            **shared,
        ),
        Part(
            "padding",
            padding,
            {
                "forgot_mask": np.zeros((n, n)),
                "hides_queries": padding.T,
                "inverted": attention.additive(~seen),
                "multiplies": seen,
                "truth_of_hidden": ~seen,
            },
            call=lambda function: function(real.copy()),
            takes="`padding(real)`, com um array de n booleanos",
            **shared,
        ),
    )


def as_mask(value: Array, n: int) -> Array:
    """A mask as (n, n), a row or a column of it repeated; what is below −10⁴ hides as well as −∞: `as_mask([0, -1e9], 2)`"""
    hidden = np.where(value < -1e4, -np.inf, value)
    return np.broadcast_to(hidden, (n, n)) if hidden.shape in {(n,), (1, n), (n, 1)} else hidden


# 6: order


def order() -> tuple[Part, ...]:
    """What a head makes of shuffled tokens, and a vector turned as RoPE turns it."""
    X, shuffled, q = inputs.order()
    outputs = inputs.head(X)
    at, base = inputs.inputs().rotated_to, rope.inputs().base
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
    """`x` with pair i turned by `angles[i]`: `turned([1, 0], [π/2])` -> [0, 1]"""
    even, odd = x[0::2], x[1::2]
    return np.stack([even * np.cos(angles) - odd * np.sin(angles), even * np.sin(angles) + odd * np.cos(angles)], axis=-1).ravel()


def _paired(x: Array) -> Array:
    """(x_0, x_d/2, x_1, x_d/2+1, …): the pairs of those who split a vector in halves, side by side."""
    return np.column_stack(np.split(x, 2)).ravel()


# 7: heads


def heads() -> tuple[Part, ...]:
    """Grouped heads on the drawn example, and the parameters of a grouped layer."""
    Q, K, V = inputs.grouped()
    given = inputs.inputs().grouped
    h, h_kv, layer = given.heads, given.kv_heads, given.layer
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

    `grouped_count(64, 8, 8)` -> 16640, the count of slide "Multi-head é um reshape"
    """
    columns = h_kv * (d // h)
    return multihead.parameter_count(d, h, 2) + 2 * (d * columns + columns)


# 8: the bill


def bill() -> tuple[Part, ...]:
    """The bytes of a layer's scores, and the longest sequence whose scores fit in a card's memory."""
    given = inputs.inputs().bill
    h, n, b = given.layer.heads, given.layer.n, given.layer.bytes_per_number
    memory, h_m, b_m = given.memory, given.memory_layer.heads, given.memory_layer.bytes_per_number
    size = score_bytes(h, n, b)
    return (
        Part(
            "bytes_de_S",
            np.array(size),
            {
                "forgot_heads": np.array(size // h),
                "not_squared": np.array(size // n),
                "bits": np.array(size * 8),
                "forgot_bytes": np.array(size // b),
                "half": np.array(size / 2),
                "half_with_diagonal": np.array(h * n * (n + 1) / 2 * b),
            },
            call=lambda function: function(h, n, b),
            takes="`bytes_de_S(h, n, b)`, três inteiros",
            equal=1e-9,
        ),
        Part(
            "maior_n",
            np.array(longest(memory, h_m, b_m)),
            {
                "no_root": np.array(memory // (h_m * b_m)),
                "forgot_heads": np.array(longest(memory, 1, b_m)),
                "forgot_bytes": np.array(longest(memory, h_m, 1)),
                "too_long": np.array(longest(memory, h_m, b_m) + 1),
                "not_whole": np.array(math.sqrt(memory / (h_m * b_m))),
            },
            call=lambda function: function(memory, h_m, b_m),
            takes="`maior_n(memoria, h, b)`, três inteiros",
            equal=1e-9,
        ),
    )


def score_bytes(heads: int, n: int, bytes_per_number: int) -> int:
    """Bytes of a layer's scores, by the function of slide "Tornando o O(n²) pagável": `score_bytes(8, 4096, 4)` -> 536870912"""
    return cost.score_bytes(data.changed(cost_experiment.layer(), heads=heads, n=n, bytes_per_number=bytes_per_number))


def longest(memory: int, heads: int, bytes_per_number: int) -> int:
    """The largest n whose scores fit: `longest(16 * 2**30, 8, 4)` -> 23170"""
    return math.isqrt(memory // score_bytes(heads, 1, bytes_per_number))


# 9 and 10: the cache, and a head that learns


def cache() -> tuple[Part, ...]:
    """The bytes a token of the real model's cache, and which ids a step with a cache runs."""
    model = generation.sizes()
    size = real_model.predicted(model)
    given = inputs.inputs().cache
    steps = [(list(given.prompt), list(written)) for written in given.written]
    return (
        Part(
            "bytes_por_token",
            np.array(size),
            {
                "forgot_values": np.array(size / 2),
                "forgot_layers": np.array(size / model.layers),
                "forgot_bytes": np.array(size / model.bytes_per_number),
                "bits": np.array(size * 8),
                "one_kv_head": np.array(size / model.kv_heads),
            },
            call=lambda function: function(model.layers, model.kv_heads, model.head_dim, model.bytes_per_number),
            takes="`bytes_por_token(L, h_kv, d_h, b)`, quatro inteiros",
            equal=1e-9,
        ),
        Part(
            "entrada",
            rows([fed(*step) for step in steps]),
            {
                "whole_prefix": rows([prompt + written for prompt, written in steps]),
                "all_written": rows([written or prompt for prompt, written in steps]),
                "last_of_prompt": rows([(prompt + written)[-1:] for prompt, written in steps]),
                "prompt_always": rows([prompt for prompt, _ in steps]),
                "prompt_and_last": rows([prompt + written[-1:] for prompt, written in steps]),
            },
            call=lambda function: asked(function, steps),
            takes="`entrada(prompt, novos)`, duas listas de ids, a segunda vazia no primeiro passo",
            equal=1e-9,
        ),
    )


def fed(prompt: list[int], written: list[int]) -> list[int]:
    """What a step runs when the cache holds all before: the prompt at first, then the last token alone."""
    return written[-1:] or prompt


WIDTH = 8  # ids a row of `rows` has room for


def rows(lists: Sequence[Sequence[int]]) -> Array:
    """Lists of ids as rows of one array, filled up with −1: `rows([[5], [6, 7]])[0, :2]` -> [5, −1]"""
    return np.array([list(ids) + [-1] * (WIDTH - len(ids)) for ids in lists])


def asked(function: Callable[..., Any], steps: Sequence[tuple[list[int], list[int]]]) -> Any:
    """A student's function at each step, as rows; a blank stays one."""
    found = [function(list(prompt), list(written)) for prompt, written in steps]
    if any(is_blank(ids) for ids in found):
        return ...
    if not all(isinstance(ids, (list, tuple)) and len(ids) <= WIDTH for ids in found):
        raise Unfit(_words("unfit.ids"))
    return rows(found)


def teach() -> tuple[Part, ...]:
    """How a student reads the weight on the token before, and the weights of the head that the student trained."""
    A, n = inputs.masked_weights(), inputs.inputs().teach.tokens
    steps = np.diagonal(A, offset=-1)
    return (
        Part(
            "no_anterior",
            np.array(training.previous_weight(A)),
            {
                "on_itself": np.array(np.diagonal(A).mean()),
                "on_next": np.array(np.diagonal(A, offset=1).mean()),
                "on_first": np.array(A[1:, 0].mean()),
                "summed": np.array(steps.sum()),
                "over_n": np.array(steps.sum() / len(A)),
                "largest": np.array(A.max(axis=-1).mean()),
            },
            call=lambda function: function(A.copy()),
            takes="`no_anterior(A)`, com A de n × n",
            equal=1e-6,
        ),
        Part("A", np.zeros((n, n)), judged=training.judged),  # the shape alone counts
    )


PARTS: dict[str, Callable[[], tuple[Part, ...]]] = {
    "dictionary": dictionary,
    "all-queries": all_queries,
    "scaling": scaling,
    "backward": way_back,
    "masks": masks,
    "order": order,
    "multi-head": heads,
    "bill": bill,
    "cache": cache,
    "teach": teach,
}

__all__ = ["BLANK", "PARTS", "checked", "parts_of"]
