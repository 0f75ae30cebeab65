"""What slides say of the four score functions and the matrices that they give."""

from __future__ import annotations

import numpy as np

from figures.kit import data
from figures.kit.claims import Check, claim
from figures.kit.formats import joined, plain, spelled
from figures.kit.show import number, word
from figures.kit.words import Words
from figures.score_matrix import model
from figures.score_matrix.model import Name, is_binary

_words = Words("matrix")


@number(plain())
def row_sum() -> float:
    """What the weights of a row add up to, in the row that strays the most."""
    sums = model.weights(model.opening()).sum(axis=-1)
    return float(sums[np.abs(sums - 1).argmax()])


@word
def found_in_models() -> str:
    """Which heads are patterns of trained models, said as a sentence."""
    return trained_in_words([function.trained for function in model.records().functions])


def trained_in_words(trained: list[bool]) -> str:
    """The same for any list of marks, in the control's order."""
    trained_count = sum(trained)
    if trained_count < 2:
        return _words("found.one" if trained_count else "found.none")
    number_word = spelled(feminine=True)
    first = all(trained[:trained_count])
    count_text = number_word(trained_count) if first else number_word(trained_count).capitalize()
    return _words("found.first" if first else "found.some", count=count_text, of=number_word(len(trained)))


@word
def found_names() -> str:
    """The names of those heads."""
    return joined([function_name(function.id) for function in model.records().functions if function.trained], _words("and"))


def function_name(name: Name) -> str:
    """The label of a score function.

    >>> function_name("previous")
    'token anterior'
    """
    return _words(f"functions.{name}")


@word
def hardening() -> str:
    """What becomes of the matrix with the division off and d_k at its largest."""
    return _words("binary" if is_binary(model.weights(model.undivided())) else "graded")


@claim
def mask_hides_what_is_ahead(causal: bool = True) -> Check:
    """Under the causal mask no weight is left above the diagonal, where there was some before."""
    start = model.opening()
    before, after = (model.weights(data.changed(start, causal=on)) for on in (False, causal))
    ahead = {"before": float(np.triu(before, 1).max()), "masked": float(np.triu(after, 1).max())}
    return Check(ahead["masked"] == 0 < ahead["before"], ahead)


@claim
def heads_score_as_told() -> Check:
    """Content scores more where a token announces what another asks for; previous looks one back; distance falls; the mix has each."""
    matrix = model.records()
    content, previous, distance = (model.raw_scores(name, matrix.opening.d_k, matrix) for name in ("content", "previous", "distance"))
    answers = np.array([[one.asks == other.announces for other in matrix.tokens] for one in matrix.tokens])
    gain = float(content[answers].mean() - content[~answers].mean())
    back = [int(i - row.argmax()) for i, row in enumerate(previous) if i]
    change = float(np.diff(distance[0]).max())
    parts = np.array([one.ravel() for one in (content, previous, distance)]).T
    mixed = model.raw_scores("mix", matrix.opening.d_k, matrix).ravel()
    shares, left, *_ = np.linalg.lstsq(parts, mixed, rcond=None)
    values = {"gain where it answers": gain, "tokens back": back, "change a token of distance": change, "shares of the mix": shares}
    return Check(gain > 0 and set(back) == {1} and change < 0 and min(shares) > 0.01 and float(left.sum()) < 1e-9, values)


@claim
def rows_sum_to_one(tolerance: float = 1e-12) -> Check:
    """In every head, masked or not, each row of weights sums to 1."""
    states = [
        data.changed(model.opening(), function=function.id, causal=causal)
        for function in model.records().functions
        for causal in (False, True)
    ]
    astray = max(float(np.abs(model.weights(state).sum(axis=-1) - 1).max()) for state in states)
    return Check(astray <= tolerance, {"furthest from 1": astray, "heads": len(states)})
