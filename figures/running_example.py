"""The running example: "o gato subiu no" through one head, from the X of `embedding` to its new vectors.

X (n, d) → LayerNorm u → Q, K, V (n, d_k), columns of u → scores → weights → output. The pure functions take every input
as an argument; the shown ones supply those of `data/running_example.yml`. Tokens and positions count from 0 in code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from figures import attention, bpe, embedding
from figures.hand_example import zero
from figures.kit import data, ledger, matrix_drawing, style
from figures.kit.arrays import Array
from figures.kit.errors import DataError
from figures.kit.formats import Format, count, fixed, joined, percent, plain, shape, spelled, to_tex, vector
from figures.kit.matrix_drawing import Matrix
from figures.kit.show import Cell, Column, Picture, Table, figure, number, table, word
from figures.kit.words import Words
from figures.pieces import chip, example, visible
from figures.roles import KEY, QUERY, VALUE

_words = Words("running_example")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
three = fixed(3)


# Records


class Head(data.Record):
    """The columns of u, counted from 1, that a head takes as its query, key and value."""

    query: tuple[data.Positive, ...]
    key: tuple[data.Positive, ...]
    value: tuple[data.Positive, ...]

    def faults(self) -> Iterator[str]:
        if len(self.query) != len(self.key):
            yield "`query` and `key` must be equally long"


class Running(data.Record):
    """`data/running_example.yml`."""

    source: str
    heads: tuple[Head, ...]
    verb: tuple[str, ...]


def records() -> Running:
    """The heads, once the columns that they pick exist."""
    found, width = data.load("running_example", Running), len(embedding.tables().E[0])
    for n, head in enumerate(found.heads):
        if max((*head.query, *head.key, *head.value)) > width:
            raise DataError("data/running_example.yml", f"heads[{n}]", f"u has {width} columns", f"Pick columns of 1 to {width}")
    return found


# Pure computing


def deviation(X: Array) -> Array:
    """Standard deviation of each row, over all of its numbers, (n, 1): `deviation([[1, 3]])` -> [[1.0]]"""
    spread: Array = np.asarray(X, float).std(axis=-1, keepdims=True)
    return spread


def layer_norm(X: Array) -> Array:
    """Each row less its mean, over its standard deviation: `layer_norm([[1, 3]])` -> [[-1, 1]]

    Without the gain and bias that a trained model has, and without the small number under the root.
    """
    rows = np.asarray(X, float)
    normal: Array = (rows - rows.mean(axis=-1, keepdims=True)) / deviation(rows)
    return normal


def picking(columns: Sequence[int], width: int) -> Array:
    """The matrix (width, d_k) that picks these columns, counted from 1: `picking([2], 2)` -> [[0], [1]]"""
    matrix: Array = np.eye(width)[:, [column - 1 for column in columns]]
    return matrix


class Chain(NamedTuple):
    """One head from end to end: u (n, d), Q, K (n, d_k), V (n, d_v), scores and weights (n, n), output (n, d_v)."""

    u: Array
    Q: Array
    K: Array
    V: Array
    scores: Array
    weights: Array
    output: Array


def chain(X: Array, head: Head, divide: bool = True, causal: bool = False) -> Chain:
    """The whole chain of one head for X (n, d). `chain(X, head).weights[-1]` -> [0.011, 0.035, 0.622, 0.319, 0.014]"""
    u = layer_norm(X)
    Q, K, V = (u @ picking(columns, u.shape[-1]) for columns in (head.query, head.key, head.value))
    scores = attention.scores(Q, K, scale=divide)
    weights = attention.softmax(scores + attention.causal(len(u)) if causal else scores)
    return Chain(u, Q, K, V, scores, weights, weights @ V)


def share_ahead(weights: Array, row: int) -> float:
    """What a row gives to later tokens: `share_ahead([[0.5, 0.5], [0.5, 0.5]], 0)` -> 0.5"""
    return float(np.asarray(weights)[row, row + 1 :].sum())


def run(divide: bool = True, causal: bool = False) -> Chain:
    """The chapter's own chain: head 1."""
    return chain(embedding.X(), records().heads[0], divide, causal)


