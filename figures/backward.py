"""The way back through the softmax, and the lab's rows that the softmax has saturated.

Q, K, V and ∂L/∂O are (n, d), float64. The formula itself is attention.softmax_backward.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from figures import attention, random_draws, scaling_experiment
from figures.kit import data, ledger, style
from figures.kit.arrays import Array, Booleans
from figures.kit.claims import Check, claim
from figures.kit.formats import Format, count, fixed, power_of_ten, scientific, spelled, vector
from figures.kit.show import Column, Picture, Table, figure, number, word
from figures.kit.theme import series
from figures.kit.words import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("backward")
NEXT_TO_NOTHING = 0.01  # the share of a row under which the slide says that something almost vanishes


class Backward(data.Record):
    """Which draw, how much its queries grow, and when a row counts as saturated."""

    draw: str
    factor: data.Positive
    decimals: data.Natural
    source: str


class Rows(NamedTuple):
    """Of each row of a head: its largest weight, the length of ∂L/∂S, and what that row of ∂L/∂S sums to."""

    largest: Array
    gradient: Array
    sums: Array


def records() -> Backward:
    """The records, as `data/backward.yml` has them."""
    return data.load("backward", Backward)


def rows_of(Q: Array, K: Array, V: Array, dO: Array) -> Rows:
    """What one head does to each of its rows; where all n scores of a row are equal, its largest weight is 1/n."""
    gradient = attention.backward(dO, Q, K, V).scores
    return Rows(attention.weights(Q, K).max(axis=-1), np.linalg.norm(gradient, axis=-1), gradient.sum(axis=-1))


def is_saturated(largest: Array, decimals: int) -> Booleans:
    """The rows whose largest weight prints as 1.

    >>> is_saturated([0.97, 0.94], 1).tolist()
    [True, False]
    """
    rounded: Booleans = np.round(np.asarray(largest), decimals) >= 1
    return rounded


def before() -> Rows:
    """The rows as drawn."""
    drawn = random_draws.drawn(records().draw)
    return rows_of(drawn["Q"], drawn["K"], drawn["V"], drawn["dO"])


def after() -> Rows:
    """The same rows with the queries multiplied."""
    drawn = random_draws.drawn(records().draw)
    return rows_of(drawn["Q"] * records().factor, drawn["K"], drawn["V"], drawn["dO"])


def saturated() -> Booleans:
    """Which rows are saturated once the queries have grown."""
    return is_saturated(after().largest, records().decimals)


def most_saturated() -> int:
    """The row with the largest weight once the queries have grown: what is said of a saturated row is said of it, whatever the draw."""
    return int(after().largest.argmax())


def is_null(gradients: Array, negligible: float) -> bool:
    """Whether no gradient of these rows is worth the name.

    >>> is_null([1e-5, 1e-30], 1e-3)
    True
    """
    return bool((np.asarray(gradients) < negligible).all())


def brackets(A: Array, dA: Array) -> Array:
    """Of each row, what stands in brackets where its largest weight is, beside its largest ∂L/∂A.

    >>> brackets(np.array([[0.75, 0.25]]), np.array([[2.0, -4.0]])).round(3).tolist()
    [0.375]
    """
    bracket = np.abs(dA - (dA * A).sum(axis=-1, keepdims=True)) / np.abs(dA).max(axis=-1, keepdims=True)
    peaks: Array = bracket[np.arange(len(A)), A.argmax(axis=-1)]
    return peaks


@number(count())
def factor() -> Any:
    """What the lab multiplies the queries by."""
    return ledger.fact(records().factor, records().source)


@number(spelled(feminine=True))
def rows() -> int:
    """How many rows the lab's head has, in words."""
    return len(after().largest)


@number(spelled(feminine=True))
def saturated_rows() -> int:
    """How many of them saturate, in words."""
    return int(saturated().sum())


@number(fixed(1))
def saturated_weight() -> float:
    """The largest weight that each saturated row prints, the least of them."""
    return float(after().largest[saturated()].min())


@number(fixed(2))
def least_before() -> float:
    """The shortest ∂L/∂S of those rows before the queries grew."""
    return float(before().gradient[saturated()].min())


@number(fixed(2))
def most_before() -> float:
    """The longest ∂L/∂S of those rows before the queries grew."""
    return float(before().gradient[saturated()].max())


@number(power_of_ten())
def least_after() -> float:
    """The shortest ∂L/∂S of those rows afterwards."""
    return float(after().gradient[saturated()].min())


@number(scientific(1))
def most_after() -> float:
    """The longest ∂L/∂S of those rows afterwards."""
    return float(after().gradient[saturated()].max())


@word
def verdict() -> str:
    """What the row drawn hands back."""
    dead_below = scaling_experiment.records().experiment.dead_below
    null = is_null(after().gradient[most_saturated()], dead_below)
    return _words("null_gradient" if null else "some_gradient")


@number(spelled())
def row_sum() -> int:
    """What every row of ∂L/∂S sums to, up to rounding, in words."""
    return round(max(float(np.abs(rows.sums).max()) for rows in (before(), after())))


class Seen(NamedTuple):
    """One row of a head: its weights, and the gradient that reaches its scores."""

    weights: Array
    gradient: Array


