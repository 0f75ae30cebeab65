"""The whole n × n matrix of attention over a sentence, under four score functions: content, previous token, distance, mix.

A raw score is built so that it spreads like a product of d_k independent components, with standard deviation √d_k:
undivided, the softmax hardens as d_k grows. The pure functions take every input as an argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from figures import attention
from figures.kit import data, readings
from figures.kit.arrays import Array

Name = Literal["content", "previous", "distance", "mix"]


class Token(data.Record):
    """A word of the sentence: the kind of word that it asks for, and the kind that it announces itself as."""

    text: str
    asks: str
    announces: str


class Content(data.Record):
    """How queries and keys are drawn: seed, components, the share of variance that a kind has in common."""

    seed: data.Natural
    d_k: data.Positive
    shared: data.Share
    decimals: data.Natural


class Previous(data.Record):
    """How strongly a token looks at the one before."""

    strength: float


class Distance(data.Record):
    """How much a score falls with each token of distance."""

    slope: float


class Mix(data.Record):
    """What each of the other score functions counts for in the mix."""

    content: float
    previous: float
    distance: float


class Function(data.Record):
    """A score function, and whether heads like it are found in trained models."""

    id: Name
    trained: bool
    source: str


class State(data.Record):
    """What the simulator's controls say; `row` counts from 1."""

    function: Name
    d_k: data.Positive
    divide: bool
    causal: bool
    row: data.Positive


class Matrix(data.Record):
    """`data/matrix.yml`."""

    source: str
    tokens: tuple[Token, ...]
    content: Content
    previous: Previous
    distance: Distance
    mix: Mix
    functions: tuple[Function, ...]
    opening: State

    def faults(self) -> Iterator[str]:
        if self.opening.row > len(self.tokens):
            yield f"it opens on row {self.opening.row} of a sentence of {len(self.tokens)} tokens"
        if self.opening.d_k > self.content.d_k:
            yield f"it opens with d_k = {self.opening.d_k}, and {self.content.d_k} components are drawn"
        if missing := {"content", "previous", "distance", "mix"} - {function.id for function in self.functions}:
            yield f"`functions` lacks {', '.join(sorted(missing))}"

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.tokens)


def records() -> Matrix:
    """The sentence and its score functions as `data/matrix.yml` has them."""
    return data.load("matrix", Matrix)


class Vectors(NamedTuple):
    """A query and a key for each token, both (n, d_k): what the content head compares."""

    queries: Array
    keys: Array


@readings.remembered
def vectors(tokens: tuple[Token, ...], content: Content) -> Vectors:
    """Queries and keys of standard normal components, (n, d_k). A query leans towards the keys of the kind that it asks for.

    Equal words, capitals aside, get equal vectors. A query and a key that match have a product of mean shared · d_k.
    """
    rng = np.random.default_rng(readings.seed("matrix.yml", content.seed))
    kinds = {kind: rng.standard_normal(content.d_k) for kind in dict.fromkeys(kind for t in tokens for kind in (t.asks, t.announces))}
    own = {text: rng.standard_normal((2, content.d_k)) for text in dict.fromkeys(token.text.lower() for token in tokens)}
    common, rest = np.sqrt(content.shared), np.sqrt(1 - content.shared)
    queries = [common * kinds[token.asks] + rest * own[token.text.lower()][0] for token in tokens]
    keys = [common * kinds[token.announces] + rest * own[token.text.lower()][1] for token in tokens]
    return Vectors(np.round(queries, content.decimals), np.round(keys, content.decimals))


def content_scores(vectors: Vectors, d_k: int) -> Array:
    """Query times key, (n, n), over the first `d_k` components."""
    products: Array = vectors.queries[:, :d_k] @ vectors.keys[:, :d_k].T
    return products


def previous_scores(n: int, d_k: int, strength: float) -> Array:
    """√d_k · strength for the token before, 0 elsewhere, (n, n); the first token has itself only."""
    scores: Array = np.eye(n, k=-1)
    scores[0, 0] = 1
    scores *= np.sqrt(d_k) * strength
    return scores


def distance_scores(n: int, d_k: int, slope: float) -> Array:
    """Minus √d_k · slope for each token of distance, (n, n)."""
    places = np.arange(n)
    scores: Array = -np.sqrt(d_k) * slope * np.abs(places[:, None] - places[None, :])
    return scores


def raw_scores(name: Name, d_k: int, matrix: Matrix, drawn: Vectors | None = None) -> Array:
    """The undivided scores (n, n) of one of the four functions."""
    drawn = drawn or vectors(matrix.tokens, matrix.content)
    n = len(drawn.queries)
    if name == "content":
        return content_scores(drawn, d_k)
    if name == "previous":
        return previous_scores(n, d_k, matrix.previous.strength)
    if name == "distance":
        return distance_scores(n, d_k, matrix.distance.slope)
    parts: tuple[tuple[Name, float], ...] = (
        ("content", matrix.mix.content),
        ("previous", matrix.mix.previous),
        ("distance", matrix.mix.distance),
    )
    mixed: Array = sum((share * raw_scores(part, d_k, matrix, drawn) for part, share in parts), np.zeros((n, n)))
    return mixed


def weights(state: State, matrix: Matrix | None = None) -> Array:
    """The attention weights (n, n) under the simulator's `state`; each row sums to 1."""
    matrix = matrix or records()
    scores = raw_scores(state.function, state.d_k, matrix)
    if state.divide:
        scores = scores / np.sqrt(state.d_k)
    if state.causal:
        scores = scores + attention.causal(len(scores))
    return attention.softmax(scores)


def is_binary(weights: Array, above: float = 0.99) -> bool:
    """Whether every row puts nearly all its weight on one token.

    >>> is_binary(np.eye(3))
    True
    """
    return bool((weights.max(axis=-1) > above).all())


def opening() -> State:
    """The state that the simulator opens in."""
    return records().opening


def undivided(matrix: Matrix | None = None) -> State:
    """The opening state with the division off and d_k as far up as it goes."""
    matrix = matrix or records()
    return data.changed(matrix.opening, d_k=matrix.content.d_k, divide=False)
