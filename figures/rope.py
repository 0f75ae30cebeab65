"""RoPE: each pair of dimensions is a hand turned by an angle that grows with the position.

Vectors are (…, d) with d even; dimensions 2i and 2i + 1 form pair i, turned by position · base^(−2i/d) radians.
Computed in float64. Source: Su et al., "RoFormer", 2021, section 3.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from figures import random_draws
from figures.kit import data, style
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import count, fixed, joined, plain, spelled
from figures.kit.show import Column, Picture, Table, figure, number, word
from figures.kit.words import Words
from figures.roles import KEY, QUERY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("rope")


FACES = 2  # that the picture of clocks has room for


class Clock(data.Record):
    """The drawn clock: positions on one turn, and the positions of query and key on each face."""

    marks: data.Positive
    positions: tuple[tuple[int, int], ...]


class Hands(data.Record):
    """The positions at which the fastest and the slowest hand are drawn."""

    fast: tuple[data.Natural, ...]
    slow: tuple[data.Natural, ...]


class Rope(data.Record):
    """`data/rope.yml`: the lab's draw, the base of the angles, the pairs of positions, the clock."""

    draw: str
    base: data.Positive
    positions: tuple[tuple[int, int], ...]
    offsets: tuple[int, ...]
    clock: Clock
    hands: Hands
    source: str

    def faults(self) -> Iterator[str]:
        for field, pairs in (("positions", self.positions), ("clock.positions", self.clock.positions)):
            offsets = sorted({query - key for query, key in pairs})
            if len(pairs) < 2 or len(offsets) > 1:
                apart = ", ".join(map(str, offsets))
                yield f"`{field}` must be two pairs or more whose query lies as far after its key; here they lie {apart} apart"
        if len(self.clock.positions) > FACES:
            yield f"`clock.positions` has {len(self.clock.positions)} pairs, and the picture has room for {FACES} faces"
        if same := {query - key for query, key in self.positions} & {*self.offsets}:
            yield f"`offsets` are to be others than that of `positions`, {same.pop()}"


def records() -> Rope:
    """The records, as `data/rope.yml` has them."""
    return data.load("rope", Rope)


def speeds(d: int, base: float) -> Array:
    """The speed θ_i of each of the d/2 pairs, in radians per position.

    >>> speeds(4, 10000).round(2).tolist()
    [1.0, 0.01]
    """
    return base ** (-np.arange(0, d, 2) / d)


def rotate(x: Array, position: float, base: float) -> Array:
    """`x` (…, d) with each pair turned by its angle at `position`.

    >>> rotate([1, 0], np.pi / 2, 10000).round(9).tolist()
    [0.0, 1.0]
    """
    x = np.asarray(x, dtype=np.float64)
    angles = position * speeds(x.shape[-1], base)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = even * np.cos(angles) - odd * np.sin(angles)
    turned[..., 1::2] = even * np.sin(angles) + odd * np.cos(angles)
    return turned


def score(q: Array, k: Array, query_at: int, key_at: int, base: float) -> float:
    """q·k once both are turned to their positions; no division. It depends on query_at − key_at alone."""
    return float(rotate(q, query_at, base) @ rotate(k, key_at, base))


def scores() -> list[float]:
    """The lab's scores at its pairs of positions."""
    drawn = random_draws.drawn(records().draw)
    return [score(drawn["q"], drawn["k"], *pair, records().base) for pair in records().positions]


def all_equal(values: Sequence[float], tolerance: float = 1e-9) -> bool:
    """Whether the values agree.

    >>> all_equal([0.1, 0.1 + 1e-16])
    True
    """
    return max(values) - min(values) <= tolerance


@number(fixed(6, sign=True))
def at(query_at: int, key_at: int) -> float:
    """The lab's score with query and key at these positions.

    >>> at(3, 1)
    +0,033671
    """
    drawn = random_draws.drawn(records().draw)
    return score(drawn["q"], drawn["k"], query_at, key_at, records().base)


@number(fixed(6, sign=True))
def same_score() -> float:
    """The score at the first of the lab's pairs of positions."""
    return scores()[0]


