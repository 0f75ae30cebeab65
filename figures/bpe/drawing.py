"""The picture of the phrase's pieces and the corpus's commonest pairs: what the simulator opens with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from figures.bpe import model
from figures.bpe.model import cut, pair_counts, words
from figures.byte_pairs import Pair, Symbols
from figures.kit import style
from figures.kit.formats import count
from figures.kit.show import Column, Picture, Table, figure
from figures.kit.words import Words
from figures.pieces import example, spaced, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("bpe")


CHIPS = (1152, 90)  # width and height that the simulator's picture has for its chips


@figure
def opening_state() -> Picture:
    """The simulator before the first merge: the phrase as chips, and the commonest pairs of the corpus."""
    counts = pair_counts([symbols for sentence in model.toy().corpus for symbols in words(sentence)])
    return _state(cut(example(), ()), counts, done=0, all=len(model.merges()))


def _state(now: Symbols, counts: dict[Pair, int], done: int, all: int) -> Picture:
    """One state of the simulator: where it stands, the phrase's pieces, the commonest pairs with the next one stressed."""
    width, height = 1152, 470
    drawing, axes = style.canvas(width, height, bare=True)
    ranking = sorted(counts.items(), key=lambda entry: -entry[1])[: model.toy().pairs_shown]
    (left, right), most = ranking[0]
    state = {
        "done": count()(done),
        "all": count()(all),
        "pieces": count()(len(now)),
        "left": visible(left),
        "right": visible(right),
        "made": visible(left + right),
        "count": count()(most),
    }
    style.label(axes, _words("state.merge", **state), (0, height - 20), offset=(0, 0), weight=600, size=style.SIZES.table)
    style.label(axes, _words("state.pieces", **state), (width, height - 20), offset=(0, 0), ha="right", size=style.SIZES.table)
    _draw_chips(axes, now, top=height - 56)
    style.label(axes, _words("state.pairs", **state), (0, height - 162), offset=(0, 0), colour=style.COLOURS.soft)
    _draw_pairs(axes, ranking, top=height - 198)
    style.label(axes, _words("state.next", **state), (width, height - 198), offset=(0, 0), ha="right", colour=style.COLOURS.stress)
    alt = _words("state.alt", shown=spaced(now), ranking=_ranking_in_words(ranking), **state)
    columns = [Column(_words("state.pair")), Column(_words("state.times"), count())]
    table = Table(columns, [["+".join(map(visible, pair)), times] for pair, times in ranking])
    return Picture(drawing, alt, values=[table])


def _draw_chips(axes: Axes, symbols: Symbols, top: float) -> None:
    """One box for each piece, side by side from the left edge: large, or as small as one or two rows of them ask."""
    size = next((size for size in range(34, style.SIZES.figure_small, -2) if fits(symbols, size)), style.SIZES.figure_small)
    height = 62 * size / 34
    for piece, row, left, wide in laid_out(symbols, size):
        low = top - height - row * _step_down(size)
        box: dict[str, Any] = {"facecolor": style.COLOURS.wash, "edgecolor": style.COLOURS.rule, "clip_on": False}
        axes.add_patch(style.patches.Rectangle((left, low), wide, height, **box))
        style.centred(axes, visible(piece), (left + wide / 2, low + height / 2), size=size, family=style.MONO)


def laid_out(symbols: Symbols, size: float) -> list[tuple[str, int, float, float]]:
    """Each piece with its row, its left edge and its width, in chips whose letters are `size` pixels high."""
    laid, row, at, gap = [], 0, 1.0, 10 * size / 34
    for piece in symbols:
        wide = 0.6 * size * len(piece) + 46 * (size / 34) ** 2
        if at + wide > CHIPS[0]:
            row, at = row + 1, 1.0
        laid.append((piece, row, at, wide))
        at += wide + gap
    return laid


def _step_down(size: float) -> float:
    return 72 * size / 34


def fits(symbols: Symbols, size: float) -> bool:
    return (laid_out(symbols, size)[-1][1] + 1) * _step_down(size) <= CHIPS[1]


def _draw_pairs(axes: Axes, ranking: Sequence[tuple[Pair, int]], top: float) -> None:
    """The pairs in order, each with a bar as long as its count."""
    step, start = 34, 120
    unit = 560 / max(times for _, times in ranking)
    for row, ((left, right), times) in enumerate(ranking):
        y = top - row * step
        colour, face = (style.COLOURS.stress,) * 2 if row == 0 else (style.COLOURS.ink, style.COLOURS.rule)
        name = _words("pair", left=visible(left), right=visible(right))
        style.label(axes, name, (0, y), offset=(0, 0), family=style.MONO, size=style.SIZES.code, colour=colour)
        axes.add_patch(style.patches.Rectangle((start, y - 9), unit * times, 18, facecolor=face, linewidth=0, label="bar"))
        style.label(axes, count()(times), (start + unit * times, y), weight=600 if row == 0 else 400, colour=colour)


def _ranking_in_words(ranking: Sequence[tuple[Pair, int]]) -> str:
    return ", ".join(_words("state.count", left=visible(a), right=visible(b), count=times) for (a, b), times in ranking)
