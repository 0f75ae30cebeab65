"""The example worked by hand: its four steps, its sense, and what each experiment does to them."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from loaded import with_records
from published import published, same_text

from figures import (
    hand_example,
)
from figures.kit.formats import fixed, plain, vector

NAMES = ("sentei", "banco", "praça")
numbers = st.floats(-5, 5).map(lambda x: round(x, 3))


def with_example(monkeypatch, **changes):
    other = msgspec.structs.replace(hand_example.example(), **changes)
    with_records(monkeypatch, "hand_example", other)


def cells(table):
    return [[cell.replace("\u00a0", " ") for cell in row] for row in table.texts()]


def texts(function):
    return [str(function(name)) for name in NAMES]


def same_texts(shown, expected):
    return all(same_text(a, b) for a, b in zip(shown, expected, strict=True))


# What the source publishes


def test_slide_13():
    assert [list(hand_example.model.token_of(name).key) for name in NAMES] == published("deck", 13, "K")
    assert [list(hand_example.value(name).value) for name in NAMES] == published("deck", 13, "V")
    assert list(hand_example.query().value) == published("deck", 13, "q")
    assert hand_example.dimensions().value == published("deck", 13, "d_k")
    rows = cells(hand_example.example_table())
    assert rows[1] == ["banco", "[1; 1]", "[0,5; 0,5] — ambíguo"] and rows[2] == ["praça", "[0; 2]", "[1; 0]"]


def scores() -> list[str]:
    """What column ① of the slide's table comes to, row by row."""
    return [row[1].rpartition("= ")[2] for row in cells(hand_example.four_steps())[: len(NAMES)]]


def test_slide_14():
    assert same_texts(scores(), published("deck", 14, "scores"))
    assert same_texts(texts(hand_example.scaled), published("deck", 14, "scaled"))
    assert same_texts(texts(hand_example.exponential), published("deck", 14, "exponentials"))
    assert same_text(hand_example.total(), published("deck", 14, "sum")) and str(hand_example.weight_sum()) == "1"
    assert same_texts(texts(hand_example.weight), published("deck", 14, "weights"))
    assert same_text(hand_example.output(), "[" + "; ".join(published("deck", 14, "output")) + "]")
    assert str(hand_example.verdict()) == published("deck", 14, "verdict")


def test_slide_14_table_says_the_same():
    rows = cells(hand_example.four_steps())
    assert rows[0] == ["sentei", "1", "0,71", "2,03", "2,03 / 27,29 ≈ 0,074", "0,074 [1; 0] = [0,074; 0]"]
    assert rows[1] == ["banco", "1 + 2 = 3", "2,12", "8,34", "0,306", "0,306 [0,5; 0,5] = [0,153; 0,153]"]
    assert rows[2] == ["praça", "4", "2,83", "16,92", "0,620", "0,620 [1; 0] = [0,620; 0]"]
    assert rows[3] == ["soma", "", "", "27,29", "1", "[0,85; 0,15]"]
    assert [row[4].role for row in hand_example.four_steps().rows] == ["", "", "best", ""]


def test_slide_15_notes():
    assert published("deck", 15, "value_of_praca_0_1") == {"verdict": "dinheiro", "weights_move": False}
    assert str(hand_example.tried_verdict("value")) == "o veredito vira dinheiro"
    assert str(hand_example.tried_moves("value")) == "nenhum peso se mexe"
    assert str(hand_example.tried_leaves("query")) == "o peso sai de praça"
    assert re.findall(r"0,\d\d", str(hand_example.tried_weights("query"))) == published("deck", 15, "query_1_0")
    assert published("deck", 15, "query_0") in str(hand_example.tried_even("zero"))
    assert str(hand_example.tried_weights("zero")) == "0,33 em sentei, 0,33 em banco e 0,33 em praça"


def test_the_chapters_coarser_roundings():
    assert same_texts(scores(), published("chapter", "banco", "scores"))
    assert same_texts(texts(hand_example.scaled), published("chapter", "banco", "scaled"))
    assert same_text(hand_example.root(), published("chapter", "banco", "sqrt_2"))
    one, two = fixed(1), fixed(2)
    assert same_texts([hand_example.exponential(name).to(one) for name in NAMES], published("chapter", "banco", "exponentials"))
    assert same_text(hand_example.total().to(one), published("chapter", "banco", "sum"))
    assert same_texts([hand_example.weight(name).to(two) for name in NAMES], published("chapter", "banco", "weights"))
    assert same_text(hand_example.output(), "[" + "; ".join(published("chapter", "banco", "output")) + "]")
    assert same_text(hand_example.value("banco"), "[" + "; ".join(published("chapter", "banco", "alone")) + "]")


# By hand, against something independent, by law


def test_steps_by_hand():
    found = hand_example.steps([0, 0], [[1, 2], [3, 4]], [[1, 0], [0, 1]])
    assert found.products.tolist() == [0, 0] and found.total == 2 and found.output.tolist() == [0.5, 0.5]


def test_d_k_changes_the_divisor_only():
    keys, values = [[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]]
    two, eight = (hand_example.steps([1, 2], keys, values, d_k) for d_k in (2, 8))
    assert two.products.tolist() == eight.products.tolist()
    assert eight.scaled == pytest.approx(two.scaled / 2)


@given(arrays(float, 2, elements=numbers), arrays(float, (3, 2), elements=numbers), arrays(float, (3, 2), elements=numbers))
def test_steps_against_torch_and_their_own_sums(query, keys, values):
    torch = pytest.importorskip("torch")
    found = hand_example.steps(query, keys, values)
    theirs = torch.nn.functional.scaled_dot_product_attention(*map(torch.from_numpy, (query[None], keys, values)))[0].numpy()
    assert found.output == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    assert found.weights.sum() == pytest.approx(1)
    assert found.exponentials / found.total == pytest.approx(found.weights, rel=1e-9)
    assert (found.output >= values.min(axis=0) - 1e-9).all() and (found.output <= values.max(axis=0) + 1e-9).all()


