"""Multi-head attention is a reshape: the shapes of each step, the parameters, and the two-head example line by line.

Q, K and V are (n, d), or (B, n, d) with a batch; head i of h takes columns i·d/h to (i + 1)·d/h.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from figures import attention, hand_example, multihead_code
from figures.kit import data, ledger, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError
from figures.kit.formats import count, fixed, joined, reciprocal, shape, spelled, vector
from figures.kit.show import Column, Picture, Table, figure, number, table, word
from figures.kit.words import Words
from figures.multihead_code import Step

_words = Words("multihead")


class ShapeStep(data.Record):
    """A step of multi-head attention and the sizes of its result, in symbols."""

    step: str
    shape: tuple[Annotated[str, msgspec.Meta(pattern="^[Bnhd](/[Bnhd])?$")], ...]  # sizes: B, n, h, d, or one over another


class Parameters(data.Record):
    """The layer whose parameters are counted, and the numbers of heads that are tried."""

    d: data.Positive
    heads: tuple[data.Positive, ...]
    matrices: tuple[str, ...]
    source: str

    def faults(self) -> Iterator[str]:
        if sorted(self.matrices) != ["W_K", "W_O", "W_Q", "W_V"]:
            yield f"`matrices` must be W_Q, W_K, W_V and W_O, and is {', '.join(self.matrices)}"


class Row(data.Record):
    """A token's query, key and value in head 2."""

    q: tuple[float, float]
    k: tuple[float, float]
    v: tuple[float, float]


class Example(data.Record):
    other_queries: dict[str, tuple[float, float]]
    second_head: dict[str, Row]
    source: str


class Inputs(data.Record):
    steps: tuple[ShapeStep, ...]
    parameters: Parameters
    example: Example


class Heads(NamedTuple):
    """Weights (h, n, n) and output (n, d) of a run."""

    weights: Array
    output: Array


def inputs() -> Inputs:
    return data.load("multihead", Inputs)


# Shapes and parameters


