"""Shapes by symbols, by numbers, by real arrays; and section 2 of the lab against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import published, same_text

from figures import attention, chain, random_draws, shapes, shapes_experiment

small = st.integers(1, 9)


def test_slide_16():
    for symbol, shown in (
        ("n", published("deck", 16, "n")),
        ("d", published("deck", 16, "d")),
        ("d_k", published("deck", 16, "d_k")),
        ("d_v", published("deck", 16, "d_v")),
    ):
        assert same_text(shapes.size(symbol), shown)
    assert same_text(shapes.shape_of("A"), published("deck", 16, "A"))
    assert same_text(shapes.shape_of("O"), published("deck", 16, "O"))
    assert same_text(shapes.parameters(), published("deck", 16, "parameters"))
    assert str(shapes.lines_of_code()) == "três" == str(shapes.projections())
    assert str(shapes.row_sum()) == "1"


def test_slide_16_difference_to_pytorch():
    """Last-bit: the source prints 1,2 × 10⁻⁷, one float32 grain; another processor may differ by a few of them."""
    torch = pytest.importorskip("torch")
    assert published("deck", 16, "difference_below") == "1,2 × 10⁻⁷"
    difference = shapes_experiment.difference()
    assert difference < shapes.difference_below().value < 10 * torch.finfo(torch.float32).eps
    assert str(shapes.difference_below()).endswith("10⁻⁷")


@given(small, small, small, small)
def test_shapes_of_real_arrays(n, d, d_k, d_v):
    found = shapes.tensors(n, d, d_k, d_v)
    array = {name: np.ones(found[name]) for name in ("X", "W_Q", "W_K", "W_V")}
    Q, K, V = (array["X"] @ array[name] for name in ("W_Q", "W_K", "W_V"))
    A = attention.weights(Q, K)
    assert [found[name] for name in ("Q", "K", "V", "S", "A", "O")] == [Q.shape, K.shape, V.shape, A.shape, A.shape, (A @ V).shape]


@given(small, small, small, small)
def test_symbols_and_numbers_tell_the_same(n, d, d_k, d_v):
    sizes = (n, d, d_k, d_v)
    size_of = dict(zip(shapes.SYMBOLS, sizes))
    for name, symbols in shapes.tensors(*shapes.SYMBOLS).items():
        assert tuple(size_of[symbol] for symbol in symbols) == shapes.tensors(*sizes)[name]


def test_matrices_that_do_not_fit():
    with pytest.raises(ValueError, match="n × d_k doesn't fit one of n × d_k"):
        shapes.product(("n", "d_k"), ("n", "d_k"))


def test_the_table_by_hand():
    rows = shapes.shapes_table().texts()
    assert [row[1] for row in rows] == [
        r"$n \times d$",
        r"$d \times d_k$",
        r"$d \times d_v$",
        r"$n \times d_k$",
        r"$n \times d_v$",
        r"$n \times n$",
        r"$n \times n$",
        r"$n \times d_v$",
    ]
    assert rows[6][2].endswith("soma 1")


@given(st.floats(0, 1, exclude_max=True))
def test_a_bound_is_above_and_close(difference):
    bound = shapes.bound_on(difference)
    assert difference < bound or bound == pytest.approx(difference)
    assert bound <= max(difference, 2**-23) * 1.1 + 1e-12 or bound == pytest.approx(max(difference, 2**-23) * 1.1)


def test_a_bound_by_hand():
    assert shapes.bound_on(2**-23) == pytest.approx(1.2e-7)
    assert shapes.bound_on(0.0) == pytest.approx(1.2e-7)
    assert shapes.bound_on(1.79e-7) == pytest.approx(1.8e-7)
    assert shapes.bound_on(1.234e-6) == pytest.approx(1.3e-6) and shapes.bound_on(1.234e-6, 3) == pytest.approx(1.24e-6)


def test_three_lines_against_pytorch():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(1)
    Q, K, V = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=(7, 2))
    theirs = torch.nn.functional.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V))).numpy()
    assert shapes_experiment.head(Q, K, V) == pytest.approx(theirs, rel=1e-12)
    assert shapes_experiment.head(Q, K, V) == pytest.approx(attention.attention(Q, K, V), rel=1e-12)


def test_statements_leave_the_docstring_out():
    def two() -> int:
        """Not counted."""
        assert True
        return 1

    assert shapes_experiment.statements(two) == 2


def test_parameters_of_other_sizes_and_what_would_grow():
    assert shapes.parameters_in_words(shapes.Sizes(3, 4, 2, 1)) == "4·2 + 4·2 + 4·1 = 20"
    assert shapes.parameters_do_not_grow.check(lambda sizes: sizes.n).values == {"parameters": [6, 60]}


def test_the_drawn_chain_names_every_tensor_and_shape():
    picture = chain.chain()
    for shape in ("X (n × d)", "Q (n × d_k)", "K (n × d_k)", "V (n × d_v)", "S (n × n)", "A (n × n)", "O (n × d_v)"):
        assert shape in picture.alt
    assert {box.tensor for box in chain.BOXES} == {"X", "Q", "K", "V", "S", "A", "O"}


def test_projections_and_lines_are_feminine(monkeypatch):
    monkeypatch.setattr(shapes, "LEARNED", shapes.LEARNED[:2])
    monkeypatch.setattr(shapes_experiment, "statements", lambda _: 2)
    assert str(shapes.projections()) == str(shapes.lines_of_code()) == "duas"


def test_a_difference_counts_anywhere_and_on_either_side(monkeypatch):
    pytest.importorskip("torch")
    head = shapes_experiment.head
    one = np.zeros((6, 4))
    one[2, 1] = 1
    for by in (one, -one):
        monkeypatch.setattr(shapes_experiment, "head", lambda *arrays, by=by: head(*arrays) + by)
        assert shapes_experiment.difference.__wrapped__() == pytest.approx(1, abs=1e-5)


def test_both_heads_get_the_drawn_projections_over_the_root_of_d(monkeypatch):
    pytest.importorskip("torch")
    head, given_arrays = shapes_experiment.head, []
    monkeypatch.setattr(shapes_experiment, "head", lambda *arrays: (given_arrays.extend(arrays), head(*arrays))[1])
    shapes_experiment.difference.__wrapped__()
    X, *drawn = random_draws.drawn(shapes_experiment.lab().draw).values()
    assert X.shape == (6, 16) and len(given_arrays) == len(drawn) == 3
    for projected, W in zip(given_arrays, drawn):
        assert projected == pytest.approx(X @ W / 4, rel=1e-5, abs=1e-6)
