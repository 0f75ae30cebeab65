"""How far a gradient travels back in time: a plain RNN, the path through an LSTM's cell, and attention.

The RNN is h_t = tanh(s W h_(t-1) + w u_t), h_0 = 0, with 8 hidden numbers. Measured here is the length of the gradient
at each step between the last token and the first; nothing is trained. Sources: Hochreiter & Schmidhuber, "Long
Short-Term Memory", 1997; Vaswani et al., "Attention Is All You Need", 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from figures.kit import data, ledger, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import count, plain, power_of_ten, scientific, significant
from figures.kit.show import Column, Picture, Table, figure, number, table, word
from figures.kit.theme import series
from figures.kit.words import Words

_words = Words("recurrence")


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


def inputs() -> Recurrence:
    return data.load("recurrence", Recurrence)


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
    """What is left of a gradient of length 1 at h_0 … h_n, (n + 1,): `rnn_path(64, 1)[0]` -> 5.2e-4."""
    given = inputs()
    size = len(given.w)
    last = np.full(size, 1 / np.sqrt(size))
    back = gradients(np.array(given.W), np.array(given.w), np.array(given.u[:n]), scale, last)
    lengths: Array = np.linalg.norm(back, axis=1)
    return lengths


def product_path(n: int, factor: float) -> Array:
    """What a product of equal factors, one a step, leaves at 0 … n: `product_path(64, 0.9)[0]` -> 0.0012."""
    return factor ** np.arange(n, -1, -1, dtype=float)


def attention_path(n: int) -> Array:
    """What one step of attention with equal weights leaves at 1 … n: 1/n at every position."""
    return np.full(n, 1 / n)


@number(plain())
def factor() -> float:
    """What each token leaves of the gradient, in the slide's example."""
    return inputs().factor


@number(count())
def tokens(run: str = "opening") -> int:
    """Tokens of a run: `tokens()` -> 64, `tokens("far")` -> 256."""
    return _run(run).tokens


@number(plain())
def scale(run: str = "opening") -> float:
    """Scale of the RNN's weights in a run."""
    return _run(run).scale


@number(significant(1))
def factor_left() -> float:
    """What is left of the gradient after as many such factors as the opening run has tokens: 0,001."""
    return float(product_path(tokens().value, inputs().factor)[0])


@number(plain())
def forget() -> float:
    """The LSTM's forget gate."""
    return inputs().forget


@number(scientific(1))
def rnn(run: str = "opening") -> float:
    """The RNN's gradient from the last token to the first: `rnn()` -> 5 × 10⁻⁴."""
    return float(rnn_path(_run(run).tokens, _run(run).scale)[0])


@number(scientific(1))
def lstm(run: str = "opening") -> float:
    """The same along the LSTM's cell: `lstm()` -> 4 × 10⁻²."""
    return float(product_path(_run(run).tokens, inputs().forget)[0])


@number(scientific(1))
def attention(run: str = "opening") -> float:
    """The same through attention, 1/n: `attention()` -> 2 × 10⁻²."""
    return float(attention_path(_run(run).tokens)[0])


@word
def paper() -> Any:
    """The paper that dropped recurrence."""
    known = inputs().attention_paper
    return ledger.fact(known.title, known.source)


@number(count())
def paper_year() -> Any:
    """Its year."""
    known = inputs().attention_paper
    return ledger.fact(known.year, known.source)


@table
def reach() -> Table:
    """What is left of the gradient from the last token to the first, in both runs."""
    runs = ("opening", "far")
    step = _words("reach.one_step")
    heads = [_words("reach.tokens", tokens=tokens(run)) for run in runs]
    return Table(
        [Column(_words("reach.path")), *(Column(head, scientific(1)) for head in heads)],
        [
            (_words("reach.rnn", scale=scale()), *(rnn(run).value for run in runs)),
            (_words("reach.lstm", forget=forget()), *(lstm(run).value for run in runs)),
            (_words("reach.attention"), step, step),
        ],
    )


