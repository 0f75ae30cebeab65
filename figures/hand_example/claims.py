"""The sentences whose truth hangs on the example worked by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

from figures.hand_example import model
from figures.hand_example.model import Pair, Token, moved, steps
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim


def weigh(query: Pair, keys: Array, values: Array) -> Array:
    """The weights (n,) alone, of one query over n keys.

    >>> weigh((0, 0), np.eye(2), np.eye(2)).tolist()
    [0.5, 0.5]
    """
    return steps(query, keys, values).weights


@claim
def places_play_no_part(weigh: Callable[[Pair, Array, Array], Array] = weigh) -> Check:
    """That no weight hangs on a position: with the tokens in another order each keeps its own."""
    example = model.example()
    order = np.arange(len(example.tokens))[::-1]
    in_order = weigh(example.query, example.keys, example.values)[order]
    turned = weigh(example.query, example.keys[order], example.values[order])
    return Check(moved(in_order, turned) == 0, {"weights": in_order, "in another order": turned})


@claim
def other_input_other_weights(query: Pair | None = None) -> Check:
    """Another query, as an experiment has it, meets the same keys with other weights."""
    example = model.example()
    other = query or next(trial.query for trial in example.experiments if trial.query is not None)
    before, after = (weigh(asked, example.keys, example.values) for asked in (example.query, other))
    return Check(moved(before, after) > 0, {"weights": before, "with another query": after})


@claim
def leaves_with_a_new_vector(query: Pair | None = None) -> Check:
    """What the word that asks comes out as is no longer its own value."""
    example = model.example()
    own, output = np.array(model.token_of(example.asking).value), steps(query or example.query, example.keys, example.values).output
    return Check(moved(own, output) > 0, {"value": own, "output": output})


@claim
def likeness_decides(weigh: Callable[[Pair, Array, Array], Array] = weigh) -> Check:
    """Whichever token has which key and whatever it hands over, the weights stand in the order of query times key."""
    example = model.example()
    followed = []
    for order in permutations(range(len(example.tokens))):
        keys = example.keys[list(order)]
        products, weights = keys @ np.array(example.query), weigh(example.query, keys, example.values)
        followed.append(list(np.argsort(products, kind="stable")) == list(np.argsort(weights, kind="stable")))
    products = steps(example.query, example.keys, example.values).products
    values = {"products": products, "weights": weigh(example.query, example.keys, example.values), "orders of the keys": len(followed)}
    return Check(all(followed), values)


@claim
def asks_announces_and_gives_apart(token: Token | None = None) -> Check:
    """The word that asks has a query, a key and a value that are three different vectors."""
    word = token or model.token_of(model.example().asking)
    three = {"query": tuple(model.example().query), "key": tuple(word.key), "value": tuple(word.value)}
    return Check(len(set(three.values())) == len(three), three)
