"""The lecture TITLE: by hand, against something independent, a law over many inputs."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures import NAME

VALUES = st.lists(st.floats(-50, 50), min_size=2, max_size=12)


def test_a_moving_mean_by_hand():
    assert NAME.moving([1, 2, 6], 2) == [1.5, 4]


def test_the_mean_against_python_s_own():
    assert NAME.mean().value == pytest.approx(statistics.fmean(NAME.degrees()))


@given(VALUES, st.integers(1, 12))
def test_no_mean_leaves_the_values_behind(values: list[float], size: int):
    assert all(min(values) - 1e-9 <= mean <= max(values) + 1e-9 for mean in NAME.moving(values, size))


def test_every_sentence_that_carries_a_check_is_true():
    assert NAME.a_longer_mean_varies_less.check().holds
