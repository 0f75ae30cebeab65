"""The running example's tokens, shapes and sizes, and GPT-2 small's for comparison."""

from __future__ import annotations

from typing import Any

from figures import embedding
from figures.kit import ledger
from figures.kit.formats import count, shape, spelled
from figures.kit.show import number, word
from figures.pieces import chip, example
from figures.running_example import model
from figures.running_example.model import pieces


@word
def phrase() -> str:
    """The phrase of the example."""
    return example()


@number(spelled(feminine=True))
def tokens_count() -> int:
    """How many tokens it has, n."""
    return len(pieces())


@word
def first_token() -> str:
    """The first token as a chip."""
    return chip(pieces()[0])


@word
def last_token() -> str:
    """The last token as a chip."""
    return chip(pieces()[-1])


@number(count())
def width() -> int:
    """Numbers a token, d."""
    return int(embedding.X().shape[-1])


@number(count())
def d_k() -> int:
    """Numbers in a query of one head."""
    return len(model.records().heads[0].query)


@number(spelled(feminine=True))
def head_count() -> int:
    """How many heads the example has, in words."""
    return len(model.records().heads)


@number(shape())
def shape_of(tensor: str) -> tuple[int, ...]:
    """X, and Q, K, V of all heads side by side; S, A and O of head 1.

    >>> shape_of("O")
    5 × 2
    """
    chain = model.run()
    if tensor in {"Q", "K", "V"}:
        part = {"Q": "query", "K": "key", "V": "value"}[tensor]
        return len(chain.u), sum(len(getattr(head, part)) for head in model.records().heads)
    return tuple({"X": chain.u, "S": chain.scores, "A": chain.weights, "O": chain.output}[tensor].shape)


@number(count())
def gpt2_width() -> Any:
    """d of GPT-2 small."""
    return ledger.fact(embedding.sizes().width, embedding.sizes().source)


@number(count())
def gpt2_d_k() -> int:
    """d_k of GPT-2 small, d over its heads."""
    return embedding.sizes().width // embedding.sizes().heads
