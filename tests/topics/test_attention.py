"""Attention by hand, against PyTorch and finite differences, and by the laws that every input obeys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures import attention

SIZES = st.integers(1, 6)
SEEDS = st.integers(0, 2**32 - 1)


def normals(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


@st.composite
def heads(draw) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Q, K, V and a gradient of the output, with up to two leading dimensions, queries and keys of different numbers."""
    lead = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))
    n, m, d_k, d_v = (draw(SIZES) for _ in range(4))
    Q, K, V, dO = normals(draw(SEEDS), (*lead, n, d_k), (*lead, m, d_k), (*lead, m, d_v), (*lead, n, d_v))
    return Q * draw(st.floats(0.1, 5)), K, V, dO


# By hand


def test_two_keys_by_hand():
    """Scores 2 ln 3 and 0 over √4: weights 3/4 and 1/4."""
    Q, K, V = np.array([[1.0, 0, 0, 0]]), np.array([[2 * np.log(3), 0, 0, 0], [0, 0, 0, 0]]), np.array([[4.0], [8.0]])
    np.testing.assert_allclose(attention.weights(Q, K), [[0.75, 0.25]])
    np.testing.assert_allclose(attention.attention(Q, K, V), [[5.0]])


def test_without_the_division_by_hand():
    np.testing.assert_allclose(attention.scores([[1.0, 2]], [[3.0, 4]], scale=False), [[11]])
    np.testing.assert_allclose(attention.scores([[1.0, 2]], [[3.0, 4]]), [[11 / np.sqrt(2)]])


def test_whole_numbers_are_divided_as_numbers():
    np.testing.assert_allclose(attention.scores([[1, 2]], [[1, 1]]), [[3 / np.sqrt(2)]])
    np.testing.assert_array_equal(attention.weights([[1, 2]] * 2, [[1, 1]] * 2, attention.causal(2), scale=False), [[1, 0], [0.5, 0.5]])


def test_softmax_does_not_overflow():
    np.testing.assert_array_equal(attention.softmax(np.array([1e308, 0.0])), [1, 0])


def test_a_position_that_sees_nothing_is_refused():
    with pytest.raises(ValueError, match="sees nothing"):
        attention.attention(np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)), attention.padding(np.array([False, False])))
    with pytest.raises(ValueError, match="sees nothing"):
        attention.softmax(np.array([[0.0, 1.0], [-np.inf, -np.inf]]))


def test_single_precision_stays_single():
    Q, K, V, dO = (M.astype(np.float32) for M in normals(0, (3, 4), (3, 4), (3, 2), (3, 2)))
    made = [attention.attention(Q, K, V, attention.causal(3)), *attention.backward(dO, Q, K, V)]
    assert {array.dtype for array in made} == {np.dtype(np.float32)}


def test_masks_by_hand():
    x = -np.inf
    np.testing.assert_array_equal(attention.causal(3), [[0, x, x], [0, 0, x], [0, 0, 0]])
    np.testing.assert_array_equal(attention.padding(np.array([True, True, False])), [[0, 0, x]] * 3)
    np.testing.assert_array_equal(attention.sliding(4, 1), [[0, x, x, x], [0, 0, x, x], [x, 0, 0, x], [x, x, 0, 0]])
    np.testing.assert_array_equal(attention.document(np.array([7, 7, 2])), [[0, x, x], [0, 0, x], [x, x, 0]])


# Against PyTorch and finite differences


def by_torch(Q, K, V, **options):
    torch = pytest.importorskip("torch")
    sdpa = torch.nn.functional.scaled_dot_product_attention
    return sdpa(*(torch.from_numpy(M) for M in (Q, K, V)), **options)


@given(heads())
def test_equals_pytorch(drawn):
    Q, K, V, _ = drawn
    np.testing.assert_allclose(attention.attention(Q, K, V), by_torch(Q, K, V).numpy(), rtol=1e-9, atol=1e-12)


@given(heads())
def test_without_the_division_equals_pytorch_with_scale_one(drawn):
    Q, K, V, _ = drawn
    expected = by_torch(Q, K, V, scale=1.0).numpy()
    np.testing.assert_allclose(attention.attention(Q, K, V, scale=False), expected, rtol=1e-9, atol=1e-12)


