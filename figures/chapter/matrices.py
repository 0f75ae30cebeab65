"""The example by hand with all its queries at once: six matrices, and the numbers that the text takes from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from figures import attention, hand_example
from figures.chapter import model
from figures.kit import data, markup
from figures.kit.arrays import Array
from figures.kit.formats import NBSP, Format, fixed, joined, plain, to_tex, vector
from figures.kit.show import number, word
from figures.kit.words import Words

_words = Words("chapter")


class Chain(NamedTuple):
    """The six matrices of n tokens: Q, K (n, d_k), V (n, d_v), scaled scores and weights (n, n), output (n, d_v)."""

    Q: Array
    K: Array
    V: Array
    S: Array
    A: Array
    O: Array  # noqa: E741


def chain_of(Q: Array, K: Array, V: Array) -> Chain:
    """All queries at once: Q and K (n, d_k), V (n, d_v) to the six matrices of a Chain.

    >>> chain_of(np.eye(2), np.eye(2), np.eye(2)).A[0].round(2).tolist()
    [0.67, 0.33]
    """
    S = attention.scores(Q, K)
    A = attention.softmax(S)
    return Chain(Q, K, V, S, A, A @ V)


def queries() -> Array:
    """The query of every token of the example, in its order: banco's from hand_example.yml, the others' from chapter.yml."""
    example = hand_example.example()
    query_of = {one.token: one.query for one in model.records().queries} | {example.asking: example.query}
    missing = [name for name in example.names if name not in query_of]
    if missing:
        raise data.fault("chapter", "queries", f"no query for {', '.join(missing)}", "Add one, of two numbers")
    return np.array([query_of[name] for name in example.names], dtype=float)


def by_hand() -> Chain:
    """The chain of "sentei · banco · praça"."""
    example = hand_example.example()
    return chain_of(queries(), example.keys, example.values)


def asking_row() -> int:
    """The row of the word that asks, counted from 0."""
    example = hand_example.example()
    return example.names.index(example.asking)


@word
def products() -> str:
    r"""Every score of the asking token, term by term.

    >>> products().text.split("; ")[1]
    '$q \\cdot k_\\text{banco} = \\text{1·1 + 2·1 = 3}$'
    """
    example = hand_example.example()
    sums = [to_tex(_products(example.query, token.key)) for token in example.tokens]
    return markup.joined((_words("product", token=to_tex(token.name), sum=sum) for token, sum in zip(example.tokens, sums)), "; ")


def _products(query: Sequence[float], key: Sequence[float]) -> str:
    write = plain()
    terms = " + ".join(f"{write(a)}·{write(b)}" for a, b in zip(query, key))
    return f"{terms} = {write(float(np.dot(query, key)))}"


@word
def exponentials() -> str:
    r"""The exponential of each scaled score.

    >>> exponentials().text.split(" e ")[1]
    '$e^{\\text{2,83}} \\approx \\text{16,9}$'
    """
    names = hand_example.example().names
    pairs = [(to_tex(hand_example.scaled(name).text), to_tex(hand_example.exponential(name).to(fixed(1)).text)) for name in names]
    return joined([_words("exponential", score=score, power=power) for score, power in pairs], _words("and"))


def weighted() -> Format:
    """Vectors, each with its weight before it, as a sum.

    >>> print(weighted()([(0.25, (1, 0)), (0.75, (0, 1))]))
    0,25 [1; 0] + 0,75 [0; 1]
    """
    return Format("weighted", lambda terms: " + ".join(f"{fixed(2)(weight)}{NBSP}{vector(plain())(value)}" for weight, value in terms))


@number(weighted())
def mixture() -> tuple[tuple[float, tuple[float, ...]], ...]:
    """Every value of the example with the weight that the asking token gives to it."""
    return tuple((hand_example.weight(token.name).value, token.value) for token in hand_example.example().tokens)


@number(vector(fixed(2)))
def scaled() -> tuple[float, ...]:
    """The asking token's scores over √d_k."""
    return tuple(by_hand().S[asking_row()].tolist())


@number(vector(fixed(2)))
def weights() -> tuple[float, ...]:
    """The weights that the asking token gives."""
    return tuple(by_hand().A[asking_row()].tolist())
