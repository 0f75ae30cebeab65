"""What slides say of the example worked by hand: its words, its verdict, and what becomes of them in each experiment."""

from __future__ import annotations

from collections.abc import Iterable

from figures.hand_example import model
from figures.hand_example.model import even, moved, steps_of, verdict_of
from figures.kit.formats import NBSP, fixed, joined, plain, spelled, vector
from figures.kit.show import word
from figures.kit.words import Words

_words = Words("hand_example")


@word
def asking() -> str:
    """The word whose new vector is computed."""
    return model.example().asking


@word
def sentence(n: int) -> str:
    """The n-th sentence, counted from 1.

    >>> sentence(1)
    Sentei no banco da praça.
    """
    return model.example().sentences[n - 1].text


@word
def neighbours(n: int) -> str:
    """The words that settle the sense in the n-th sentence.

    >>> neighbours(1)
    “sentei” e “praça”
    """
    return joined([_words("quoted", word=word) for word in model.example().sentences[n - 1].read], _words("and"))


@word
def tokens() -> str:
    """The words that the example keeps."""
    return " · ".join(model.example().names)


@word
def meaning() -> str:
    """How a value reads."""
    return "[" + f";{NBSP}".join(model.example().meaning) + "]"


@word
def verdict() -> str:
    """The sense that "banco" leaves with: assento, dinheiro, or em cima do muro."""
    return verdict_of(steps_of(model.example()).output)


@word
def entered() -> str:
    """The sense that "banco" comes in with, by its own value alone."""
    return verdict_of(model.token_of(model.example().asking).value)


@word
def heaviest() -> str:
    """The token with the largest weight."""
    example, steps = model.example(), steps_of(model.example())
    return example.names[int(steps.weights.argmax())]


@word
def tried_change(id: str) -> str:
    """What the experiment sets, as a vector.

    >>> tried_change("value")
    [0; 1]
    """
    experiment = model.experiment_of(id)
    return vector(plain())(experiment.value if experiment.query is None else experiment.query)


@word
def tried_token(id: str) -> str:
    """The token whose value the experiment changes.

    >>> tried_token("value")
    praça
    """
    return model.experiment_of(id).token or ""


@word
def tried_verdict(id: str) -> str:
    """What becomes of the verdict.

    >>> tried_verdict("value")
    o veredito vira dinheiro
    """
    example, steps = model.example(), steps_of(model.example())
    before, after = verdict_of(steps.output), verdict_of(steps_of(example, model.experiment_of(id)).output)
    return _words("tried.stays" if after == before else "tried.flips", verdict=after)


@word
def tried_moves(id: str) -> str:
    """How many weights the experiment moves, never one alone, as they add up to 1.

    >>> tried_moves("value")
    nenhum peso se mexe
    """
    example, steps = model.example(), steps_of(model.example())
    count = moved(steps.weights, steps_of(example, model.experiment_of(id)).weights)
    return _words("tried.moved" if count else "tried.still", count=spelled()(count))


@word
def tried_leaves(id: str) -> str:
    """Whether the heaviest token loses its place.

    >>> tried_leaves("query")
    o peso sai de praça
    """
    example, steps = model.example(), steps_of(model.example())
    first = int(steps.weights.argmax())
    after = steps_of(example, model.experiment_of(id)).weights
    stays = after[first] >= after.max() - 1e-12
    return _words("tried.remains" if stays else "tried.leaves", token=example.names[first])


@word
def tried_weights(id: str) -> str:
    """The weights after the experiment.

    >>> tried_weights("query")
    0,40 em sentei, 0,40 em banco e 0,20 em praça
    """
    return by_token(steps_of(model.example(), model.experiment_of(id)).weights)


def by_token(weights: Iterable[float]) -> str:
    """Each weight with its token.

    >>> by_token([0.4, 0.4, 0.2])
    '0,40 em sentei, 0,40 em banco e 0,20 em praça'
    """
    named = zip(weights, model.example().names)
    return joined([_words("tried.weight", weight=fixed(2)(weight), token=name) for weight, name in named], _words("and"))


@word
def tried_even(id: str) -> str:
    """Whether the weights come out all the same.

    >>> tried_even("zero")
    uniforme, com todos os pesos iguais, e sai a média simples dos valores
    """
    example = model.example()
    weights = steps_of(example, model.experiment_of(id)).weights
    return _words("tried.even") if even(weights) else _words("tried.uneven", heaviest=example.names[int(weights.argmax())])
