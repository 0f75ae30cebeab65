"""What slides say of the two-head example, as it is and with one thing changed."""

from __future__ import annotations

import math

import numpy as np

from figures import hand_example
from figures.kit.claims import Check, claim
from figures.kit.formats import count, fixed, joined, reciprocal, vector
from figures.kit.show import number, word
from figures.kit.words import Words
from figures.multihead import model
from figures.multihead.model import first_head_output, head_count, sizes, weights_of

_words = Words("multihead")


@number(count())
def token_count() -> int:
    """Tokens of the example."""
    n, _ = sizes()
    return n


@number(count())
def example_d() -> int:
    """Dimensions of the example."""
    _, d = sizes()
    return d


@number(count())
def example_h() -> int:
    """Heads of the example."""
    return head_count()


@number(vector(fixed(2)))
def first_output() -> list[float]:
    """What head 1 makes of "banco"."""
    return first_head_output(model.variant())


@word
def second_head_looks_at() -> str:
    """The token that "banco" looks at most in head 2."""
    return hand_example.example().names[int(weights_of(2, model.variant()).argmax())]


@number(fixed(2))
def second_head_weight() -> float:
    """The weight that "banco" puts there."""
    return float(weights_of(2, model.variant()).max())


@word
def lost_to_the_mask() -> str:
    """What "banco" no longer sees under the causal mask."""
    names, row = hand_example.example().names, weights_of(1, model.variant(causal=True))
    return joined([name for name, weight in zip(names, row) if weight == 0] or [_words("none")], _words("and"))


@word
def first_token() -> str:
    """The first token."""
    return hand_example.example().names[0]


@claim
def first_sees_itself_alone() -> Check:
    """Under the causal mask the first token puts all its weight on itself, in every head."""
    rows = model.heads(model.variant(causal=True)).weights[:, 0]
    return Check(bool((rows[:, 0] == 1).all()), {"rows": rows.tolist()})


@number(vector(fixed(2)))
def causal_output() -> list[float]:
    """What head 1 makes of "banco" under the causal mask."""
    return first_head_output(model.variant(causal=True))


@word
def causal_verdict() -> str:
    """How that output reads."""
    return hand_example.verdict_of(first_head_output(model.variant(causal=True)))


@number(count())
def one_head_h() -> int:
    """Heads of that variant, from the run itself."""
    return len(model.heads(model.variant(one_head=True)).weights)


@number(count())
def one_head_root() -> float:
    """The divisor with a single head, √4."""
    _, d = sizes()
    return math.sqrt(d)


@word
def one_head_weights() -> str:
    """The weights of "banco" with a single head, each with its token."""
    return hand_example.by_token(weights_of(1, model.variant(one_head=True)))


@claim
def one_row_points_at_less() -> Check:
    """With a single head the largest weight of "banco" is below that of either head."""
    both = [float(weights_of(head, model.variant()).max()) for head in (1, 2)]
    alone = float(weights_of(1, model.variant(one_head=True)).max())
    return Check(alone < min(both), {"one head": alone, "two heads": both})


@word
def equal_keys_weight() -> str:
    """Every weight when all keys are equal."""
    weights = model.heads(model.variant(equal_keys=True)).weights
    n, _ = sizes()
    return reciprocal()(1 / n) if np.allclose(weights, 1 / n) else fixed(2)(weights.max())
