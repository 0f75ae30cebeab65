"""Matrices as boxes: every number stands in its cell, the followed row stands out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from figures.kit import matrix_drawing, style
from figures.kit.colour import contrast
from figures.kit.formats import fixed
from figures.kit.matrix_drawing import Matrix
from figures.kit.theme import Role, Tone

CELL = (60.0, 40.0)
ROLE = Role(
    name="query", css="q", letters=("q",), line="solid", marker="o", light=Tone("#1A56DB", "#E8EEFC"), dark=Tone("#73B1FF", "#1B2A42")
)


def drawn(matrix: Matrix, labels: tuple[str, ...] = ()) -> tuple[dict[str, list[tuple[float, float]]], style.Axes]:
    """Each text of the drawing with the places where it stands, and the axes."""
    _, axes = style.canvas(600, 400, bare=True)
    matrix_drawing.draw(axes, matrix, (100, 300), CELL, labels)
    found: dict[str, list[tuple[float, float]]] = {}
    for text in axes.texts:
        found.setdefault(text.get_text(), []).append(text.get_position())
    return found, axes


def test_a_two_by_two_matrix_by_hand():
    found, _ = drawn(Matrix("M", np.array([[1.0, 2.0], [3.0, 4.0]]), fixed(0), note="2 × 2"), ("a", "b"))
    assert found["1"] == [(130, 280)]
    assert found["4"] == [(190, 240)]
    assert found["M"] == [(160, 320)]
    assert found["2 × 2"] == [(160, 201)]
    assert found["b"] == [(88, 240)]


@given(arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.floats(0, 1)))
def test_every_number_lies_inside_the_box(values: np.ndarray):
    matrix = Matrix("M", values, fixed(2), heat=True)
    found, _ = drawn(matrix)
    width, height = matrix_drawing.size(matrix, CELL)
    places = [place for text, at in found.items() if text not in {"M", ""} for place in at]
    assert len(places) == values.size
    assert all(100 < x < 100 + width and 300 - height < y < 300 for x, y in places)


def test_the_followed_row_is_bold_and_every_number_has_its_role_s_colour():
    _, axes = drawn(Matrix("Q", np.array([[1.0, 2.0], [3.0, 4.0]]), fixed(0), role=ROLE, followed=1))
    weights = {text.get_text(): text.get_fontweight() for text in axes.texts}
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert (weights["1"], weights["3"]) == (400, 600)
    assert (colours["1"], colours["3"]) == (ROLE.ink, ROLE.ink)


@pytest.mark.parametrize("value", np.linspace(0, 1, 11).tolist())
def test_a_number_reads_on_its_shade(value: float):
    _, axes = drawn(Matrix("A", np.array([[value]]), fixed(2), heat=True))
    cell, number = axes.patches[0], axes.texts[0]
    assert contrast(number.get_color(), cell.get_facecolor()) >= 4.5