def split(X: Array, h: int) -> Array:
    """(…, n, d) -> (…, h, n, d/h): a reshape and a swap of axes, no arithmetic."""
    *rest, n, d = X.shape
    return X.reshape(*rest, n, h, d // h).swapaxes(-2, -3)


def merge(X: Array) -> Array:
    """(…, h, n, d/h) -> (…, n, d): `split` undone."""
    *rest, h, n, d_h = X.shape
    return X.swapaxes(-2, -3).reshape(*rest, n, h * d_h)


def layer(X: Array, matrices: Mapping[str, Array], biases: Mapping[str, Array], h: int, mask: Array | None = None) -> list[Array]:
    """A whole layer with biases: what each step of the slide's table makes, (B, n, d) first and last."""
    Q, K, V = (X @ matrices[name] + biases[name] for name in ("W_Q", "W_K", "W_V"))
    q, k, v = split(Q, h), split(K, h), split(V, h)
    scores = attention.scores(q, k)
    weights = attention.softmax(scores if mask is None else scores + mask)
    return [Q, q, scores, merge(weights @ v) @ matrices["W_O"] + biases["W_O"]]


def parameter_count(d: int, h: int, matrices: int) -> int:
    """Numbers learnt by a layer of h heads with biases: `parameter_count(64, 8, 4)` -> 16640"""
    if d % h:
        raise DataError("data/multihead.yml", "parameters", f"{h} heads don't divide d = {d}", "Choose another d")
    columns = h * (d // h)
    return matrices * (d * columns + columns)


def _counts() -> list[int]:
    given = inputs().parameters
    return [parameter_count(given.d, h, len(given.matrices)) for h in given.heads]


@number(spelled(feminine=True))
def matrix_count() -> int:
    """How many matrices a layer has, in words: quatro"""
    return len(inputs().parameters.matrices)


@number(count())
def d() -> Any:
    """Dimensions of the lab's layer: 64"""
    return ledger.fact(inputs().parameters.d, inputs().parameters.source)


@number(count())
def parameters() -> int:
    """Parameters of the lab's layer, biases included: 16 640"""
    return _counts()[0]


@word
def head_list() -> str:
    """The numbers of heads tried: "1, 2, 8 ou 16"."""
    return joined([count()(h) for h in inputs().parameters.heads], _words("or"))


@claim
def same_for_every_h() -> Check:
    """The number of heads changes no parameter count."""
    return Check(len(set(_counts())) == 1, dict(zip(map(str, inputs().parameters.heads), _counts())))


def evaluated(symbols: Sequence[str], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Sizes in numbers: `evaluated(["n", "d/h"], {"n": 3, "d": 4, "h": 2})` -> (3, 2)"""
    parts = [symbol.split("/") for symbol in symbols]
    return tuple(sizes[top] // (sizes[bottom[0]] if bottom else 1) for top, *bottom in parts)


@claim
def shapes_hold() -> Check:
    """The table's shapes are those of arrays that go through a layer."""
    sizes = {"B": 2, "n": 3, "h": 4, "d": 8}
    names = inputs().parameters.matrices
    matrices, biases = {name: np.eye(sizes["d"]) for name in names}, {name: np.zeros(sizes["d"]) for name in names}
    made = layer(np.zeros((sizes["B"], sizes["n"], sizes["d"])), matrices, biases, sizes["h"])
    told = [evaluated(step.shape, sizes) for step in inputs().steps]
    return Check(told == [array.shape for array in made], {"told": told, "made": [array.shape for array in made]})


@table
def shapes() -> Table:
    """Each step and the shape of what it makes, in symbols."""
    step, form = (Column(heading) for heading in _words.list("table.columns"))
    rows = [[row.step, "$" + r" \times ".join(row.shape) + "$"] for row in inputs().steps]
    return Table([step, form], rows)


# The two-head example


def example() -> tuple[Array, Array, Array]:
    """Q, K and V of the example, (n, d) each: head 1 from the example worked by hand, head 2 beside it."""
    by_hand, given = hand_example.example(), inputs().example
    for key, rows, wanted in (
        ("example.second_head", given.second_head, set(by_hand.names)),
        ("example.other_queries", given.other_queries, {*by_hand.names} - {by_hand.asking}),
    ):
        if missing := sorted(wanted - rows.keys()):
            raise DataError("data/multihead.yml", key, f"no row for {', '.join(missing)}", "Give each token of hand_example.yml one")
    second = [given.second_head[name] for name in by_hand.names]
    first_queries = [by_hand.query if name == by_hand.asking else given.other_queries[name] for name in by_hand.names]
    Q = np.hstack([np.array(first_queries, float), np.array([row.q for row in second], float)])
    K = np.hstack([by_hand.keys.astype(float), np.array([row.k for row in second], float)])
    V = np.hstack([by_hand.values.astype(float), np.array([row.v for row in second], float)])
    return Q, K, V


def _sizes() -> tuple[int, int]:
    """n and d of the example."""
    Q, _, _ = example()
    n, d = Q.shape
    return n, d


def head_count() -> int:
    """Heads of the example: the width of Q over that of the query worked by hand."""
    _, d = _sizes()
    return d // len(hand_example.example().query)


def variant(causal: bool = False, one_head: bool = False, equal_keys: bool = False) -> list[Step]:
    """The listing run on the example with what the simulator's switches change; no switch is the opening state."""
    Q, K, V = example()
    if equal_keys:
        K = np.broadcast_to(K[0], K.shape)
    return multihead_code.run(Q, K, V, 1 if one_head else head_count(), attention.causal(len(Q)) if causal else None)


def heads(steps: Sequence[Step]) -> Heads:
    """The weights and the output that a run leaves."""
    made = {name: value for step in steps for name, value in step.made.items()}
    return Heads(made["A"], made["saida"])


def _asking() -> int:
    return hand_example.example().names.index(hand_example.example().asking)


def _row(head: int, steps: Sequence[Step]) -> Array:
    """The weights of the word that asks in one head, counted from 1."""
    row: Array = heads(steps).weights[head - 1, _asking()]
    return row


def _first_output(steps: Sequence[Step]) -> list[float]:
    """The first head's part of the output of the word that asks."""
    return [float(x) for x in heads(steps).output[_asking(), : len(hand_example.example().query)]]


@number(count())
def token_count() -> int:
    """Tokens of the example: 3"""
    n, _ = _sizes()
    return n


@number(count())
def example_d() -> int:
    """Dimensions of the example: 4"""
    _, d = _sizes()
    return d


@number(count())
def example_h() -> int:
    """Heads of the example: 2"""
    return head_count()


@number(vector(fixed(2)))
def first_output() -> list[float]:
    """What head 1 makes of "banco": [0,85; 0,15]"""
    return _first_output(variant())


@word
def second_head_looks_at() -> str:
    """The token that "banco" looks at most in head 2: sentei"""
    return hand_example.example().names[int(_row(2, variant()).argmax())]


@number(fixed(2))
def second_head_weight() -> float:
    """The weight that "banco" puts there: 0,77"""
    return float(_row(2, variant()).max())


@word
def lost_to_the_mask() -> str:
    """What "banco" no longer sees under the causal mask: praça"""
    names, row = hand_example.example().names, _row(1, variant(causal=True))
    return joined([name for name, weight in zip(names, row) if weight == 0] or [_words("none")], _words("and"))


@word
def first_token() -> str:
    """The first token: sentei"""
    return hand_example.example().names[0]


@claim
def first_sees_itself_alone() -> Check:
    """Under the causal mask the first token puts all its weight on itself, in every head."""
    rows = heads(variant(causal=True)).weights[:, 0]
    return Check(bool((rows[:, 0] == 1).all()), {"rows": rows.tolist()})


@number(vector(fixed(2)))
def causal_output() -> list[float]:
    """What head 1 makes of "banco" under the causal mask: [0,60; 0,40]"""
    return _first_output(variant(causal=True))


@word
def causal_verdict() -> str:
    """How that output reads: em cima do muro"""
    return hand_example.verdict_of(_first_output(variant(causal=True)))


@number(count())
def one_head_h() -> int:
    """Heads of that variant, from the run itself: 1"""
    return len(heads(variant(one_head=True)).weights)


@number(count())
def one_head_root() -> float:
    """The divisor with a single head, √4: 2"""
    _, d = _sizes()
    return math.sqrt(d)


@word
def one_head_weights() -> str:
    """The weights of "banco" with a single head: 0,38/0,38/0,23"""
    return "/".join(fixed(2)(weight) for weight in _row(1, variant(one_head=True)))


@claim
def one_row_points_at_less() -> Check:
    """With a single head the largest weight of "banco" is below that of either head."""
    both = [float(_row(head, variant()).max()) for head in (1, 2)]
    alone = float(_row(1, variant(one_head=True)).max())
    return Check(alone < min(both), {"one head": alone, "two heads": both})


@word
def equal_keys_weight() -> str:
    """Every weight when all keys are equal: 1/3"""
    weights = heads(variant(equal_keys=True)).weights
    n, _ = _sizes()
    return reciprocal()(1 / n) if np.allclose(weights, 1 / n) else fixed(2)(weights.max())


# The simulator's opening state


@figure
def opening_state() -> Picture:
    """The listing with its last line run, the shape that each line leaves, both heads' weights and the output."""
    steps = variant()
    found = heads(steps)
    drawing, page = style.canvas(1152, 480, bare=True)
    _draw_code(page, steps)
    names = hand_example.example().names
    for head in range(len(found.weights)):
        left = 746 + 216 * head
        page.text(left, 458, _words("opening.head", head=head + 1), weight=600, va="center")
        _draw_cells(page, found.weights[head], (left, 394), names if head == 0 else (), names)
    page.text(746, 196, _words("opening.output"), weight=600, va="center")
    _draw_cells(page, found.output, (746, 134), names, _output_headings(found))
    return Picture(drawing, alt=_alt(steps))


def _draw_code(page: Axes, steps: Sequence[Step]) -> None:
    """The listing, the last line marked as the one just run, and at its right the shapes."""
    page.text(0, 458, _words("opening.code"), weight=600, va="center")
    page.text(620, 458, _words("opening.shape"), weight=600, va="center", ha="right")
    for step in steps:
        y = 410 - 54 * (step.line - 1)
        last = step is steps[-1]
        if last:
            page.add_patch(Rectangle((0, y - 25), 630, 50, facecolor=style.COLOURS.stress_wash, edgecolor="none"))
        colour = style.COLOURS.stress if last else style.COLOURS.soft
        page.text(8, y, str(step.line), family=style.MONO, color=colour, va="center")
        page.text(34, y, step.text, family=style.MONO, va="center")
        page.text(620, y, _shape_of(step), va="center", ha="right", color=style.COLOURS.soft)


def _shape_of(step: Step) -> str:
    """What the line left: the shape of each array, or its numbers."""
    return "; ".join(shape()(made.shape) if isinstance(made, np.ndarray) else count()(made) for made in step.made.values())


def _output_headings(found: Heads) -> list[str]:
    """One heading over each head's columns of the output."""
    h, width = len(found.weights), found.output.shape[1] // len(found.weights)
    return [_words("opening.divider", head=head + 1) if column == 0 else "" for head in range(h) for column in range(width)]


def _draw_cells(page: Axes, values: Array, corner: tuple[float, float], rows: Sequence[str], columns: Sequence[str]) -> None:
    """Numbers in cells, darker the larger, with names at the left and above; the row of the word that asks is framed."""
    wide, high = 62, 38
    for (i, j), value in np.ndenumerate(values):
        x, y = corner[0] + j * wide, corner[1] - i * high
        fill = style.HEAT(float(np.clip(value, 0, 1)) * 0.5)
        page.add_patch(Rectangle((x, y - high / 2), wide, high, facecolor=fill, edgecolor=style.COLOURS.ground, linewidth=2))
        style.centred(page, fixed(2)(value), (x + wide / 2, y), colour=style.ink_on(fill))
    for j, name in enumerate(columns):
        page.text(corner[0] + j * wide + 4, corner[1] + 32, name, size=style.SIZES.figure_small, color=style.COLOURS.soft, va="center")
    for i, name in enumerate(rows):
        page.text(corner[0] - 10, corner[1] - i * high, name, ha="right", va="center")
    asking = corner[1] - _asking() * high - high / 2
    frame = Rectangle((corner[0], asking), wide * values.shape[1], high, fill=False, edgecolor=style.COLOURS.stress, linewidth=3)
    page.add_patch(frame)


def _alt(steps: Sequence[Step]) -> str:
    names = hand_example.example().names

    def told(head: int) -> str:
        return ", ".join(_words("opening.row", name=n, weight=fixed(2)(w)) for n, w in zip(names, _row(head, steps)))

    lefts = [_words("opening.left", name=", ".join(step.made), shape=_shape_of(step)) for step in steps]
    return _words(
        "opening.alt",
        lines=len(steps),
        shapes="; ".join(lefts),
        asking=hand_example.example().asking,
        first=1,
        first_row=told(1),
        second=2,
        second_row=told(2),
        output=vector(fixed(2))(_first_output(steps)),
    )


def states(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """A run as plain lists, one entry a line, for who mirrors it elsewhere: [{"line": 1, "text": …, "made": {…}}, …]"""

    def plain(value: Any) -> Any:
        return value.tolist() if isinstance(value, np.ndarray) else value

    return [{"line": step.line, "text": step.text, "made": {name: plain(made) for name, made in step.made.items()}} for step in steps]
