"""The rows that the softmax has saturated: against autograd, by law, and as published."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from published import published, same_text

from figures import (
    backward,
    random_draws,
)


def with_factor(monkeypatch, factor):
    changed = replace(backward.records(), factor=factor)
    monkeypatch.setattr(backward, "records", lambda: changed)


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
    drawn = random_draws.drawn("saturated-rows")
    np.testing.assert_allclose(backward.rows_of(0 * drawn["Q"], drawn["K"], drawn["V"], drawn["dO"]).largest, 1 / 5)


@given(st.floats(1, 1e4))
def test_larger_queries_never_soften_a_row_that_has_a_winner(factor):
    drawn = random_draws.drawn("saturated-rows")
    after = backward.rows_of(drawn["Q"] * factor, drawn["K"], drawn["V"], drawn["dO"])
    assert (after.largest >= backward.before().largest - 1e-12).all()


def test_saturation_is_a_matter_of_decimals():
    assert backward.is_saturated(np.array([0.97, 0.94, 1.0]), 1).tolist() == [True, False, True]
    assert backward.is_saturated(np.array([0.97, 0.94, 1.0]), 2).tolist() == [False, False, True]


def test_verdict_flips(monkeypatch):
    assert backward.verdict().text == "quase nulo"
    monkeypatch.setattr(backward, "after", backward.before)
    monkeypatch.setattr(backward, "saturated", lambda: np.full(5, True))
    assert backward.verdict().text == "ainda perceptível"


def test_another_factor_saturates_another_number_of_rows(monkeypatch):
    with_factor(monkeypatch, 2)
    assert backward.saturated().sum() < 4
    with_factor(monkeypatch, 10_000)
    assert backward.saturated_rows().text == "cinco"


@pytest.mark.parametrize(
    ("before", "after", "holds"),
    [
        ([0.0, 0.25], [0.25, 0.0], True),
        ([0.0, 0.26], [0.0, 0.0], False),
        ([0.0, 0.0], [0.26, 0.0], False),
        ([0.0, -0.26], [0.0, 0.0], False),
    ],
)
def test_one_row_that_does_not_sum_to_zero_is_enough(before, after, holds, monkeypatch):
    with_rows(monkeypatch, "before", sums=before)
    with_rows(monkeypatch, "after", sums=after)
    found = backward.rows_sum_to_zero.check(tolerance=0.25)
    assert found.holds == holds and found.values == {"before": max(map(abs, before)), "after": max(map(abs, after))}


def test_the_sum_of_each_row_is_nothing_but_rounding_and_shown_as_zero():
    shown = backward.row_sum()
    assert (shown.value, shown.text) == (0, "zero")


def test_what_is_told_of_the_saturated_rows_leaves_the_others_out(monkeypatch):
    with_rows(monkeypatch, "before", largest=[0.4, 0.5, 0.6], gradient=[0.3, 0.1, 0.9])
    with_rows(monkeypatch, "after", largest=[0.96, 0.99, 0.5], gradient=[3e-5, 4e-7, 0.8])
    assert (backward.rows().text, backward.saturated_rows().text) == ("três", "duas")
    assert backward.saturated_weight().value == 0.96
    assert (backward.least_before().text, backward.most_before().text) == ("0,10", "0,30")
    assert (backward.least_after().value, backward.most_after().value) == (4e-7, 3e-5)


def test_the_brackets_by_hand():
    """Of ∂L/∂A = [2, −4] the weights take a mean of ½: at the first, 1½ is left, beside 4."""
    A, dA = np.array([[0.75, 0.25], [0.75, 0.25], [0.5, 0.5]]), np.array([[2.0, -4.0], [-2.0, 4.0], [1.0, 1.0]])
    np.testing.assert_allclose(backward.brackets(A, dA), [0.375, 0.375, 0])


def with_rows(monkeypatch, name, **columns):
    """`before` or `after` with these columns."""
    given = {"largest": [0.0, 0.0], "gradient": [0.0, 0.0], "sums": [0.0, 0.0], **columns}
    monkeypatch.setattr(backward, name, lambda: backward.Rows(**{name: np.array(column) for name, column in given.items()}))


def test_saturated_and_null() -> None:
    assert backward.is_saturated(np.array([0.951, 0.949]), 1).tolist() == [True, False]
    assert backward.is_null(np.array([1e-4]), 1e-3) and not backward.is_null(np.array([1e-4, 1e-3]), 1e-3)


def test_the_sum_of_a_row_is_the_furthest_from_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    some = backward.Rows(np.zeros(2), np.zeros(2), np.array([0.0, -3.0]))
    monkeypatch.setattr(backward, "before", lambda: some)
    assert backward.row_sum().value == 3


# The picture of a row, before and after


def test_the_row_that_is_drawn_is_one_of_those_that_the_numbers_count():
    row = backward.most_saturated()
    for seen, rows in zip(backward.row_drawn(), (backward.before(), backward.after())):
        assert seen.weights.max() == pytest.approx(rows.largest[row])
        assert np.linalg.norm(seen.gradient) == pytest.approx(rows.gradient[row])


def test_who_does_not_see_the_bars_reads_their_numbers():
    picture = backward.two_rows()
    before, after = (table.texts() for table in picture.values)
    assert [row[:2] for row in before] == [["1", "0,09"], ["2", "0,10"], ["3", "0,08"], ["4", "0,23"], ["5", "0,50"]]
    assert [row[2] for row in before] == ["−0,08", "0,05", "0,06", "0,34", "−0,37"]
    assert [row[1] for row in after] == ["0,00"] * 4 + ["1,00"]
    assert [row[2].replace("\u00a0", " ") for row in after[-2:]] == ["2 × 10⁻³⁴", "0"]
    assert all(len(cell) < 12 for row in after for cell in row)
    alt = picture.alt.replace("\u00a0", " ")
    assert "pesos [0,09; 0,10; 0,08; 0,23; 0,50] e gradiente de tamanho 0,51" in alt and "gradiente de tamanho 2 × 10⁻³⁴" in alt


def test_a_row_that_hands_back_half_is_not_dead():
    before, _ = backward.row_drawn()
    answer = backward.saturated_row_hands_back_nothing.check(factor=2)
    assert not answer.holds and answer.values["after"] == pytest.approx(np.linalg.norm(before.gradient) / 2)


def test_a_sum_beyond_rounding_is_no_zero(monkeypatch):
    with_rows(monkeypatch, "before", sums=[0.0, 1e-11])
    assert not backward.rows_sum_to_zero.check().holds


def test_a_bracket_is_looked_at_where_the_weight_lacks_half_a_hundredth(monkeypatch):
    """Two keys, 1 and 0: a query of ln(w / (1 − w)) gives the first the weight w."""

    def drawn(*shares):
        Q = np.array([[np.log(share / (1 - share))] for share in shares])
        ones = {"dO": np.ones((len(shares), 1)), "V": np.array([[1.0], [-1.0]])}
        monkeypatch.setattr(random_draws, "drawn", lambda name: {"Q": Q, "K": np.array([[1.0], [0.0]]), **ones})
        return backward.bracket_nearly_vanishes.check(factor=1)

    one = drawn(0.996, 0.994, 0.6)
    assert one.holds and one.values["bracket at the weight"] == pytest.approx([2 * 0.004])
    assert not drawn(0.994, 0.9, 0.6).holds
