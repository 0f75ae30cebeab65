"""The exact look-up and the soft one."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from msgspec.structs import replace
from published import published, same_text

from figures import soft_dictionary


def test_what_the_slide_shows():
    assert same_text(soft_dictionary.value("maçã"), published("deck", 11, "maçã"))
    assert same_text(soft_dictionary.value("pera"), published("deck", 11, "pera"))


def test_the_listing_runs_and_gives_what_its_comment_says():
    text = soft_dictionary.listing().text
    first, second = text.splitlines()
    code, _, comment = second.partition("#")
    given_dictionary = ast.literal_eval(first.partition("=")[2].strip())
    assert eval(code, {"estoque": given_dictionary}) == int(comment.split()[-1]) == 7


def test_the_key_asked_for_keeps_its_accents(monkeypatch):
    asked = replace(soft_dictionary.records(), asked="maçã")
    monkeypatch.setattr(soft_dictionary, "records", lambda: asked)
    assert soft_dictionary.listing().text.splitlines()[1].startswith('estoque["maçã"]   # ')


def test_a_missing_key_has_no_value():
    with pytest.raises(KeyError):
        soft_dictionary.hard("uva", {"pera": 7})


def test_soft_by_hand():
    # e¹/(e¹ + e⁰) = 0.7311
    assert soft_dictionary.soft([1, 0], [[1, 0], [0, 1]], [10, 0]) == pytest.approx(7.311, abs=1e-3)


def test_soft_against_torch():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(3)
    query, keys, values = rng.normal(size=4), rng.normal(size=(6, 4)), rng.normal(size=(6, 2))
    theirs = torch.softmax(torch.from_numpy(keys @ query), 0) @ torch.from_numpy(values)
    assert soft_dictionary.soft(query, keys, values) == pytest.approx(theirs.numpy(), rel=1e-12)


@given(arrays(float, (5, 3), elements=st.floats(-3, 3)), arrays(float, 5, elements=st.floats(-9, 9)))
def test_a_mean_lies_among_the_values_and_hardens_into_the_exact_match(keys, values):
    mean = soft_dictionary.soft(keys[0], keys, values)
    assert values.min() - 1e-9 <= mean <= values.max() + 1e-9
    wanted = 2
    assert soft_dictionary.soft(50 * np.eye(5)[wanted], np.eye(5), values) == pytest.approx(values[wanted], abs=1e-9)
