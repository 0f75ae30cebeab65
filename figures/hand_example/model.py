"""The records of the example worked by hand, and its four steps as pure computing.

Every input is an argument; `example()` has those of `data/hand_example.yml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec
import numpy as np

from figures import attention
from figures.kit import data
from figures.kit.arrays import Array
from figures.kit.words import Words

_words = Words("hand_example")


Moderate = Annotated[float, msgspec.Meta(ge=-20, le=20)]  # beyond it exp(q·k) has more digits than a slide
Pair = tuple[Moderate, Moderate]


BESIDE = 2  # words of a sentence that the pictures of layers have room for, beside the one that asks


class Sentence(data.Record):
    """A sentence with the ambiguous word, and the words that settle its sense."""

    text: str
    read: tuple[str, ...]

    def faults(self) -> Iterator[str]:
        if len(self.read) > BESIDE:
            yield f"`read` has {len(self.read)} words, and the pictures have room for {BESIDE} beside “{self.text}”"


class Token(data.Record):
    """A word of the example: the key that it announces, the value that it hands over."""

    name: str
    key: Pair
    value: Pair


class Experiment(data.Record):
    """One thing changed: the query, or the value of a token."""

    id: str
    query: Pair | None = None
    token: str | None = None
    value: Pair | None = None

    def faults(self) -> Iterator[str]:
        if (self.token is None) != (self.value is None) or (self.query is None) == (self.token is None):
            yield "an experiment changes a `query`, or the `value` of a `token`"


class Example(data.Record):
    """The whole example, as an instructor edits it."""

    source: str
    sentences: tuple[Sentence, ...]
    meaning: tuple[str, str]
    asking: str
    query: Pair
    tokens: tuple[Token, ...]
    undecided_within: data.Above
    experiments: tuple[Experiment, ...]

    def faults(self) -> Iterator[str]:
        if len(self.sentences) < 2:
            yield "`sentences` must be two, each with another sense of the word"
        ids = [one.id for one in self.experiments]
        for id in ("value", "query", "zero"):
            if id not in ids:
                yield f"the notes tell an experiment `{id}`, and `experiments` has {', '.join(ids)}"
        for one in self.experiments:
            if one.id == "zero" and one.query != (0, 0):
                yield f"the experiment `zero` asks with {list(one.query or ())}, and the page says that its query is all zeros"
            if one.id == "value" and one.value is None or one.id == "query" and one.query is None:
                yield f"the experiment `{one.id}` changes no {one.id}"
            if one.query == self.query or one.value is not None and one.value in self._values_of(one.token):
                yield f"the experiment `{one.id}` changes nothing: the example has that {'query' if one.value is None else 'value'} already"
        for name in (self.asking, *(one.token for one in self.experiments if one.token is not None)):
            if name not in self.names:
                yield f"“{name}” is none of the tokens {', '.join(self.names)}"

    def _values_of(self, name: str | None) -> list[Pair]:
        return [token.value for token in self.tokens if token.name == name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(token.name for token in self.tokens)

    @property
    def keys(self) -> Array:
        return np.array([token.key for token in self.tokens])

    @property
    def values(self) -> Array:
        return np.array([token.value for token in self.tokens])


def example() -> Example:
    """The example as `data/hand_example.yml` has it."""
    return data.load("hand_example", Example)


def token_of(name: str) -> Token:
    """The token of this name; a DataError that lists the names where there is none."""
    return data.one(example().tokens, lambda token: token.name, name, "data/hand_example.yml")


def experiment_of(id: str) -> Experiment:
    """The experiment of this id."""
    return data.one(example().experiments, lambda experiment: experiment.id, id, "data/hand_example.yml")


class Steps(NamedTuple):
    """What each of the four steps gives: ① products, ② scaled, ③ exponentials, total, weights, ④ contributions, output."""

    products: Array
    scaled: Array
    exponentials: Array
    total: float
    weights: Array
    contributions: Array
    output: Array


def steps(query: Sequence[float] | Array, keys: Array, values: Array, d_k: int | None = None) -> Steps:
    """The four steps for one query (d_k,), n keys (n, d_k) and n values (n, d_v). `d_k` changes the divisor √d_k only.

    >>> steps([1, 2], [[1, 0], [1, 1], [0, 2]], [[1, 0], [.5, .5], [1, 0]]).output.round(3).tolist()
    [0.847, 0.153]
    """
    keys, values = np.asarray(keys, float), np.asarray(values, float)
    products = keys @ np.asarray(query, float)
    scaled = products / np.sqrt(d_k or keys.shape[-1])
    exponentials = np.exp(scaled)
    weights = attention.softmax(scaled)
    contributions = weights[:, None] * values
    return Steps(products, scaled, exponentials, float(exponentials.sum()), weights, contributions, contributions.sum(axis=0))


def steps_of(example: Example, experiment: Experiment | None = None) -> Steps:
    """The four steps of an example, with the one change of an experiment made where there is one."""
    values = example.values
    if experiment is not None and experiment.token is not None:
        values[example.names.index(experiment.token)] = experiment.value
    query = example.query if experiment is None or experiment.query is None else experiment.query
    return steps(query, example.keys, values)


def moved(before: Array, after: Array) -> int:
    """How many weights differ.

    >>> moved(np.array([0.2, 0.3, 0.5]), np.array([0.2, 0.4, 0.4]))
    2
    """
    return int((~np.isclose(before, after, rtol=0, atol=1e-12)).sum())


def even(weights: Array) -> bool:
    """Whether all weights are the same, so that the output is a plain mean.

    >>> even(np.array([0.5, 0.5]))
    True
    """
    return bool(np.allclose(weights, 1 / len(weights), rtol=0, atol=1e-12))


def sense(output: Sequence[float] | Array, meaning: Sequence[str], within: float) -> str | None:
    """The meaning with the larger number, or None if the two lie closer than `within`: undecided.

    >>> sense([0.85, 0.15], ["assento", "dinheiro"], 0.25)
    'assento'
    >>> sense([0.6, 0.4], ["assento", "dinheiro"], 0.25) is None
    True
    """
    return None if np.ptp(output) < within else meaning[int(np.argmax(output))]


def verdict_of(output: Sequence[float] | Array) -> str:
    """The verdict in words for any output: one of the two meanings, or that it is undecided."""
    meaning, within = example().meaning, example().undecided_within
    return sense(output, meaning, within) or undecided()


def undecided() -> str:
    """What an output is called that leans neither way."""
    return _words("undecided")
