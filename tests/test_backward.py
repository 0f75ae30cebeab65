"""The rows that the softmax has saturated: against autograd, by law, and as published."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from published import published, same_text

from figures import backward, draws


def with_factor(monkeypatch, factor):
    changed = replace(backward.inputs(), factor=factor)
    monkeypatch.setattr(backward, "inputs", lambda: changed)


def test_as_published():
    assert same_text(backward.factor(), published("deck", 20, "factor"))
    assert f"{backward.saturated_rows()} de {backward.rows()}" == published("deck", 20, "saturated")
    assert same_text(backward.saturated_weight(), published("deck", 20, "largest"))
    assert same_text(backward.least_after(), published("deck", 20, "after", "low"))
    assert same_text(backward.most_after(), published("deck", 20, "after", "high"))


def test_the_gradients_before():
    """The source prints 0,15–0,51; the very rows that saturate give 0,58 as the longest, so the slide shows that."""
    low, high = published("deck", 20, "before").split("–")
    lengths = sorted(f"{length:.2f}".replace(".", ",") for length in backward.before().gradient[backward.saturated()])
    assert lengths == [low, "0,41", high, "0,58"]
    assert [str(backward.least_before()), str(backward.most_before())] == [low, "0,58"]


@pytest.mark.parametrize(("rows", "factor"), [(backward.before, 1), (backward.after, 100)])
def test_the_rows_equal_autograd(rows, factor):
    import torch

    torch.manual_seed(0)
    Q, K, V, dO = (torch.randn(5, 4, dtype=torch.float64) for _ in range(4))
    S = (Q * factor @ K.T / 2).requires_grad_()
    A = torch.softmax(S, -1)
    (A @ V).backward(dO)
    np.testing.assert_allclose(rows().largest, A.detach().max(-1).values.numpy())
    np.testing.assert_allclose(rows().gradient, S.grad.norm(dim=-1).numpy(), rtol=1, atol=1e-15)
    big = rows().gradient > 1e-12
    np.testing.assert_allclose(rows().gradient[big], S.grad.norm(dim=-1).numpy()[big], rtol=1e-6)


def test_equal_scores_by_hand():
    drawn = draws.drawn("saturated-rows")
    np.testing.assert_allclose(backward.rows_of(0 * drawn["Q"], drawn["K"], drawn["V"], drawn["dO"]).largest, 1 / 5)


@given(st.floats(1, 1e4))
def test_larger_queries_never_soften_a_row_that_has_a_winner(factor):
    drawn = draws.drawn("saturated-rows")
    after = backward.rows_of(drawn["Q"] * factor, drawn["K"], drawn["V"], drawn["dO"])
    assert (after.largest >= backward.before().largest - 1e-12).all()


def test_saturation_is_a_matter_of_decimals():
    assert backward.is_saturated(np.array([0.97, 0.94, 1.0]), 1).tolist() == [True, False, True]
    assert backward.is_saturated(np.array([0.97, 0.94, 1.0]), 2).tolist() == [False, False, True]


def test_verdict_flips(monkeypatch):
    assert backward.verdict().text == "numericamente nulo"
    monkeypatch.setattr(backward, "after", backward.before)
    monkeypatch.setattr(backward, "saturated", lambda: np.full(5, True))
    assert backward.verdict().text == "ainda perceptível"


def test_another_factor_saturates_another_number_of_rows(monkeypatch):
    with_factor(monkeypatch, 2)
    assert backward.saturated().sum() < 4
    with_factor(monkeypatch, 10_000)
    assert backward.saturated_rows().text == "cinco"


def test_rows_sum_to_zero_and_a_tighter_check_fails():
    assert backward.rows_sum_to_zero.check().holds
    assert not backward.rows_sum_to_zero.check(tolerance=0.0).holds
