"""How far a gradient travels back in time: a plain RNN, the path through an LSTM's cell, and attention.

The RNN is h_t = tanh(s W h_(t-1) + w u_t), h_0 = 0, with 8 hidden numbers. Measured here is the length of the gradient
at each step between the last token and the first; nothing is trained. Sources: Hochreiter & Schmidhuber, "Long
Short-Term Memory", 1997; Vaswani et al., "Attention Is All You Need", 2017.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from figures.kit import data
from figures.kit.arrays import Array


class Run(data.Record):
    """One setting of the simulator."""

    tokens: data.Positive
    scale: data.Above


class Range(data.Record):
    """What the simulator lets one choose, least and most."""

    tokens: tuple[data.Positive, data.Positive]
    scale: tuple[data.Above, data.Above]

    def faults(self) -> Iterator[str]:
        if self.tokens[0] >= self.tokens[1] or self.scale[0] >= self.scale[1]:
            yield "the least stands first, and below the most"

    def holds(self, run: Run) -> bool:
        return self.tokens[0] <= run.tokens <= self.tokens[1] and self.scale[0] <= run.scale <= self.scale[1]


class Paper(data.Record):
    """A paper, by its title and year."""

    title: str
    year: int
    source: str


class Recurrence(data.Record):
    """`data/recurrence.yml`: the drawn numbers, and the runs that slides show."""

    factor: data.Share
    forget: data.Share
    opening: Run
    far: Run
    range: Range
    attention_paper: Paper
    W: tuple[tuple[float, ...], ...]
    w: tuple[float, ...]
    u: tuple[float, ...]

    def faults(self) -> Iterator[str]:
        if {len(row) for row in self.W} != {len(self.W)} or len(self.w) != len(self.W):
            yield f"W must be square and w as long as its rows: {len(self.W)} numbers"
        if self.range.tokens[1] > len(self.u):
            yield f"u has {len(self.u)} numbers, too few for {self.range.tokens[1]} tokens"
        for name in ("opening", "far"):
            if not self.range.holds(getattr(self, name)):
                yield f"`{name}` lies outside `range`"


def records() -> Recurrence:
    """The records, as `data/recurrence.yml` has them."""
    return data.load("recurrence", Recurrence)


def run_named(name: str) -> Run:
    """The run of this name, opening or far."""
    run: Run = getattr(records(), name)
    return run


def states(W: Array, w: Array, u: Array, scale: float) -> Array:
    """The hidden states h_0 … h_n, (n + 1, 8), for the n inputs `u`: h_t = tanh(scale W h_(t-1) + w u_t), h_0 = 0."""
    h = [np.zeros(len(w))]
    for x in u:
        h.append(np.tanh(scale * (W @ h[-1]) + w * x))
    return np.array(h)


def gradients(W: Array, w: Array, u: Array, scale: float, last: Array) -> Array:
    """∂L/∂h_0 … ∂L/∂h_n, (n + 1, 8), given the last one: each step back multiplies by scale Wᵀ diag(1 − h_t²)."""
    h = states(W, w, u, scale)
    back = [last]
    for t in range(len(u), 0, -1):
        back.append(scale * (W.T @ ((1 - h[t] ** 2) * back[-1])))
    return np.array(back[::-1])


def rnn_path(n: int, scale: float) -> Array:
    """What is left of a gradient of length 1 at h_0 … h_n, (n + 1,), as the drawn RNN with weights of this scale leaves it.

    >>> len(rnn_path(8, 1))
    9
    """
    drawn = records()
    size = len(drawn.w)
    last = np.full(size, 1 / np.sqrt(size))
    back = gradients(np.array(drawn.W), np.array(drawn.w), np.array(drawn.u[:n]), scale, last)
    lengths: Array = np.linalg.norm(back, axis=1)
    return lengths


def product_path(n: int, factor: float) -> Array:
    """What a product of equal factors, one a step, leaves at 0 … n.

    >>> product_path(2, 0.5).tolist()
    [0.25, 0.5, 1.0]
    """
    return factor ** np.arange(n, -1, -1, dtype=float)


def attention_path(n: int) -> Array:
    """What one step of attention with equal weights leaves at 1 … n: 1/n at every position.

    >>> attention_path(4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    return np.full(n, 1 / n)
