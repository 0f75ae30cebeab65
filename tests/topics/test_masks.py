"""Masks: what each position sees, the four matrices, and the lab's two experiments, against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loaded import with_records
from msgspec.structs import replace
from published import published, same_text

from figures import (
    attention,
    masks,
    random_draws,
)
from figures.kit import data
from figures.kit.errors import DataError
from figures.pieces import visible


def with_lab(monkeypatch, **changes):
    given = masks.records()
    changed = replace(given, lab=replace(given.lab, **changes))
    with_records(monkeypatch, "masks", changed)


# What each position sees


def test_the_table_as_published():
    rows = masks.sees_and_predicts().rows
    assert len(rows) == published("deck", 21, "rows")
    assert ["".join(map(visible, sees)) for _, sees, _ in rows] == published("deck", 21, "sees")
    assert [visible(predicts) for _, _, (predicts,) in rows] == published("deck", 21, "predicts")
    assert [row[0] for row in rows] == [len(row[1]) for row in rows] == [1, 2, 3, 4, 5]  # position n sees n chips


@given(st.lists(st.text(min_size=1, max_size=4), max_size=8))
def test_every_position_but_the_last_is_an_example(pieces):
    examples = masks.positions.examples_of(pieces)
    assert len(examples) == max(0, len(pieces) - 1)
    for example in examples:
        assert "".join(pieces).startswith("".join(example.sees) + example.predicts)


def test_the_first_position_must_predict_the_cat():
    assert str(masks.first_position()) == "1"
    assert masks.first_prediction().value == (" gato",)


def test_another_continuation_is_another_table(monkeypatch):
    changed = replace(masks.records(), continuation=" muro")
    with_records(monkeypatch, "masks", changed)
    assert masks.sees_and_predicts().rows[-1][2] == (" muro",)


def test_the_slides_hold_eight_positions(monkeypatch):
    continued = replace(masks.records(), continuation=" telhado e o gato")
    with_records(monkeypatch, "masks", continued)
    assert len(masks.positions.examples()) == 8
    longer = replace(continued, continuation=" telhado e o gato no")
    with_records(monkeypatch, "masks", longer)
    with pytest.raises(DataError, match="gives 9 positions, and the slides hold 8"):
        masks.positions.examples()


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
    assert masks.measured.rows_moved(*masked, 1e-6) == [n]
    assert masks.measured.rows_moved(*plain, 0) == list(range(1, n + 1))


@pytest.mark.parametrize(
    ("rows", "told"),
    [([], "nenhuma"), ([5], "só a última"), ([1, 2, 3, 4, 5], "todas as cinco"), ([1, 2], "duas delas"), ([1], "uma delas")],
)
def test_rows_in_words(rows, told):
    assert masks.rows_in_words(rows, 5) == told


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
    Q, K, V = (torch.from_numpy(M) for M in random_draws.drawn("padded-batch").values())
    q, k, v = (torch.cat([M, torch.zeros(4, 8)]) for M in (Q, K, V))
    mask = torch.arange(8).expand(8, 8) < 4 if masked else None
    moved = (sdpa(q, k, v, attn_mask=mask)[:4] - sdpa(Q, K, V)).abs().max().item()
    assert masks.padding_difference(masked) == pytest.approx(moved, abs=1e-6)


def test_a_key_of_zeros_scores_zero():
    assert str(masks.padding_score()) == "0"


def test_padding_in_words_flips(monkeypatch):
    with_lab(monkeypatch, moved_above=1e-12)
    monkeypatch.setattr(masks.measured, "padding_difference", lambda masked: 0.25)
    assert masks.padding_with_mask().text == "0,25"
    assert not masks.padding_disturbs.check().holds


# The four masks


def test_each_kind_has_a_matrix_and_a_row():
    assert {scheme.id for scheme in masks.records().schemes} == set(masks.kinds.BUILT)
    assert [row[0].replace("\u00a0", " ") for row in masks.four_masks().texts()] == [
        "causal",
        "de padding",
        "janela deslizante",
        "de documento",
    ]


def test_the_window_forbids_looking_more_than_w_back():
    w = masks.records().drawn.window
    for (i, j), entry in np.ndenumerate(masks.kinds.matrix("sliding")):
        assert (entry == 0) == (j <= i and not i - j > w)


def test_padding_hides_the_padded_columns_alone():
    drawn = masks.records().drawn
    hidden = np.isneginf(masks.kinds.matrix("padding"))
    assert hidden[:, drawn.real :].all()
    assert not hidden[:, : drawn.real].any()


def test_documents_do_not_see_each_other():
    documents = np.array(masks.records().drawn.documents)
    assert len(documents) == masks.records().drawn.tokens
    allowed = masks.kinds.matrix("document") == 0
    assert not allowed[documents[:, None] != documents[None, :]].any()
    assert allowed.diagonal().all()


def test_the_figure_shows_every_cell_of_the_masks():
    picture = masks.four_matrices()
    shown = [text.get_text() for text in picture.figure.axes[0].texts]
    cells = np.stack([masks.kinds.matrix(scheme.id) for scheme in masks.records().schemes])
    assert shown.count("0") == (cells == 0).sum()
    assert shown.count("−∞") == np.isneginf(cells).sum()
    assert "causal: 15 de 25 pares permitidos" in picture.alt
    assert "janela deslizante, w = 2" in shown


# Limits, and cases that only one number decides


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"real": 5}, None),
        ({"real": 6}, "6 of 5 tokens can't be real"),
        ({"documents": (0, 1, 1, 2, 2)}, None),
        ({"documents": (0, 1, 1, 2)}, "`documents` tells the document of 4 tokens, and there are 5"),
        ({"documents": (0,) * 6}, "`documents` tells the document of 6 tokens, and there are 5"),
    ],
)
def test_what_is_drawn_must_fit_in_the_matrix(changes, fault):
    assert list(data.changed(masks.records().drawn, **changes).faults()) == ([] if fault is None else [fault])


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_a_head_divides_its_projections_by_the_root_of_the_width(seed, n):
    import torch

    rng = np.random.default_rng(seed)
    X, *projections = rng.normal(size=(n, 9)), *rng.normal(size=(3, 9, 9))
    Q, K, V = (torch.from_numpy(X @ W / 3) for W in projections)
    theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, V, is_causal=True).numpy()
    assert masks.outputs(X, projections, attention.causal(n)) == pytest.approx(theirs)
    single = masks.projected(X.astype(np.float32), [W.astype(np.float32) for W in projections])
    assert {M.dtype for M in single} == {np.dtype(np.float32)}


def test_a_row_moves_whichever_number_of_it_moves_and_whichever_way():
    before = np.array([[1.0, 1.0], [1.0, 1.0], [-2.0, 0.0]])
    after = np.array([[0.0, 1.0], [1.0, 1.0], [-2.0, 2.0]])
    assert masks.measured.rows_moved(before, after, 0.5) == [1, 3] and masks.measured.rows_moved(before, after, 1.0) == [3]


def test_padding_that_pulls_downwards_counts_as_much(monkeypatch):
    """Values of 1 throughout: half of the weight on zeros takes half of every number away."""
    monkeypatch.setattr(random_draws, "drawn", lambda name: {"Q": np.zeros((4, 2)), "K": np.zeros((4, 2)), "V": np.ones((4, 2))})
    assert masks.padding_difference(masked=False) == 0.5 and masks.padding_difference(masked=True) == 0


def test_a_bound_is_told_only_of_what_lies_below_it(monkeypatch):
    above = masks.records().lab.moved_above
    monkeypatch.setattr(masks.measured, "padding_difference", lambda masked: 0.99 * above)
    assert same_text(masks.padding_with_mask(), "menos de 10⁻⁶")
    monkeypatch.setattr(masks.measured, "padding_difference", lambda masked: above)
    assert same_text(masks.padding_with_mask(), "0,00")


def test_one_score_of_a_key_of_zeros_would_show(monkeypatch):
    monkeypatch.setattr(attention, "scores", lambda Q, K: np.array([[0.0, -3.0]]))
    assert str(masks.padding_score()) == "3"


@pytest.mark.parametrize("row", [0, 2, 3])
def test_one_position_that_sees_its_answer_is_enough(row):
    def open_at(n):
        mask = attention.causal(n)
        mask[row, row + 1] = 0
        return mask

    found = masks.unmasked_sees_its_answer.check(open_at)
    assert not found.holds and np.flatnonzero(found.values["with"]).tolist() == [row]


@pytest.mark.parametrize("row", [0, 3])
def test_one_position_that_gives_its_answer_nothing_is_enough(row, monkeypatch):
    """Without a mask; with one the next token gets nothing, as it should."""
    free = np.full((5, 5), 0.2)
    free[row, row + 1] = 0
    monkeypatch.setattr(attention, "weights", lambda Q, K, mask: free if mask is None else np.eye(5))
    assert not masks.unmasked_sees_its_answer.check().holds
    free[row, row + 1] = 0.2
    assert masks.unmasked_sees_its_answer.check().holds


def test_a_document_s_leak_is_the_weight_that_the_other_one_gets(monkeypatch):
    """Even weights: under the causal mask position 3 of 4 gives two of three to the first document, position 4 two of four."""
    drawn = {"Q": np.zeros((4, 1)), "K": np.zeros((4, 1)), "V": np.array([[5.0], [-1.0], [0.0], [2.0]])}
    monkeypatch.setattr(random_draws, "drawn", lambda name: drawn)
    found = masks.documents_leak.check()
    assert found.holds and found.values == {"causal": pytest.approx(2 / 3), "document": 0}


def test_the_figure_s_words():
    text = masks.four_matrices().alt.replace("\u00a0", " ")
    assert text.startswith("Quatro matrizes 5 × 5, com 0 onde se pode olhar e −∞ onde não se pode.")
    assert text.endswith(
        "causal: 15 de 25 pares permitidos; de padding: 15 de 25 pares permitidos; "
        "janela deslizante: 12 de 25 pares permitidos; de documento: 9 de 25 pares permitidos."
    )


def test_rows_that_moved() -> None:
    assert masks.measured.rows_moved(np.zeros((3, 2)), np.array([[0, 0], [0, 1e-3], [1, 0]]), 1e-3) == [3]
    words = [masks.rows_in_words(rows, 4) for rows in ([], [4], [1, 3], [1, 2, 3, 4])]
    assert words == ["nenhuma", "só a última", "duas delas", "todas as quatro"]
