"""What each position of a phrase sees, and the token that it must predict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from figures import attention, bpe
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError
from figures.kit.formats import count
from figures.kit.show import Column, Table, number, table
from figures.kit.words import Words
from figures.masks import model
from figures.pieces import TOKENS, chips, example, phrases

_words = Words("masks")


class Example(NamedTuple):
    """One training example that a position gives: what it sees, and the token that it must predict."""

    position: int
    sees: tuple[str, ...]
    predicts: str


def examples_of(pieces: Sequence[str]) -> list[Example]:
    """One example for each position but the last.

    >>> examples_of(["o", " gato"])
    [Example(position=1, sees=('o',), predicts=' gato')]
    """
    return [Example(n, tuple(pieces[:n]), pieces[n]) for n in range(1, len(pieces))]


def examples() -> list[Example]:
    """The examples of the lecture's phrase with its continuation."""
    made = examples_of(bpe.cut(phrases().example + model.records().continuation, bpe.merges()))
    if len(made) > TOKENS:
        what = f"“{model.records().continuation}” after “{example()}” gives {len(made)} positions, and the slides hold {TOKENS}"
        raise DataError("data/masks.yml", "continuation", what, "Continue it with a word that bpe.yml cuts into fewer pieces")
    return made


@table
def sees_and_predicts() -> Table:
    """Each position of the phrase, the tokens that it sees, the one that it must predict."""
    position, sees, predicts = _words.list("sees.columns")
    columns = [Column(position, count()), Column(sees, chips(), align="left"), Column(predicts, chips(), align="left")]
    return Table(columns, [[example.position, example.sees, (example.predicts,)] for example in examples()])


@number(count())
def first_position() -> int:
    """The first row of the table."""
    return examples()[0].position


@number(chips())
def first_prediction() -> tuple[str, ...]:
    """The token that the first position must predict."""
    return (examples()[0].predicts,)


@claim
def one_example_a_position() -> Check:
    """A causal pass gives as many training examples as the phrase has positions that see something to predict."""
    n = len(examples())
    seen = [np.flatnonzero(row == 0).tolist() for row in attention.causal(n)]
    return Check(seen == [list(range(example.position)) for example in examples()], {"examples": n, "columns seen": seen})
