"""Attention does not see order: by hand, in float32 as the lab measures it, and as a law over every shuffle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from published import published, same_text

from figures import (
    position,
    random_draws,
)


def test_the_labs_difference():
    """The figure is lost in the source; float32's rounding decides on ours, of the order of 10⁻⁷ or none at all."""
    assert published("deck", 23, "difference") == "10⁻⁷"
    assert position.lab_difference() < 1e-6
    assert str(position.shuffled_difference()) in {"0", "10⁻⁸", "10⁻⁷"}


def test_the_lab_equals_pytorch():
    import torch

    X, *W = (torch.from_numpy(M) for M in random_draws.drawn("shuffled-tokens").values())
    Q, K, V = (X @ (M / 4) for M in W)
    expected = torch.nn.functional.scaled_dot_product_attention(Q, K, V).numpy()
    drawn = random_draws.drawn("shuffled-tokens")
    np.testing.assert_allclose(position.head(drawn.pop("X"), list(drawn.values())), expected, atol=1e-6)


def test_the_permutation_shuffles_every_token():
    permutation = position.records().lab.permutation
    assert sorted(permutation) == list(range(len(random_draws.drawn("shuffled-tokens")["X"])))
    assert all(token != place for place, token in enumerate(permutation))


@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.integers(1, 6), st.data())
def test_every_shuffle_of_tokens_shuffles_the_outputs(seed, n, d, data):
    rng = np.random.default_rng(seed)
    permutation = data.draw(st.permutations(range(n)))
    assert position.difference(rng.normal(size=(n, d)), list(rng.normal(size=(3, d, d))), permutation) < 1e-9


def test_the_difference_is_the_largest_on_either_side(monkeypatch):
    """A head that multiplies by the place: of 1, 2 it makes 0, 2; of 2, 1 it makes 0, 1, and not 2, 0."""
    monkeypatch.setattr(position, "head", lambda X, projections: X * np.arange(len(X))[:, None])
    assert position.difference(np.array([[1.0], [2.0]]), [], [1, 0]) == 2


def test_the_two_sentences_are_one_to_attention():
    assert position.equality().text == "="
    assert [str(position.sentence(n)) for n in (1, 2)] == ["cachorro morde homem", "homem morde cachorro"]


def test_equality_flips_with_a_position_added():
    given = position.records()
    places = np.eye(3, 4)
    with_places = [position.vectors(sentence, given.embedding, places) for sentence in given.sentences]
    assert not position.same_vectors(*with_places, given.equal_within)
    without = [position.vectors(sentence, given.embedding, 0 * places) for sentence in given.sentences]
    assert position.same_vectors(*without, given.equal_within)


def test_equality_flips_with_another_sentence(monkeypatch):
    changed = replace(position.records(), sentences=("cachorro morde homem", "homem morde homem"))
    monkeypatch.setattr(position, "records", lambda: changed)
    assert position.equality().text == "≠"


def test_positions_are_added_to_the_words():
    """The words of one embedding with their places added leave as those of the embedding that holds the sums."""
    plain, moved = {"a": (1.0, 0.0), "b": (0.0, 1.0)}, {"a": (1.5, 0.0), "b": (0.0, -1.0)}
    found, expected = position.vectors("a b", plain, np.array([[0.5, 0.0], [0.0, -2.0]])), position.vectors("a b", moved)
    assert [found[word].tolist() for word in "ab"] == [expected[word].tolist() for word in "ab"]


def test_one_number_that_differs_by_the_limit_is_enough():
    one = {"a": np.array([1.0, 5.0]), "b": np.array([2.0, 5.0])}
    for b, is_same in ((3.0, False), (2.5, False), (2.25, True)):
        assert position.same_vectors(one, one | {"b": np.array([b, 5.0])}, 0.5) == is_same


def test_rows_of_two_lengths_are_told():
    given = position.records()
    uneven = replace(given, embedding=given.embedding | {"homem": (1.0, 0.0)})
    assert list(given.faults()) == [] and list(uneven.faults()) == ["the rows of `embedding` must be equally long"]


def test_a_difference_of_the_limit_is_no_rounding(monkeypatch):
    given, found = position.records(), position.lab_difference()
    limited = replace(given, lab=replace(given.lab, rounding_below=found))
    monkeypatch.setattr(position, "records", lambda: limited)
    assert not position.shuffles_along.check().holds


def test_shuffles_along_fails_for_a_head_that_knows_places(monkeypatch):
    assert position.shuffles_along.check().holds
    head = position.head
    monkeypatch.setattr(position, "head", lambda X, projections: head(X + np.arange(len(X))[:, None], projections))
    assert not position.shuffles_along.check().holds


@pytest.mark.parametrize(
    ("scheme", "verdict"),
    [
        ("senoidal", "histórico"),
        ("absoluta aprendida", "não passa do comprimento treinado"),
        ("ALiBi", "largamente superada"),
        ("RoPE", "universal"),
        ("NoPE / híbrida", "crescendo em contexto longo"),
    ],
)
def test_the_schemes(scheme, verdict):
    rows = {row[0]: row for row in position.schemes().texts()}
    assert same_text(rows[scheme][2], verdict)
    assert len(rows) == 5


def test_every_scheme_has_a_source():
    assert all(scheme.source for scheme in position.records().schemes)


def test_vectors_are_the_same_within_their_limit() -> None:
    one, other = {"a": np.array([1.0, 2.0])}, {"a": np.array([1.0, 2.1])}
    assert position.same_vectors(one, other, 0.2) and not position.same_vectors(one, other, 0.05)
    assert not position.same_vectors(one, {"b": np.array([1.0, 2.0])}, 1.0)
