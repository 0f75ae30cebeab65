"""Where words turn: each judgement on both sides of its limit, and on the limit itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from figures import (
    backward,
    bpe,
    byte_pairs,
    hand_example,
    kv_cache,
    masks,
    pieces,
    position,
    recurrence,
    rope,
    running_example,
    scaling,
    scaling_experiment,
    score_matrix,
    tokens,
)
from figures.kit import data, formats
from figures.lab import generation, inputs, prose
from figures.scaling_experiment import Measured, Side


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


def test_peaks_differ_by_more_than_rounding() -> None:
    told = running_example.weights.peaks_in_words
    assert told([0.0], [1e-12]) == told([1e-12], [0.0]) == told([0.5], [0.5])
    assert told([0.0], [2e-12]) == told([0.4, 0.2], [0.5, 0.1]) == "mais concentrados"
    assert told([2e-12], [0.0]) == told([0.5, 0.1], [0.4, 0.2]) == "mais espalhados"


@pytest.mark.parametrize(("value", "exponent"), [(6.250438355095282, -300), (9.173015966758017, -299), (1.25, -308)])
def test_the_smallest_numbers_keep_their_digits(value: float, exponent: int) -> None:
    digits = len(str(value)) - 1
    text = formats.scientific(digits)(float(f"{value}e{exponent}"))
    assert text.partition(formats.NBSP)[0] == str(value).replace(".", ",")


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


def test_only_some_means_fewer_than_half() -> None:
    learnt = bpe.merges()
    touched = bpe.touching(pieces.example(), learnt)
    assert [merge.number for merge in touched] == [1, 2, 3, 4, 8, 9, 10, 13, 40, 41]
    assert str(bpe.touching_share(of=8)) == "5 das 8 fusões" and str(bpe.touching_share(of=10)) == "7 das 10 fusões"
    assert str(bpe.touching_share(of=16)) == "8 das 16 fusões" and str(bpe.touching_share(of=17)) == "só 8 das 17 fusões"


def test_a_sense_is_undecided_below_its_limit() -> None:
    words = ("a", "b")
    assert hand_example.sense([0.6, 0.4], words, 0.25) is None and hand_example.sense([0.5, 0.25], words, 0.25) == "a"
    assert hand_example.sense([0.25, 0.5], words, 0.25) == "b"


def test_weights_that_moved_or_are_even() -> None:
    assert hand_example.model.moved(np.array([0.5, 0.5]), np.array([0.5 + 1e-13, 0.5])) == 0
    assert hand_example.model.moved(np.array([0.5, 0.5]), np.array([0.5 + 1e-11, 0.4])) == 2
    assert hand_example.model.even(np.array([1 / 3] * 3)) and not hand_example.model.even(np.array([0.3, 0.3, 0.4]))


def test_a_matrix_is_binary_when_half_of_its_rows_are() -> None:
    half, sharp = np.full((3, 3), 1 / 3), np.eye(3)
    assert score_matrix.model.is_binary(np.array([sharp[0], sharp[1], half[0]])) and not score_matrix.model.is_binary(
        np.array([sharp[0], half[1], half[0]])
    )
    assert not score_matrix.model.is_binary(np.array([[0.99, 0.01], [0.99, 0.01]])) and score_matrix.model.is_binary(
        np.array([[0.991, 0.009]] * 2)
    )


def test_the_controls_in_words() -> None:
    start = score_matrix.model.opening()
    told = score_matrix.drawing.state_in_words(start)
    assert "sem máscara" in told and "dividido por" in told and "d_k = 16" in told
    other = score_matrix.drawing.state_in_words(data.changed(start, causal=True, divide=False, d_k=4))
    assert "sem máscara" not in other and other != told and "d_k = 4" in other
    assert score_matrix.drawing.state_in_words(data.changed(start, causal=True)).split(" · ")[:-1] == told.split(" · ")[:-1]


def test_scores_agree_within_their_tolerance() -> None:
    assert rope.all_equal([1.0, 1.0 + 1e-10]) and not rope.all_equal([1.0, 1.0, 1.0 + 1e-8])
    assert rope.all_equal([1.0, 1.5], 0.5) and not rope.all_equal([1.0, 1.5], 0.4)
    assert rope.speeds(4, 10_000).tolist() == [1.0, 0.01] and rope.between(8, 10) == 2


def test_rows_that_moved() -> None:
    assert masks.measured.rows_moved(np.zeros((3, 2)), np.array([[0, 0], [0, 1e-3], [1, 0]]), 1e-3) == [3]
    assert masks.rows_in_words([1, 3], 4) == "duas" or "duas" in masks.rows_in_words([1, 3], 4)
    assert masks.rows_in_words([1, 2], 2) != masks.rows_in_words([2], 2) != masks.rows_in_words([], 2)


def test_saturated_and_null() -> None:
    assert backward.is_saturated(np.array([0.951, 0.949]), 1).tolist() == [True, False]
    assert backward.is_null(np.array([1e-4]), 1e-3) and not backward.is_null(np.array([1e-4, 1e-3]), 1e-3)


def test_vectors_are_the_same_within_their_limit() -> None:
    one, other = {"a": np.array([1.0, 2.0])}, {"a": np.array([1.0, 2.1])}
    assert position.same_vectors(one, other, 0.2) and not position.same_vectors(one, other, 0.05)
    assert not position.same_vectors(one, {"b": np.array([1.0, 2.0])}, 1.0)


def test_a_card_that_is_just_full_still_fits() -> None:
    assert kv_cache.arithmetic.Demand(weights=3.0, cache=2.0, memory=5.0).fits and kv_cache.arithmetic.Demand(3.0, 2.0, 5.0).spare == 0
    assert not kv_cache.arithmetic.Demand(weights=3.0, cache=2.1, memory=5.0).fits
    assert kv_cache.arithmetic.passes(4, cached=False) == 10 and kv_cache.arithmetic.passes(4, cached=True) == 4
    assert kv_cache.arithmetic.step(kv_cache.state()).moving == pytest.approx((16e9 + 34_359_738_368) / 3.35e12)
    layer = 4 * 32 * 32 * 128 * 32768
    assert kv_cache.arithmetic.step(kv_cache.state()).computing == pytest.approx(8 * (2 * 8e9 + layer) / 989e12)
    assert kv_cache.heads.typical_groups(kv_cache.models()) == 8


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (99.9e9, "99,9 GB"),
        (99.95e9, "100 GB"),
        (16e9, "16 GB"),
        (34.36e9, "34,4 GB"),
        (-34.36e9, "−34,4 GB"),
        (137.4e9, "137 GB"),
        (-137.4e9, "−137 GB"),
    ],
)
def test_gigabytes_turn_to_three_digits(value: float, text: str) -> None:
    assert kv_cache.units.gigabytes()(value).replace(formats.NBSP, " ").replace("\u202f", " ") == text


def test_dear_and_cheap() -> None:
    told = {
        str(tokens.price(*pair))
        for pair in (("long_portuguese", "long_english"), ("long_english", "long_portuguese"), ("english", "english"))
    }
    assert len(told) == 3


def shown(value: Any) -> str:
    return str(value).replace(formats.NBSP, " ")


def test_what_the_slides_say_of_the_example_by_hand() -> None:
    assert [shown(hand_example.weight(name)) for name in ("sentei", "banco", "praça")] == ["0,074", "0,306", "0,620"]
    assert [shown(hand_example.scaled(name)) for name in ("sentei", "banco", "praça")] == ["0,71", "2,12", "2,83"]
    assert shown(hand_example.total()) == "27,29" and shown(hand_example.root()) == "1,41" and shown(hand_example.weight_sum()) == "1"


def test_every_byte_has_a_letter_that_gpt2_knows() -> None:
    letters = byte_pairs.alphabet()
    assert len(set(letters)) == len(letters) == 256 and set(letters) <= tokens.ids().keys()
    assert [letters[byte] for byte in (0, 32, 33, 126, 127, 160, 161, 173, 255)] == ["Ā", "Ġ", "!", "~", "ġ", "ł", "¡", "Ń", "ÿ"]


def test_the_ends_of_the_running_example() -> None:
    ends = (running_example.first_token(), running_example.last_token())
    assert [str(token) for token in ends] == ["[o]{.token}", "[␣no]{.token}"]


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


def test_the_last_row_s_steps_are_the_last_token_s() -> None:
    found, table = running_example.run(), running_example.last_row()
    last = found.Q[-1] @ found.K.T
    for i, row in enumerate(table.rows[: len(last)]):
        values = [value.value if hasattr(value, "value") else value for value in row[1:]]
        assert values[0] == pytest.approx(last[i]) and values[1] == pytest.approx(last[i] / math.sqrt(found.Q.shape[-1]))


def test_the_heat_map_s_words_tell_the_chosen_row() -> None:
    given, state = score_matrix.records(), score_matrix.model.opening()
    row = score_matrix.weights(state)[state.row - 1]
    alt = score_matrix.opening_state().alt
    for text, weight in zip(given.texts, row):
        assert f"{text} {formats.fixed(2)(weight)}" in alt
    assert f"{given.texts[state.row - 1]}" in alt and given.texts[int(row.argmax())] in alt


def test_the_sum_of_a_row_is_the_furthest_from_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    some = backward.Rows(np.zeros(2), np.zeros(2), np.array([0.0, -3.0]))
    monkeypatch.setattr(backward, "before", lambda: some)
    assert backward.row_sum().value == 3


def test_the_last_row_may_be_chosen_and_none_after_it() -> None:
    given = score_matrix.records()
    last = data.changed(given, opening=data.changed(given.opening, row=len(given.tokens)))
    after = data.changed(given, opening=data.changed(given.opening, row=len(given.tokens) + 1))
    assert list(last.faults()) == [] and len(list(after.faults())) == 1


def test_passes_of_the_lab_s_generation_by_hand() -> None:
    p, n = generation.sizes().prompt_tokens, inputs.records().cache.new_tokens
    assert prose.passes(True).value == p + n - 1 and prose.passes(False).value == n * p + n * (n - 1) // 2


def test_bytes_have_no_decimals_unless_asked() -> None:
    assert formats.binary_bytes()(1536.0).endswith("KiB") and "," not in formats.binary_bytes()(1300.0)
    assert "," in formats.binary_bytes(1)(1300.0)