@given(SIZES, SIZES, SEEDS, st.integers(0, 6), st.data())
def test_masks_equal_pytorch(n, d, seed, window, data):
    import torch

    Q, K, V = normals(seed, (2, n, d), (2, n, d), (2, n, d))
    np.testing.assert_allclose(attention.attention(Q, K, V, attention.causal(n)), by_torch(Q, K, V, is_causal=True).numpy(), atol=1e-12)
    real = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any)))
    documents = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    pairs = [(i, j) for i in range(n) for j in range(n)]
    seen = {
        "padding": (attention.padding(real), [real[j] for _, j in pairs]),
        "sliding": (attention.sliding(n, window), [0 <= i - j <= window for i, j in pairs]),
        "document": (attention.document(documents), [j <= i and documents[i] == documents[j] for i, j in pairs]),
    }
    for name, (mask, allowed) in seen.items():
        expected = by_torch(Q, K, V, attn_mask=torch.tensor(np.array(allowed).reshape(n, n))).numpy()
        np.testing.assert_allclose(attention.attention(Q, K, V, mask), expected, atol=1e-12, err_msg=name)


@given(heads())
def test_backward_equals_autograd(drawn):
    import torch

    Q, K, V, dO = (torch.from_numpy(M).requires_grad_() for M in drawn)
    S = Q @ K.mT / K.shape[-1] ** 0.5
    S.retain_grad()
    (torch.softmax(S, -1) @ V).backward(dO)
    found = attention.backward(drawn[3], *drawn[:3])
    for ours, theirs in zip(found, (Q.grad, K.grad, V.grad, S.grad)):
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-8, atol=1e-11)


@given(heads())
def test_backward_equals_finite_differences(drawn):
    *inputs, dO = drawn
    gradients = attention.backward(dO, *inputs)
    for M, gradient in zip(inputs, gradients):
        for at in np.ndindex(M.shape):
            here, step, sides = M[at], 1e-6, []
            for moved in (here + step, here - step):
                M[at] = moved
                sides.append((dO * attention.attention(*inputs)).sum())
            M[at] = here
            assert gradient[at] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=1e-4, abs=1e-6)


# Laws


@given(heads())
def test_every_row_of_weights_sums_to_one(drawn):
    Q, K, _, _ = drawn
    weights = attention.weights(Q, K)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


@given(heads(), st.floats(-50, 50))
def test_softmax_ignores_a_constant_added_to_a_row(drawn, constant):
    scores = attention.scores(*drawn[:2])
    np.testing.assert_allclose(attention.softmax(scores + constant), attention.softmax(scores), atol=1e-12)


@given(heads())
def test_every_row_of_the_gradient_of_scores_sums_to_zero(drawn):
    *inputs, dO = drawn
    np.testing.assert_allclose(attention.backward(dO, *inputs).scores.sum(axis=-1), 0, atol=1e-12)


@given(heads())
def test_outputs_lie_between_the_values(drawn):
    Q, K, V, _ = drawn
    output = attention.attention(Q, K, V)
    assert (output <= V.max(axis=-2, keepdims=True) + 1e-12).all()
    assert (output >= V.min(axis=-2, keepdims=True) - 1e-12).all()


@given(heads(), SEEDS)
def test_the_order_of_keys_does_not_matter(drawn, seed):
    Q, K, V, _ = drawn
    order = np.random.default_rng(seed).permutation(K.shape[-2])
    shuffled = attention.attention(Q, K[..., order, :], V[..., order, :])
    np.testing.assert_allclose(shuffled, attention.attention(Q, K, V), atol=1e-12)


@given(SIZES, SIZES, SEEDS, SIZES)
def test_causal_the_past_does_not_see_the_future(n, d, seed, position):
    position = min(position, n)
    Q, K, V, other = normals(seed, (n, d), (n, d), (n, d), (n, d))
    before = attention.attention(Q, K, V, attention.causal(n))
    changed = [np.where(np.arange(n)[:, None] < position, M, other) for M in (Q, K, V)]
    after = attention.attention(*changed, attention.causal(n))
    np.testing.assert_array_equal(before[:position], after[:position])


@given(SIZES, st.integers(0, 8))
def test_a_window_as_long_as_the_sentence_is_the_causal_mask(n, more):
    np.testing.assert_array_equal(attention.sliding(n, n - 1 + more), attention.causal(n))
    np.testing.assert_array_equal(attention.document(np.zeros(n, int)), attention.causal(n))


@given(SIZES, SIZES, SIZES, SEEDS)
def test_padded_tokens_change_nothing_under_their_mask(n, extra, d, seed):
    Q, K, V, q, k, v = normals(seed, *[(n, d)] * 3, *[(extra, d)] * 3)
    padded = [np.concatenate(pair) for pair in ((Q, q), (K, k), (V, v))]
    masked = attention.attention(*padded, attention.padding(np.arange(n + extra) < n))
    np.testing.assert_allclose(masked[:n], attention.attention(Q, K, V), atol=1e-12)
