"""Slide 12's chain read back from its drawing: who gives to whom, in which colour and dashes, and which matrix stands on which arrow."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch
from matplotlib.text import Annotation

from figures import chain
from figures.kit import style
from figures.roles import KEY, QUERY, VALUE

ROLES = {to_hex(role.ink): role for role in (QUERY, KEY, VALUE)}
GREY = to_hex(style.COLOURS.rule)


class Arrow(NamedTuple):
    """An arrow by the boxes at its ends, counted from the left and then from the top, its colour and its dashes."""

    start: int
    end: int
    colour: str
    dashes: str


def drawn() -> tuple[list[FancyBboxPatch], list[Annotation], list[str]]:
    """The boxes from the left, then from the top, the arrows, and the names of the matrices with their colours from the top."""
    (page,) = chain.chain().figure.axes
    boxes = [patch for patch in page.patches if isinstance(patch, FancyBboxPatch)]
    boxes.sort(key=lambda box: (round(box.get_x()), -box.get_y()))
    arrows = [text for text in page.texts if isinstance(text, Annotation) and text.arrow_patch]
    names = sorted((text for text in page.texts if "𝑊" in text.get_text()), key=lambda name: -name.get_position()[1])
    beside = [f"{name.get_text()} {to_hex(name.get_color())}" for name in names]
    return boxes, arrows, beside


def read() -> set[Arrow]:
    boxes, arrows, _ = drawn()

    def at(x: float, y: float) -> int:
        return min(range(len(boxes)), key=lambda n: _apart(boxes[n], x, y))

    looks = [(patch.get_edgecolor(), patch.get_linestyle()) for one in arrows if (patch := one.arrow_patch)]
    return {Arrow(at(*one.xyann), at(*one.xy), to_hex(colour), _name(dashes)) for one, (colour, dashes) in zip(arrows, looks)}


def _apart(box: FancyBboxPatch, x: float, y: float) -> float:
    """How far a point is from a box."""
    left, low = box.get_x(), box.get_y()
    over = max(left - x, x - left - box.get_width(), 0), max(low - y, y - low - box.get_height(), 0)
    return float(np.hypot(*over))


def wanted() -> set[Arrow]:
    """By hand: X gives Q, K and V; Q and K the scores; these the weights; the weights and V the output."""
    x, q, k, v, s, a, o = range(7)
    by_role = {(x, q): QUERY, (x, k): KEY, (x, v): VALUE, (q, s): QUERY, (k, s): KEY, (v, o): VALUE}
    plain = {Arrow(s, a, GREY, "solid"), Arrow(a, o, GREY, "solid")}
    return plain | {Arrow(start, end, to_hex(role.ink), _name(role.dash)) for (start, end), role in by_role.items()}


def _name(dash: object) -> str:
    return {"-": "solid", "--": "dashed", ":": "dotted", "-.": "dashdot"}.get(str(dash), str(dash))


def test_each_arrow_joins_what_the_formula_joins() -> None:
    assert {one[:3] for one in read()} == {one[:3] for one in wanted()}
    assert {one[2:] for one in read()} == {one[2:] for one in wanted()}
    assert len({one.dashes for one in read()}) == 3  # solid for the query and for what has no role


def test_each_box_has_the_colour_of_its_role_and_its_matrix_beside_its_arrow() -> None:
    boxes, _, beside = drawn()
    assert [ROLES.get(to_hex(box.get_edgecolor())) for box in boxes] == [None, QUERY, KEY, VALUE, None, None, None]
    assert [re.sub(r"[^𝑄𝐾𝑉]", "", name) for name in beside] == ["𝑄", "𝐾", "𝑉"]
    assert [name.split()[-1] for name in beside] == [*ROLES]


@pytest.mark.parametrize(
    ("constant", "faulty"),
    [
        ("WEIGHTS", (("K", "W_Q", QUERY), ("Q", "W_K", KEY), ("V", "W_V", VALUE))),
        ("WEIGHTS", (("Q", "W_Q", KEY), ("K", "W_K", QUERY), ("V", "W_V", VALUE))),
        ("ARROWS", (("Q", "S", 8), ("V", "S", -8), ("S", "A", 0), ("A", "O", 10), ("K", "O", -12))),
    ],
)
def test_a_wrong_chain_is_noticed(monkeypatch: pytest.MonkeyPatch, constant: str, faulty: object) -> None:
    monkeypatch.setattr(chain, constant, faulty)
    with pytest.raises(AssertionError):
        test_each_arrow_joins_what_the_formula_joins()
