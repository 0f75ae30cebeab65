"""What each section of the lab gives its student: numbers of data/lab_inputs.yml and the draws that the deck measures on.

Only inputs; what is right is in checks/. Arrays are new at each call, so a student may write into them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from figures import attention, backward, masks, position, random_draws, rope, scaling_experiment, shapes_experiment
from figures.kit import data
from figures.kit.arrays import Array

Pair = tuple[float, float]


class Token(data.Record):
    """A token's key and its value."""

    name: str
    key: Pair
    value: Pair


class Dictionary(data.Record):
    """Section 1: who asks, its query, and every token's key and value."""

    asking: str
    query: Pair
    tokens: tuple[Token, ...]


class Masks(data.Record):
    """Section 5: which positions hold a real token."""

    real: tuple[bool, ...]

    def faults(self) -> Iterator[str]:
        if all(self.real) or not any(self.real):
            yield "`real` needs tokens and filling: a true and a false at least"


class Layer(data.Record):
    """The sizes of a grouped layer."""

    d: data.Positive
    heads: data.Positive
    kv_heads: data.Positive

    def faults(self) -> Iterator[str]:
        yield from _unshared(self.heads, self.kv_heads)
        if self.d % self.heads:
            yield f"{self.heads} heads can't share a width of {self.d}: `heads` must divide `d`"


class Grouped(data.Record):
    """Section 7: the drawn heads, and another layer whose parameters are counted."""

    draw: str
    heads: data.Positive
    kv_heads: data.Positive
    layer: Layer

    def faults(self) -> Iterator[str]:
        yield from _unshared(self.heads, self.kv_heads)


class Scores(data.Record):
    """The sizes of a layer whose scores are weighed."""

    heads: data.Positive
    n: data.Positive
    bytes_per_number: data.Positive


class MemoryLayer(data.Record):
    """The sizes of a layer that must fit in a memory."""

    heads: data.Positive
    bytes_per_number: data.Positive


class Bill(data.Record):
    """Section 8: a layer whose scores are weighed, and the memory that another one must fit in."""

    layer: Scores
    memory: data.Positive
    memory_layer: MemoryLayer


class Cache(data.Record):
    """Section 9: a prompt, what was written after it at three moments, and how many tokens the real model writes."""

    prompt: tuple[data.Natural, ...]
    written: tuple[tuple[data.Natural, ...], ...]
    new_tokens: data.Positive


class Teach(data.Record):
    """Section 10: the sizes of the head, how it is trained, and from which weight on it has learnt."""

    vocabulary: data.Positive
    tokens: data.Positive
    width: data.Positive
    batch: data.Positive
    steps: data.Positive
    rate: data.Above
    seed: data.Natural
    learnt_from: data.Share
    near_from: data.Share


def _unshared(heads: int, kv_heads: int) -> Iterator[str]:
    if heads % kv_heads:
        yield f"{heads} heads can't share {kv_heads} pairs of keys and values: `kv_heads` must divide `heads`"


class LabInputs(data.Record):
    """`data/lab_inputs.yml`."""

    source: str
    dictionary: Dictionary
    scaling_d_k: data.Positive
    masks: Masks
    rotated_to: data.Natural
    grouped: Grouped
    bill: Bill
    cache: Cache
    teach: Teach


def records() -> LabInputs:
    """The records, as `data/lab_inputs.yml` has them."""
    return data.load("lab_inputs", LabInputs)


def dictionary() -> tuple[Array, Array, Array]:
    """Section 1: the query (2,), the keys and the values (3, 2)."""
    section = records().dictionary
    return np.array(section.query), np.array([token.key for token in section.tokens]), np.array([token.value for token in section.tokens])


def all_queries() -> tuple[Array, Array, Array]:
    """Section 2: Q, K (6, 8) and V (6, 4), float32, from the X and the projections of slide "A forma de cada matriz"."""
    X, *projections = random_draws.drawn(shapes_experiment.lab().draw).values()
    Q, K, V = masks.projected(X, projections)
    return Q, K, V


def scaling() -> tuple[Array, Array, Array]:
    """Section 3: q (200, d_k), k (200, 16, d_k) and ∂L/∂A (200, 16)."""
    return scaling_experiment.drawn(records().scaling_d_k)


def way_back() -> tuple[Array, Array, Array, Array]:
    """Section 4: Q, K, V and ∂L/∂O, (5, 4) each."""
    Q, K, V, dO = (array.copy() for array in random_draws.drawn(backward.records().draw).values())
    return Q, K, V, dO


def filled() -> tuple[int, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Section 5: how many positions there are, and which of them hold a real token."""
    real = np.array(records().masks.real)
    return len(real), real


def head(X: Array) -> Array:
    """Section 6: one head without any sign of position, (n, 16) to (n, 4), the projections those of the slide."""
    _, *projections = random_draws.drawn(position.records().lab.draw).values()
    return position.head(X, projections)


def order() -> tuple[Array, list[int], Array]:
    """Section 6: X (6, 16), a shuffle of its rows, and a query (8,) to turn."""
    X = random_draws.drawn(position.records().lab.draw)["X"]
    return X.copy(), list(position.records().lab.permutation), random_draws.drawn(rope.records().draw)["q"].copy()


def grouped() -> tuple[Array, Array, Array]:
    """Section 7: Q (5, 24), K and V (5, 12): six heads of queries, three of keys and values, side by side."""
    Q, K, V = (array.copy() for array in random_draws.drawn(records().grouped.draw).values())
    return Q, K, V


def masked_weights() -> Array:
    """Section 10: the weights of a causal head that learnt nothing, (5, 5)."""
    X, W_Q, W_K, *_ = random_draws.drawn(masks.records().lab.last_token).values()
    return attention.weights(X @ W_Q, X @ W_K, attention.causal(len(X)))
