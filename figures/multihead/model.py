"""Multi-head attention is a reshape: its records, its arithmetic, and the two-head example as arrays.

Q, K and V are (n, d), or (B, n, d) with a batch; head i of h takes columns i·d/h to (i + 1)·d/h.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec
import numpy as np

from figures import attention, hand_example, multihead_code
from figures.kit import data
from figures.kit.arrays import Array
from figures.kit.errors import DataError
from figures.multihead_code import Step


class ShapeStep(data.Record):
    """A step of multi-head attention and the sizes of its result, in symbols."""

    id: Literal["project", "split", "scores", "join"]
    shape: tuple[Annotated[str, msgspec.Meta(pattern="^[Bnhd](/[Bnhd])?$")], ...]  # sizes: B, n, h, d, or one over another


class Parameters(data.Record):
    """The layer whose parameters are counted, and the numbers of heads that are tried."""

    d: data.Positive
    heads: tuple[data.Positive, ...]
    matrices: tuple[str, ...]
    source: str

    def faults(self) -> Iterator[str]:
        if sorted(self.matrices) != ["W_K", "W_O", "W_Q", "W_V"]:
            yield f"`matrices` must be W_Q, W_K, W_V and W_O, and is {', '.join(self.matrices)}"


class Row(data.Record):
    """A token's query, key and value in head 2."""

    q: tuple[float, float]
    k: tuple[float, float]
    v: tuple[float, float]


class Example(data.Record):
    """What the example adds to the one worked by hand: the other words' queries, and a second head."""

    other_queries: dict[str, tuple[float, float]]
    second_head: dict[str, Row]
    source: str


class MultiHead(data.Record):
    """`data/multihead.yml`."""

    steps: tuple[ShapeStep, ...]
    parameters: Parameters
    example: Example


class Heads(NamedTuple):
    """Weights (h, n, n) and output (n, d) of a run."""

    weights: Array
    output: Array


def records() -> MultiHead:
    """The records, as `data/multihead.yml` has them."""
    return data.load("multihead", MultiHead)


def split(X: Array, h: int) -> Array:
    """(…, n, d) to (…, h, n, d/h): a reshape and a swap of axes, no arithmetic.

    >>> split(np.zeros((3, 4)), 2).shape
    (2, 3, 2)
    """
    *rest, n, d = X.shape
    return X.reshape(*rest, n, h, d // h).swapaxes(-2, -3)


def merge(X: Array) -> Array:
    """(…, h, n, d/h) to (…, n, d): `split` undone.

    >>> merge(np.zeros((2, 3, 2))).shape
    (3, 4)
    """
    *rest, h, n, d_h = X.shape
    return X.swapaxes(-2, -3).reshape(*rest, n, h * d_h)


def layer(X: Array, matrices: Mapping[str, Array], biases: Mapping[str, Array], h: int, mask: Array | None = None) -> list[Array]:
    """A whole layer with biases: what each step of the slide's table makes, (B, n, d) first and last."""
    Q, K, V = (X @ matrices[name] + biases[name] for name in ("W_Q", "W_K", "W_V"))
    q, k, v = split(Q, h), split(K, h), split(V, h)
    scores = attention.scores(q, k)
    weights = attention.softmax(scores if mask is None else scores + mask)
    return [Q, q, scores, merge(weights @ v) @ matrices["W_O"] + biases["W_O"]]


def parameter_count(d: int, h: int, matrices: int) -> int:
    """Numbers learnt by a layer of h heads with biases.

    >>> parameter_count(64, 8, 4)
    16640
    """
    if d % h:
        raise DataError("data/multihead.yml", "parameters", f"{h} heads don't divide d = {d}", "Choose another d")
    columns = h * (d // h)
    return matrices * (d * columns + columns)


def evaluated(symbols: Sequence[str], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Sizes in numbers.

    >>> evaluated(["n", "d/h"], {"n": 3, "d": 4, "h": 2})
    (3, 2)
    """
    parts = [symbol.split("/") for symbol in symbols]
    return tuple(sizes[top] // (sizes[bottom[0]] if bottom else 1) for top, *bottom in parts)


def example() -> tuple[Array, Array, Array]:
    """Q, K and V of the example, (n, d) each: head 1 from the example worked by hand, head 2 beside it."""
    by_hand, beside = hand_example.example(), records().example
    for key, rows, wanted in (
        ("example.second_head", beside.second_head, set(by_hand.names)),
        ("example.other_queries", beside.other_queries, {*by_hand.names} - {by_hand.asking}),
    ):
        if missing := sorted(wanted - rows.keys()):
            raise DataError("data/multihead.yml", key, f"no row for {', '.join(missing)}", "Give each token of hand_example.yml one")
    second = [beside.second_head[name] for name in by_hand.names]
    first_queries = [by_hand.query if name == by_hand.asking else beside.other_queries[name] for name in by_hand.names]
    Q = np.hstack([np.array(first_queries, float), np.array([row.q for row in second], float)])
    K = np.hstack([by_hand.keys.astype(float), np.array([row.k for row in second], float)])
    V = np.hstack([by_hand.values.astype(float), np.array([row.v for row in second], float)])
    return Q, K, V


def sizes() -> tuple[int, int]:
    """n and d of the example."""
    Q, _, _ = example()
    n, d = Q.shape
    return n, d


def head_count() -> int:
    """Heads of the example: the width of Q over that of the query worked by hand."""
    _, d = sizes()
    return d // len(hand_example.example().query)


def variant(causal: bool = False, one_head: bool = False, equal_keys: bool = False) -> list[Step]:
    """The listing run on the example with what the simulator's switches change; no switch is the opening state."""
    Q, K, V = example()
    if equal_keys:
        K = np.broadcast_to(K[0], K.shape)
    return multihead_code.run(Q, K, V, 1 if one_head else head_count(), attention.causal(len(Q)) if causal else None)


def heads(steps: Sequence[Step]) -> Heads:
    """The weights and the output that a run leaves."""
    made = {name: value for step in steps for name, value in step.made.items()}
    return Heads(made["A"], made["saida"])


def asking_row() -> int:
    """The row of the word that asks, counted from 0."""
    return hand_example.example().names.index(hand_example.example().asking)


def weights_of(head: int, steps: Sequence[Step]) -> Array:
    """The weights of the word that asks in one head, counted from 1."""
    row: Array = heads(steps).weights[head - 1, asking_row()]
    return row


def first_head_output(steps: Sequence[Step]) -> list[float]:
    """The first head's part of the output of the word that asks."""
    return [float(x) for x in heads(steps).output[asking_row(), : len(hand_example.example().query)]]
