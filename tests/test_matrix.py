"""The whole matrix: rows that sum to 1, heads that look where they should, and what the division holds back."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import published, same_text

from figures import deck, matrix

NAMES = ("content", "previous", "distance", "mix")


def state(**changes):
    return msgspec.structs.replace(matrix.opening(), **changes)


def sentence_of(n):
    """The records with the sentence repeated up to `n` tokens."""
    given_records = matrix.records()
    tokens = (given_records.tokens * (n // len(given_records.tokens) + 1))[:n]
    return msgspec.structs.replace(given_records, tokens=tokens)


# What the source publishes


def test_slide_17_notes():
    assert same_text(matrix.row_sum(), published("deck", 17, "sums_to"))
    assert matrix.trained_patterns().value == published("deck", 17, "patterns_of_trained_models")
    assert str(matrix.found_in_models()).startswith("As três primeiras")
    assert str(matrix.found_names()) == "conteúdo, token anterior e distância"


def test_slide_17_where_the_mask_returns():
    steps = published("deck", 17, "mask_returns_in_slides")
    assert deck.position("sec-mascaras") - deck.position("sec-sim-matriz") == steps
    assert str(deck.away("sec-mascaras", here="sec-sim-matriz")) == "daqui a quatro slides"


# By hand, against something independent, by law


def test_previous_token_by_hand():
    # Four tokens, e⁴ against three zeros: 54.598 / 57.598 = 0.948
    found = matrix.weights(state(function="previous", d_k=9), sentence_of(4))
    assert np.diag(found, -1) == pytest.approx([0.948] * 3, abs=5e-4) and found[0, 0] == pytest.approx(0.948, abs=5e-4)


def test_distance_by_hand():
    # Half a deviation lost a step: e⁰, e^-0.5, e^-1
    found = matrix.weights(state(function="distance", d_k=25), sentence_of(3))
    assert found[0] == pytest.approx(np.exp([0, -0.5, -1]) / np.exp([0, -0.5, -1]).sum())


def test_mix_adds_up_the_other_scores():
    given_records = msgspec.structs.replace(matrix.records(), mix=matrix.Mix(content=0.0, previous=0.0, distance=1.0))
    assert matrix.raw_scores("mix", 16, given_records) == pytest.approx(matrix.raw_scores("distance", 16, given_records))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("d_k", [2, 16, 128])
def test_content_against_torch(d_k, causal):
    torch = pytest.importorskip("torch")
    given_records = matrix.records()
    found = matrix.vectors(given_records.tokens, given_records.content)
    Q, K = (torch.from_numpy(part[:, :d_k].copy()) for part in found)
    theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, torch.eye(len(Q), dtype=Q.dtype), is_causal=causal).numpy()
    assert matrix.weights(state(d_k=d_k, causal=causal)) == pytest.approx(theirs, rel=1e-9, abs=1e-15)


@given(st.sampled_from(NAMES), st.integers(1, 128), st.booleans(), st.booleans(), st.integers(1, 64))
def test_rows_sum_to_one_and_the_mask_hides_what_comes_after(name, d_k, divide, causal, n):
    found = matrix.weights(state(function=name, d_k=d_k, divide=divide, causal=causal), sentence_of(n))
    assert found.shape == (n, n) and found.sum(axis=-1) == pytest.approx(np.ones(n), abs=1e-12)
    if causal:
        assert (np.triu(found, 1) == 0).all()


def test_equal_words_ask_and_announce_the_same():
    texts = [text.lower() for text in matrix.records().texts]
    found = matrix.weights(state())
    first, second = (i for i, text in enumerate(texts[1:], 1) if text == "o")
    assert found[first] == pytest.approx(found[second]) and found[:, first] == pytest.approx(found[:, second])


@pytest.mark.parametrize("d_k", [4, 16, 64, 128])
def test_unmatched_scores_spread_like_the_root_of_d_k(d_k):
    kinds = [matrix.Token(text=f"w{i}", asks="a", announces="b") for i in range(200)]
    content = msgspec.structs.replace(matrix.records().content, shared=0.0)
    scores = matrix.content_scores(matrix.vectors(tuple(kinds), content), d_k)
    assert scores.std() == pytest.approx(np.sqrt(d_k), rel=0.1)


# What the lecture says of it


@pytest.mark.parametrize("name", NAMES)
def test_undivided_the_matrix_turns_binary_and_divided_it_does_not(name):
    hard = matrix.weights(state(function=name, d_k=128, divide=False)).max(axis=-1)
    soft = matrix.weights(state(function=name, d_k=128)).max(axis=-1)
    assert np.median(hard) > 0.99
    assert np.median(soft) < 0.9 and not matrix.is_binary(matrix.weights(state(function=name, d_k=128)))


def test_the_division_decides_the_word(monkeypatch):
    assert str(matrix.hardening()) == "vira binária"
    monkeypatch.setattr(matrix, "undivided", lambda: state(d_k=128, divide=True))
    assert str(matrix.hardening()) == "continua graduada"


def test_content_heads_look_at_the_kind_they_ask_for():
    given_records = matrix.records()
    found = matrix.weights(state(d_k=128))
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
    assert matrix.told_of_trained(trained).startswith(start)


def test_every_mark_has_a_source():
    assert all(function.source for function in matrix.records().functions)


# The picture


def test_the_opening_state_prints_the_chosen_row():
    picture = matrix.opening_state()
    row = matrix.weights(matrix.opening())[matrix.opening().row - 1]
    shown = [text.get_text() for axes in picture.figure.axes for text in axes.texts]
    for weight in row:
        assert f"{weight:.2f}".replace(".", ",") in shown
    assert "soma 1" in shown and "11 × 11" in picture.alt.replace("\u00a0", " ") and "“gato”" in picture.alt
