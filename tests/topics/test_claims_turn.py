"""Each claim of figures/ holds with the lecture's numbers, turns false with others, and tells the values that decide it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from claimed import CLAIMS
from loaded import changed_models, second_head, with_records
from msgspec.structs import replace

from figures import attention, hand_example, recurrence, scaling, score_matrix
from figures.kit import claims


@dataclass(frozen=True)
class Changed:
    """Inputs of a check other than the lecture's: its arguments, what computes in place of our own, the records of data/."""

    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)
    instead: dict[str, Any] = field(default_factory=dict)
    records: dict[str, Any] = field(default_factory=dict)


def checked(claim: str, changed: Changed, patch: pytest.MonkeyPatch) -> claims.Check:
    """The check of a claim under other inputs."""
    for place, value in changed.instead.items():
        patch.setattr(f"figures.{place}", value)
    for file, records in changed.records.items():
        with_records(patch, file, records)
    found: claims.Check = CLAIMS[claim].check(*changed.arguments, **changed.named)
    return found


def by(*arguments: Any, **named: Any) -> Changed:
    return Changed(arguments=arguments, named=named)


def computing(place: str, value: Any) -> Changed:
    return Changed(instead={place: value})


def reading(file: str, records: Any) -> Changed:
    return Changed(records={file: records})


EXAMPLE = hand_example.example()
BANCO = EXAMPLE.tokens[1]
ALONE = replace(EXAMPLE, tokens=tuple(token for token in EXAMPLE.tokens if token.name == EXAMPLE.asking))
WEIGHTS = np.array([[0.45, 0.45, 0.1], [0.07, 0.31, 0.62], [0.14, 0.28, 0.58]])
OTHER_HEAD = second_head(sentei={"k": (0, 0)}, banco={"q": (2, 0), "k": (0, 0)}, praça={"k": (3, 0)})
measured, softmax_backward, raw_scores = scaling.table_rows, attention.softmax_backward, score_matrix.model.raw_scores


def unmasked(n: int) -> Any:
    return np.zeros((n, n))


def by_place(query: Any, keys: Any, values: Any) -> Any:
    return np.array([0.5, 0.3, 0.2])


def by_value(query: Any, keys: Any, values: Any) -> Any:
    """What a token hands over decides, and not what it announces."""
    return attention.softmax(values[:, 0])


def forgetful() -> Any:
    """States of which the last is what its input alone makes of it."""
    return np.tile(np.tanh(recurrence.records().w), (4, 1)), np.ones((4, 1))


def without_distance(name: Any, d_k: int, matrix: Any, drawn: Any = None) -> Any:
    """A mix of content and the token before alone."""
    return raw_scores("content", d_k, matrix) + raw_scores("previous", d_k, matrix) if name == "mix" else raw_scores(name, d_k, matrix)


def even(scores: Any) -> Any:
    """The same weight everywhere."""
    return np.full_like(scores, 1 / scores.shape[-1])


def itself_alone(n: int) -> Any:
    return attention.additive(np.eye(n) > 0)


def scaled_rows(ids: Any, E: Any, P: Any) -> Any:
    return E[ids] * np.arange(1, len(ids) + 1)[:, None] + P[: len(ids)]


def off_by_a_millionth(weights: Any, gradient: Any) -> Any:
    return softmax_backward(weights, gradient) + 1e-6


def saturated_at_once() -> Any:
    *rows, last = measured()
    return [*rows, replace(last, undivided=last.divided)]


def out_of_order() -> Any:
    first, second, *rest = measured()
    return [second, first, *rest]


def by_its_start(key: str, entries: dict[str, Any]) -> Any:
    return next(value for name, value in entries.items() if name.startswith(key))


def nearest(query: Any, keys: Any, values: Any) -> Any:
    return values[np.argmax(keys @ query)]


