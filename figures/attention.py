"""Scaled dot-product attention, forward and back, and its masks: the one implementation that the whole lecture uses.

Shapes: Q (…, n, d_k), K (…, m, d_k), V (…, m, d_v), with any leading dimensions (batch, heads). Knows no example and
shows nothing. Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figures.kit.arrays import Array, Booleans, Integers


class Gradients(NamedTuple):
    """The way back through one head, each of the shape of what it is the gradient of."""

    Q: Array
    K: Array
    V: Array
    scores: Array


def softmax(scores: Array) -> Array:
    """Each row of `scores` as weights that sum to 1; a score of -inf gets weight 0.

    >>> softmax([0, 0]).tolist()
    [0.5, 0.5]
    """
    scores = np.asarray(scores)
    largest = scores.max(axis=-1, keepdims=True)
    if np.isneginf(largest).any():
        raise ValueError("a row of scores is -inf throughout: that position sees nothing, so it has no weights")
    exponentials = np.exp(scores - largest)
    weights: Array = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights


def scores(Q: Array, K: Array, scale: bool = True) -> Array:
    """One score for each pair of a query and a key, (…, n, m): QKᵀ, divided by √d_k unless `scale` is off.

    >>> scores([[3, 4]], [[3, 4], [0, 0]], scale=False).tolist()
    [[25, 0]]
    """
    products: Array = np.asarray(Q) @ np.swapaxes(np.asarray(K), -1, -2)
    return products / _root(products, np.asarray(K).shape[-1]) if scale else products


def _root(like: Array, d_k: int) -> np.floating:
    """√d_k in the precision of `like`, so that float32 stays float32; whole numbers count as float64."""
    root: np.floating = np.sqrt(d_k, dtype=_precision(like))
    return root


def _precision(like: Array) -> np.dtype:
    return np.result_type(like, np.float32)


def weights(Q: Array, K: Array, mask: Array | None = None, scale: bool = True) -> Array:
    """The attention weights, (…, n, m); `mask` is added to the scores.

    >>> weights([[1, 0]], [[1, 0], [1, 5]]).tolist()
    [[0.5, 0.5]]
    """
    raw = scores(Q, K, scale)
    return softmax(raw if mask is None else raw + np.asarray(mask, _precision(raw)))


def attention(Q: Array, K: Array, V: Array, mask: Array | None = None, scale: bool = True) -> Array:
    """softmax(QKᵀ/√d_k + mask) V, (…, n, d_v): each output is the mean of all values, weighted.

    >>> attention([[1, 0]], [[1, 0], [1, 5]], [[2, 0], [4, 0]]).tolist()
    [[3.0, 0.0]]
    """
    mixed: Array = weights(Q, K, mask, scale) @ np.asarray(V)
    return mixed


def softmax_backward(weights: Array, gradient: Array) -> Array:
    """∂L/∂S from ∂L/∂A: A ⊙ (∂L/∂A − the row's weighted mean of ∂L/∂A). Each row sums to 0."""
    mean = (gradient * weights).sum(axis=-1, keepdims=True)
    back: Array = weights * (gradient - mean)
    return back


def backward(dO: Array, Q: Array, K: Array, V: Array) -> Gradients:
    """The gradients of L with respect to Q, K, V and the scores, from ∂L/∂O (…, n, d_v); no mask."""
    A = weights(Q, K)
    root = _root(A, np.asarray(K).shape[-1])
    dS = softmax_backward(A, dO @ np.swapaxes(V, -1, -2))
    return Gradients(Q=dS @ K / root, K=np.swapaxes(dS, -1, -2) @ Q / root, V=np.swapaxes(A, -1, -2) @ dO, scores=dS)


def additive(allowed: Booleans) -> Array:
    """A mask to add to scores: 0 where `allowed`, -inf elsewhere.

    >>> additive(np.array([True, False])).tolist()
    [0.0, -inf]
    """
    return np.where(allowed, 0.0, -np.inf)


def causal(n: int) -> Array:
    """(n, n): position i sees the positions up to i.

    >>> causal(2).tolist()
    [[0.0, -inf], [0.0, 0.0]]
    """
    return additive(np.tri(n, dtype=bool))


def padding(real: Booleans) -> Array:
    """(n, n) from n marks: every position sees the real tokens only."""
    return additive(np.broadcast_to(real, (len(real), len(real))))


def sliding(n: int, window: int) -> Array:
    """(n, n): causal, and no more than `window` positions back.

    >>> sliding(3, 1)[2].tolist()
    [-inf, 0.0, 0.0]
    """
    back = np.subtract.outer(np.arange(n), np.arange(n))
    return additive((back >= 0) & (back <= window))


def document(documents: Integers) -> Array:
    """(n, n) from the document of each token: causal, and never into another document."""
    documents = np.asarray(documents)
    return additive(np.tri(len(documents), dtype=bool) & (documents[:, None] == documents[None, :]))
