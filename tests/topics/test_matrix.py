"""The whole matrix: rows that sum to 1, heads that look where they should, and what the division holds back."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import published, same_text

from figures import (
    attention,
    score_matrix,
)
from figures.kit import data, deck, formats

NAMES = ("content", "previous", "distance", "mix")


def state(**changes):
    return msgspec.structs.replace(score_matrix.model.opening(), **changes)


def sentence_of(n):
    """The records with the sentence repeated up to `n` tokens."""
    given_records = score_matrix.records()
    tokens = (given_records.tokens * (n // len(given_records.tokens) + 1))[:n]
    return msgspec.structs.replace(given_records, tokens=tokens)


# What the source publishes


def test_slide_17_notes():
    assert same_text(score_matrix.row_sum(), published("deck", 17, "sums_to"))
    named = str(score_matrix.found_names()).replace(" e ", ", ").split(", ")
    assert len(named) == published("deck", 17, "patterns_of_trained_models")
    assert str(score_matrix.found_in_models()).startswith("As três primeiras")
    assert str(score_matrix.found_names()) == "conteúdo, token anterior e distância"


def test_slide_17_where_the_mask_returns():
    steps = published("deck", 17, "mask_returns_in_slides")
    assert deck.position("sec-mascaras") - deck.position("sec-sim-matriz") == steps
    assert str(deck.away("sec-mascaras", here="sec-sim-matriz")) == "daqui a quatro slides"


# By hand, against something independent, by law


def test_previous_token_by_hand():
    # Four tokens, e⁴ against three zeros: 54.598 / 57.598 = 0.948
    found = score_matrix.weights(state(function="previous", d_k=9), sentence_of(4))
    assert np.diag(found, -1) == pytest.approx([0.948] * 3, abs=5e-4) and found[0, 0] == pytest.approx(0.948, abs=5e-4)


def test_distance_by_hand():
    # Half a deviation lost a step: e⁰, e^-0.5, e^-1
    found = score_matrix.weights(state(function="distance", d_k=25), sentence_of(3))
    assert found[0] == pytest.approx(np.exp([0, -0.5, -1]) / np.exp([0, -0.5, -1]).sum())


def test_mix_adds_up_the_other_scores():
    given_records = msgspec.structs.replace(score_matrix.records(), mix=score_matrix.model.Mix(content=0.0, previous=0.0, distance=1.0))
    assert score_matrix.model.raw_scores("mix", 16, given_records) == pytest.approx(
        score_matrix.model.raw_scores("distance", 16, given_records)
    )


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("d_k", [2, 16, 128])
def test_content_against_torch(d_k, causal):
    torch = pytest.importorskip("torch")
    given_records = score_matrix.records()
    found = score_matrix.vectors(given_records.tokens, given_records.content)
    Q, K = (torch.from_numpy(part[:, :d_k].copy()) for part in found)
    theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, torch.eye(len(Q), dtype=Q.dtype), is_causal=causal).numpy()
    assert score_matrix.weights(state(d_k=d_k, causal=causal)) == pytest.approx(theirs, rel=1e-9, abs=1e-15)


@given(st.sampled_from(NAMES), st.integers(1, 128), st.booleans(), st.booleans(), st.integers(1, 64))
def test_rows_sum_to_one_and_the_mask_hides_what_comes_after(name, d_k, divide, causal, n):
    found = score_matrix.weights(state(function=name, d_k=d_k, divide=divide, causal=causal), sentence_of(n))
    assert found.shape == (n, n) and found.sum(axis=-1) == pytest.approx(np.ones(n), abs=1e-12)
    if causal:
        assert (np.triu(found, 1) == 0).all()


def test_equal_words_ask_and_announce_the_same():
    texts = [text.lower() for text in score_matrix.records().texts]
    found = score_matrix.weights(state())
    first, second = (i for i, text in enumerate(texts[1:], 1) if text == "o")
    assert found[first] == pytest.approx(found[second]) and found[:, first] == pytest.approx(found[:, second])


@pytest.mark.parametrize("d_k", [4, 16, 64, 128])
def test_unmatched_scores_spread_like_the_root_of_d_k(d_k):
    kinds = [score_matrix.model.Token(text=f"w{i}", asks="a", announces="b") for i in range(200)]
    content = msgspec.structs.replace(score_matrix.records().content, shared=0.0)
    scores = score_matrix.model.content_scores(score_matrix.vectors(tuple(kinds), content), d_k)
    assert scores.std() == pytest.approx(np.sqrt(d_k), rel=0.1)


# What the lecture says of it


@pytest.mark.parametrize("name", NAMES)
def test_undivided_the_matrix_turns_binary_and_divided_it_does_not(name):
    hard = score_matrix.weights(state(function=name, d_k=128, divide=False)).max(axis=-1)
    soft = score_matrix.weights(state(function=name, d_k=128)).max(axis=-1)
    assert np.median(hard) > 0.99
    assert np.median(soft) < 0.9 and not score_matrix.model.is_binary(score_matrix.weights(state(function=name, d_k=128)))


def test_the_division_decides_the_word(monkeypatch):
    assert str(score_matrix.hardening()) == "vira binária"
    monkeypatch.setattr(score_matrix.model, "undivided", lambda: state(d_k=128, divide=True))
    assert str(score_matrix.hardening()) == "continua graduada"


def test_content_heads_look_at_the_kind_they_ask_for():
    given_records = score_matrix.records()
    found = score_matrix.weights(state(d_k=128))
    kinds = np.array([token.announces for token in given_records.tokens])
    for i, token in enumerate(given_records.tokens):
        assert found[i, kinds == token.asks].sum() > 0.5, token.text


@pytest.mark.parametrize(
    ("trained", "start"),
    [
        ([True, True, False], "As duas primeiras"),
        ([False, True, True, False], "Duas das quatro"),
        ([True, False], "Uma das"),
        ([False, False], "Nenhuma"),
    ],
)
def test_what_is_said_of_trained_models_follows_the_marks(trained, start):
    assert score_matrix.heads.trained_in_words(trained).startswith(start)


def test_every_mark_has_a_source():
    assert all(function.source for function in score_matrix.records().functions)


# The picture


def test_the_opening_state_prints_the_chosen_row():
    picture = score_matrix.opening_state()
    row = score_matrix.weights(score_matrix.model.opening())[score_matrix.model.opening().row - 1]
    shown = [text.get_text() for axes in picture.figure.axes for text in axes.texts]
    for weight in row:
        assert f"{weight:.2f}".replace(".", ",") in shown
    assert "A linha de “ele” está escolhida: O 0," in picture.alt and score_matrix.model.opening().row == 7
    assert "soma 1" in shown and "11 × 11" in picture.alt.replace("\u00a0", " ") and "“gato”" in picture.alt


# Limits, and cases that only one number decides


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"row": 11}, None),
        ({"row": 12}, "it opens on row 12 of a sentence of 11 tokens"),
        ({"d_k": 128}, None),
        ({"d_k": 129}, "it opens with d_k = 129, and 128 components are drawn"),
    ],
)
def test_the_simulator_opens_on_what_there_is(changes, fault):
    known = score_matrix.records()
    found = data.changed(known, opening=data.changed(known.opening, **changes))
    assert list(found.faults()) == ([] if fault is None else [fault])


def test_every_score_function_has_its_record():
    known = score_matrix.records()
    assert list(data.changed(known, functions=known.functions[2:]).faults()) == ["`functions` lacks content, previous"]


def drawn(shared, count=300, asks="a", announces="a"):
    tokens = tuple(score_matrix.model.Token(text=f"w{i}", asks=asks, announces=announces) for i in range(count))
    return score_matrix.vectors(tokens, data.changed(score_matrix.records().content, shared=shared))


@pytest.mark.parametrize("shared", [0.0, 0.25, 0.81, 1.0])
def test_components_are_standard_normal_and_matching_ones_have_so_much_in_common(shared):
    queries, keys = drawn(shared)
    others, _ = drawn(shared, announces="b")
    d_k = queries.shape[1]
    for part in (queries, keys):
        assert part.std() == pytest.approx(1, rel=0.1)
    assert (queries @ keys.T / d_k).mean() == pytest.approx(shared, abs=0.15 * shared + 0.005)
    assert np.diag(queries @ keys.T / d_k).mean() == pytest.approx(shared, abs=0.15 * shared + 0.02)
    assert abs((others @ drawn(shared, announces="b").keys.T / d_k).mean()) < 0.25 * shared + 0.005


def test_a_kind_and_a_word_s_own_draw_add_up():
    """At the ends only one of the two is left; between them both, by the roots of their shares."""
    kind, own, both = (drawn(shared, count=3) for shared in (1.0, 0.0, 0.36))
    for mixed, first, second in zip(both, kind, own):
        assert mixed == pytest.approx(0.6 * first + 0.8 * second, abs=2e-3)


@pytest.mark.parametrize("decimals", [1, 3])
def test_components_are_rounded(decimals):
    known = score_matrix.records()
    for part in score_matrix.vectors(known.tokens, data.changed(known.content, decimals=decimals)):
        assert (part == np.round(part, decimals)).all() and not (part == np.round(part, decimals - 1)).all()


def test_raw_scores_by_hand():
    assert score_matrix.model.previous_scores(3, 4, 2.5).tolist() == [[5, 0, 0], [5, 0, 0], [0, 5, 0]]
    assert score_matrix.model.distance_scores(3, 16, 0.5).tolist() == [[0, -2, -4], [-2, 0, -2], [-4, -2, 0]]
    found = score_matrix.model.Vectors(np.array([[1.0, 2.0, 9.0], [0.0, 1.0, 9.0]]), np.array([[3.0, 1.0, 9.0], [2.0, 5.0, 9.0]]))
    assert score_matrix.model.content_scores(found, 2).tolist() == [[5, 12], [1, 5]]
    given_records = data.changed(
        score_matrix.records(), mix=score_matrix.model.Mix(content=2.0, previous=0.5, distance=1.0),
        previous=score_matrix.model.Previous(strength=4.0), distance=score_matrix.model.Distance(slope=1.0),
    )  # fmt: skip
    assert score_matrix.model.raw_scores("mix", 1, given_records, found).tolist() == [[6 + 2 + 0, 4 + 0 - 1], [0 + 2 - 1, 0 + 0 - 0]]


def test_the_sum_told_is_the_furthest_from_one(monkeypatch):
    for rows, told in (([[0.5, 0.5], [0.0, 0.75]], "0,75"), ([[0.25, 1.0], [0.5, 0.25]], "1,25")):
        monkeypatch.setattr(score_matrix.model, "weights", lambda state, rows=rows: np.array(rows))
        assert str(score_matrix.row_sum()) == told


@pytest.mark.parametrize("at", [("content", False), ("mix", True)])
@pytest.mark.parametrize("rows", [[[0.5, 0.25], [0.5, 0.5]], [[0.5, 0.75], [0.5, 0.5]], [[0.5, 0.0], [0.5, 1.0]]])
def test_one_row_of_one_head_that_does_not_sum_to_one_is_enough(at, rows, monkeypatch):
    monkeypatch.setattr(score_matrix.model, "weights", lambda state: np.array(rows) if (state.function, state.causal) == at else np.eye(2))
    check = score_matrix.rows_sum_to_one.check
    astray = max(abs(sum(row) - 1) for row in rows)
    assert not check().holds and check().values["furthest from 1"] == astray
    assert check(tolerance=astray).holds and not check(tolerance=astray - 1e-9).holds


def test_a_mask_that_lets_the_next_token_through_hides_too_little(monkeypatch):
    monkeypatch.setattr(attention, "causal", lambda n: attention.additive(np.tri(n, k=1, dtype=bool)))
    found = score_matrix.mask_hides_what_is_ahead.check()
    assert not found.holds and found.values["masked"] > 0


def test_where_nothing_lay_ahead_a_mask_hides_nothing(monkeypatch):
    monkeypatch.setattr(score_matrix.model, "weights", lambda state: np.eye(3))
    assert not score_matrix.mask_hides_what_is_ahead.check().holds
    next_alone = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]])
    monkeypatch.setattr(score_matrix.model, "weights", lambda state: np.eye(3) if state.causal else next_alone)
    found = score_matrix.mask_hides_what_is_ahead.check()
    assert found.holds and found.values == {"before": 0.5, "masked": 0.0}


def test_a_matrix_is_binary_when_all_of_its_rows_are() -> None:
    half, sharp = np.full((3, 3), 1 / 3), np.eye(3)
    assert score_matrix.model.is_binary(sharp)
    assert not score_matrix.model.is_binary(np.array([sharp[0], sharp[1], half[0]]))
    assert not score_matrix.model.is_binary(np.array([[0.99, 0.01]] * 2))
    assert score_matrix.model.is_binary(np.array([[0.991, 0.009]] * 2))


def test_the_controls_in_words() -> None:
    start = score_matrix.model.opening()
    told = score_matrix.drawing.state_in_words(start)
    assert "sem máscara" in told and "dividido por" in told and "d_k = 16" in told
    other = score_matrix.drawing.state_in_words(data.changed(start, causal=True, divide=False, d_k=4))
    assert "sem máscara" not in other and other != told and "d_k = 4" in other
    assert score_matrix.drawing.state_in_words(data.changed(start, causal=True)).split(" · ")[:-1] == told.split(" · ")[:-1]


def test_the_heat_map_s_words_tell_the_chosen_row() -> None:
    given, state = score_matrix.records(), score_matrix.model.opening()
    row = score_matrix.weights(state)[state.row - 1]
    alt = score_matrix.opening_state().alt
    for text, weight in zip(given.texts, row):
        assert f"{text} {formats.fixed(2)(weight)}" in alt
    assert f"{given.texts[state.row - 1]}" in alt and given.texts[int(row.argmax())] in alt


def test_the_last_row_may_be_chosen_and_none_after_it() -> None:
    given = score_matrix.records()
    last = data.changed(given, opening=data.changed(given.opening, row=len(given.tokens)))
    after = data.changed(given, opening=data.changed(given.opening, row=len(given.tokens) + 1))
    assert list(last.faults()) == [] and len(list(after.faults())) == 1
