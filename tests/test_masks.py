"""Masks: what each position sees, the four matrices, and the lab's two experiments, against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from published import published, same_text

from figures import attention, draws, masks
from figures.pieces import visible


def with_lab(monkeypatch, **changes):
    given = masks.inputs()
    changed = replace(given, lab=replace(given.lab, **changes))
    monkeypatch.setattr(masks, "inputs", lambda: changed)


# What each position sees


def test_the_table_as_published():
    rows = masks.sees_and_predicts().rows
    assert len(rows) == published("deck", 21, "rows")
    assert [visible(sees) for _, (sees,), _ in rows] == published("deck", 21, "sees")
    assert [visible(predicts) for _, _, (predicts,) in rows] == published("deck", 21, "predicts")
    assert [row[0] for row in rows] == [1, 2, 3, 4, 5]


@given(st.lists(st.text(min_size=1, max_size=4), max_size=8))
def test_every_position_but_the_last_is_an_example(pieces):
    examples = masks.examples_of(pieces)
    assert len(examples) == max(0, len(pieces) - 1)
    for example in examples:
        assert "".join(pieces).startswith(example.sees + example.predicts)


def test_the_first_position_must_predict_the_cat():
    assert str(masks.first_position()) == "1"
    assert masks.first_prediction().value == (" gato",)


def test_another_continuation_is_another_table(monkeypatch):
    changed = replace(masks.inputs(), continuation=" muro")
    monkeypatch.setattr(masks, "inputs", lambda: changed)
    assert masks.sees_and_predicts().rows[-1][2] == (" muro",)


def test_one_example_a_position_fails_where_the_mask_is_off_by_one(monkeypatch):
    assert masks.one_example_a_position.check().holds
    causal = attention.causal
    monkeypatch.setattr(attention, "causal", lambda n: np.where(np.eye(n, dtype=bool), -np.inf, causal(n)))
    assert not masks.one_example_a_position.check().holds


# The lab: the last token replaced


def test_the_rows_that_change_as_published():
    assert len(masks.changed_rows(masked=False)) == published("deck", 21, "in_notes", "rows_that_change", "without")
    assert len(masks.changed_rows(masked=True)) == published("deck", 21, "in_notes", "rows_that_change", "with")
    assert masks.changed_rows(masked=True) == [5]
    assert masks.change_without_mask().text == "todas as cinco"
    assert masks.change_with_mask().text == "só a última"


@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
def test_any_draw_changes_all_rows_without_the_mask_and_one_with_it(seed, n):
    rng = np.random.default_rng(seed)
    X, *projections = rng.normal(size=(n, 8)), *rng.normal(size=(3, 8, 8))
    replaced = np.vstack([X[:-1], rng.normal(size=8)])
    plain = [masks.outputs(tokens, projections, None) for tokens in (X, replaced)]
    masked = [masks.outputs(tokens, projections, attention.causal(n)) for tokens in (X, replaced)]
    assert masks.rows_moved(*masked, 1e-6) == [n]
    assert masks.rows_moved(*plain, 0) == list(range(1, n + 1))


@pytest.mark.parametrize(
    ("rows", "told"),
    [([], "nenhuma"), ([5], "só a última"), ([1, 2, 3, 4, 5], "todas as cinco"), ([1, 2], "duas delas"), ([1], "uma delas")],
)
def test_rows_in_words(rows, told):
    assert masks.told(rows, 5) == told


def test_the_words_flip_when_nothing_counts_as_a_change(monkeypatch):
    with_lab(monkeypatch, moved_above=1e6)
    assert masks.change_without_mask().text == masks.change_with_mask().text == "nenhuma"


# The lab: padding


def test_padding_without_its_mask_as_published():
    assert same_text(masks.padding_without_mask(), published("deck", 22, "padding_without"))


def test_padding_with_its_mask_moves_less_than_a_millionth():
    """The source prints 0; by processor it is 0 or the last bit of float32, so the slide tells a bound."""
    assert published("deck", 22, "padding_with") == "0"
    assert masks.padding_difference(masked=True) < 1e-6
    assert same_text(masks.padding_with_mask(), "menos de 10⁻⁶")


@pytest.mark.parametrize("masked", [False, True])
def test_padding_equals_pytorch(masked):
    import torch

    sdpa = torch.nn.functional.scaled_dot_product_attention
    Q, K, V = (torch.from_numpy(M) for M in draws.drawn("padded-batch").values())
    q, k, v = (torch.cat([M, torch.zeros(4, 8)]) for M in (Q, K, V))
    mask = torch.arange(8).expand(8, 8) < 4 if masked else None
    moved = (sdpa(q, k, v, attn_mask=mask)[:4] - sdpa(Q, K, V)).abs().max().item()
    assert masks.padding_difference(masked) == pytest.approx(moved, abs=1e-6)


def test_a_key_of_zeros_scores_zero():
    assert str(masks.padding_score()) == "0"


def test_padding_in_words_flips(monkeypatch):
    with_lab(monkeypatch, moved_above=1e-12)
    monkeypatch.setattr(masks, "padding_difference", lambda masked: 0.25)
    assert masks.padding_with_mask().text == "0,25"
    assert not masks.padding_disturbs.check().holds


def test_padding_disturbs():
    assert masks.padding_disturbs.check().holds


# The four masks


def test_each_kind_has_a_matrix_and_a_row():
    assert {scheme.id for scheme in masks.inputs().schemes} == set(masks.BUILT)
    assert [row[0].replace("\u00a0", " ") for row in masks.four_masks().texts()] == [
        "causal",
        "de padding",
        "janela deslizante",
        "de documento",
    ]


def test_the_window_forbids_looking_more_than_w_back():
    w = masks.inputs().drawn.window
    for (i, j), entry in np.ndenumerate(masks.matrix("sliding")):
        assert (entry == 0) == (j <= i and not i - j > w)


def test_padding_hides_the_padded_columns_alone():
    drawn = masks.inputs().drawn
    hidden = np.isneginf(masks.matrix("padding"))
    assert hidden[:, drawn.real :].all()
    assert not hidden[:, : drawn.real].any()


def test_documents_do_not_see_each_other():
    documents = np.array(masks.inputs().drawn.documents)
    assert len(documents) == masks.inputs().drawn.tokens
    allowed = masks.matrix("document") == 0
    assert not allowed[documents[:, None] != documents[None, :]].any()
    assert allowed.diagonal().all()


def test_the_figure_shows_every_cell_of_the_masks():
    picture = masks.four_matrices()
    shown = [text.get_text() for text in picture.figure.axes[0].texts]
    cells = np.stack([masks.matrix(scheme.id) for scheme in masks.inputs().schemes])
    assert shown.count("0") == (cells == 0).sum()
    assert shown.count("−∞") == np.isneginf(cells).sum()
    assert "causal: 15 de 25 pares permitidos" in picture.alt
    assert "janela deslizante, w = 2" in shown
