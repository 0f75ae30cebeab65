"""From the id to the vector: by hand, against torch's embedding and GPT-2's own count of parameters, and by law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import published, same_text

from figures import bpe, embedding
from figures.kit import data
from figures.kit.errors import DataError
from figures.pieces import visible

IDS = st.lists(st.integers(0, 11), min_size=1, max_size=8)


def toy() -> tuple[np.ndarray, np.ndarray]:
    return np.array(embedding.tables().E), np.array(embedding.tables().P)


# By hand


def test_a_row_and_a_row_added():
    E, P = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[10.0, 20.0], [30.0, 40.0], [0.0, 0.0]])
    np.testing.assert_array_equal(embedding.embed([1, 0], E, P), [[13, 24], [31, 42]])


def test_rows_of_the_toy_table_are_told_apart_and_centred():
    """Each sums to 0 and no two are equal, so that the chapter may normalise any of them."""
    E, _ = toy()
    assert len(np.unique(E, axis=0)) == len(E)
    np.testing.assert_array_equal(E.sum(axis=1), 0)


# Against something independent


@given(IDS)
def test_against_torch(ids):
    torch = pytest.importorskip("torch")
    E, P = toy()
    lookup = torch.nn.functional.embedding
    expected = lookup(torch.tensor(ids), torch.tensor(E)) + lookup(torch.arange(len(ids)), torch.tensor(P))
    np.testing.assert_array_equal(embedding.embed(ids, E, P), expected.numpy())


def test_a_one_hot_row_times_the_table_is_the_lookup():
    E, P = toy()
    ids = embedding.ids()
    np.testing.assert_array_equal(np.eye(len(E))[ids] @ E + P[: len(ids)], embedding.X())


def test_the_parameters_of_the_gpt2_family():
    """Tensor by tensor for the smallest, and the sizes that are published for the whole family."""
    d, vocabulary, positions = 768, 50257, 1024
    layer = [(d, 3 * d), (3 * d,), (d, d), (d,), (d, 4 * d), (4 * d,), (4 * d, d), (d,), (d,), (d,), (d,), (d,)]
    tensors = [(vocabulary, d), (positions, d), (d,), (d,)] + 12 * layer
    small = sum(int(np.prod(shape)) for shape in tensors)
    assert embedding.parameters(12, d, positions, vocabulary, 4) == small == 124_439_808
    assert embedding.parameters(48, 1600, positions, vocabulary, 4) == 1_557_611_200


# Laws


@given(IDS, st.randoms())
def test_without_positions_the_order_of_tokens_only_orders_the_rows(ids, random):
    E, P = toy()
    order = random.sample(range(len(ids)), len(ids))
    shuffled = embedding.embed([ids[i] for i in order], E, 0 * P)
    np.testing.assert_array_equal(shuffled, embedding.embed(ids, E, 0 * P)[order])


@given(st.integers(0, 11), st.integers(0, 7), st.integers(0, 7))
def test_the_same_id_has_the_same_row_everywhere(id, here, there):
    E, P = toy()
    rows = embedding.embed([id] * 8, E, P) - P
    np.testing.assert_array_equal(rows[here], rows[there])


# What the source publishes


def test_slide_9_table():
    published_columns = [published("deck", 9, "E"), published("deck", 9, "P"), published("deck", 9, "X")]
    texts = embedding.lookup().texts()
    for column, expected in enumerate(published_columns, 2):
        shown = [row[column] for row in texts]
        assert all(same_text(text, "[" + "; ".join(cells) + "]") for text, cells in zip(shown, expected, strict=True))
    assert [row[0] for row in texts] == ["1", "2", "3", "4", "5"]
    assert [row[1] for row in texts] == [f"{visible(p)} ({id})" for p, id in zip(bpe.pieces().value, bpe.ids().value)]


def test_slide_9_toy():
    assert embedding.vocabulary().value == published("deck", 9, "toy", "V")
    assert embedding.width().value == published("deck", 9, "toy", "d")
    assert embedding.positions().value == published("deck", 9, "toy", "positions")


def test_slide_9_gpt2():
    assert same_text(embedding.gpt2_E(), published("deck", 9, "gpt2_small", "E").replace(".", " "))
    assert same_text(embedding.gpt2_E_parameters(), published("deck", 9, "gpt2_small", "parameters"))
    assert same_text(embedding.gpt2_E_share(), published("deck", 9, "gpt2_small", "share"))
    assert same_text(embedding.gpt2_P(), published("deck", 9, "gpt2_small", "P"))


def test_slide_9_notes():
    assert same_text(embedding.X_shape(), published("deck", 9, "in_notes", "X").replace("x", "×"))


# Tables that don't fit


def test_a_phrase_may_have_as_many_tokens_as_a_table_has_rows_and_no_more(monkeypatch):
    monkeypatch.setattr(embedding, "TOKENS", 5)
    assert len(embedding.ids()) == 5
    monkeypatch.setattr(embedding, "TOKENS", 4)
    with pytest.raises(DataError, match="is cut into 5 tokens, and the slides hold 4"):
        embedding.ids()


def test_the_claim_tells_both_rows_without_their_positions():
    told = embedding.one_row_an_id.check().values
    assert [list(row) for row in told.values()] == [[-0.5, -0.5, 0, 1]] * 2


def test_a_vocabulary_of_another_length_is_refused(monkeypatch):
    embedding.tables.cache_clear()
    monkeypatch.setattr(bpe, "vocabulary", lambda: ("o", " no"))
    with pytest.raises(DataError, match="12 rows for the 2 tokens"):
        embedding.tables()
    embedding.tables.cache_clear()


def test_a_phrase_with_a_piece_outside_the_vocabulary_is_refused(monkeypatch):
    monkeypatch.setattr(bpe, "vocabulary", lambda: ("o", " no", " gato", " sub"))
    with pytest.raises(DataError, match="no id for iu"):
        embedding.ids()


def test_a_phrase_may_be_as_long_as_the_positions_and_no_longer(monkeypatch):
    whole = embedding.tables()
    for positions in (5, 4):
        monkeypatch.setattr(embedding, "tables", lambda positions=positions: data.changed(whole, P=whole.P[:positions]))
        if positions == 5:
            assert embedding.ids() == [0, 2, 4, 5, 1]
    with pytest.raises(DataError, match="4 positions for the 5 tokens"):
        embedding.ids()