# Words that numbers choose, each flipped by other inputs


def test_sense():
    meaning = ("assento", "dinheiro")
    assert hand_example.sense([0.85, 0.15], meaning, 0.25) == "assento"
    assert hand_example.sense([0.5, 0.25], meaning, 0.25) == "assento"
    assert hand_example.sense([0.25, 0.5], meaning, 0.25) == "dinheiro"
    assert hand_example.sense([0.6, 0.4], meaning, 0.25) is None
    assert hand_example.verdict_of([0.6, 0.4]) == "em cima do muro"


def test_another_query_flips_the_words(monkeypatch):
    assert str(hand_example.words.heaviest()) == "praça"
    with_example(monkeypatch, query=(3, -2))
    assert str(hand_example.words.heaviest()) == "sentei"
    assert str(hand_example.tried_leaves("query")) == "o maior peso continua em sentei"


def test_other_values_flip_the_verdict(monkeypatch):
    tokens = [msgspec.structs.replace(token, value=(0, 1)) for token in hand_example.example().tokens]
    with_example(monkeypatch, tokens=tuple(tokens))
    assert str(hand_example.verdict()) == "dinheiro" == str(hand_example.entered())
    assert "ambíguo" not in str(hand_example.example_table().texts())
    assert str(hand_example.tried_verdict("value")) == "o veredito continua dinheiro"


def test_a_zero_query_moves_nothing_when_all_keys_are_equal(monkeypatch):
    tokens = [msgspec.structs.replace(token, key=(1, 1)) for token in hand_example.example().tokens]
    with_example(monkeypatch, tokens=tuple(tokens))
    assert str(hand_example.tried_moves("zero")) == "nenhum peso se mexe"
    assert str(hand_example.tried_leaves("zero")).startswith("o maior peso continua")


def test_uneven_weights_are_said_to_be():
    assert str(hand_example.tried_moves("query")) == "três pesos se mexem"
    assert str(hand_example.tried_even("value")) == "desigual, puxado por praça"


def test_two_of_the_weights_may_move_and_the_third_stay(monkeypatch):
    """Products 0, 0 and 1 become 1, 0 and 0."""
    keys = ((1, 0), (0, 0), (0, 1))
    tokens = tuple(msgspec.structs.replace(token, key=key) for token, key in zip(hand_example.example().tokens, keys))
    with_example(monkeypatch, tokens=tokens, query=(0, 1))
    assert str(hand_example.tried_moves("query")) == "dois pesos se mexem"


def test_an_output_that_differs_in_one_number_is_a_new_vector(monkeypatch):
    values = ((1, 0.5), (0.5, 0.5), (1, 0.5))
    tokens = tuple(msgspec.structs.replace(token, value=value) for token, value in zip(hand_example.example().tokens, values))
    with_example(monkeypatch, tokens=tokens)
    assert hand_example.leaves_with_a_new_vector.check().holds


def test_counts_in_words_follow_the_data(monkeypatch):
    assert [str(f()) for f in (hand_example.key_count, hand_example.dimension_count, hand_example.step_count)] == ["três", "duas", "quatro"]
    assert str(hand_example.sentence_count()) == "duas"
    with_example(monkeypatch, tokens=hand_example.example().tokens[:2], sentences=hand_example.example().sentences[:1])
    assert str(hand_example.key_count()) == "duas" and str(hand_example.sentence_count()) == "uma"


# The picture


def test_the_opening_state_shows_the_slides_own_numbers():
    picture = hand_example.opening_state()
    shown = " ".join(text.get_text() for axes in picture.figure.axes for text in axes.texts)
    for name in NAMES:
        assert str(hand_example.weight(name)) in shown and str(hand_example.scaled(name)) in shown
        assert vector(plain())(hand_example.model.token_of(name).key) in picture.alt
    assert str(hand_example.output()) in shown and str(hand_example.verdict()) in shown and "assento" in picture.alt


def test_the_picture_in_words():
    told = hand_example.opening_state().alt.replace("\u00a0", " ")
    assert "a query [1; 2] de “banco” e as chaves: sentei [1; 0], banco [1; 1], praça [0; 2]." in told
    assert "valores: sentei [1; 0], banco [0,5; 0,5], praça [1; 0]; e a saída [0,85; 0,15]." in told
    steps = "scores [1; 3; 4], divididos por √2 [0,71; 2,12; 2,83], exponenciais [2,03; 8,34; 16,92], pesos [0,074; 0,306; 0,620]"
    assert told.endswith(f"{steps}, saída [0,85; 0,15]: assento.")


@pytest.mark.parametrize(
    ("changes", "fits"),
    [
        ({"query": (1, 0)}, True),
        ({"token": "praça", "value": (0, 1)}, True),
        ({"token": "praça"}, False),
        ({"value": (0, 1)}, False),
        ({"query": (1, 0), "token": "praça", "value": (0, 1)}, False),
        ({}, False),
    ],
)
def test_an_experiment_changes_one_thing(changes, fits) -> None:
    assert (not list(hand_example.Experiment(id="x", **changes).faults())) == fits


def test_weights_that_moved_or_are_even() -> None:
    assert hand_example.model.moved(np.array([0.5, 0.5]), np.array([0.5 + 1e-13, 0.5])) == 0
    assert hand_example.model.moved(np.array([0.5, 0.5]), np.array([0.5 + 1e-11, 0.4])) == 2
    assert hand_example.model.even(np.array([1 / 3] * 3)) and not hand_example.model.even(np.array([0.3, 0.3, 0.4]))
