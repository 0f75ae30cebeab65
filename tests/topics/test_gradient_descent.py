"""Gradient descent: the parabola by hand, the valley against PyTorch's SGD and its formulas, laws for every rate and curvature."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import text_fields
from hypothesis import given
from hypothesis import strategies as st

from figures import gradient_descent
from figures.gradient_descent import model, numbers
from figures.gradient_descent.simulators import _verdict
from figures.kit import data, ledger, lookup
from figures.kit.errors import DataError

RATES, CURVATURES = st.floats(0.01, 2), st.floats(0.1, 10)
CONDITIONS = st.floats(1.5, 200)


# By hand


def test_the_table_by_hand() -> None:
    columns = list(zip(*gradient_descent.walks().rows))
    assert columns[0] == (0, 1, 2, 3, 4, 5)
    assert columns[1] == pytest.approx([4, 3.2, 2.56, 2.048, 1.6384, 1.31072])
    assert columns[2] == pytest.approx([4, 0, 0, 0, 0, 0], abs=1e-12)
    assert columns[3][:3] == pytest.approx([4, -3.2, 2.56])
    assert columns[4][:4] == pytest.approx([4, -4.8, 5.76, -6.912])


def test_momentum_by_hand() -> None:
    """θ = 4, gradient 2θ, η = 0.1, β = 0.5: v = 8, 10.4; θ = 3.2, 2.16."""
    found = model.descend(lambda x: 2 * x, np.array([4.0]), 0.1, 2, momentum=0.5)
    assert found.ravel() == pytest.approx([4, 3.2, 2.16])


def test_two_weights_by_hand() -> None:
    """u v = 1.5, error 0.5: u = 3 − 0.1 · 0.5 · 0.5, v = 0.5 − 0.1 · 0.5 · 3."""
    assert model.product_path(0.1)[1] == pytest.approx([2.975, 0.35])
    assert model.sharpness(np.array([3.0, 4.0])) == 25


def test_arrival_is_where_it_stays() -> None:
    """What only passes near the minimum has not arrived."""
    far, near = [1.0, 0.0], [0.0, 1e-4]
    assert model.arrival(np.array([far, near, far, near, near])) == 3
    assert model.arrival(np.array([far, near, far])) is None


# Against something independent


@pytest.mark.parametrize(("momentum", "condition", "rate"), [(0.0, 10, 0.15), (0.9, 10, 0.05), (0.5, 100, 0.01)])
def test_a_valley_equals_pytorch_s_sgd(momentum: float, condition: float, rate: float) -> None:
    torch = pytest.importorskip("torch")
    at = torch.tensor(model.records().valley.start, dtype=torch.float64, requires_grad=True)
    curvatures = torch.tensor([1.0, condition], dtype=torch.float64)
    optimiser = torch.optim.SGD([at], lr=rate, momentum=momentum)
    path = [at.detach().numpy().copy()]
    for _ in range(30):
        optimiser.zero_grad()
        (0.5 * (curvatures * at**2).sum()).backward()
        optimiser.step()
        path.append(at.detach().numpy().copy())
    assert model.in_valley(condition, rate, momentum, 30) == pytest.approx(np.array(path), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("size", ["small", "large"])
def test_the_curvature_at_the_end_is_the_hessian_s(size: str) -> None:
    """The largest eigenvalue of the second derivatives, by finite differences."""
    u, v = end = model.product_path(numbers.rate(size).value)[-1]
    assert u * v == pytest.approx(model.records().product.target)

    def loss(du: float, dv: float) -> float:
        return ((u + du) * (v + dv) - 1) ** 2 / 2

    h = 1e-4
    second = [
        [(loss(a + b, c + d) - loss(a, c) - loss(b, d) + loss(0, 0)) / h**2 for b, d in ((h, 0), (0, h))] for a, c in ((h, 0), (0, h))
    ]
    assert max(np.linalg.eigvalsh(np.array(second))) == pytest.approx(model.sharpness(end), rel=1e-2)


@given(CONDITIONS)
def test_the_best_rate_takes_the_steps_that_its_formula_says(condition: float) -> None:
    steps = model.steps_needed(condition, with_momentum=False)
    per_step = (condition - 1) / (condition + 1)
    assert steps == pytest.approx(np.log(model.records().valley.left) / np.log(per_step), abs=1.01)


# Laws


@given(RATES, CURVATURES, st.floats(0.1, 9))
def test_on_a_parabola_every_step_multiplies_by_the_factor(rate: float, curvature: float, start: float) -> None:
    path = model.on_parabola(rate, curvature, start, 6)
    factor = model.factor(rate, curvature)
    assert path == pytest.approx(start * factor ** np.arange(len(path)), rel=1e-6, abs=1e-9)


@given(CURVATURES, st.floats(0.02, 0.98), st.floats(0, 0.95))
def test_below_the_limit_it_comes_closer_and_above_it_goes_away(curvature: float, share: float, momentum: float) -> None:
    def last(rate: float) -> float:
        return abs(float(model.descend(lambda x: curvature * x, np.array([1.0]), rate, 3000, momentum)[-1, 0]))

    limit = model.limit(curvature, momentum)
    assert last(share * limit) < 1e-3
    assert last(limit * (1.1 + share)) > 1


@given(CONDITIONS, st.floats(0.5, 1.5))
def test_no_other_rate_crosses_a_valley_faster(condition: float, share: float) -> None:
    best, _ = model.best(condition, with_momentum=False)
    slowest = [max(abs(model.factor(rate, curvature)) for curvature in (1, condition)) for rate in (best, share * best)]
    assert slowest[0] <= slowest[1] + 1e-12


@given(st.floats(-4, 2))
def test_the_verdict_of_a_factor(factor: float) -> None:
    verdict = _verdict(factor)
    assert (verdict == "away") == (abs(factor) > 1 or factor == 1)
    assert verdict not in ("direct", "swings") or (factor > 0) == (verdict == "direct")


# The simulators


def test_choosing_a_rate_shows_the_slides_numbers() -> None:
    made = gradient_descent.choosing_a_rate()
    said = {tuple(state.values()): kept.sentence for state, kept in made.states}
    assert said[0.1, 2] == made.view.sentence == "O fator é 0,8: cada passo chega mais perto, sempre do mesmo lado."
    assert "um só passo" in said[0.5, 2] and "no limite, 1" in said[1.0, 2] and "passou do limite, 0,5" in said[1.2, 4]
    assert made.view.table.texts()[:3] == [["0", "4,00", "16,00"], ["1", "3,20", "10,24"], ["2", "2,56", "6,55"]]
    for (rate, curvature), sentence in said.items():
        limit = 2 / curvature
        assert ("passou do limite" in sentence) == (rate > limit + 1e-9), (rate, curvature)


def test_crossing_a_valley_shows_the_slides_numbers() -> None:
    said = {tuple(state.values()): kept.sentence for state, kept in gradient_descent.crossing_a_valley().states}
    for condition, momentum in itertools.product(model.records().valley_simulator.conditions, (False, True)):
        assert said[condition, 0.9, momentum] == f"Chega em {numbers.crossing(condition, momentum)} passos."
    assert said[1, 0.5, False] == "Chega no primeiro passo."
    assert all(("Não chega" in sentence) == (share > 1 and not on) for (_, share, on), sentence in said.items())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("rate_simulator.opens", 0.15),
        ("rate_simulator.curvatures", [2, 1]),
        ("valley_simulator.shares", [0.1, 0.1]),
        ("valley_simulator.opens.condition", 7),
    ],
)
def test_a_control_that_can_not_be_made_is_refused_where_its_values_stand(path, value):
    changed = text_fields.put(data.tree("gradient_descent"), path, value)
    with pytest.raises(DataError) as refused:
        data.checked(changed, "data/gradient_descent.yml", model.Descent, "")
    assert refused.value.file == "data/gradient_descent.yml" and refused.value.key == path.partition(".")[0]


# Sentences, close to where they turn


def test_steps_that_fall_each_time_by_hand() -> None:
    """λ = 2: at 0.1 a step keeps 0.8 of the distance; at 0 all of it, at 1/λ nothing."""
    values = gradient_descent.small_steps_fall_each_time.check().values
    assert values["factor"] == pytest.approx(0.8) and values["path"] == pytest.approx([4, 3.2, 2.56, 2.048, 1.6384, 1.31072])
    turns = {0.0: False, 1e-9: True, 0.4999: True, 0.5: False}
    assert {rate: gradient_descent.small_steps_fall_each_time.check(rate).holds for rate in turns} == turns


@pytest.mark.parametrize(("off", "holds"), [(0.0, True), (2e-13, True), (1e-10, False), (-1e-10, False)])
def test_one_step_arrives_up_to_rounding(off: float, holds: bool) -> None:
    assert gradient_descent.one_step_arrives.check(0.5 + off).holds == holds


def test_where_a_step_that_is_too_short_ends_is_told() -> None:
    """x = 4 − 0.4 · 2 · 4."""
    assert gradient_descent.one_step_arrives.check(0.4).values == {"start": 4, "after a step": pytest.approx(0.8)}


def test_the_limit_is_tried_a_hundredth_below_and_above() -> None:
    """A hundredth below 2/λ a step keeps −0.98 of the distance, above it −1.02: nine of them."""
    values = gradient_descent.curvature_sets_the_limit.check().values
    assert values["limit"] == 1
    for side, factor in (("below", -0.98), ("above", -1.02)):
        assert values[side] == pytest.approx([start * factor**9 for start in (0.01, 1, 100)])
    held = {margin: gradient_descent.curvature_sets_the_limit.check(margin=margin).holds for margin in (0.5, 1.0, 2.5)}
    assert held == {0.5: True, 1.0: False, 2.5: False}  # at twice the limit and beyond, the side below it goes away as well


def test_what_the_flat_side_keeps_by_hand() -> None:
    values = gradient_descent.steep_side_sets_the_rate.check(50).values
    assert values == {"condition": 50, "flat side keeps": pytest.approx(1 - 2 / 50)}


@pytest.mark.parametrize(
    ("conditions", "plain", "momentum", "holds"),
    [
        ((10, 100), (20, 200), (20, 63), True),
        ((10, 100), (20, 208), (20, 70), True),
        ((10, 100), (20, 212), (20, 63), False),
        ((10, 100), (20, 188), (20, 63), False),
        ((10, 100), (20, 200), (20, 78), False),
        ((10, 100), (20, 200), (20, 48), False),
        ((10, 15), (20, 30), (20, 24), True),
        ((10, 10), (20, 20), (20, 20), False),
    ],
)
def test_steps_grow_with_the_condition_up_to_a_twentieth_and_a_fifth(conditions, plain, momentum, holds, monkeypatch) -> None:
    taken = {(condition, on): steps for on, both in ((False, plain), (True, momentum)) for condition, steps in zip(conditions, both)}
    if conditions[0] != conditions[1]:
        monkeypatch.setattr(numbers, "steps", lambda condition, on: ledger.fact(taken[condition, on], "made up"))
    assert gradient_descent.steps_grow_with_the_condition.check(conditions).holds == holds


@pytest.mark.parametrize(
    ("plain", "momentum", "holds"),
    [
        ((2, 6, 11), (200, 220, 290), True),
        ((2, 6, 10), (200, 220, 290), False),
        ((2, 6, 9), (200, 220, 290), False),
        ((2, 6, 11), (200, 220, 300), False),
        ((2, 6, 11), (200, 220, 310), False),
    ],
)
def test_usual_momentum_sees_the_valley_less_than_by_half_and_plain_steps_by_five_times(plain, momentum, holds, monkeypatch) -> None:
    conditions = model.records().valley_simulator.conditions
    taken = {
        (condition, on): steps for on, all_of_it in ((False, plain), (True, momentum)) for condition, steps in zip(conditions, all_of_it)
    }
    monkeypatch.setattr(numbers, "crossing", lambda condition, on: ledger.fact(taken[condition, on], "made up"))
    assert gradient_descent.usual_momentum_hardly_sees_the_valley.check(spread=1.5).holds == holds


def test_the_spread_that_is_hardly_seen_is_a_tenth(monkeypatch) -> None:
    taken = dict(zip(model.records().valley_simulator.conditions, (100, 105, 115)))
    monkeypatch.setattr(numbers, "crossing", lambda condition, on: ledger.fact(taken[condition] if on else condition, "made up"))
    assert not gradient_descent.usual_momentum_hardly_sees_the_valley.check().holds


def test_what_momentum_saves_is_told_beside_the_round_bowl() -> None:
    values = gradient_descent.round_bowl_needs_no_momentum.check(10).values
    assert values == {"condition": 10, "plain": numbers.steps(10).value, "momentum": numbers.steps(10, with_momentum=True).value}
    assert values["momentum"] < values["plain"]


def test_the_losses_by_hand_and_one_that_is_left_is_enough() -> None:
    """At the start u v − target is 3 · 0.5 − 1 = 0.5, and the loss 0.5² / 2."""
    start = gradient_descent.both_rates_fit_the_data.check(0)
    assert not start.holds and start.values == {"small": pytest.approx(0.125), "large": pytest.approx(0.125)}
    later = gradient_descent.both_rates_fit_the_data.check(8)
    assert later.values["small"] < 1e-12 < later.values["large"] and not later.holds


@pytest.mark.parametrize(
    ("path", "value"), [("valley_simulator.shares", [0.9]), ("valley_simulator.conditions", [10]), ("valley.conditions", [0.5, 10])]
)
def test_one_choice_alone_and_a_condition_below_one_are_refused(path, value):
    with pytest.raises(DataError):
        data.checked(text_fields.put(data.tree("gradient_descent"), path, value), "data/gradient_descent.yml", model.Descent, "")


def test_two_choices_and_an_opening_between_steps_of_a_tenth_are_taken():
    changed = text_fields.put(data.tree("gradient_descent"), "rate_simulator.curvatures", [2, 4])
    changed = text_fields.put(changed, "rate_simulator.opens", 0.3)
    assert data.checked(changed, "data/gradient_descent.yml", model.Descent, "").rate_simulator.opens == 0.3


def test_what_a_simulator_shows_on_paper_is_found_by_its_name_and_computed_again():
    ledger.clear()
    gradient_descent.choosing_a_rate()._repr_markdown_()
    shown = ledger.entries()
    assert {one.what for one in shown} >= {"simulator", "figure", "word"}
    for one in shown:
        assert lookup.computed(one).value == one.value, one.call