def pieces() -> tuple[str, ...]:
    """The phrase's pieces with their spaces: ("o", " gato", " sub", "iu", " no")."""
    return tuple(bpe.pieces().value)


# X and its norm


@word
def phrase() -> str:
    """The phrase of the example: `phrase()` -> o gato subiu no."""
    return example()


@number(spelled(feminine=True))
def tokens_count() -> int:
    """How many tokens it has, n: `tokens_count()` -> cinco."""
    return len(pieces())


@number(count())
def width() -> int:
    """Numbers a token, d: `width()` -> 4."""
    return int(embedding.X().shape[-1])


@number(count())
def d_k() -> int:
    """Numbers in a query of one head: `d_k()` -> 2."""
    return len(records().heads[0].query)


@number(shape())
def shape_of(tensor: str) -> tuple[int, ...]:
    """X, and Q, K, V of all heads side by side; S, A and O of head 1: `shape_of("O")` -> 5 × 2."""
    found, given = run(), records()
    if tensor in {"Q", "K", "V"}:
        part = {"Q": "query", "K": "key", "V": "value"}[tensor]
        return len(found.u), sum(len(getattr(head, part)) for head in given.heads)
    return tuple({"X": found.u, "S": found.scores, "A": found.weights, "O": found.output}[tensor].shape)


@word
def centred() -> str:
    """Whether the rows of X need their mean taken away, said as a sentence."""
    return told_of_means(embedding.X())


def told_of_means(X: Array) -> str:
    """The same for any X."""
    done = bool(np.allclose(np.asarray(X).mean(axis=-1), 0, atol=1e-12))
    return _words("centred.yes" if done else "centred.no", mean=plain()(0))


@table
def normalised() -> Table:
    """A row a token: its row of X, the standard deviation that it is divided by, its row of u."""
    X, u = embedding.X(), run().u
    columns = (
        Column(_words("token")),
        Column(_words("normalised.X"), vector(plain()), "left"),
        Column(_words("normalised.deviation"), three),
        Column(_words("normalised.u"), vector(zero(three)), "left"),
    )
    spread = deviation(X)[:, 0]
    return Table(columns, [(chip(piece), X[i].tolist(), spread[i], _rounded(u[i])) for i, piece in enumerate(pieces())])


def _rounded(row: Array) -> list[float]:
    """A row as a list, a rounding error around zero taken for the zero that it is."""
    return [0.0 if abs(value) < 1e-12 else float(value) for value in row]


@number(vector(fixed(2)))
def squares_last() -> list[float]:
    """The squares of the last row of X about its mean: `squares_last()` -> [0,25; 0,25; 0,25; 2,25]."""
    row = embedding.X()[-1]
    return [float(value) for value in (row - row.mean()) ** 2]


@number(fixed(2))
def variance_last() -> float:
    """Their mean: `variance_last()` -> 0,75."""
    return float(embedding.X()[-1].var())


@number(three)
def sigma_last() -> float:
    """Its root, the standard deviation: `sigma_last()` -> 0,866."""
    return float(deviation(embedding.X())[-1, 0])


@number(plain())
def X_last() -> float:
    """The last number of the last row of X: `X_last()` -> 1,5."""
    return float(embedding.X()[-1, -1])


@number(three)
def normalised_last() -> float:
    """The last number of the last row of u: `normalised_last()` -> 1,732."""
    return float(run().u[-1, -1])


@word
def sigma_by_hand() -> str:
    """How the last row is divided: "σ = √((0,25 + …)/4) = √0,75 = 0,866 e 1,5 / 0,866 = 1,732", as a formula."""
    return _words(
        "sigma",
        squares=" + ".join(to_tex(fixed(2)(square)) for square in squares_last().value),
        over=to_tex(str(width())),
        variance=variance_last().tex,
        sigma=sigma_last().tex,
        last=X_last().tex,
        normalised=normalised_last().tex,
    )


# Queries, keys and values