@word
def agreement() -> str:
    """Whether the lab's pairs of positions give one score."""
    return _words("same" if all_equal(scores()) else "different")


@word
def position_list() -> str:
    """The lab's pairs of positions."""
    return joined([f"({query}, {key})" for query, key in records().positions], _words("and"))


@word
def offset_list() -> str:
    """The lab's other offsets."""
    return joined([count()(offset) for offset in records().offsets], _words("and"))


@word
def offset_scores() -> str:
    """The scores at those offsets, in their order."""
    return joined([str(at_offset(offset)) for offset in records().offsets], _words("and"))


@number(fixed(2, sign=True))
def at_offset(offset: int) -> float:
    """The lab's score with the query so many positions after the key.

    >>> at_offset(1)
    −0,81
    """
    return at(offset, 0).value


def between(query_at: int, key_at: int) -> int:
    """Steps of the clock between the hands.

    >>> between(10, 8)
    2
    """
    return abs(query_at - key_at)


def point(middle: tuple[float, float], position: float, marks: float, radius: float) -> tuple[float, float]:
    """Where `position` lies on a clock, 0 at the top and on to the right.

    >>> point((0, 0), 4, 16, 1)
    (1.0, 6.123233995736766e-17)
    """
    angle = 2 * math.pi * position / marks
    return middle[0] + radius * math.sin(angle), middle[1] + radius * math.cos(angle)


def verdict(positions: Sequence[tuple[int, int]], told: bool = False) -> str:
    """What the drawn clocks tell, short or as a sentence: whether all of them hold the same angle between the hands."""
    same = len({query - key for query, key in positions}) == 1
    return _words(f"clock.{'same' if same else 'different'}{'_told' * told}")


@figure
def clocks() -> Picture:
    """One clock a pair of positions, both hands on it, and the angle between them, the same on each."""
    clock = records().clock
    drawing, axes = style.canvas(520, 340, bare=True)
    for place, pair in enumerate(clock.positions):
        _face(axes, (128 + 264 * place, 212), clock.marks, *pair)
    style.centred(axes, verdict(clock.positions), (260, 16), weight=600)
    faces = "; ".join(_words("clock.face", query_at=q, key_at=k, steps=between(q, k)) for q, k in clock.positions)
    hands, told = spelled()(len(clock.positions[0])), verdict(clock.positions, told=True)
    alt = _words("clock.alt", first=0, last=clock.marks - 1, hands=hands, faces=faces, verdict=told)
    names = [_words(f"clock.{name}") for name in ("query_at", "key_at", "between")]
    rows = [[query_at, key_at, _words("clock.angle", steps=between(query_at, key_at))] for query_at, key_at in clock.positions]
    table = Table([Column(names[0], count()), Column(names[1], count()), Column(names[2])], rows)
    return Picture(drawing, alt=alt, values=[table])


@figure
def fast_and_slow() -> Picture:
    """The query's fastest hand and its slowest one at some positions: one turns far at each step, the other hardly at all."""
    hands, lab = records().hands, records()
    speed = speeds(len(random_draws.drawn(lab.draw)["q"]), lab.base)
    drawing, axes = style.canvas(520, 190, bare=True)
    panels = (("fast", float(speed[0]), hands.fast), ("slow", float(speed[-1]), hands.slow))
    for left, (name, of, positions) in zip((0, 264), panels):
        _hand(axes, (left + 128, 84), of, positions)
        title = _words(f"hands.{name}", speed=plain(3)(of))
        style.centred(axes, title, (left + 128, 180), weight=600, size=style.SIZES.figure_small)
    readings = {name: plain(3)(of) for name, of, _ in panels}
    at = {f"{name}_at": joined([count()(m) for m in positions], _words("and")) for name, _, positions in panels}
    columns = [Column(_words("hands.position"), count()), Column(_words("hands.turned"), plain(3))]
    tables = [Table(columns, [[m, m * of] for m in places], _words(f"hands.{name}", speed=plain(3)(of))) for name, of, places in panels]
    return Picture(drawing, _words("hands.alt", **readings, **at), values=tables)


