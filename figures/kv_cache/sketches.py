"""Two small pictures: the passes that a cache spares, and which query heads share which keys and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from figures.kit import style
from figures.kit.arrays import Booleans
from figures.kit.claims import Check, claim
from figures.kit.formats import count
from figures.kit.show import Column, Picture, Table, figure
from figures.kit.theme import series
from figures.kit.words import Words
from figures.kv_cache import records
from figures.kv_cache.arithmetic import passes
from figures.kv_cache.records import Scheme
from figures.roles import KEY, QUERY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("kv_cache")


def computed(n: int, cached: bool) -> Booleans:
    """Which tokens go through the network at each step, (steps, tokens): all so far, or with a cache the new one alone.

    >>> [int(computed(3, cached).sum()) for cached in (False, True)]
    [6, 3]
    """
    so_far = np.tri(n, dtype=bool)
    return np.eye(n, dtype=bool) if cached else so_far


@figure
def triangle_and_line() -> Picture:
    """One token a step: what goes through the network without a cache, and with one."""
    n = records.controls().steps_drawn
    drawing, page = style.canvas(1152, 214, bare=True)
    for left, cached in ((0, False), (600, True)):
        title = _words(f"steps.{'with' if cached else 'without'}", passes=count()(passes(n, cached)))
        page.text(left, 198, title, weight=600, va="center")
        _draw_steps(page, computed(n, cached), (left + 96, 174))
    said = {name: count()(passes(n, cached)) for name, cached in (("without", False), ("kept", True))}
    return Picture(drawing, _words("steps.alt", n=count()(n), **said), values=[_values(n)])


def _values(n: int) -> Table:
    """How many tokens go through the network at each step."""
    columns = [Column(_words("steps.at"), count()), *(Column(_words(f"steps.{name}"), count()) for name in ("uncached", "cached"))]
    passing = [computed(n, cached).sum(axis=1).tolist() for cached in (False, True)]
    return Table(columns, [[step, *both] for step, *both in zip(range(1, n + 1), *passing)])


def _draw_steps(page: Axes, through: Booleans, corner: tuple[float, float]) -> None:
    """A row for each step; what goes through is filled, what was kept from earlier steps only outlined."""
    wide, high = 42, 20
    n = len(through)
    for step, token in np.argwhere(np.tri(n, dtype=bool)):
        name = "recomputed" if through[step, token] else "cache"
        place = (corner[0] + token * wide, corner[1] - (step + 1) * high)
        face = series(name).ink if name == "recomputed" else "none"
        page.add_patch(
            style.patches.Rectangle(place, wide - 3, high - 3, edgecolor=series(name).ink, facecolor=face, linewidth=1.5, label=name)
        )
    for step in (0, n - 1):
        y = corner[1] - (step + 0.5) * high
        text = _words("steps.step", t=count()(step + 1))
        page.text(corner[0] - 12, y, text, ha="right", va="center", size=style.SIZES.figure_small, color=style.COLOURS.soft)


def shared_by(scheme: Scheme, heads: int) -> list[int]:
    """For each query head, the number of the K and V that it reads, from 0: as many heads to a group as in the example model."""
    example = records.example()
    group = {"all": 1, "groups": example.heads // example.kv_heads, "one": heads, "latent": heads}[scheme.keeps]
    return [head // group for head in range(heads)]


@figure
def heads_and_keys() -> Picture:
    """Which query heads read which keys and values, a panel for each scheme of the table."""
    heads, schemes = records.controls().heads_drawn, records.schemes().schemes
    drawing, page = style.canvas(1152, 132, bare=True)
    step = 1152 / len(schemes)
    for place, scheme in enumerate(schemes):
        _draw_sharing(page, scheme, heads, place * step)
    panels = [_words(f"shared.{scheme.keeps}", id=scheme.id, kept=kept_heads(scheme, heads), heads=count()(heads)) for scheme in schemes]
    return Picture(drawing, _words("shared.alt", panels="; ".join(panels)), values=())


def kept_heads(scheme: Scheme, heads: int) -> int:
    """How many K and V stand in the picture."""
    return len(set(shared_by(scheme, heads)))


def _draw_sharing(page: Axes, scheme: Scheme, heads: int, left: float) -> None:
    """Query heads above, what they read below, a line from each head to what it reads."""
    wide, above, below = 25, 112, 30
    xs = [left + 62 + wide * head for head in range(heads)]
    read = shared_by(scheme, heads)
    for kept in dict.fromkeys(read):
        middle = float(np.mean([x for x, of in zip(xs, read) if of == kept]))
        for x in (x for x, of in zip(xs, read) if of == kept):
            page.plot([x, middle], [above, below], color=style.COLOURS.rule, linewidth=1.5, zorder=1)
        if scheme.keeps == "latent":
            _draw_latent(page, (middle, below))
        else:
            page.plot(middle, below, marker=KEY.marker, markersize=17, color=KEY.ink, linestyle="none", label="key", clip_on=False)
    page.plot(xs, [above] * heads, marker=QUERY.marker, markersize=15, color=QUERY.ink, linestyle="none", label="query", clip_on=False)
    page.text(left + 46, 71, scheme.id, ha="right", va="center", weight=600)


def _draw_latent(page: Axes, middle: tuple[float, float]) -> None:
    """One box in place of keys and values."""
    (x, y), width = middle, 118
    box = style.patches.FancyBboxPatch((x - width / 2, y - 15), width, 30, boxstyle="round,pad=0,rounding_size=4", zorder=2)
    box.set(facecolor=style.COLOURS.wash, edgecolor=style.COLOURS.ink)
    page.add_patch(box)
    style.centred(page, _words("shared.box"), middle)


@claim
def picture_shares_as_the_table(groups: Sequence[int] | None = None) -> Check:
    """The keys and values drawn are those of the table: as many as heads, one, a group's; the groups as in the example model."""
    heads, example = records.controls().heads_drawn, records.example()
    drawn = {scheme.keeps: kept_heads(scheme, heads) for scheme in records.schemes().schemes}
    expected = {"all": heads, "one": 1, "groups": heads * example.kv_heads // example.heads, "latent": 1}
    counted = drawn if groups is None else dict(zip(drawn, groups))
    return Check(counted == expected, {"drawn": counted, "table": expected})


@claim
def triangle_is_the_formula(steps: int | None = None, cached_too: bool = True) -> Check:
    """The cells that the picture fills are as many as the formulas say: a triangle without the cache, a line with it."""
    n = records.controls().steps_drawn if steps is None else steps
    filled = {"without": int(computed(n, False).sum()), "with": int(computed(n, cached_too).sum())}
    expected = {"without": passes(n, False), "with": passes(n, True)}
    return Check(filled == expected, {"filled": filled, "told": expected})