@table
def projections() -> Table:
    """Which columns of u each projection picks, head by head."""
    given = records()
    headings = [_words("projections.head", n=count()(n), columns=columns_of(n)) for n in range(1, len(given.heads) + 1)]
    columns = (Column(_words("projections.matrix")), *(Column(heading) for heading in headings))
    rows = [
        (_words(f"projections.{part}"), *(f"${to_tex(_picked(getattr(head, part)))}$" for head in given.heads))
        for part in ("query", "key", "value")
    ]
    return Table(columns, rows)


@number(spelled(feminine=True))
def head_count() -> int:
    """How many heads the example has, in words: duas"""
    return len(records().heads)


@word
def columns_of(head: int) -> str:
    """The columns that a head, counted from 1, fills in Q, K and V: `columns_of(2)` -> 3–4."""
    widths = [len(one.query) for one in records().heads]
    first, last = sum(widths[: head - 1]) + 1, sum(widths[:head])
    return _words("range", first=first, last=last) if last > first else count()(first)


@word
def picked(projection: str) -> str:
    """The columns of u that head 1 picks: `picked("Q")` -> [u₄; u₂]."""
    return _picked(getattr(records().heads[0], {"Q": "query", "K": "key", "V": "value"}[projection]))


def _picked(columns: Sequence[int]) -> str:
    return vector(_column())(columns)


def _column() -> Format:
    """The name of a column of u: `_column()(4)` -> "u₄"."""
    return Format("column", lambda column: _words("piece", index=str(column).translate(_SUBSCRIPTS)))


@word
def first_token() -> str:
    """The first token as a chip: o."""
    return chip(pieces()[0])


@word
def last_token() -> str:
    """The last token as a chip: ␣no."""
    return chip(pieces()[-1])


@number(vector(three))
def u_last() -> list[float]:
    """The last row of u: `u_last()` -> [−0,577; −0,577; −0,577; 1,732]."""
    return _rounded(run().u[-1])


@number(vector(three))
def q_last() -> list[float]:
    """The query of the last token: `q_last()` -> [1,732; −0,577]."""
    return _rounded(run().Q[-1])


@table
def keys_and_values() -> Table:
    """Each token's key and value in head 1."""
    found = run()
    row = vector(zero(three))
    columns = (
        Column(_words("token")),
        Column(_words("keys.key", columns=picked("K").tex), row, "left", role="k"),
        Column(_words("keys.value", columns=picked("V").tex), row, "left", role="v"),
    )
    return Table(columns, [(chip(piece), _rounded(found.K[i]), _rounded(found.V[i])) for i, piece in enumerate(pieces())])


# Scores, weights, output


@table
def last_row() -> Table:
    """The steps ① to ④ for the last token's query, a row a key, and their sums."""
    found = run()
    products, scaled = found.Q[-1] @ found.K.T, found.scores[-1]
    exponentials, weights = np.exp(scaled), found.weights[-1]
    row = vector(zero(three))
    columns = (
        Column(_words("token")),
        Column(_words("steps.product"), three),
        Column(_words("steps.scaled", d_k=d_k()), three),
        Column(_words("steps.exponential"), three),
        Column(_words("steps.weight"), three),
        Column(_words("steps.contribution"), row, "right"),
    )
    rows: list[tuple[Any, ...]] = []
    for i, piece in enumerate(pieces()):
        weight = Cell(weights[i], role="best" if i == int(weights.argmax()) else "")
        rows.append((chip(piece), products[i], scaled[i], exponentials[i], weight, _rounded(weights[i] * found.V[i])))
    total = Cell(weights.sum(), plain())
    rows.append((_words("steps.sum"), None, None, exponentials.sum(), total, _rounded(found.output[-1])))
    return Table(columns, rows, classes=("sum",))


@number(vector(three))
def weights_last() -> list[float]:
    """The last row of weights: `weights_last()` -> [0,011; 0,035; 0,622; 0,319; 0,014]."""
    return _rounded(run().weights[-1])


