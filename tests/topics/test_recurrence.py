"""The gradient's way back: drawn again, by hand, against autograd and finite differences, and by law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loaded import with_records
from msgspec.structs import replace
from published import published, same_text

from figures import (
    recurrence,
)
from figures.kit import data, deck
from figures.kit.formats import scientific


def shown(typed: str) -> str:
    """A power of ten as the source's notes type it, the way slides show it: "5e-4" -> "5 × 10⁻⁴"."""
    return scientific(1)(float(typed))


def drawn(seed: int, size: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(size, size)), rng.normal(size=size), rng.normal(size=n), rng.normal(size=size)


# The inputs


def test_the_numbers_are_those_that_the_file_says_it_drew():
    rng = np.random.default_rng(0)
    Q, R = np.linalg.qr(rng.standard_normal((8, 8)))
    given = recurrence.records()
    np.testing.assert_array_equal(given.W, np.round(Q * np.sign(np.diag(R)), 3))
    np.testing.assert_array_equal(given.w, np.round(0.2 * rng.standard_normal(8), 3))
    np.testing.assert_array_equal(given.u, np.round(rng.standard_normal(256), 3))


def test_the_matrix_is_orthogonal_up_to_its_rounding():
    W = np.array(recurrence.records().W)
    np.testing.assert_allclose(W @ W.T, np.eye(8), atol=2e-3)


@pytest.mark.parametrize(
    ("tokens", "scale", "is_good"),
    [((7, 8), (0.5, 0.6), True), ((8, 8), (0.5, 0.6), False), ((7, 8), (0.5, 0.5), False), ((8, 7), (0.6, 0.5), False)],
)
def test_a_range_begins_below_its_end(tokens, scale, is_good):
    told = [] if is_good else ["the least stands first, and below the most"]
    assert list(recurrence.model.Range(tokens=tokens, scale=scale).faults()) == told


@pytest.mark.parametrize(
    ("tokens", "scale", "is_inside"),
    [(8, 0.5, True), (9, 0.6, True), (7, 0.5, False), (10, 0.5, False), (8, 0.4, False), (8, 0.7, False), (7, 0.7, False)],
)
def test_a_range_holds_its_ends_and_nothing_beyond_them(tokens, scale, is_inside):
    assert recurrence.model.Range(tokens=(8, 9), scale=(0.5, 0.6)).holds(recurrence.model.Run(tokens=tokens, scale=scale)) == is_inside


def test_a_run_outside_the_range_is_told():
    given = recurrence.records()
    outside = replace(given, opening=recurrence.model.Run(tokens=7, scale=1), far=recurrence.model.Run(tokens=256, scale=1.3))
    assert list(given.faults()) == [] and list(outside.faults()) == ["`opening` lies outside `range`", "`far` lies outside `range`"]


# By hand


def test_one_hidden_number_by_hand():
    """h_1 = tanh(0.5), h_2 = tanh(2 · 0.5 h_1); back: 2 · 0.5 (1 − h_2²), then 2 · 0.5 (1 − h_1²) of that."""
    W, w, u = np.array([[0.5]]), np.array([1.0]), np.array([0.5, 0.0])
    first = np.tanh(0.5)
    second = np.tanh(first)
    np.testing.assert_allclose(recurrence.model.states(W, w, u, 2)[:, 0], [0, first, second])
    back = recurrence.model.gradients(W, w, u, 2, np.array([1.0]))[:, 0]
    np.testing.assert_allclose(back, [(1 - first**2) * (1 - second**2), 1 - second**2, 1])


def test_products_by_hand():
    np.testing.assert_allclose(recurrence.product_path(2, 0.5), [0.25, 0.5, 1])
    np.testing.assert_allclose(recurrence.attention_path(4), [0.25] * 4)


# Against something independent


