"""Why √d_k: the argument by hand and by simulation, the experiment against torch, and every word that can flip."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from published import published, same_text

from figures import (
    scaling,
    scaling_experiment,
)
from figures.kit import data
from figures.kit.formats import percent
from figures.kit.show.drawn import cut_off
from figures.scaling_experiment import Measured, Side


def with_argument(monkeypatch, **changes):
    given = scaling_experiment.records()
    changed = replace(given, argument=replace(given.argument, **changes))
    monkeypatch.setattr(scaling_experiment, "records", lambda: changed)


def with_experiment(monkeypatch, **changes):
    given = scaling_experiment.records()
    changed = replace(given, experiment=replace(given.experiment, **changes))
    monkeypatch.setattr(scaling_experiment, "records", lambda: changed)


def with_undivided(monkeypatch, **changes):
    """The last row of the table with another undivided side."""
    rows = scaling.table_rows()
    rows[-1] = replace(rows[-1], undivided=replace(rows[-1].undivided, **changes))
    monkeypatch.setattr(scaling.model, "table_rows", lambda: rows)


# Published


def test_the_argument_as_published():
    assert same_text(scaling.mean(), published("deck", 18, "mean"))
    assert same_text(scaling.variance(), published("deck", 18, "variance"))
    assert same_text(scaling.d_k(), published("deck", 18, "d_k"))
    assert same_text(scaling.deviation(), published("deck", 18, "deviation"))
    assert same_text(scaling.gap(), published("deck", 18, "differences"))
    assert same_text(scaling.winner(), published("deck", 18, "weight"))
    assert same_text(f"{scaling.rest()}, then {scaling.rest_order()}", published("deck", 18, "rest"))
    assert same_text(scaling.variance_divided(), published("deck", 34, "variance"))


def test_the_chapter_says_the_same():
    assert same_text(scaling.d_k(), published("chapter", "scaling", "d_k"))
    assert same_text(scaling.deviation(), published("chapter", "scaling", "deviation"))
    assert same_text(scaling.gap(), published("chapter", "scaling", "differences"))
    shown = (scaling.rest(), scaling.rest_order())
    assert all(same_text(ours, theirs) for ours, theirs in zip(shown, published("chapter", "scaling", "rest")))


def test_dividing_by_d_k_leaves_a_variance_of_one_over_d_k():
    assert published("deck", 18, "variance_over_d_k") == "1/d_k"
    assert scaling.score_variance(128, 1, divisor=128) == pytest.approx(1 / 128)
    assert scaling.deviation_over_d_k().value == pytest.approx(128**-0.5) and str(scaling.deviation_over_d_k()) == "0,09"


def test_the_experiment_as_published():
    assert same_text(scaling.keys(), published("deck", 19, "keys"))
    assert same_text(scaling.rows(), published("deck", 19, "rows"))
    assert len(scaling.measured().columns) == len(published("deck", 19, "columns"))
    assert scaling.measured().texts() == published("deck", 19, "table")
    assert same_text(f"1/{scaling.keys()} ≈ {scaling.uniform()}", published("deck", 19, "uniform"))
    assert same_text(scaling.dead_below(), published("deck", 19, "dead_below"))


def test_how_many_times_smaller_the_gradient_is():
    """The source prints 25 thousand, rounded; the digits in between depend on the processor's last bits."""
    assert published("deck", 19, "times_smaller") == "cerca de 25 mil"
    assert scaling.times_smaller().value == pytest.approx(24_606, rel=1e-3)
    assert same_text(scaling.times_smaller(), "25 000")


# Independent


