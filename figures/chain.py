"""The chain of one head as a drawing: X → Q, K, V → scores → softmax → output, each box with its shape.

The shapes are those of `shapes`, in symbols; this module only places them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from figures import shapes
from figures.kit import style
from figures.kit.show import Picture, figure
from figures.kit.theme import Role
from figures.kit.words import Words
from figures.roles import KEY, QUERY, VALUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_words = Words("chain")


class Box(NamedTuple):
    """A tensor of the drawing: the formula inside, the caption above, its place and width in pixels, its role."""

    tensor: str
    formula: str
    caption: str
    x: float
    y: float
    width: float
    role: Role | None = None


HEIGHT = 42
THIN = r"\,"
BOXES = (
    Box("X", "X", "input", 1, 74, 140),
    Box("Q", "Q", "", 270, 126, 150, QUERY),
    Box("K", "K", "", 270, 74, 150, KEY),
    Box("V", "V", "", 270, 22, 150, VALUE),
    Box("S", r"S=QK^⊤/√{d_k}", "scores", 500, 100, 250),
    Box("A", "A", "softmax", 820, 100, 120),
    Box("O", "O=AV", "output", 985, 34, 166),
)
# Who gives, who takes, and how far above the middle of its box the arrow lands.
ARROWS = (("Q", "S", 8), ("K", "S", -8), ("S", "A", 0), ("A", "O", 10), ("V", "O", -12))
WEIGHTS = (("Q", "W_Q", QUERY), ("K", "W_K", KEY), ("V", "W_V", VALUE))


def symbols(tensor: str) -> str:
    """The shape of a tensor in plain symbols.

    >>> symbols("Q")
    'n × d_k'
    """
    return " × ".join(shapes.tensors(*shapes.SYMBOLS)[tensor])


@figure
def chain() -> Picture:
    """From X to the output in boxes with their shapes; query, key and value keep their colours and letters."""
    drawing, page = style.canvas(1152, 152, bare=True)
    box = {one.tensor: one for one in BOXES}
    for one in BOXES:
        _draw(page, one)
    for tensor, matrix, taking in WEIGHTS:
        start, end = _right(box["X"]), _left(box[tensor])
        _arrow(page, start, end, taking)
        rise = end[1] - start[1]
        beside = (start[0] + 0.68 * (end[0] - start[0]), start[1] + 0.68 * rise + 15 + 0.14 * abs(rise))
        style.centred(page, style.math(matrix), beside, colour=taking.ink)
    for giver, taker, rise in ARROWS:
        x, y = _left(box[taker])
        _arrow(page, _right(box[giver]), (x, y + rise), box[giver].role)
    return Picture(drawing, _words("alt", **{tensor: symbols(tensor) for tensor in shapes.tensors(*shapes.SYMBOLS)}), values=())


def _draw(page: Axes, one: Box) -> None:
    edge, face, ink = style.COLOURS.rule, style.COLOURS.wash, style.COLOURS.ink
    if one.role:
        edge, face, ink = one.role.ink, one.role.wash, one.role.ink
    corner = (one.x + 3, one.y - HEIGHT / 2 + 3)
    colours: dict[str, Any] = {"facecolor": face, "edgecolor": edge, "clip_on": False}
    page.add_patch(style.patches.FancyBboxPatch(corner, one.width - 6, HEIGHT - 6, boxstyle="round,pad=3", **colours))
    text = f"{style.math(one.formula)}   {style.math(symbols(one.tensor).replace(' ', THIN))}"
    style.centred(page, text, (one.x + one.width / 2, one.y), colour=ink, size=22)
    if one.caption:
        above = (one.x + one.width / 2, one.y + HEIGHT / 2 + 14)
        style.centred(page, _words(f"captions.{one.caption}"), above, colour=style.COLOURS.soft)


def _left(one: Box) -> tuple[float, float]:
    return one.x - 4, one.y


def _right(one: Box) -> tuple[float, float]:
    return one.x + one.width + 4, one.y


def _arrow(page: Axes, start: tuple[float, float], end: tuple[float, float], role: Role | None) -> None:
    """From one box to another, in the colour and the dashes of what it carries."""
    look = {"color": role.ink, "linestyle": role.dash} if role else {"color": style.COLOURS.rule}
    page.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "linewidth": 2, "shrinkA": 0, "shrinkB": 0, **look})
