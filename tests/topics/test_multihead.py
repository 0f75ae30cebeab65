"""Multi-head attention against nn.MultiheadAttention, the listing against the functions, and the example as published."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loaded import second_head, with_records
from msgspec.structs import replace
from own_data import everything
from published import published, same_text

from figures import attention, hand_example, lab, multihead, multihead_code
from figures.kit import data, deck
from figures.kit.errors import DataError


@st.composite
def layers(draw) -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, np.ndarray], int]:
    """X (B, n, d), the four matrices and biases, and h."""
    B, n, h, d_h = (draw(st.integers(1, 4)) for _ in range(4))
    d = h * d_h
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    matrices = {name: rng.normal(size=(d, d)) for name in ("W_Q", "W_K", "W_V", "W_O")}
    return rng.normal(size=(B, n, d)), matrices, {name: rng.normal(size=d) for name in matrices}, h


def in_torch(d, h, matrices=None, biases=None):
    import torch

    module = torch.nn.MultiheadAttention(d, h, batch_first=True, dtype=torch.float64)
    if matrices is not None:
        with torch.no_grad():
            module.in_proj_weight.copy_(torch.from_numpy(np.concatenate([matrices[name].T for name in ("W_Q", "W_K", "W_V")])))
            module.in_proj_bias.copy_(torch.from_numpy(np.concatenate([biases[name] for name in ("W_Q", "W_K", "W_V")])))
            module.out_proj.weight.copy_(torch.from_numpy(matrices["W_O"].T))
            module.out_proj.bias.copy_(torch.from_numpy(biases["W_O"]))
    return module


# Against PyTorch


@given(layers())
def test_a_layer_equals_pytorch(drawn):
    import torch

    X, matrices, biases, h = drawn
    tokens = torch.from_numpy(X)
    expected, _ = in_torch(X.shape[-1], h, matrices, biases)(tokens, tokens, tokens)
    np.testing.assert_allclose(multihead.model.layer(X, matrices, biases, h)[-1], expected.detach().numpy(), rtol=1e-8, atol=1e-9)


@given(layers())
def test_a_causal_layer_equals_pytorch(drawn):
    import torch

    X, matrices, biases, h = drawn
    n, tokens = X.shape[1], torch.from_numpy(X)
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
    expected, _ = in_torch(X.shape[-1], h, matrices, biases)(tokens, tokens, tokens, attn_mask=hidden)
    found = multihead.model.layer(X, matrices, biases, h, attention.causal(n))[-1]
    np.testing.assert_allclose(found, expected.detach().numpy(), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("h", multihead.model.records().parameters.heads)
def test_the_parameter_count_equals_pytorch(h):
    given = multihead.model.records().parameters
    assert multihead.parameter_count(given.d, h, len(given.matrices)) == sum(p.numel() for p in in_torch(given.d, h).parameters())


# Laws


@given(layers())
def test_splitting_and_merging_gives_everything_back(drawn):
    X, _, _, h = drawn
    parts = multihead.split(X, h)
    assert parts.shape == (X.shape[0], h, X.shape[1], X.shape[2] // h)
    np.testing.assert_array_equal(multihead.merge(parts), X)


@given(layers())
def test_each_head_is_one_attention_over_its_columns(drawn):
    X, *_, h = drawn
    d_h = X.shape[-1] // h
    together = multihead.merge(attention.attention(*[multihead.split(X, h)] * 3))
    for head in range(h):
        own = X[..., head * d_h : (head + 1) * d_h]
        np.testing.assert_allclose(together[..., head * d_h : (head + 1) * d_h], attention.attention(own, own, own), atol=1e-12)


@given(st.integers(1, 16), st.integers(1, 16))
def test_heads_cost_no_parameters(h, d_h):
    assert multihead.parameter_count(h * d_h, h, 4) == multihead.parameter_count(h * d_h, 1, 4) == 4 * ((h * d_h) ** 2 + h * d_h)


def test_heads_that_do_not_divide_d_are_refused():
    with pytest.raises(DataError, match="3 heads don't divide d = 64"):
        multihead.parameter_count(64, 3, 4)


# Slide "Multi-head é um reshape"


def test_the_heads_and_parameters_as_published():
    assert list(multihead.model.records().parameters.heads) == published("deck", 25, "heads")
    assert same_text(multihead.head_list(), "1, 2, 8 ou 16")
    assert same_text(multihead.parameters(), published("deck", 25, "parameters"))
    assert str(multihead.matrix_count()) == "quatro"


@pytest.mark.parametrize(("d", "count"), [(16, 1088), (32, 4224), (64, 16640)])
def test_parameters_by_hand(d, count):
    assert multihead.parameter_count(d, 8, 4) == count


def test_the_tables_shapes_are_those_of_real_arrays(monkeypatch):
    assert multihead.shapes_hold.check().holds
    steps = (replace(multihead.model.records().steps[0], shape=("B", "h", "n", "d")), *multihead.model.records().steps[1:])
    changed = replace(multihead.model.records(), steps=steps)
    with_records(monkeypatch, "multihead", changed)
    assert not multihead.shapes_hold.check().holds


def test_same_for_every_h_fails_where_heads_bring_their_own_matrices(monkeypatch):
    assert multihead.same_for_every_h.check().holds
    monkeypatch.setattr(multihead.model, "parameter_count", lambda d, h, matrices: h * d * d)
    assert not multihead.same_for_every_h.check().holds


# Slide "Simulador · multi-head, linha a linha"


def test_the_example_as_published():
    assert same_text(multihead.token_count(), published("deck", 26, "tokens"))
    assert same_text(multihead.example_d(), published("deck", 26, "d"))
    assert same_text(multihead.example_h(), published("deck", 26, "h"))
    assert [f"{x:.2f}".replace(".", ",") for x in multihead.first_output().value] == published("deck", 26, "head_1")
    assert str(multihead.second_head_looks_at()) == "sentei"
    assert same_text(multihead.second_head_weight(), published("deck", 26, "head_2_banco_to_sentei"))
    assert [f"{x:.2f}".replace(".", ",") for x in multihead.causal_output().value] == published("deck", 26, "causal")
    assert re.findall(r"0,\d\d", multihead.one_head_weights().text) == published("deck", 26, "one_head")
    assert same_text(multihead.one_head_root(), published("deck", 26, "sqrt_4"))
    assert same_text(multihead.one_head_h(), "1")
    assert same_text(multihead.equal_keys_weight(), published("deck", 26, "equal_keys"))


def test_the_example_refers_to_the_slides_and_sections_published():
    everything()
    first, last = published("deck", 26, "banco_is_on_slides")
    assert str(deck.span("sec-exemplo", "sec-sim-banco")) == f"{first} a {last}"
    assert [lab.section("multi-head").value, lab.section("all-queries").value] == published("deck", 26, "lab_sections")


def test_head_1_is_the_example_worked_by_hand():
    by_hand = hand_example.steps(hand_example.example().query, hand_example.example().keys, hand_example.example().values)
    asking = hand_example.example().names.index("banco")
    found = multihead.model.heads(multihead.model.variant())
    np.testing.assert_allclose(found.weights[0, asking], by_hand.weights)
    np.testing.assert_allclose(found.output[asking, :2], by_hand.output)


def test_head_2_by_hand():
    """Scores 4, 2 and 0 over √2."""
    e = np.exp(np.array([4, 2, 0]) / np.sqrt(2))
    np.testing.assert_allclose(multihead.model.heads(multihead.model.variant()).weights[1, 1], e / e.sum())


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("one_head", [False, True])
@pytest.mark.parametrize("equal_keys", [False, True])
def test_the_listing_computes_what_the_functions_compute(causal, one_head, equal_keys):
    Q, K, V = multihead.example()
    K = K[[0, 0, 0]] if equal_keys else K
    h, mask = (1 if one_head else 2), (attention.causal(3) if causal else None)
    expected = multihead.merge(attention.attention(*(multihead.split(M, h) for M in (Q, K, V)), mask))
    found = multihead.model.heads(multihead.model.variant(causal, one_head, equal_keys))
    np.testing.assert_array_equal(found.output, expected)
    np.testing.assert_array_equal(multihead_code.multi_head(Q, K, V, h, mask), expected)


def test_the_listing_is_shown_as_it_runs():
    steps = multihead.model.variant()
    assert [step.text for step in steps] == list(multihead_code.lines())
    assert [step.line for step in steps] == list(range(1, len(steps) + 1))
    assert steps[2].made["q"].shape == (2, 3, 2)
    assert set(steps[5].made) == {"A", "o"}
    assert not any("return" in line or "Array" in line for line in multihead_code.lines())


def test_under_the_causal_mask():
    assert multihead.lost_to_the_mask().text == "praça"
    assert multihead.first_token().text == "sentei"
    assert multihead.causal_verdict().text == "em cima do muro"
    assert multihead.first_sees_itself_alone.check().holds


# Words and claims flip


def test_second_head_looks_elsewhere_with_another_query(monkeypatch):
    with_records(monkeypatch, "multihead", second_head(banco={"q": (-2, 0)}))
    assert multihead.second_head_looks_at().text == "praça"


def test_the_words_follow_the_example_worked_by_hand(monkeypatch):
    given = hand_example.example()
    with_records(monkeypatch, "hand_example", replace(given, query=(0, 9), asking="banco"))
    assert multihead.causal_verdict().text == "em cima do muro"
    decided = tuple(replace(token, value=(0, 1)) for token in given.tokens)
    with_records(monkeypatch, "hand_example", replace(given, tokens=decided))
    assert multihead.causal_verdict().text == "dinheiro"
    with_records(monkeypatch, "hand_example", replace(given, asking="praça"))
    assert multihead.model.records().example.other_queries.keys() == {"sentei", "praça"}


def test_without_a_mask_nothing_is_lost_and_the_claims_fail(monkeypatch):
    monkeypatch.setattr(attention, "causal", lambda n: np.zeros((n, n)))
    assert multihead.lost_to_the_mask().text == "ninguém"
    assert not multihead.first_sees_itself_alone.check().holds


def test_equal_keys_weight_flips(monkeypatch):
    monkeypatch.setattr(multihead.model, "variant", lambda **changes: multihead_code.run(*multihead.example(), 2))
    assert multihead.equal_keys_weight().text == "0,77"


# The picture


def test_the_opening_state_shows_code_shapes_and_numbers():
    picture = multihead.opening_state()
    shown = [text.get_text() for text in picture.figure.axes[0].texts]
    assert set(multihead_code.lines()) <= set(shown)
    assert {"2\u00a0×\u00a03\u00a0×\u00a02", "0,77", "0,85", "0,15"} <= set(shown)
    assert "banco na cabeça 1: sentei 0,07, banco 0,31, praça 0,62" in picture.alt


def test_every_head_s_first_token_must_see_itself(monkeypatch):
    weights = np.array([np.eye(3), np.full((3, 3), 1 / 3)])
    monkeypatch.setattr(multihead.model, "heads", lambda *_: SimpleNamespace(weights=weights))
    assert not multihead.first_sees_itself_alone.check().holds
    weights[1] = np.eye(3)
    assert multihead.first_sees_itself_alone.check().holds


def test_the_symbols_of_the_table_by_hand():
    shapes = [row[1] for row in multihead.shapes().texts()]
    assert shapes == [
        r"$B \times n \times d$", r"$B \times h \times n \times d/h$", r"$B \times h \times n \times n$", r"$B \times n \times d$",
    ]  # fmt: skip


# Limits, and cases that only one number decides


@pytest.mark.parametrize("matrices", [("W_Q", "W_K", "W_V"), ("W_Q", "W_K", "W_V", "W_V"), ("W_Q", "W_K", "W_V", "W_O", "W_O")])
def test_a_layer_has_its_four_matrices(matrices):
    known = multihead.model.records().parameters
    assert list(data.changed(known, matrices=tuple(reversed(known.matrices))).faults()) == []
    assert list(data.changed(known, matrices=matrices).faults()) == [
        f"`matrices` must be W_Q, W_K, W_V and W_O, and is {', '.join(matrices)}"
    ]


@pytest.mark.parametrize(
    ("at", "shape"),
    [
        (0, ("n", "B", "d")), (1, ("B", "n", "h", "d/h")), (1, ("h", "B", "n", "d/h")),
        (2, ("B", "h", "h", "n")), (2, ("B", "n", "n", "n")), (3, ("B", "n", "h")),
    ],
)  # fmt: skip
def test_a_shape_with_two_sizes_exchanged_is_another(at, shape, monkeypatch):
    steps = [*multihead.model.records().steps]
    steps[at] = replace(steps[at], shape=shape)
    changed = replace(multihead.model.records(), steps=tuple(steps))
    with_records(monkeypatch, "multihead", changed)
    assert not multihead.shapes_hold.check().holds


@pytest.mark.parametrize(("alone", "holds"), [(0.6, True), (0.7, False), (0.8, False)])
def test_a_single_row_must_point_at_less_than_either_head(alone, holds, monkeypatch):
    two, one = np.zeros((2, 3, 3)), np.zeros((1, 3, 3))
    two[:, 1], one[0, 1] = [[0.2, 0.7, 0.1], [0.05, 0.05, 0.9]], [1 - alone, 0, alone]
    monkeypatch.setattr(multihead.model, "variant", lambda one_head=False: one_head)
    monkeypatch.setattr(multihead.model, "heads", lambda one_head: SimpleNamespace(weights=one if one_head else two))
    found = multihead.one_row_points_at_less.check()
    assert found.holds == holds and found.values == {"one head": alone, "two heads": [0.7, 0.9]}


def test_equal_keys_are_the_first_token_s():
    made = {name: value for step in multihead.model.variant(equal_keys=True) for name, value in step.made.items()}
    first = hand_example.example().keys[0]
    assert (made["k"][0] == first).all() and (made["k"][1] == multihead.model.records().example.second_head["sentei"].k).all()


def test_what_the_slide_shows_of_the_example():
    assert [same_text(*pair) for pair in ((multihead.first_output(), "[0,85; 0,15]"), (multihead.causal_output(), "[0,60; 0,40]"))] == [
        True
    ] * 2
    assert str(multihead.second_head_weight()) == "0,77"
    assert str(multihead.one_head_weights()) == "0,38 em sentei, 0,38 em banco e 0,23 em praça"
    assert str(multihead.matrix_count()) == "quatro" and same_text(multihead.one_head_root(), "2")


def test_the_picture_s_words_tell_both_heads_and_the_output():
    text = multihead.opening_state().alt.replace("\u00a0", " ")
    assert "Código de multi-head com 7 linhas" in text and "q 2 × 3 × 2" in text
    assert "na cabeça 2: sentei 0,77, banco 0,19, praça 0,05" in text
    assert text.endswith("na saída da cabeça 1: [0,85; 0,15].")


def test_each_head_s_name_by_the_exact_words():
    found = SimpleNamespace(weights=np.zeros((2, 3, 3)), output=np.zeros((3, 4)))
    assert multihead.drawing.output_headings(found) == ["cabeça 1", "", "cabeça 2", ""]