@pytest.mark.parametrize("seed", range(5))
def test_against_autograd(seed):
    torch = pytest.importorskip("torch")
    W, w, u, last = drawn(seed, 8, 12)
    first = torch.zeros(8, dtype=torch.float64, requires_grad=True)
    h = first
    for x in u:
        h = torch.tanh(0.7 * (torch.tensor(W) @ h) + torch.tensor(w) * x)
    h.backward(torch.tensor(last))
    np.testing.assert_allclose(recurrence.model.gradients(W, w, u, 0.7, last)[0], first.grad.numpy(), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("run", ["opening", "far"])
def test_what_is_shown_is_left_at_the_first_state(run):
    torch = pytest.importorskip("torch")
    known = recurrence.records()
    W, w, u = (torch.tensor(part, dtype=torch.float64) for part in (known.W, known.w, known.u))
    first = torch.zeros(8, dtype=torch.float64, requires_grad=True)
    h = first
    for x in u[: recurrence.tokens(run).value]:
        h = torch.tanh(recurrence.scale(run).value * (W @ h) + w * x)
    (h.sum() / 8**0.5).backward()
    assert recurrence.rnn(run).value == pytest.approx(float(first.grad.norm()), rel=1e-6)


def test_against_finite_differences():
    W, w, u, last = drawn(7, 4, 6)

    def loss(first: np.ndarray) -> float:
        h = first
        for x in u:
            h = np.tanh(0.8 * W @ h + w * x)
        return float(last @ h)

    step = 1e-6
    slopes = [(loss(step * e) - loss(-step * e)) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(recurrence.model.gradients(W, w, u, 0.8, last)[0], slopes, rtol=1e-5, atol=1e-9)


# Laws


@given(st.integers(1, 40), st.floats(0.5, 1))
def test_an_orthogonal_recurrence_of_scale_one_or_less_never_grows(n, scale):
    """Each factor is at most the scale, times what rounding W to three decimals adds."""
    left = recurrence.rnn_path(n, scale)
    assert left[-1] == pytest.approx(1)
    assert (left[:-1] <= scale * 1.002 * left[1:]).all()


@given(st.integers(0, 300), st.integers(0, 300), st.floats(0.5, 1))
def test_products_multiply_along_the_way(n, m, factor):
    together = recurrence.product_path(n + m, factor)
    assert together[0] == pytest.approx(recurrence.product_path(n, factor)[0] * recurrence.product_path(m, factor)[0])
    assert len(together) == n + m + 1 and together[-1] == 1


@given(st.integers(1, 256))
def test_attention_shares_one_gradient_out(n):
    assert recurrence.attention_path(n).sum() == pytest.approx(1)


# What the source publishes


def test_slide_1():
    assert deck.act_count().value == published("deck", 1, "parts")


def test_slide_3():
    assert same_text(recurrence.factor(), published("deck", 3, "factor_per_token"))
    # The exponent is lost; with the simulator's 64 tokens it gives the value that is left.
    assert same_text(recurrence.factor_left(), published("deck", 3, "after_64"))


def test_slide_4():
    assert recurrence.tokens().value == published("deck", 4, "tokens")
    assert recurrence.scale().value == published("deck", 4, "scale")
    assert recurrence.rnn().text == shown(published("deck", 4, "rnn"))
    assert recurrence.lstm().text == shown(published("deck", 4, "lstm"))
    assert recurrence.rnn("far").text == shown(published("deck", 4, "at_256", "rnn"))
    assert recurrence.lstm("far").text == shown(published("deck", 4, "at_256", "lstm"))
    assert published("deck", 4, "attention") == "1/n"
    assert recurrence.paths.attention().value == 1 / recurrence.tokens().value and same_text(recurrence.paths.attention(), shown("2e-2"))


def test_attention_leads_from_where_one_over_n_first_passes_the_power():
    assert recurrence.attention_leads_from().value == 88
    assert 0.95**87 > 1 / 87 and 0.95**88 < 1 / 88


def test_slide_5():
    rnn, lstm, attention = recurrence.reach().texts()
    assert rnn[1:] == [shown(typed) for typed in published("deck", 5, "rnn")]
    assert lstm[1:] == [shown(typed) for typed in published("deck", 5, "lstm")]
    assert attention[1:] == ["um passo", "um passo"]
    assert same_text(recurrence.paths.forget(), published("deck", 5, "lstm_forget")) and published("deck", 5, "lstm_forget") in lstm[0]
    assert recurrence.paper_year().value == published("deck", 5, "year")


# What the words say, and inputs that make it false


def test_a_gradient_that_only_halves_does_not_decay_exponentially():
    assert not recurrence.decays_exponentially.check(near=2.0, far=16.0).holds
    assert not recurrence.decays_exponentially.check(near=1.5, far=1.5**4).holds


@pytest.mark.parametrize(("times", "holds"), [(3, False), (3.01, True), (4, True), (4.99, True), (5, False)])
def test_four_times_the_decades_give_or_take_a_quarter(times, holds):
    assert recurrence.decays_exponentially.check(near=0.5, far=0.5**times).holds == holds


def halving(monkeypatch, tokens, forget):
    """One hidden number that halves at every step, beside a cell with this gate; the longer run is twice as long."""
    runs = {"opening": recurrence.model.Run(tokens=tokens, scale=1), "far": recurrence.model.Run(tokens=2 * tokens, scale=1)}
    changed = replace(recurrence.records(), W=((0.5,),), w=(0.0,), u=(0.0,) * 2 * tokens, forget=forget, **runs)
    with_records(monkeypatch, "recurrence", changed)


@pytest.mark.parametrize(("forget", "helps"), [(0.5, False), (0.51, True)])
def test_a_gate_that_keeps_as_much_as_the_rnn_does_not_help(forget, helps, monkeypatch):
    halving(monkeypatch, 4, forget)
    assert recurrence.gate_helps_and_still_decays.check().holds == helps


@pytest.mark.parametrize(("forget", "further"), [(1.0, False), (0.99, True)])
def test_attention_that_leaves_as_much_as_a_cell_reaches_no_further(forget, further, monkeypatch):
    halving(monkeypatch, 1, forget)
    assert recurrence.attention_reaches_further.check("opening").holds == further


# The pictures say in words what they draw


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (recurrence.opening_state, ("64 tokens", "5 × 10⁻⁴", "4 × 10⁻²", "2 × 10⁻²")),
        (recurrence.decay, ("de 8 a 256 tokens", "1 × 10⁻¹⁴", "2 × 10⁻⁶", "4 × 10⁻³")),
    ],
)
def test_alternative_texts(picture, said):
    alt = picture().alt.replace("\u00a0", " ")
    assert all(part in alt for part in said)