def _hand(axes: Axes, middle: tuple[float, float], speed: float, positions: Sequence[int]) -> None:
    """One dial: the hand at each position, named at its tip; it starts at the top and turns to the right."""
    turn = 2 * math.pi / speed  # positions of a whole turn
    rim = [point(middle, t, 90, 56) for t in range(91)]
    axes.plot(*zip(*rim), color=style.COLOURS.line, linewidth=1.5)
    for position in positions:
        tip = point(middle, position, turn, 54)
        axes.plot(*zip(middle, tip), linestyle=QUERY.dash, color=QUERY.ink, linewidth=3, label="query")
        beside = point(middle, position, turn, 74)
        style.centred(axes, count()(position), beside, colour=QUERY.ink, size=style.SIZES.figure_small)


def _face(axes: Axes, middle: tuple[float, float], marks: int, query_at: int, key_at: int) -> None:
    """One clock: its numbers, the hand of the key and that of the query, and the arc from one to the other."""
    for mark in range(marks):
        place = point(middle, mark, marks, 108)
        style.centred(axes, str(mark), place, colour=style.COLOURS.soft, size=style.SIZES.figure_small)
    turn = [point(middle, t, marks, 90) for t in np.linspace(0, marks, 90)]
    axes.plot(*zip(*turn), color=style.COLOURS.rule, linewidth=1.5)
    arc = [point(middle, t, marks, 44) for t in np.linspace(key_at, query_at, 30)]
    axes.plot(*zip(*arc), color=style.COLOURS.ink, linewidth=2)
    angle = _words("clock.angle", steps=between(query_at, key_at))
    style.centred(axes, angle, point(middle, (query_at + key_at) / 2, marks, 64), weight=600)
    for role, at in ((KEY, key_at), (QUERY, query_at)):
        tip = point(middle, at, marks, 80)
        axes.plot(*zip(middle, tip), linestyle=role.dash, color=role.ink, linewidth=3, label=role.name)
        axes.plot(*tip, marker=(3, 0, -360 * at / marks), color=role.ink, markersize=15, markeredgewidth=0)
        beside = point(middle, at + 0.62 * (1 if at == max(query_at, key_at) else -1), marks, 72)
        style.centred(axes, _words(f"clock.{role.name}"), beside, colour=role.ink, weight=600)
    style.centred(axes, _words("clock.label", query_at=query_at, key_at=key_at), (middle[0], middle[1] - 142))


@claim
def offset_alone_counts() -> Check:
    """Moving query and key together leaves every score as it was; moving them apart doesn't."""
    lab, drawn = records(), random_draws.drawn(records().draw)
    places = [key for _, key in lab.positions]
    of = {offset: [score(drawn["q"], drawn["k"], at + offset, at, lab.base) for at in places] for offset in (0, *lab.offsets)}
    steady = all(all_equal(values) for values in of.values())
    apart = not all_equal([value for values in of.values() for value in values])
    return Check(steady and apart, {str(offset): values for offset, values in of.items()})


@claim
def fast_hands_and_slow_ones(base: int | None = None) -> Check:
    """The fastest hand tells neighbours apart by a radian or so; the slowest stays within half a turn over the lab's positions."""
    speed = speeds(len(random_draws.drawn(records().draw)["q"]), base or records().base)
    longest = max(query for query, _ in records().positions)
    turned = {"fastest, one step": float(speed[0]), "slowest, all the way": float(speed[-1] * longest)}
    return Check(speed[0] > 0.5 and 0 < turned["slowest, all the way"] < math.pi, turned)


@claim
def rescaled_reaches_further(factor: int = 4, rescale: Callable[[Array, int], Array] = np.divide) -> Check:
    """With frequencies divided by a factor no hand goes further at any position of a context as many times longer; undivided, all do."""
    speed = speeds(len(random_draws.drawn(records().draw)["q"]), records().base)
    longest = max(query for query, _ in records().positions)
    places = np.arange(longest * factor + 1)[:, None]
    before, after = speed * longest, (places * rescale(speed, factor)).max(axis=0)
    further = bool(((places * speed).max(axis=0) > before).all())
    return Check(further and bool((after <= before * (1 + 1e-12)).all()), {"before": before, "longer context": after})
