"""What the lab's text says of its own inputs, and the claims of its sentences; all else comes from the deck's topics."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import attention, masks
from figures.kit import ledger
from figures.kit.checkpoints import within
from figures.kit.claims import Check, claim
from figures.kit.formats import binary_bytes, count, fixed, plain, spelled, vector
from figures.kit.show import Column, Listing, Table, listing, number, table, word
from figures.kit.words import Words
from figures.lab import checks, generation, inputs, training
from figures.model import weights

_words = Words("lab_prose")


def _fact(value: Any) -> ledger.Known:
    """An input of the lab, with its source."""
    return ledger.fact(value, inputs.records().source)


# Section 1


@word
def asking() -> str:
    """The word that asks."""
    return inputs.records().dictionary.asking


@number(spelled())
def dictionary_tokens() -> int:
    """Its tokens, in words."""
    return len(inputs.records().dictionary.tokens)


@number(vector(plain()))
def dictionary_query() -> Any:
    """The query of section 1."""
    return _fact(inputs.records().dictionary.query)


@table
def dictionary_table() -> Table:
    """A token a row, its key and its value."""
    token, key, value = _words.list("dictionary.columns")
    columns = [
        Column(token),
        Column(key, vector(plain()), align="left", role="k"),
        Column(value, vector(plain()), align="left", role="v"),
    ]
    return Table(columns, [[row.name, row.key, row.value] for row in inputs.records().dictionary.tokens])


# Sections 3 to 5


@number(count())
def scaling_d_k() -> Any:
    """The d_k of section 3."""
    return _fact(inputs.records().scaling_d_k)


@number(count())
def positions() -> int:
    """Positions of section 5's sequence."""
    return inputs.filled()[0]


@number(spelled(feminine=True))
def fillings() -> int:
    """How many of them are filling, in words."""
    n, real = inputs.filled()
    return n - int(real.sum())


@claim
def zero_row_still_counts() -> Check:
    """That a key of zeros takes weight from the real ones: the outputs move without the padding mask."""
    moved = masks.padding_difference(masked=False)
    return Check(moved > masks.records().lab.moved_above, {"moved": moved})


@claim
def softmax_of_a_hidden_score() -> Check:
    """That a score of −∞ gets no weight at all."""
    weights = attention.softmax(np.array([0.0, -np.inf]))
    return Check(weights[1] == 0, {"weights": weights})


# Section 7


@number(count())
def layer(size: str) -> Any:
    """A size of the layer that section 7 counts.

    >>> layer("heads")
    8
    """
    return _fact(getattr(inputs.records().grouped.layer, size))


@number(spelled(feminine=True))
def query_heads() -> Any:
    """Heads of the queries in section 7's example, in words."""
    return _fact(inputs.records().grouped.heads)


@number(spelled(feminine=True))
def kv_heads() -> Any:
    """Heads of its keys and values, in words."""
    return _fact(inputs.records().grouped.kv_heads)


@claim
def no_parameter_counts_heads() -> Check:
    """That with as many groups as heads a grouped layer has multi-head's parameters, whatever the number of heads."""
    d = inputs.records().grouped.layer.d
    counts = [checks.grouped_count(d, h, h) for h in (1, 2, 8)]
    return Check(len(set(counts)) == 1, {"counts": counts})


# Sections 8 and 9


@number(binary_bytes())
def memory() -> Any:
    """The memory of section 8."""
    return _fact(inputs.records().bill.memory)


@number(count())
def memory_heads() -> Any:
    """Heads of the layer that must fit there."""
    return _fact(inputs.records().bill.memory_layer.heads)


@number(count())
def memory_bytes() -> Any:
    """Bytes of each of its numbers."""
    return _fact(inputs.records().bill.memory_layer.bytes_per_number)


@number(count())
def long_n() -> Any:
    """The sequence whose scores section 8 weighs."""
    return _fact(inputs.records().bill.layer.n)


@number(count())
def score_heads() -> Any:
    """Heads of that layer."""
    return _fact(inputs.records().bill.layer.heads)


@number(count())
def score_bytes() -> Any:
    """Bytes of each of its scores."""
    return _fact(inputs.records().bill.layer.bytes_per_number)


@number(count())
def new_tokens() -> Any:
    """Tokens that the real model writes in section 9."""
    return _fact(inputs.records().cache.new_tokens)


@number(count())
def passes(cached: bool) -> int:
    """Token passes of section 9's generation with and without a cache."""
    prompt = generation.sizes().prompt_tokens
    count_of = generation.passes_with if cached else generation.passes_without
    return count_of(prompt, inputs.records().cache.new_tokens)


@word
def weights_package() -> str:
    """The package that carries the weights, as pip names it."""
    return weights.default().package.replace("_", "-")


# Section 10


@listing
def learner() -> Listing:
    """The head that section 10 trains."""
    return Listing(training.source())


@number(count())
def vocabulary() -> Any:
    """Ids of section 10."""
    return _fact(inputs.records().teach.vocabulary)


@number(count())
def sequence() -> Any:
    """Tokens of a sequence there."""
    return _fact(inputs.records().teach.tokens)


@number(count())
def steps() -> Any:
    """Steps of its training."""
    return _fact(inputs.records().teach.steps)


@number(plain())
def learnt_from() -> Any:
    """The weight from which on the head has learnt."""
    return _fact(inputs.records().teach.learnt_from)


@number(fixed(2))
def blind_weight() -> float:
    """The weight on the token before if each token that it sees got as much: the mean of 1/t over rows 2 to n."""
    n = inputs.records().teach.tokens
    return float(np.mean([1 / t for t in range(2, n + 1)]))


@claim
def columns_are_independent() -> Check:
    """That a head with one query more gives the others what they had: section 2's rows do not look at each other's queries."""
    Q, K, V = inputs.all_queries()
    beside, alone = attention.attention(Q, K, V)[:1], attention.attention(Q[:1], K, V)
    return Check(within(alone, beside, 1e-5), {"difference": float(np.abs(alone - beside).max())})
