"""The shape of every tensor of one head, by symbols and by numbers, and the lab's section 2 that fills them in.

A shape is a tuple of sizes; a size is a symbol ("d_k") or a number (8). The same products serve both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from figures import attention, shapes_experiment
from figures.kit import ledger, style
from figures.kit.claims import Check, claim
from figures.kit.formats import count, joined, plain, scientific, shape, spelled
from figures.kit.markup import Markup
from figures.kit.show import Column, Picture, Table, figure, number, table, word
from figures.kit.words import Words
from figures.roles import KEY, QUERY, VALUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("shapes")
S = TypeVar("S", int, str)


# Pure computing


class Sizes(NamedTuple):
    """n tokens of d numbers; queries and keys of d_k, values of d_v: `Sizes(6, 16, 8, 4)`."""

    n: int
    d: int
    d_k: int
    d_v: int


SYMBOLS = ("n", "d", "d_k", "d_v")


def product(left: tuple[S, S], right: tuple[S, S]) -> tuple[S, S]:
    """The shape of a matrix product; ValueError where the two don't fit.

    >>> product(("n", "d"), ("d", "d_k"))
    ('n', 'd_k')
    """
    if left[1] != right[0]:
        raise ValueError(f"a matrix of {left[0]} × {left[1]} doesn't fit one of {right[0]} × {right[1]}")
    return left[0], right[1]


def transposed(matrix: tuple[S, S]) -> tuple[S, S]:
    """The shape of a transposed matrix.

    >>> transposed(("n", "d_k"))
    ('d_k', 'n')
    """
    return matrix[1], matrix[0]


def tensors(n: S, d: S, d_k: S, d_v: S) -> dict[str, tuple[S, S]]:
    """Every tensor of one head and its shape, in the order of computing.

    >>> tensors(6, 16, 8, 4)["A"]
    (6, 6)
    """
    X, W_Q, W_K, W_V = (n, d), (d, d_k), (d, d_k), (d, d_v)
    Q, K, V = product(X, W_Q), product(X, W_K), product(X, W_V)
    scores = product(Q, transposed(K))
    output = product(scores, V)
    return {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "Q": Q, "K": K, "V": V, "S": scores, "A": scores, "O": output}


LEARNED = ("W_Q", "W_K", "W_V")


def symbolic(tensor: str) -> str:
    r"""The shape of a tensor as TeX.

    >>> symbolic("Q")
    'n \\times d_k'
    """
    return r" \times ".join(tensors(*SYMBOLS)[tensor])


def parameter_terms(sizes: Sizes) -> list[tuple[int, int]]:
    """Rows and columns of each learned matrix.

    >>> parameter_terms(Sizes(6, 16, 8, 4))
    [(16, 8), (16, 8), (16, 4)]
    """
    shape_of_tensor = tensors(*sizes)
    return [shape_of_tensor[name] for name in LEARNED]


def bound_on(difference: float, digits: int = 2) -> float:
    """The least number of so many digits that is above `difference`, and no finer than float32 can tell two ones apart.

    >>> round(bound_on(1.19e-7), 1)
    0.0
    """
    least = max(difference, float(np.finfo(np.float32).eps))
    step = 10.0 ** (math.floor(math.log10(least)) - digits + 1)
    return (math.floor(least / step) + 1) * step


# The lab's section 2


def lab_sizes() -> Sizes:
    """n, d, d_k and d_v as the section draws them."""
    drawn = shapes_experiment.sizes()
    n, d = drawn["X"]
    return Sizes(n, d, drawn["W_Q"][1], drawn["W_V"][1])


@number(count())
def size(symbol: str) -> Any:
    """A size of the section.

    >>> size("d_k")
    8
    """
    return ledger.fact(getattr(lab_sizes(), symbol), shapes_experiment.lab().source)


@number(shape())
def shape_of(tensor: str) -> tuple[int, int]:
    """The shape of a tensor there.

    >>> shape_of("O")
    6 × 4
    """
    return tensors(*lab_sizes())[tensor]


@word
def parameters() -> str:
    """The learned numbers, matrix by matrix."""
    return parameters_in_words(lab_sizes())


def parameters_in_words(sizes: Sizes) -> str:
    """The same for any sizes."""
    terms = parameter_terms(sizes)
    written = " + ".join(f"{count()(rows)}·{count()(columns)}" for rows, columns in terms)
    return _words("parameters", terms=written, total=count()(parameter_count(sizes)))


def parameter_count(sizes: Sizes) -> int:
    """How many numbers one head learns.

    >>> parameter_count(Sizes(6, 16, 8, 4))
    320
    """
    return sum(rows * columns for rows, columns in parameter_terms(sizes))


@claim
def parameters_do_not_grow(learned: Callable[[Sizes], int] = parameter_count) -> Check:
    """That no learned number depends on n: a sentence ten times as long needs the same."""
    sizes = lab_sizes()
    counts = [learned(sizes._replace(n=n)) for n in (sizes.n, 10 * sizes.n)]
    return Check(counts[0] == counts[1], {"parameters": counts})


@number(spelled(feminine=True))
def lines_of_code() -> int:
    """How many lines our own attention takes."""
    return shapes_experiment.statements(shapes_experiment.head)


@number(scientific(2))
def difference_below() -> float:
    """What the largest difference to PyTorch's attention stays below."""
    return bound_on(shapes_experiment.difference())