@number(vector(three))
def weights_last_undivided() -> list[float]:
    """The same without the division by √d_k: [0,002; 0,012; 0,707; 0,275; 0,003]."""
    return _rounded(run(divide=False).weights[-1])


@word
def undivided_verdict() -> str:
    """What leaving the division out does to the last row: `undivided_verdict()` -> mais concentrados."""
    return told_of_peaks(weights_last().value, weights_last_undivided().value)


def told_of_peaks(divided: Sequence[float], undivided: Sequence[float]) -> str:
    """The same for any two rows of weights, by their largest."""
    difference = max(undivided) - max(divided)
    if difference > 1e-12:
        return _words("sharper")
    return _words("flatter" if difference < -1e-12 else "same")


@number(vector(three))
def output_last() -> list[float]:
    """The new vector of the last token: `output_last()` -> [−0,739; 1,411]."""
    return _rounded(run().output[-1])


@number(percent())
def on_the_verb() -> float:
    """The share of the last token's weight on the verb's pieces: `on_the_verb()` -> 94%."""
    verb = set(records().verb)
    return float(sum(weight for piece, weight in zip(pieces(), run().weights[-1]) if piece in verb))


@word
def verb_pieces() -> str:
    """The verb's pieces as chips: ␣sub e iu."""
    return joined([chip(piece) for piece in records().verb], _words("and"))


@word
def rows_that_look_ahead() -> str:
    """The rows, counted from 1, that put weight on later tokens: `rows_that_look_ahead()` -> 1 a 4."""
    weights = run().weights
    rows = [i + 1 for i in range(len(weights)) if share_ahead(weights, i) > 0]
    if len(rows) > 1 and rows == list(range(rows[0], rows[-1] + 1)):
        return _words("span", first=rows[0], last=rows[-1])
    return joined([count()(row) for row in rows], _words("and"))


@number(fixed(2))
def first_row_peak() -> float:
    """The largest weight of the first row: `first_row_peak()` -> 0,66."""
    return float(run().weights[0].max())


@word
def first_row_peak_token() -> str:
    """The token that it goes to, as a chip: ␣sub."""
    return chip(pieces()[int(run().weights[0].argmax())])


# GPT-2 small, for comparison


@number(count())
def gpt2_width() -> Any:
    """d of GPT-2 small: `gpt2_width()` -> 768."""
    return ledger.fact(embedding.sizes().width, embedding.sizes().source)


@number(count())
def gpt2_d_k() -> int:
    """d_k of GPT-2 small, d over its heads: `gpt2_d_k()` -> 64."""
    return embedding.sizes().width // embedding.sizes().heads


# The panel's opening state


@figure
def opening_state() -> Picture:
    """The chain of head 1 in boxes, the last token's row followed through them: what the chapter's panel opens with."""
    found = run()
    row = len(found.u) - 1
    drawing, page = style.canvas(780, 500, bare=True)
    cell, labels = (54.0, 34.0), [visible(piece) for piece in pieces()]
    two = fixed(2)
    rows = (
        (454, (("u", found.u, None), ("Q", found.Q, QUERY), ("K", found.K, KEY), ("V", found.V, VALUE))),
        (
            206,
            (
                (r"S=QK^⊤/√{d_k}", found.scores, None),
                (r"A=\mathrm{softmax}(S)", found.weights, None),
                ("O=AV", found.output, None),
            ),
        ),
    )
    for top, line in rows:
        x = 72.0
        for place, (name, values, role) in enumerate(line):
            box = Matrix(style.math(name), values, two, shape()(values.shape), role, row, heat=values is found.weights)
            matrix_drawing.draw(page, box, (x, top), cell, labels if place == 0 else ())
            x += cell[0] * values.shape[1] + 26
    return Picture(drawing, _alt(found, row))


def _alt(found: Chain, row: int) -> str:
    return _words(
        "opening.alt",
        phrase=example(),
        token=f"“{visible(pieces()[row])}”",
        u=u_last(),
        q=q_last(),
        d_k=d_k(),
        scores=vector(three)(found.scores[row]),
        weights=weights_last(),
        output=output_last(),
    )
