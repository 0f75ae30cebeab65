"""What slides say of the gradient that each path leaves: numbers, a table, and the claims on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import attention as layer
from figures.kit import ledger
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import count, plain, scientific, significant
from figures.kit.show import Column, Table, number, table, word
from figures.kit.words import Words
from figures.recurrence import model
from figures.recurrence.model import attention_path, product_path, rnn_path

_words = Words("recurrence")


@number(plain())
def factor() -> float:
    """What each token leaves of the gradient, in the slide's example."""
    return model.records().factor


@number(count())
def tokens(run: str = "opening") -> int:
    """Tokens of a run.

    >>> tokens()
    64
    >>> tokens("far")
    256
    """
    return model.run_named(run).tokens


@number(plain())
def scale(run: str = "opening") -> float:
    """Scale of the RNN's weights in a run."""
    return model.run_named(run).scale


@number(significant(1))
def factor_left() -> float:
    """What is left of the gradient after as many such factors as the opening run has tokens."""
    return float(product_path(tokens().value, model.records().factor)[0])


@number(plain())
def forget() -> float:
    """The LSTM's forget gate."""
    return model.records().forget


@number(scientific(1))
def rnn(run: str = "opening") -> float:
    """The RNN's gradient from the last token to the first.

    >>> rnn()
    5 × 10⁻⁴
    """
    return float(rnn_path(model.run_named(run).tokens, model.run_named(run).scale)[0])


@number(scientific(1))
def lstm(run: str = "opening") -> float:
    """The same along the LSTM's cell.

    >>> lstm()
    4 × 10⁻²
    """
    return float(product_path(model.run_named(run).tokens, model.records().forget)[0])


@number(scientific(1))
def attention(run: str = "opening") -> float:
    """The same through attention, 1/n.

    >>> attention()
    2 × 10⁻²
    """
    return float(attention_path(model.run_named(run).tokens)[0])


@number(count())
def attention_leads_from() -> int:
    """The length from which on attention leaves more of the gradient than the LSTM's cell.

    >>> attention_leads_from()
    88
    """
    longest, gate = model.records().range.tokens[1], model.records().forget
    behind = [n for n in range(1, longest + 1) if product_path(n, gate)[0] >= attention_path(n)[0]]
    return max(behind, default=0) + 1


@word
def paper() -> Any:
    """The paper that dropped recurrence."""
    paper = model.records().attention_paper
    return ledger.fact(paper.title, paper.source)


@number(count())
def paper_year() -> Any:
    """Its year."""
    paper = model.records().attention_paper
    return ledger.fact(paper.year, paper.source)


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


@claim
def decays_exponentially(near: float | None = None, far: float | None = None) -> Check:
    """Four times the distance takes four times the decades away, give or take a quarter: a straight line on a log axis."""
    near, far = (rnn(run).value if value is None else value for run, value in (("opening", near), ("far", far)))
    steps = tokens("far").value / tokens().value
    decades = np.log(far) / np.log(near)
    return Check(
        bool(near < 1 and abs(decades / steps - 1) < 0.25), {"near": near, "far": far, "distance": steps, "decades": float(decades)}
    )


@claim
def lstm_has_a_better_constant(factor: float | None = None) -> Check:
    """The cell's factor a step is nearer to 1 than the RNN's mean factor, and still below it."""
    cell = model.records().forget if factor is None else factor
    mean = rnn("far").value ** (1 / tokens("far").value)
    return Check(bool(mean < cell < 1), {"RNN": mean, "LSTM": cell})


@claim
def gate_helps_and_still_decays(forget: float | None = None) -> Check:
    """The cell keeps more than the RNN does, and the less the longer the text: a gate still makes a product."""
    gate = model.records().forget if forget is None else forget
    near, far = (float(product_path(tokens(run).value, gate)[0]) for run in ("opening", "far"))
    return Check(rnn().value < near and far < near, {"RNN": rnn().value, "LSTM near": near, "LSTM far": far})


@claim
def attention_reaches_further(run: str = "far") -> Check:
    """Over the longer text attention leaves more of the gradient than either recurrence."""
    left = {"RNN": rnn(run).value, "LSTM": lstm(run).value, "attention": attention(run).value}
    return Check(left["attention"] > max(left["RNN"], left["LSTM"]), left)


@claim
def attention_overtakes_the_lstm(near: str = "opening", far: str = "far") -> Check:
    """At the opening length the LSTM's cell leaves more than attention does; over the longer text, less."""
    cell, shares = ([path(run).value for run in (near, far)] for path in (lstm, attention))
    values = {"LSTM near": cell[0], "attention near": shares[0], "LSTM far": cell[1], "attention far": shares[1]}
    return Check(cell[0] > shares[0] and cell[1] < shares[1], values)


@claim
def product_can_grow(largest: float | None = None) -> Check:
    """At the largest scale of the weights some text leaves more than the whole gradient; at the opening one none does."""
    shortest, longest = model.records().range.tokens
    scales = (scale().value, largest or model.records().range.scale[1])
    opening, most = (max(float(rnn_path(n, s)[0]) for n in range(shortest, longest + 1, 4)) for s in scales)
    return Check(opening < 1 < most, {"opening scale": opening, "largest scale": most})


@claim
def factor_depends_on_the_state(path: Array | None = None) -> Check:
    """The RNN's gradient shrinks by another factor at each step, so that its curve is no straight line."""
    left = rnn_path(tokens().value, scale().value) if path is None else path
    factors = left[:-1] / left[1:]
    return Check(bool(np.ptp(factors) > 0.01), {"least": float(factors.min()), "most": float(factors.max())})


@claim
def attention_is_even(path: Array | None = None) -> Check:
    """Attention whose scores are all equal leaves 1/n at every position."""
    n = tokens().value
    left = layer.softmax(np.zeros(n)) if path is None else path
    share = attention_path(len(left))[0]
    return Check(bool((left == share).all()), {"least": float(left.min()), "most": float(left.max())})