@given(st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_the_variance_of_a_score_is_d_k(d_k, seed):
    q, k = np.random.default_rng(seed).normal(size=(2, 4000, d_k))
    assert (q * k).sum(axis=1).var() == pytest.approx(scaling.score_variance(d_k, 1), rel=0.35)


@pytest.mark.parametrize("d_k", scaling_experiment.dimensions())
def test_the_experiment_equals_torch(d_k):
    import torch

    torch.manual_seed(1)
    q, k, g = torch.randn(200, d_k), torch.randn(200, 16, d_k), torch.randn(200, 16)
    for scale, found in ((d_k**-0.5, scaling_experiment.measured(d_k).divided), (1.0, scaling_experiment.measured(d_k).undivided)):
        S = (torch.einsum("rd,rkd->rk", q, k) * scale).requires_grad_()
        A = torch.softmax(S, -1)
        A.backward(g)
        lengths = S.grad.norm(dim=-1)
        assert found.largest == pytest.approx(A.max(-1).values.median().item(), rel=1e-5)
        assert found.gradient == pytest.approx(lengths.median().item(), rel=1e-2)
        assert found.dead == pytest.approx((lengths < 1e-3).float().mean().item(), abs=0.006)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_the_median_is_the_lower_of_the_two_in_the_middle(values):
    median = scaling_experiment.lower_median(np.array(values))
    assert median in values
    assert sum(value < median for value in values) <= (len(values) - 1) // 2 < sum(value <= median for value in values)


# Laws, and the words that numbers choose


def test_more_dimensions_saturate_only_the_undivided_side():
    rows = [scaling_experiment.measured(d_k) for d_k in scaling_experiment.dimensions()]
    for before, after in pairwise(rows):
        assert after.undivided.largest > before.undivided.largest
        assert after.undivided.gradient < before.undivided.gradient
        assert after.undivided.dead >= before.undivided.dead
    assert all(row.divided.dead == 0 for row in rows)


def test_the_whole_figure_is_as_steady_as_the_table_says():
    assert scaling.is_steady([scaling_experiment.measured(d_k).divided for d_k in scaling_experiment.dimensions()], 0.1)


def test_steady_flips():
    steady = Side(largest=0.2, gradient=0.3, dead=0)
    assert scaling.is_steady([steady, replace(steady, largest=0.219)], 0.1)
    assert not scaling.is_steady([steady, replace(steady, largest=0.3)], 0.1)
    assert not scaling.is_steady([steady, replace(steady, gradient=0.1)], 0.1)
    assert scaling.is_steady([Side(largest=0.5, gradient=1, dead=0), Side(largest=0.75, gradient=1.5, dead=0)], 0.5)


def test_what_two_samples_differ_by_chance_is_no_move():
    """0.2 and 0.3 are a move, unless each is known to a tenth only: two errors of the difference are 0.28."""
    low = Side(largest=0.2, gradient=1, dead=0, largest_error=0.1)
    assert not scaling.is_steady([replace(low, largest_error=0), replace(low, largest_error=0, largest=0.3)], 0.1)
    assert scaling.is_steady([low, replace(low, largest=0.3)], 0.1)
    assert scaling.is_steady([low, replace(low, largest=0.50)], 0.1) and not scaling.is_steady([low, replace(low, largest=0.51)], 0.1)


def test_the_median_s_error_is_what_samples_show():
    """Of 400 samples of 200 normals the medians spread as much as one sample says that its own does."""
    rng = np.random.default_rng(5)
    samples = rng.normal(size=(400, 200))
    told = np.mean([scaling_experiment.median_error(sample) for sample in samples])
    assert told == pytest.approx(np.median(samples, axis=1).std(), rel=0.15)


@pytest.mark.parametrize("seed", range(12))
def test_no_sentence_of_the_measurement_hangs_on_the_seed(seed: int, monkeypatch: pytest.MonkeyPatch):
    """What an instructor sees who sets another seed: other numbers, the same sentences, as for each of twenty seeds tried."""
    with_experiment(monkeypatch, seed=seed)
    rows = [scaling_experiment.measured.__wrapped__(d_k) for d_k in (4, 64, 1024)]
    monkeypatch.setattr(scaling.model, "table_rows", lambda: rows)
    assert scaling.what_moves().text == "quase nada se mexe" and scaling.median_row().text == "é one-hot"
    assert scaling.saturates_without_division.check().holds and scaling.gradient_falls_without_division.check().holds


def test_the_axis_holds_whatever_was_measured(monkeypatch: pytest.MonkeyPatch):
    """A gradient of 4.4e-6 or of 1e-9 at the end of the curve is drawn inside the axes, with ticks that it passes."""
    given = scaling_experiment.measured
    for last in (4.4e-6, 1e-9, 0.2):
        lower = {d_k: replace(given(d_k), undivided=replace(given(d_k).undivided, gradient=last)) for d_k in (1024,)}
        with monkeypatch.context() as patch:
            patch.setattr(scaling_experiment, "measured", lambda d_k, lower=lower: lower.get(d_k) or given(d_k))
            picture = scaling.against_d_k()
            picture.svg()
            below = picture.figure.axes[1]
        assert below.get_ylim()[0] < last < below.get_ylim()[1] and list(cut_off(picture.figure)) == []
        assert 1 <= len(below.get_yticks()) <= 4


@pytest.mark.parametrize(("changed", "holds"), [({}, True), ({"mean": 1}, False), ({"variance": 2}, False)])
def test_the_formula_holds_for_mean_0_and_variance_1_alone(changed: dict[str, int], holds: bool):
    assert scaling.variance_is_d_k.check(**changed).holds == holds


def test_the_variance_of_a_score_with_any_mean_is_what_samples_have():
    rng = np.random.default_rng(0)
    q, k = rng.normal(1.5, 2, size=(2, 20000, 8))
    assert (q * k).sum(axis=1).var() == pytest.approx(scaling.score_variance(8, 4, mean=1.5), rel=0.05)


def test_a_row_short_of_one_by_the_tolerance_is_not_one_hot():
    assert scaling.is_one_hot(0.8, 0.25) and not scaling.is_one_hot(0.75, 0.25)


def test_a_gradient_of_the_limit_is_not_dead_yet(monkeypatch):
    passed = scaling.argmax_passes_no_gradient.check().values["gradient"]
    q, k, g = np.zeros((1, 1, 2)), np.zeros((1, 2, 2)), np.array([[[1.0, 0.0]]])
    length = scaling_experiment.side(q, k, g, True).gradient
    assert length == pytest.approx(0.25 * 2**0.5)  # equal weights: 1/2 · (1 − 1/2) for the one, the same less for the other
    for below, is_dead in ((passed, False), (np.nextafter(passed, 1), True)):
        with_experiment(monkeypatch, dead_below=below)
        assert scaling.argmax_passes_no_gradient.check().holds == is_dead
    for below, is_dead in ((length, False), (np.nextafter(length, 1), True)):
        with_experiment(monkeypatch, dead_below=below)
        assert scaling_experiment.side(q, k, g, True).dead == is_dead


def test_two_keys_share_what_over_d_k_tells():
    told = scaling.over_d_k_chooses_nobody.check().values
    assert told["equal share"] == 0.5
    assert told["largest weight"] == pytest.approx(1 / (1 + np.exp(-(128**-0.5))))


def test_what_moves_flips(monkeypatch):
    assert scaling.what_moves().text == "quase nada se mexe"
    rows = scaling.table_rows()
    monkeypatch.setattr(scaling.model, "table_rows", lambda: [replace(row, divided=row.undivided) for row in rows])
    assert scaling.what_moves().text == "os números se mexem"


def test_median_row_flips(monkeypatch):
    assert scaling.median_row().text == "é one-hot"
    with_undivided(monkeypatch, largest=0.9)
    assert scaling.median_row().text == "ainda se espalha"


def test_how_common_flips(monkeypatch):
    assert scaling.how_common().text == "são rotina"
    with_argument(monkeypatch, d_k=4)
    assert scaling.how_common().text == "são raras"


def test_the_factor_follows_the_measurement(monkeypatch):
    with_undivided(monkeypatch, gradient=scaling.table_rows()[-1].divided.gradient / 2)
    assert str(scaling.times_smaller()) == "2,0"


def test_the_argument_follows_its_inputs(monkeypatch):
    with_argument(monkeypatch, d_k=64, gap=10)
    assert [str(shown) for shown in (scaling.deviation(), scaling.rest(), scaling.variance_divided())] == ["8", "5\u00a0×\u00a010⁻⁵", "1"]


@pytest.mark.parametrize(("weight", "shown"), [(0.3679, "0,37"), (0.9361, "0,94"), (0.9999933, "0,99999"), (0.996, "0,996"), (1.0, "1,00")])
def test_a_weight_under_one_never_reads_as_one(weight, shown):
    assert scaling.short_of_one(weight)(weight) == shown


def test_the_share_of_dead_rows_is_rounded_away_from_zero():
    """33 and 129 of 200 rows lie halfway between two whole per cents."""
    assert [percent()(row.undivided.dead) for row in scaling.table_rows()] == ["0%", "17%", "65%"]


def test_the_figure_tells_its_ends():
    alt = scaling.against_d_k().alt
    for part in ("Dois gráficos", "0,37 a 0,99999", "0,27 a 0,000011", "de 4 a 1024"):
        assert part in alt


def test_a_gap_is_routine_up_to_two_deviations_of_a_difference() -> None:
    limit = 2 * math.sqrt(2 * 128)
    assert scaling.is_routine(limit, 128, 1) and not scaling.is_routine(limit + 1e-9, 128, 1)
    assert not scaling.is_routine(limit, 64, 1) and scaling.is_routine(limit, 64, 2)


def test_scores_by_hand() -> None:
    assert scaling.score_variance(128, 1) == 128 and scaling.score_variance(4, 3, 6) == 1
    assert scaling.winner().value == pytest.approx(1 / (1 + math.exp(-20)), abs=1e-12)
    assert scaling.rest().value == pytest.approx(math.exp(-20)) == scaling.rest_order().value
    assert (scaling.deviation().value, scaling.variance_divided().value) == (math.sqrt(128), pytest.approx(1))
    assert scaling.deviation_over_d_k().value == pytest.approx(1 / math.sqrt(128))
    assert (scaling.largest_d_k().value, scaling.uniform().value) == (1024, 1 / 16)


def side(largest: float, gradient: float) -> Side:
    return Side(largest=largest, gradient=gradient, dead=0.0)


def both(undivided: float, divided: float) -> Measured:
    """A row of the experiment with these gradients."""
    return Measured(d_k=4, divided=side(0.2, divided), undivided=side(1.0, undivided))


def test_a_gradient_falls_at_every_step_and_ends_below_the_divided_one() -> None:
    falls = scaling.gradient_falls_without_division.check
    assert falls([both(3, 2), both(2, 2), both(1, 2)]).holds and falls([both(3, 0), both(2, 0), both(1, 2)]).holds
    assert not falls([both(3, 9), both(3, 9), both(1, 9)]).holds and not falls([both(1, 9), both(3, 9), both(2, 9)]).holds
    assert not falls([both(3, 9), both(2, 1)]).holds and not falls([both(3, 9), both(2, 2)]).holds


def test_a_gradient_is_dead_below_its_limit() -> None:
    limit = scaling_experiment.records().experiment.dead_below
    assert scaling.saturates_without_division.check(both(limit * 0.99, 1)).holds
    assert not scaling.saturates_without_division.check(both(limit, 1)).holds


def test_an_experiment_that_just_fits_is_drawn() -> None:
    given = data.changed(scaling_experiment.records().experiment, rows=1000, keys=1000, table=(10,), figure=(5, 1000))
    assert list(given.faults()) == [] and len(list(data.changed(given, rows=1001).faults())) == 1
    assert len(list(data.changed(given, table=(1001,)).faults())) == 1


def test_steady_one_hot_and_short_of_one() -> None:
    within = [side(0.2, 1.0), side(0.22, 1.1)]
    assert scaling.is_steady(within, 0.1 + 1e-9) and not scaling.is_steady(within, 0.09)
    assert not scaling.is_steady([side(0.2, 1.0), side(0.2, 1.2)], 0.1) and not scaling.is_steady([side(0.2, 1.0), side(0.3, 1.0)], 0.1)
    assert scaling.is_one_hot(0.9995, 1e-3) and not scaling.is_one_hot(0.999, 1e-3)
    assert [scaling.short_of_one(weight)(weight) for weight in (0.94, 0.9949, 0.995, 0.99999, 1.0)] == [
        "0,94",
        "0,99",
        "0,995",
        "0,99999",
        "1,00",
    ]