def test_each_line_ends_at_the_number_written_beside_it():
    for picture in (recurrence.opening_state(), recurrence.decay()):
        (axes,) = picture.figure.axes
        beside = [text.get_text() for text in axes.texts]
        assert len(axes.lines) == len(beside) == 3
        for line, text in zip(axes.lines, beside):
            assert text.endswith(scientific(1)(line.get_ydata()[-1]))


@pytest.mark.parametrize("changes", [{"W": ((1.0, 0.0),)}, {"w": (1.0,)}, {"W": ((1.0,), (0.0,))}])
def test_an_rnn_whose_numbers_do_not_fit_together(changes: dict[str, Any]) -> None:
    given = recurrence.records()
    square = data.changed(given, W=((1.0, 0.0), (0.0, 1.0)), w=(1.0, 1.0))
    assert list(square.faults()) == []
    assert any("square" in fault for fault in data.changed(square, **changes).faults())


def test_what_is_left_of_a_gradient_by_hand() -> None:
    assert recurrence.product_path(3, 0.5).tolist() == [0.125, 0.25, 0.5, 1.0]
    assert recurrence.attention_path(4).tolist() == [0.25] * 4
    assert recurrence.factor_left().value == pytest.approx(0.9**64) and recurrence.lstm("far").value == pytest.approx(0.95**256)
    one = recurrence.model.states(np.eye(2), np.array([1.0, 2.0]), np.array([0.5]), 1.0)
    assert one.tolist() == [[0.0, 0.0], [math.tanh(0.5), math.tanh(1.0)]]
    back = recurrence.model.gradients(np.eye(2), np.array([1.0, 2.0]), np.array([0.5]), 2.0, np.array([1.0, 1.0]))
    assert back[0] == pytest.approx([2 * (1 - math.tanh(0.5) ** 2), 2 * (1 - math.tanh(1.0) ** 2)])


def test_the_last_state_moves_by_what_the_one_before_it_brings():
    given, h = recurrence.records(), np.zeros(8)
    for x in given.u[: given.opening.tokens]:
        h, alone = np.tanh(given.opening.scale * np.array(given.W) @ h + np.array(given.w) * x), np.tanh(np.array(given.w) * x)
    values = recurrence.states_wait_and_rows_do_not.check().values
    assert values["the state, after another one"] == pytest.approx(np.abs(h - alone).max())
    assert 0 <= values["row by row"] < 1e-12