# Each claim, and what is changed for it to be false: far from the lecture's inputs, and close to where the claim turns.
FALSE: list[tuple[str, Changed]] = [
    ("backward.bracket_nearly_vanishes", by(factor=1)),
    ("backward.bracket_nearly_vanishes", by(factor=5)),
    ("backward.rows_sum_to_zero", by(tolerance=0.0)),
    ("backward.saturated_row_hands_back_nothing", by(factor=100)),
    ("backward.rows_sum_to_zero", computing("attention.softmax_backward", off_by_a_millionth)),
    ("bpe.new_word_is_made_of_known_pieces", by("xadrez")),
    ("bpe.new_word_is_made_of_known_pieces", by("gato")),
    ("chapter.looks_at_the_verb", computing("attention.softmax", even)),
    ("chapter.survives_the_mask", computing("attention.causal", itself_alone)),
    ("cost.fused_is_exact", by(1e-3)),
    ("cost.work_is_quadratic", by(lambda layer, n: n)),
    ("connections.convolution_repeats_itself", by(lambda n, reach: np.full((n, n), 1 / n))),
    ("connections.convolution_repeats_itself", by(lambda n, reach: np.diag(np.arange(n) + 1.0))),
    ("connections.convolution_repeats_itself", by(lambda n, reach: np.triu(np.ones((n, n))))),
    ("connections.attention_joins_every_pair", by((WEIGHTS, WEIGHTS @ np.diag([1, 1, 0])))),
    ("connections.attention_joins_every_pair", by((np.diag([1, 1, 0]) @ WEIGHTS, WEIGHTS))),
    ("connections.attention_joins_every_pair", by((WEIGHTS, np.vstack([WEIGHTS[:2], [1 / 3] * 3])))),
    ("connections.attention_joins_every_pair", by((WEIGHTS, WEIGHTS))),
    ("connections.leaves_each_sentence_apart", by(second=(0.85, 0.15))),
    ("embedding.one_row_an_id", by(scaled_rows)),
    ("gradient_descent.both_rates_fit_the_data", by(steps=1)),
    ("gradient_descent.curvature_sets_the_limit", by(margin=0.0)),
    ("gradient_descent.large_rate_ends_flatter", by(small="large", large="small")),
    ("gradient_descent.momentum_raises_the_limit", by(condition=1e9)),
    ("gradient_descent.one_rate_for_two_curvatures", by(rate=0.4)),
    ("gradient_descent.one_step_arrives", by(rate=0.51)),
    ("gradient_descent.round_bowl_needs_no_momentum", by(condition=2)),
    ("gradient_descent.small_steps_fall_each_time", by(rate=0.5)),
    ("gradient_descent.small_steps_fall_each_time", by(rate=0.9)),
    ("gradient_descent.steep_side_sets_the_rate", by(condition=4)),
    ("gradient_descent.steps_grow_with_the_condition", by(conditions=(1, 10))),
    ("gradient_descent.usual_momentum_hardly_sees_the_valley", by(spread=1.001)),
    ("hand_example.asks_announces_and_gives_apart", by(replace(BANCO, key=(1.0, 2.0)))),
    ("hand_example.asks_announces_and_gives_apart", by(replace(BANCO, value=(1.0, 1.0)))),
    ("hand_example.leaves_with_a_new_vector", reading("hand_example", ALONE)),
    ("hand_example.likeness_decides", by(by_place)),
    ("hand_example.likeness_decides", by(by_value)),
    ("hand_example.other_input_other_weights", by(query=EXAMPLE.query)),
    ("hand_example.places_play_no_part", by(by_place)),
    ("kv_cache.cache_outweighs_weights", by(context=4096, requests=1)),
    ("kv_cache.cache_outweighs_weights", by(requests=8)),
    ("kv_cache.passes_add_up", by(lambda n, cached: n if cached else n * n)),
    ("kv_cache.passes_add_up", by(lambda n, cached: n * (n + 1) // 2)),
    ("kv_cache.picture_shares_as_the_table", by(groups=(8, 1, 4, 1))),
    ("kv_cache.triangle_is_the_formula", by(cached_too=False)),
    ("kv_cache.sharing_shrinks", reading("models", changed_models(heads=2, kv_heads=2))),
    ("masks.documents_leak", by(lambda documents: attention.causal(len(documents)))),
    ("masks.one_example_a_position", computing("attention.causal", unmasked)),
    ("masks.padding_disturbs", computing("masks.measured.padding_difference", lambda masked: 0.25)),
    ("masks.unmasked_sees_its_answer", by(unmasked)),
    ("multihead.first_sees_itself_alone", computing("attention.causal", unmasked)),
    ("multihead.one_row_points_at_less", reading("multihead", OTHER_HEAD)),
    ("multihead.same_for_every_h", computing("multihead.model.parameter_count", lambda d, h, matrices: h)),
    ("multihead.shapes_hold", computing("multihead.model.split", lambda X, h: X[:, None])),
    ("position.shuffles_along", computing("position.head", lambda X, projections: np.cumsum(X, axis=0))),
    ("prose.columns_are_independent", computing("attention.attention", lambda Q, K, V: Q * len(Q))),
    ("prose.no_parameter_counts_heads", computing("lab.checks.grouped_count", lambda d, heads, groups: heads)),
    ("prose.softmax_of_a_hidden_score", computing("attention.softmax", np.ones_like)),
    ("prose.zero_row_still_counts", computing("masks.padding_difference", lambda masked: 0.0)),
    ("recurrence.attention_is_even", by(path=np.array([0.5, 0.25, 0.25]))),
    ("recurrence.attention_overtakes_the_lstm", by(near="far")),
    ("recurrence.attention_overtakes_the_lstm", by(far="opening")),
    ("recurrence.attention_reaches_further", by("opening")),
    ("recurrence.decays_exponentially", by(near=0.5, far=0.25)),
    ("recurrence.decays_exponentially", by(near=1e-3, far=1e-8)),
    ("recurrence.decays_exponentially", by(near=1e-3, far=1e-16)),
    ("recurrence.factor_depends_on_the_state", by(path=0.9 ** np.arange(8))),
    ("recurrence.gate_helps_and_still_decays", by(forget=1.0)),
    ("recurrence.gate_helps_and_still_decays", by(forget=0.88)),
    ("recurrence.lstm_has_a_better_constant", by(factor=0.8)),
    ("recurrence.lstm_has_a_better_constant", by(factor=1.0)),
    ("recurrence.one_weight_passes_the_gradient", by(lambda Q, K, V: attention.attention(Q, K, V, scale=False))),
    ("recurrence.one_weight_passes_the_gradient", by(lambda Q, K, V: attention.attention(Q, K, V) / 2)),
    ("recurrence.product_can_grow", by(largest=1.05)),
    ("recurrence.states_wait_and_rows_do_not", by(lambda Q, K, V: np.cumsum(attention.attention(Q, K, V), axis=0))),
    ("recurrence.states_wait_and_rows_do_not", by(lambda Q, K, V: attention.attention(Q, K, V) - 1e-6 * len(Q))),
    ("recurrence.states_wait_and_rows_do_not", computing("recurrence.claims._read", forgetful)),
    ("rope.fast_hands_and_slow_ones", by(base=2)),
    ("rope.fast_hands_and_slow_ones", by(base=2000)),
    ("rope.offset_alone_counts", computing("rope.score", lambda q, k, query_at, key_at, base: float(query_at * key_at))),
    ("rope.rescaled_reaches_further", by(rescale=lambda speeds, factor: speeds)),
    ("rope.rescaled_reaches_further", by(rescale=lambda speeds, factor: speeds / (factor - 1))),
    ("scaling.argmax_passes_no_gradient", by(gap=1.0)),
    ("scaling.argmax_passes_no_gradient", by(gap=6.0)),
    ("scaling.one_key_takes_it_all", by(d_k=64)),
    ("scaling.one_key_takes_it_all", by(d_k=1)),
    ("scaling.gradient_falls_without_division", computing("scaling.model.table_rows", lambda: measured()[::-1])),
    ("scaling.gradient_falls_without_division", computing("scaling.model.table_rows", out_of_order)),
    ("scaling.over_d_k_chooses_nobody", by(divisor=1.0)),
    ("scaling.over_d_k_chooses_nobody", by(divisor=50.0)),
    ("scaling.saturates_without_division", computing("scaling.model.table_rows", saturated_at_once)),
    ("scaling.variance_is_d_k", by(mean=1)),
    ("scaling.variance_is_d_k", by(variance=2)),
    ("score_matrix.heads_score_as_told", computing("score_matrix.model.previous_scores", lambda n, d_k, strength: np.eye(n))),
    ("score_matrix.heads_score_as_told", computing("score_matrix.model.distance_scores", lambda n, d_k, slope: np.zeros((n, n)))),
    ("score_matrix.heads_score_as_told", computing("score_matrix.model.content_scores", lambda found, d_k: np.zeros((11, 11)))),
    ("score_matrix.heads_score_as_told", computing("score_matrix.model.raw_scores", without_distance)),
    ("score_matrix.mask_hides_what_is_ahead", by(causal=False)),
    ("score_matrix.rows_sum_to_one", computing("attention.softmax", np.exp)),
    ("score_matrix.rows_sum_to_one", by(tolerance=-1.0)),
    ("shapes.parameters_do_not_grow", by(lambda sizes: sizes.n**2)),
    ("shapes.scores_alone_grow_with_the_square", by(1)),
    ("shapes.scores_alone_grow_with_the_square", by(of=lambda n, d, d_k, d_v: dict.fromkeys(("S", "A", "O"), (n, n)))),
    ("soft_dictionary.mean_is_smooth", by(nearest)),
    ("soft_dictionary.mean_is_smooth", by(lambda query, keys, values: np.sqrt(np.abs(query[0] - 0.5)))),
    ("soft_dictionary.only_the_exact_key", by(by_its_start)),
    ("tokens.bytes_as_a_last_resort", by("é")),
    ("tokens.bytes_as_a_last_resort", by(encode=lambda letter: [1169])),
    ("tokens.common_words_stay_whole", by(common=("the", "subiu"))),
    ("tokens.common_words_stay_whole", by(rare=("syzygy", "the"))),
    ("tokens.fitted_to_english", by(("the", "cat"), ("the", "cat"))),
    ("tokens.spaces_go_with_the_next_word", by(pieces=("o ", "gato"))),
]


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_each_claim_holds_and_some_input_makes_it_false(name: str) -> None:
    assert name in {claim for claim, _ in FALSE}, f"{name} has no input that makes it false: add one to FALSE"
    assert CLAIMS[name].check().holds


@pytest.mark.parametrize(("name", "changed"), FALSE)
def test_a_claim_turns_where_it_should(name: str, changed: Changed, monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked(name, changed, monkeypatch)
    assert not found.holds and found.values


def test_two_sentences_of_one_length_may_join_their_words_in_other_ways() -> None:
    turned = WEIGHTS + np.array([[0.0, 0.0, 0.0], [0.009, 0.009, -0.018], [0.0, 0.0, 0.0]])
    assert CLAIMS["connections.attention_joins_every_pair"].check((WEIGHTS, turned)).holds


def test_a_word_comes_out_apart_where_one_number_of_it_is_another() -> None:
    claim = CLAIMS["connections.leaves_each_sentence_apart"]
    first = np.array(claim.check().values["first"])
    assert claim.check(second=first + [0.3, 0.0]).holds and not claim.check(second=first).holds


def test_nothing_but_claims_is_made_false() -> None:
    assert {name for name, _ in FALSE} <= CLAIMS.keys()


def test_what_a_claim_tells_beside_the_sentence() -> None:
    """The values are those that decide, by hand."""
    told = {name: made.check().values for name, made in CLAIMS.items() if not name.startswith("lab")}
    assert told["recurrence.attention_is_even"] == {"least": 1 / 64, "most": 1 / 64}
    assert CLAIMS["recurrence.attention_is_even"].check(path=np.array([0.5, 0.25])).values == {"least": 0.25, "most": 0.5}
    assert told["recurrence.attention_reaches_further"]["attention"] == 1 / 256
    assert told["recurrence.gate_helps_and_still_decays"]["LSTM far"] == pytest.approx(0.95**256)
    assert told["recurrence.decays_exponentially"]["distance"] == 4
    assert told["scaling.argmax_passes_no_gradient"]["gradient"] == pytest.approx(np.exp(-20), rel=1e-6)
    assert told["scaling.over_d_k_chooses_nobody"]["deviation"] == pytest.approx(128**-0.5)
    assert told["scaling.saturates_without_division"]["gradient"] == told["scaling.gradient_falls_without_division"]["without"][-1]
    assert np.max(told["backward.bracket_nearly_vanishes"]["bracket at the weight"]) == pytest.approx(2.14e-4, rel=1e-2)
    assert 0 < max(told["backward.rows_sum_to_zero"].values()) < 1e-14
    assert told["rope.fast_hands_and_slow_ones"] == {"fastest, one step": 1.0, "slowest, all the way": pytest.approx(1.0)}
    assert told["rope.rescaled_reaches_further"]["before"] == pytest.approx([1000, 100, 10, 1])
    assert told["score_matrix.rows_sum_to_one"]["heads"] == 8 and told["score_matrix.rows_sum_to_one"]["furthest from 1"] < 1e-15
    assert told["score_matrix.mask_hides_what_is_ahead"] == {"before": pytest.approx(0.624, abs=1e-3), "masked": 0.0}
    assert told["masks.documents_leak"]["document"] == 0 and told["masks.documents_leak"]["causal"] == pytest.approx(0.827, abs=1e-3)
    assert told["kv_cache.passes_add_up"]["counted"][7] == (28, 7)
    assert set(told["cost.work_is_quadratic"].values()) == {4.0} and len(told["cost.work_is_quadratic"]) == 3
    assert list(told["tokens.common_words_stay_whole"].values()) == [1, 2]
    assert told["recurrence.one_weight_passes_the_gradient"]["passed"] == pytest.approx(0.017465, abs=1e-6)
    assert told["soft_dictionary.only_the_exact_key"] == {"key": "per", "found": None}
    assert told["soft_dictionary.mean_is_smooth"]["whole step"] == pytest.approx(-0.002, rel=1e-4)
    assert list(told["embedding.one_row_an_id"]["first"]) == [-0.5, -0.5, 0, 1]
    assert list(told["hand_example.leaves_with_a_new_vector"]["value"]) == [0.5, 0.5]
    assert list(told["hand_example.likeness_decides"]["products"]) == [1, 3, 4]
    assert told["connections.convolution_repeats_itself"]["weights"].shape == (6, 6)  # three tokens more than the sentence has
