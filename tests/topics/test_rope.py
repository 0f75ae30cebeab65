"""RoPE against rotation of complex numbers, and its law: a score knows only how far apart query and key are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from published import published, same_text

from figures import (
    random_draws,
    rope,
)
from figures.kit.words import Words

POSITIONS = st.integers(0, 100_000)
BASES = st.sampled_from([10.0, 10_000.0, 500_000.0])


@st.composite
def pairs(draw) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    q, k = rng.normal(size=(2, 2 * draw(st.integers(1, 32))))
    return q, k


def test_as_published():
    assert [list(pair) for pair in rope.records().clock.positions] == published("deck", 24, "drawn")
    assert same_text(rope.at(3, 1), published("deck", 24, "scores", "(3, 1)"))
    assert same_text(rope.at(10, 8), published("deck", 24, "scores", "(10, 8)"))
    assert same_text(rope.at(1000, 998), published("deck", 24, "scores", "(1000, 998)"))
    assert same_text(rope.at_offset(1), published("deck", 24, "scores", "offset_1"))
    assert same_text(rope.at_offset(3), published("deck", 24, "scores", "offset_3"))


def test_the_slide_says_the_same():
    assert same_text(rope.position_list(), "(3, 1), (10, 8) e (1000, 998)")
    assert same_text(rope.same_score(), "+0,033671")
    assert same_text(rope.offset_list(), "1 e 3")
    assert same_text(rope.offset_scores(), "−0,81 e +1,18")


def test_a_quarter_turn_by_hand():
    np.testing.assert_allclose(rope.rotate(np.array([1.0, 0.0]), np.pi / 2, 10_000), [0, 1], atol=1e-15)
    np.testing.assert_allclose(rope.speeds(4, 10_000), [1, 0.01])


@given(pairs(), POSITIONS, BASES)
def test_equals_multiplication_by_a_complex_number(drawn, position, base):
    x, d = drawn[0], len(drawn[0])
    speeds = np.exp(-np.log(base) * np.arange(d // 2) * 2 / d)
    turned = (x[0::2] + 1j * x[1::2]) * np.exp(1j * position * speeds)
    np.testing.assert_allclose(rope.rotate(x, position, base), np.stack([turned.real, turned.imag], -1).ravel(), atol=1e-8)


@given(pairs(), POSITIONS, POSITIONS, POSITIONS, BASES)
def test_the_score_depends_on_the_offset_alone(drawn, query_at, key_at, shift, base):
    q, k = drawn
    moved = rope.score(q, k, query_at + shift, key_at + shift, base)
    assert moved == pytest.approx(rope.score(q, k, query_at, key_at, base), abs=1e-7)


@given(pairs(), POSITIONS, POSITIONS, BASES)
def test_turning_both_is_turning_the_key_back(drawn, query_at, key_at, base):
    """(R_m q)·(R_n k) = q·(R_{n−m} k)"""
    q, k = drawn
    assert rope.score(q, k, query_at, key_at, base) == pytest.approx(float(q @ rope.rotate(k, key_at - query_at, base)), abs=1e-7)


@given(pairs(), POSITIONS, BASES)
def test_a_rotation_keeps_lengths(drawn, position, base):
    assert np.linalg.norm(rope.rotate(drawn[0], position, base)) == pytest.approx(np.linalg.norm(drawn[0]))


@given(pairs(), st.integers(0, 1000), st.integers(0, 1000), BASES)
def test_rotations_add_up(drawn, first, second, base):
    twice = rope.rotate(rope.rotate(drawn[0], first, base), second, base)
    np.testing.assert_allclose(twice, rope.rotate(drawn[0], first + second, base), atol=1e-9)


def test_agreement_flips(monkeypatch):
    assert rope.agreement().text == "dá o mesmo score"
    changed = replace(rope.records(), positions=((3, 1), (10, 9)))
    monkeypatch.setattr(rope, "records", lambda: changed)
    assert rope.agreement().text == "dá scores diferentes"


def test_the_clocks_verdict_flips():
    assert rope.verdict(((3, 1), (10, 8))) == Words("rope")("clock.same")
    assert rope.verdict(((3, 1), (10, 7))) == Words("rope")("clock.different")


def test_the_claim_fails_for_a_score_without_positions(monkeypatch):
    assert rope.offset_alone_counts.check().holds
    drawn = random_draws.drawn("rotated-pair")
    monkeypatch.setattr(rope, "score", lambda q, k, query_at, key_at, base: float(drawn["q"] @ drawn["k"]))
    assert not rope.offset_alone_counts.check().holds
    monkeypatch.setattr(rope, "score", lambda q, k, query_at, key_at, base: float(query_at * key_at))
    assert not rope.offset_alone_counts.check().holds


@pytest.mark.parametrize(("offset", "key_at"), [(0, 1), (1, 998), (3, 8)])
def test_the_claim_fails_where_one_score_is_off_by_a_millionth(offset, key_at, monkeypatch):
    right = rope.score

    def off(q, k, query_at, at, base):
        return right(q, k, query_at, at, base) + 1e-6 * ((query_at, at) == (key_at + offset, key_at))

    monkeypatch.setattr(rope, "score", off)
    assert not rope.offset_alone_counts.check().holds


def test_the_claim_tells_each_offset_s_scores():
    told = rope.offset_alone_counts.check().values
    drawn = random_draws.drawn("rotated-pair")
    assert {offset: len(scores) for offset, scores in told.items()} == {"0": 3, "1": 3, "3": 3}
    assert told["0"] == pytest.approx([float(drawn["q"] @ drawn["k"])] * 3)
    assert told["3"] == pytest.approx([rope.at_offset(3).value] * 3)


def test_the_score_shown_is_that_of_the_first_pair(monkeypatch):
    changed = replace(rope.records(), positions=((5, 4), (3, 1)))
    monkeypatch.setattr(rope, "records", lambda: changed)
    assert rope.same_score().value == pytest.approx(-0.81, abs=5e-3)


def test_the_fastest_hand_turns_by_more_than_half_a_radian(monkeypatch):
    monkeypatch.setattr(rope, "speeds", lambda d, base: np.array([0.5, 1e-4]))
    assert not rope.fast_hands_and_slow_ones.check().holds
    monkeypatch.setattr(rope, "speeds", lambda d, base: np.array([0.51, 1e-4]))
    assert rope.fast_hands_and_slow_ones.check().holds


@given(st.integers(2, 64))
def test_rescaling_reaches_as_many_times_further(factor):
    assert rope.rescaled_reaches_further.check(factor).holds


def test_every_hand_must_be_rescaled():
    def but_the_slowest(speeds, factor):
        return np.append(speeds[:-1] / factor, speeds[-1])

    assert not rope.rescaled_reaches_further.check(rescale=but_the_slowest).holds


def test_the_clocks_are_drawn_and_told():
    picture = rope.clocks()
    for text in ("query na posição 3, chave na posição 1", "query na posição 10, chave na posição 8", "2θ"):
        assert text in picture.alt
    shown = [text.get_text() for text in picture.figure.axes[0].texts]
    assert shown.count("2θ") == 2
    assert {"q em 3, k em 1", "q em 10, k em 8", "15"} <= set(shown)


def test_points_of_the_clock_by_hand():
    assert rope.point((0, 0), 0, 16, 1) == pytest.approx((0, 1))
    assert rope.point((0, 0), 4, 16, 1) == pytest.approx((1, 0))
    assert rope.point((0, 0), 8, 16, 1) == pytest.approx((0, -1))
    assert rope.point((5, 7), 12, 16, 2) == pytest.approx((3, 7))


def test_scores_agree_within_their_tolerance() -> None:
    assert rope.all_equal([1.0, 1.0 + 1e-10]) and not rope.all_equal([1.0, 1.0, 1.0 + 1e-8])
    assert rope.all_equal([1.0, 1.5], 0.5) and not rope.all_equal([1.0, 1.5], 0.4)
    assert rope.speeds(4, 10_000).tolist() == [1.0, 0.01] and rope.between(8, 10) == 2