@number(spelled(feminine=True))
def projections() -> int:
    """How many projections of the same input there are."""
    return len(LEARNED)


@number(plain())
def row_sum() -> float:
    """What each row of A adds up to, whatever the scores."""
    sizes = lab_sizes()
    scores = np.arange(sizes.n**2, dtype=float).reshape(sizes.n, sizes.n)
    return float(attention.softmax(scores).sum(axis=-1).max())


# Picture

SCALE = 8  # pixels for each row or column
# The boxes of the picture: their tensors, those of one shape one behind the other, and the place of the first, from the left
# and from the top, in pixels.
BOXES: tuple[tuple[tuple[str, ...], float, float], ...] = (
    (("X",), 1, 90),
    (("W_Q", "W_K"), 156, 50),
    (("Q", "K"), 256, 90),
    (("S", "A"), 354, 90),
    (("W_V",), 172, 242),
    (("V",), 272, 282),
    (("O",), 362, 282),
)
ROLES = {"W_Q": QUERY, "Q": QUERY, "W_K": KEY, "K": KEY, "W_V": VALUE, "V": VALUE}


@figure
def to_scale() -> Picture:
    """The lab's matrices as boxes, all at one scale: X, the projections, what they give, the scores and weights, the output."""
    height = 402
    drawing, page = style.canvas(420, height, bare=True)
    of = tensors(*lab_sizes())
    for names, left, top in BOXES:
        rows, columns = of[names[0]]
        wide, high = columns * SCALE, rows * SCALE
        for place in reversed(range(len(names))):
            _draw_box(page, names[place], (left + 10 * place, height - top - high + 10 * place), (wide, high))
        middles = [left + wide / 2 + 10 * (len(names) - 1) / 2 + 36 * (place - (len(names) - 1) / 2) for place in range(len(names))]
        for name, middle in zip(names, middles):
            style.centred(page, style.math(name), (middle, height - top + 10 * (len(names) - 1) + 16), colour=_ink(name), label=name)
        below = (left + wide / 2, height - top - high - 15)
        style.centred(page, shape()((rows, columns)), below, size=style.SIZES.figure_small, colour=style.COLOURS.soft)
    listed = ", ".join(_words("scale.one", name=joined(names, _words("scale.and")), shape=shape()(of[names[0]])) for names, *_ in BOXES)
    headings = [Column(_words("table.tensor")), *(Column(_words(f"scale.{name}"), count()) for name in ("rows", "columns"))]
    table = Table(headings, [[name, *of[name]] for names, *_ in BOXES for name in names])
    return Picture(drawing, _words("scale.alt", listed=listed), values=[table])


def _draw_box(page: Axes, name: str, corner: tuple[float, float], size: tuple[float, float]) -> None:
    role = ROLES.get(name)
    face = role.wash if role else style.COLOURS.wash
    page.add_patch(style.patches.Rectangle(corner, *size, label=name, linewidth=1.5, facecolor=face, edgecolor=_ink(name)))


def _ink(name: str) -> str:
    return ROLES[name].ink if name in ROLES else style.COLOURS.ink


@claim
def scores_alone_grow_with_the_square(times: int = 2, of: Callable[..., dict[str, tuple[int, int]]] = tensors) -> Check:
    """With more tokens the scores and the weights grow with the square of n, every other tensor at most with n."""
    sizes = lab_sizes()
    before, after = of(*sizes), of(*sizes._replace(n=times * sizes.n))
    growth = {name: math.prod(after[name]) / math.prod(before[name]) for name in before}
    square = {name for name, factor in growth.items() if factor > times}
    return Check(square == {"S", "A"} and growth["S"] == times**2, growth)


# Table


@table
def shapes_table() -> Table:
    """One row for each tensor: its name and formula, its shape in symbols, what it is."""
    columns = (Column(_words("table.tensor")), Column(_words("table.shape")), Column(_words("table.meaning")))
    return Table(columns, [(_words(f"table.{name}.name"), Markup(f"${symbolic(name)}$"), _meaning(name)) for name in ROWS])


ROWS = ("X", "W_Q", "W_V", "Q", "V", "S", "A", "O")  # W_K and K share the rows of W_Q and Q


def _meaning(tensor: str) -> str:
    return _words(f"table.{tensor}.meaning", row_sum=row_sum())
