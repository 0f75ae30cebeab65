"""The four kinds of mask, in a table and as matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import attention
from figures.kit import ledger, style
from figures.kit.arrays import Array
from figures.kit.formats import NBSP, capital, count, spelled
from figures.kit.markup import Markup
from figures.kit.show import Column, Picture, Table, figure, number, table
from figures.kit.words import Words
from figures.masks import model
from figures.masks.model import Drawn, Scheme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("masks")


BUILT: dict[str, Callable[[Drawn], Array]] = {
    "causal": lambda drawn: attention.causal(drawn.tokens),
    "padding": lambda drawn: attention.padding(np.arange(drawn.tokens) < drawn.real),
    "sliding": lambda drawn: attention.sliding(drawn.tokens, drawn.window),
    "document": lambda drawn: attention.document(np.array(drawn.documents)),
}


def matrix(id: str) -> Array:
    """One of the four masks as it is drawn.

    >>> matrix("causal")[0].tolist()
    [0.0, -inf, -inf, -inf, -inf]
    """
    return BUILT[id](model.records().drawn)


@number(capital(spelled(feminine=True)))
def scheme_count() -> int:
    """How many kinds of mask the slide shows, as its title says it."""
    return len(model.records().schemes)


@table
def four_masks() -> Table:
    """The four kinds of mask: what each forbids, where it is used. Only the last column may break its lines."""
    columns = [Column(heading) for heading in _words.list("four.columns")]
    return Table(columns, [_row(scheme) for scheme in model.records().schemes])


def _row(scheme: Scheme) -> list[Any]:
    forbids, where = (ledger.fact(text, scheme.source) for text in (_unbroken(_said(scheme, "forbids")), _said(scheme, "where")))
    return [_unbroken(_said(scheme, "name")), forbids, where]


def _said(scheme: Scheme, what: str) -> Markup:
    return _words(f"kinds.{scheme.id}.{what}")


def _unbroken(text: Markup) -> Markup:
    return Markup(text.replace(" ", NBSP))


@figure
def four_matrices() -> Picture:
    """The four masks as matrices, 0 where a token may look and −∞ where it may not."""
    schemes, n = model.records().schemes, model.records().drawn.tokens
    drawing, axes = style.canvas(1152, 187, bare=True)
    wide, high, low = 170, 125, 26
    gap = 1152 / len(schemes) - wide
    for place, scheme in enumerate(schemes):
        left = gap / 2 + place * (wide + gap)
        _matrix(axes, matrix(scheme.id), (left, low), (wide, high))
        axes.text(left + wide / 2, low + high + 20, _title(scheme), ha="center", va="center", weight=600)
    small, soft = style.SIZES.figure_small, style.COLOURS.soft
    style.centred(axes, _words("figure.looks"), (gap / 2 - 16, low + high / 2), rotation=90, size=small, colour=soft)
    style.centred(axes, _words("figure.looked_at"), (gap / 2 + wide / 2, 10), size=small, colour=soft)
    panels = "; ".join(
        _words("figure.panel", name=_said(scheme, "name"), allowed=int((matrix(scheme.id) == 0).sum()), all=n * n) for scheme in schemes
    )
    return Picture(
        drawing,
        values=[_values(scheme, n) for scheme in schemes],
        alt=_words("figure.alt", count=scheme_count(), n=n, allowed=count()(0), forbidden=_words("figure.forbidden"), panels=panels),
    )


def _values(scheme: Scheme, n: int) -> Table:
    """One mask as a table: for each position that looks, 0 or −∞ at each that is looked at."""
    allowed, forbidden = count()(0), _words("figure.forbidden")
    rows = [[i, *(allowed if one == 0 else forbidden for one in line)] for i, line in enumerate(matrix(scheme.id), 1)]
    return Table([Column(_words("figure.looks"), count()), *(Column(count()(j)) for j in range(1, n + 1))], rows, _title(scheme))


def _title(scheme: Scheme) -> str:
    if scheme.id != "sliding":
        return _said(scheme, "name")
    return _words("figure.window", name=_said(scheme, "name"), window=model.records().drawn.window)


def _matrix(axes: Axes, mask: Array, corner: tuple[float, float], size: tuple[float, float]) -> None:
    """One mask: allowed cells dark with a 0, forbidden ones pale with −∞."""
    across, down = (length / len(mask) for length in size)
    for i, j in np.ndindex(mask.shape):
        allowed = mask[i, j] == 0
        fill = style.COLOURS.ink if allowed else style.COLOURS.wash
        x, y = corner[0] + j * across, corner[1] + size[1] - (i + 1) * down
        axes.add_patch(style.patches.Rectangle((x, y), across, down, facecolor=fill, edgecolor=style.COLOURS.ground, linewidth=2))
        text = count()(mask[i, j]) if allowed else _words("figure.forbidden")
        ink = style.ink_on(fill) if allowed else style.COLOURS.soft
        style.centred(axes, text, (x + across / 2, y + down / 2), colour=ink, size=style.SIZES.figure_small)
