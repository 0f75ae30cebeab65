"""Attention does not see order: shuffle the tokens and the outputs shuffle with them. And what gives order back.

X is (n, d), one row for each token; a permutation is an array of row numbers: token i of the shuffled sentence was token p[i].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from figures import attention, masks, random_draws
from figures.kit import data, ledger
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import power_of_ten
from figures.kit.show import Column, Table, number, table, word
from figures.kit.words import Words

_words = Words("position")


class Scheme(data.Record):
    """A way to tell positions apart, and who says how it works and what became of it: that stands in words."""

    id: str
    source: str


class Lab(data.Record):
    """The lab's draw, its shuffle, and how small a float32 difference is rounding."""

    draw: str
    permutation: tuple[int, ...]
    rounding_below: data.Above
    source: str

    def faults(self) -> Iterator[str]:
        if sorted(self.permutation) != list(range(len(self.permutation))):
            yield f"`permutation` must hold each of 0 to {len(self.permutation) - 1} once"


class Position(data.Record):
    """`data/position.yml`: two sentences of the same words, their embedding, the lab's draw, the schemes."""

    sentences: tuple[str, str]
    embedding: dict[str, tuple[float, ...]]
    equal_within: data.Above
    lab: Lab
    schemes: tuple[Scheme, ...]

    def faults(self) -> Iterator[str]:
        for name in dict.fromkeys(" ".join(self.sentences).split()):
            if name not in self.embedding:
                yield f"`embedding` has no row for “{name}”"
        if len({len(row) for row in self.embedding.values()}) > 1:
            yield "the rows of `embedding` must be equally long"


def records() -> Position:
    """The records, as `data/position.yml` has them."""
    return data.load("position", Position)


def head(X: Array, projections: Sequence[Array]) -> Array:
    """One head without any sign of position; each projection (d, ·) is divided by √d first."""
    return masks.outputs(X, projections, mask=None)


def difference(X: Array, projections: Sequence[Array], permutation: Sequence[int]) -> float:
    """Largest |Attention(ΠX) − Π Attention(X)|: zero but for rounding, whatever the shuffle."""
    order = list(permutation)
    return float(np.abs(head(X[order], projections) - head(X, projections)[order]).max())


def vectors(sentence: str, embedding: Mapping[str, Sequence[float]], positions: Array | None = None) -> dict[str, Array]:
    """The vector that each word leaves with, Q = K = V = X; `positions` (n, d) are added to X if given."""
    words = sentence.split()
    X = np.array([embedding[word] for word in words])
    X = X if positions is None else X + positions
    mixed = attention.attention(X, X, X)
    return dict(zip(words, mixed))


def same_vectors(first: Mapping[str, Array], second: Mapping[str, Array], within: float) -> bool:
    """Whether each word leaves both sentences with the same vector."""
    return first.keys() == second.keys() and all(np.abs(first[word] - second[word]).max() < within for word in first)


@word
def sentence(n: int) -> str:
    """One of the two sentences, counted from 1.

    >>> sentence(1)
    cachorro morde homem
    """
    return records().sentences[n - 1]


@word
def equality() -> str:
    """The sign between the two sentences as attention alone sees them."""
    first, second = (vectors(sentence, records().embedding) for sentence in records().sentences)
    return _words("equal" if same_vectors(first, second, records().equal_within) else "unequal")


def lab_difference() -> float:
    """The largest difference that shuffling makes to the lab's outputs."""
    drawn = random_draws.drawn(records().lab.draw)
    return difference(drawn["X"], [drawn["W_Q"], drawn["W_K"], drawn["W_V"]], records().lab.permutation)


@number(power_of_ten())
def shuffled_difference() -> float:
    """How far the lab's outputs are from shuffling along, in float32, by order of magnitude."""
    return lab_difference()


@table
def schemes() -> Table:
    """The schemes: name, mechanism, verdict."""
    columns = [Column(heading) for heading in _words.list("columns")]
    return Table(columns, [_row(one) for one in records().schemes])


def _row(scheme: Scheme) -> list[Any]:
    name, *facts = (_words(f"schemes.{scheme.id}.{what}") for what in ("name", "mechanism", "verdict"))
    return [name, *(ledger.fact(text, scheme.source) for text in facts)]


@claim
def shuffles_along() -> Check:
    """Shuffled tokens give shuffled outputs, but for rounding."""
    difference, below = lab_difference(), records().lab.rounding_below
    return Check(difference < below, {"difference": difference, "rounding below": below})