@figure
def decay() -> Picture:
    """What is left of the gradient at the first token, against the length of the text."""
    least, most = inputs().range.tokens
    lengths = range(least, most + 1, 4)
    left = {
        "attention": np.array([1 / n for n in lengths]),
        "lstm": np.array([inputs().forget ** n for n in lengths]),
        "rnn": np.array([rnn_path(n, scale().value)[0] for n in lengths]),
    }
    drawing, axes = style.canvas(540, 330)
    _draw_paths(axes, lengths, left)
    axes.set_xlabel(_words("figure.length"))
    _head(axes, _words("figure.left"))
    axes.set_xticks([least, tokens().value, most // 2, most])
    ends = {name: scientific(1)(values[-1]) for name, values in left.items()}
    alt = _words("figure.decay_alt", least=least, most=most, first=scientific(1)(left["rnn"][0]), **ends)
    return Picture(drawing, alt)


@figure
def opening_state() -> Picture:
    """The simulator's first view: what is left of the gradient at each position, from the last token back to the first."""
    n, s = tokens().value, scale().value
    left = {
        "attention": np.append(attention_path(n), 1 / n)[::-1],
        "lstm": product_path(n, inputs().forget)[::-1],
        "rnn": rnn_path(n, s)[::-1],
    }
    drawing, axes = style.canvas(1152, 470)
    _draw_paths(axes, range(n + 1), left)
    axes.set_xlabel(_words("figure.back"))
    axes.set_xticks(range(0, n + 1, n // 4))
    _head(axes, _words("figure.opening", tokens=count()(n), scale=plain()(s)))
    ends = {name: scientific(1)(values[-1]) for name, values in left.items()}
    return Picture(drawing, _words("figure.opening_alt", tokens=count()(n), scale=plain()(s), **ends))


@claim
def decays_exponentially(near: float | None = None, far: float | None = None) -> Check:
    """Four times the distance takes four times the decades away, give or take a quarter: a straight line on a log axis."""
    near, far = (rnn(run).value if given is None else given for run, given in (("opening", near), ("far", far)))
    steps = tokens("far").value / tokens().value
    decades = np.log(far) / np.log(near)
    return Check(
        bool(near < 1 and abs(decades / steps - 1) < 0.25), {"near": near, "far": far, "distance": steps, "decades": float(decades)}
    )


@claim
def lstm_has_a_better_constant(factor: float | None = None) -> Check:
    """The cell's factor a step is nearer to 1 than the RNN's mean factor, and still below it."""
    cell = inputs().forget if factor is None else factor
    mean = rnn("far").value ** (1 / tokens("far").value)
    return Check(bool(mean < cell < 1), {"RNN": mean, "LSTM": cell})


@claim
def gate_helps_and_still_decays(forget: float | None = None) -> Check:
    """The cell keeps more than the RNN does, and the less the longer the text: a gate still makes a product."""
    gate = inputs().forget if forget is None else forget
    near, far = (float(product_path(tokens(run).value, gate)[0]) for run in ("opening", "far"))
    return Check(rnn().value < near and far < near, {"RNN": rnn().value, "LSTM near": near, "LSTM far": far})


@claim
def attention_reaches_further(run: str = "far") -> Check:
    """Over the longer text attention leaves more of the gradient than either recurrence."""
    left = {"RNN": rnn(run).value, "LSTM": lstm(run).value, "attention": attention(run).value}
    return Check(left["attention"] > max(left["RNN"], left["LSTM"]), left)


@claim
def attention_is_even(path: Array | None = None) -> Check:
    """Attention leaves the same at every position."""
    left = attention_path(tokens().value) if path is None else path
    return Check(bool(np.ptp(left) == 0), {"least": float(left.min()), "most": float(left.max())})


def _draw_paths(axes: Axes, x: Sequence[int], left: dict[str, Array]) -> None:
    """Three lines on a log axis, each with its name and its last value at its end."""
    looks = series("recurrence")
    for name, values in left.items():
        axes.plot(x, values, color=looks[name].ink, linestyle=looks[name].dash)
        text = _words(f"figure.{name}", value=scientific(1)(values[-1]))
        style.label(axes, text, (x[-1], float(values[-1])), colour=looks[name].ink, weight=600, offset=(10, 0))
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(numticks=5))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: power_of_ten()(value)))


def _head(axes: Axes, text: str) -> None:
    """What the upright axis measures, written above it."""
    axes.set_title(text, pad=14, x=0, weight=400, color=style.COLOURS.soft)


def _run(name: str) -> Run:
    found: Run = getattr(inputs(), name)
    return found
