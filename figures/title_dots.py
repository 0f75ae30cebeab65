"""The numbers behind the title slide's picture: a causal attention matrix that nobody computed, drawn as dots."""

from __future__ import annotations

from math import exp, sin

ROWS = 8


def weights() -> list[list[float]]:
    """Softmax of scores that merely look uneven, a row for each token; a token sees itself and those before it."""
    return [_softmax([2.2 * sin(2.6 * row + 4.1 * column * column) for column in range(row + 1)]) for row in range(ROWS)]


def _softmax(scores: list[float]) -> list[float]:
    total = sum(exp(score) for score in scores)
    return [exp(score) / total for score in scores]