def row_drawn() -> tuple[Seen, Seen]:
    """The row that saturates most, as drawn and with the queries grown."""
    draw, row = random_draws.drawn(records().draw), most_saturated()
    seen = []
    for factor in (1, records().factor):
        Q = draw["Q"] * factor
        gradient = attention.backward(draw["dO"], Q, draw["K"], draw["V"]).scores
        seen.append(Seen(attention.weights(Q, draw["K"])[row], gradient[row]))
    return seen[0], seen[1]


@figure
def two_rows() -> Picture:
    """A row that isn't saturated and the same row saturated: its weights, and the gradients that reach its scores."""
    before, after = row_drawn()
    drawing, page = style.canvas(400, 336, bare=True)
    for x, heading in ((100, "rows.weights"), (310, "rows.gradient")):
        style.centred(page, _words(heading), (x, 324), weight=600)
    unit = 46 / float(np.abs(before.gradient).max())
    for low, label, seen in ((164, _words("rows.before"), before), (0, _words("rows.after", factor=factor()), after)):
        page.text(0, low + 132, label, va="center", color=style.COLOURS.soft, size=style.SIZES.figure_small)
        _draw_bars(page, "attention", seen.weights * 84, (10, low + 30))
        _draw_bars(page, "gradient", seen.gradient * unit, (220, low + 76))
        below = ((95, _words("rows.largest", weight=fixed(2)(seen.weights.max()))), (305, _words("rows.length", length=_short(seen))))
        for x, text in below:
            style.centred(page, text, (x, low + 10), size=style.SIZES.figure_small)
    return Picture(drawing, _rows_alt(before, after), values=_values(before, after))


def _values(before: Seen, after: Seen) -> list[Table]:
    """The bars as two tables, a row for each key."""
    tables = []
    for label, seen in ((_words("rows.before"), before), (_words("rows.after", factor=factor()), after)):
        formats = {"key": count(), "weights": fixed(2), "gradient": _format(float(np.abs(seen.gradient).max()))}
        columns = [Column(_words(f"rows.{name}"), format) for name, format in formats.items()]
        tables.append(Table(columns, [[n, float(w), float(g)] for n, (w, g) in enumerate(zip(*seen), 1)], label))
    return tables


def _draw_bars(page: Axes, name: str, lengths: Array, start: tuple[float, float]) -> None:
    """Bars of these lengths in pixels, up and down from a line."""
    wide = 34
    for i, length in enumerate(lengths):
        page.add_patch(
            style.patches.Rectangle(
                (start[0] + wide * i, start[1]), wide - 8, float(length), facecolor=series(name).ink, linewidth=0, label=name
            )
        )
    page.plot([start[0] - 4, start[0] + wide * len(lengths)], [start[1]] * 2, color=style.COLOURS.rule, linewidth=1.5)


def _format(largest: float) -> Format:
    """Two decimals, or a power of ten where they would leave next to nothing.

    >>> _format(0.01)(0.514), " ".join(_format(0.0099)(1.55e-34).split())
    ('0,51', '2 × 10⁻³⁴')
    """
    return fixed(2) if largest >= 0.01 else scientific(1)


def _short(seen: Seen) -> str:
    """The length of a row's gradient."""
    length = float(np.linalg.norm(seen.gradient))
    return _format(length)(length)


def _rows_alt(before: Seen, after: Seen) -> str:
    said: dict[str, str] = {}
    for name, seen in (("before", before), ("after", after)):
        said |= {f"weights_{name}": vector(fixed(2))(seen.weights), f"gradient_{name}": _short(seen)}
    return _words("rows.alt", factor=factor(), **said)


@claim
def saturated_row_hands_back_nothing(factor: float | None = None) -> Check:
    """Of the row drawn, the gradient falls under what counts as dead once the queries grow, and was well above it before."""
    before, after = row_drawn()
    if factor is not None:
        after = Seen(after.weights, before.gradient / factor)
    dead = scaling_experiment.records().experiment.dead_below
    lengths = {name: float(np.linalg.norm(seen.gradient)) for name, seen in (("before", before), ("after", after))}
    return Check(lengths["after"] < dead < lengths["before"], lengths)


@claim
def rows_sum_to_zero(tolerance: float = 1e-12) -> Check:
    """Every row of ∂L/∂S sums to zero, before and after the queries grow; the values are the largest sums found."""
    largest = {name: float(np.abs(rows.sums).max()) for name, rows in (("before", before()), ("after", after()))}
    return Check(max(largest.values()) <= tolerance, largest)


@claim
def bracket_nearly_vanishes(factor: float | None = None) -> Check:
    """Where a row that is almost one-hot has its weight, what stands in brackets is under a hundredth of the row's largest ∂L/∂A.

    The bracket is at most twice what the largest weight lacks to 1, so it is that small wherever the weight lacks half of that.
    """
    drawn = random_draws.drawn(records().draw)
    A = attention.weights(drawn["Q"] * (records().factor if factor is None else factor), drawn["K"])
    almost = A.max(axis=-1) > 1 - NEXT_TO_NOTHING / 2
    peaks = brackets(A, drawn["dO"] @ drawn["V"].T)[almost]
    return Check(len(peaks) > 0 and is_null(peaks, NEXT_TO_NOTHING), {"bracket at the weight": peaks})
