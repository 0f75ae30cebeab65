"""Judging an answer, by made-up parts: what counts as blank, as a number, as equal, and the sentence for each.

The lab's own checkpoints are tested in test_lab_checks.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from figures.kit.checkpoints import Part, is_blank, judge, within

PAIR = Part("x", np.array([1.0, 2.0]))


# Blank


@pytest.mark.parametrize(
    ("answer", "blank"),
    [
        (np.array([1, ...], object), True),
        (np.array([[1, 2], [None, 3]], object), True),
        (np.array([1, 2], object), False),
        (np.array([1.0, 2.0]), False),
        ([1, [2, ...]], True),
        ((1, NotImplemented), True),
        ([1, 2], False),
    ],
)
def test_one_gap_among_many_numbers_is_blank(answer: Any, blank: bool):
    assert is_blank(answer) == blank and (judge(PAIR, answer).status == "blank") == blank


# Numbers


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ([], "Chegou um objeto do tipo `list`; a conferência espera um array do NumPy de forma (2,)."),
        (np.zeros((0, 2)), "Chegou um objeto do tipo `ndarray`; a conferência espera um array do NumPy de forma (2,)."),
        (np.array(["1", "2"]), "Chegou um objeto do tipo `ndarray`; a conferência espera um array do NumPy de forma (2,)."),
        ([1, 2j], "Chegou um objeto do tipo `list`; a conferência espera um array do NumPy de forma (2,)."),
        (
            [1.0, torch.ones(1)],
            "Chegou um tensor do PyTorch; a conferência espera um array do NumPy de forma (2,). Converta com `.detach().numpy()`.",
        ),
    ],
)
def test_what_is_no_array_of_numbers_is_told(answer: Any, told: str):
    found = judge(PAIR, answer)
    assert (found.status, found.text) == ("unfit", told)


@pytest.mark.parametrize(("length", "told"), [(160, "x" * 160), (161, "x" * 157 + "…"), (3, "xxx")])
def test_a_long_error_is_cut(length: int, told: str):
    def raises() -> None:
        raise ValueError("x" * length)

    part = Part("f", np.array(1.0), call=lambda function: function(), takes="f()")
    assert judge(part, raises).text == f"A sua função parou com `ValueError`: {told}. Ela é chamada assim: f()."


# Equal and near


@pytest.mark.parametrize(
    ("found", "right", "share", "agree"),
    [
        ([1.5, 4], [1, 4], 0.125, True),  # exactly ½ of 4
        ([1.75, 4], [1, 4], 0.125, False),
        ([-3.5, 1], [-4, 1], 0.125, True),  # the largest is the furthest from 0
        ([0.115], [0.1], 0.125, False),  # small numbers have small shares
        ([0.125], [0], 0.125, True),  # beside nothing, a share of 1
        ([0.25], [0], 0.125, False),
        ([[1.0], [4]], [1, 4], 0, True),  # an axis of length 1 doesn't count
        ([1, 4, 1], [1, 4], 1, False),
    ],
)
def test_a_share_of_the_largest_right_number(found: Any, right: Any, share: float, agree: bool):
    assert within(np.array(found), np.array(right), share) == agree


INFINITE = (1.0, np.inf, -np.inf)


@given(st.lists(st.sampled_from(INFINITE), min_size=1, max_size=4), st.data())
def test_infinite_numbers_stand_in_the_same_places_with_the_same_sign(right: list[float], data: st.DataObject):
    found = data.draw(st.lists(st.sampled_from(INFINITE), min_size=len(right), max_size=len(right)))
    assert within(np.array(found), np.array(right), 0.05) == (found == right)


def test_an_infinite_number_is_told_unless_the_part_lets_it_in():
    assert "um número infinito" in judge(PAIR, [1.0, np.inf]).text
    assert judge(Part("x", np.array([1.0, -np.inf]), infinite=True), [1.0, -np.inf]).status == "right"
