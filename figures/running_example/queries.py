"""The running example's queries, keys and values: which columns of u each projection picks."""

from __future__ import annotations

from collections.abc import Sequence

from figures.hand_example import zero
from figures.kit.formats import Format, count, to_tex, vector
from figures.kit.markup import Markup
from figures.kit.show import Column, Table, number, table, word
from figures.kit.words import Words
from figures.pieces import chip
from figures.running_example import model
from figures.running_example.model import pieces, rounded, three

_words = Words("running_example")


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@table
def projections() -> Table:
    """Which columns of u each projection picks, head by head."""
    heads = model.records().heads
    headings = [_words("projections.head", n=count()(n), columns=columns_of(n)) for n in range(1, len(heads) + 1)]
    columns = (Column(_words("projections.matrix")), *(Column(heading) for heading in headings))
    rows = [
        (_words(f"projections.{part}"), *(Markup(f"${to_tex(_picked(getattr(head, part)))}$") for head in heads))
        for part in ("query", "key", "value")
    ]
    return Table(columns, rows)


@word
def columns_of(head: int) -> str:
    """The columns that a head, counted from 1, fills in Q, K and V.

    >>> columns_of(2)
    3–4
    """
    widths = [len(one.query) for one in model.records().heads]
    first, last = sum(widths[: head - 1]) + 1, sum(widths[:head])
    return _words("range", first=first, last=last) if last > first else count()(first)


@word
def picked(projection: str) -> str:
    """The columns of u that head 1 picks.

    >>> picked("Q")
    [𝑢₄; 𝑢₂]
    """
    return _picked(getattr(model.records().heads[0], {"Q": "query", "K": "key", "V": "value"}[projection]))


def _picked(columns: Sequence[int]) -> str:
    return vector(_column())(columns)


def _column() -> Format:
    """The name of a column of u.

    >>> _column()(4)
    '𝑢₄'
    """
    return Format("column", lambda column: _words("piece", index=str(column).translate(_SUBSCRIPTS)))


@number(vector(three))
def u_last() -> list[float]:
    """The last row of u."""
    return rounded(model.run().u[-1])


@number(vector(three))
def q_last() -> list[float]:
    """The query of the last token."""
    return rounded(model.run().Q[-1])


@table
def keys_and_values() -> Table:
    """Each token's key and value in head 1."""
    chain = model.run()
    row = vector(zero(three))
    columns = (
        Column(_words("token")),
        Column(_words("keys.key", columns=picked("K").tex), row, "left", role="k"),
        Column(_words("keys.value", columns=picked("V").tex), row, "left", role="v"),
    )
    return Table(columns, [(chip(piece), rounded(chain.K[i]), rounded(chain.V[i])) for i, piece in enumerate(pieces())])
