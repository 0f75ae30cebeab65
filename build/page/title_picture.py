"""The picture of the title slide: a causal attention matrix as dots, the last token's row lit. Knows only numbers and colours."""

from __future__ import annotations

from math import exp, sin, sqrt
from urllib.parse import quote

from figures.kit.style import COLOURS

ROWS = 8
PITCH = 56


def motif() -> str:
    """The picture as a CSS value, in the theme's colours: `url("data:image/svg+xml,…")`."""
    dots = [_dot(row, column, weight) for row in range(ROWS) for column, weight in enumerate(weights(row))]
    side = ROWS * PITCH
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">{"".join(dots)}</svg>'
    return f'url("data:image/svg+xml,{quote(svg)}")'


def weights(row: int) -> list[float]:
    """Softmax of scores that merely look uneven; a token sees itself and those before it. `weights(0)` -> [1.0]"""
    scores = [exp(2.2 * sin(2.6 * row + 4.1 * column * column)) for column in range(row + 1)]
    return [score / sum(scores) for score in scores]


def _dot(row: int, column: int, weight: float) -> str:
    radius = max(3.0, 25 * sqrt(weight))
    colour = COLOURS.query if row == ROWS - 1 else COLOURS.rule
    return f'<circle cx="{PITCH * (column + 0.5):g}" cy="{PITCH * (row + 0.5):g}" r="{radius:.1f}" fill="{colour}"/>'
