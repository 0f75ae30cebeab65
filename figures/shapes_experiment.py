"""The lab's section 2: one head for all queries at once, in three lines, set against PyTorch's own attention."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from figures import random_draws
from figures.attention import softmax
from figures.kit import data
from figures.kit.arrays import Array
from figures.kit.slow import slow


class Lab(data.Record):
    """Which of the draws in draws.yml the section uses."""

    source: str
    draw: str


def lab() -> Lab:
    """The records, as `data/shapes.yml` has them."""
    return data.load("shapes", Lab)


def head(Q: Array, K: Array, V: Array) -> Array:
    """Attention of n queries (n, d_k) over m keys (m, d_k) and values (m, d_v), as students write it: (n, d_v)."""
    S = Q @ K.T / np.sqrt(K.shape[-1]).astype(K.dtype)
    A = softmax(S)
    return A @ V


def statements(function: Callable[..., Any]) -> int:
    """How many statements a function's body has, its docstring left out.

    >>> statements(head)
    3
    """
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return len(definition.body) - (ast.get_docstring(definition) is not None)


def sizes() -> dict[str, tuple[int, ...]]:
    """The shapes of what the section draws.

    >>> sizes()["X"]
    (6, 16)
    """
    return _draw().arrays


def _draw() -> random_draws.Draw:
    return data.one(random_draws.records(), lambda draw: draw.id, lab().draw, "data/draws.yml")


@slow("comparing our attention with PyTorch's", files=("shapes.yml", "draws.yml"), seeds=lambda: {"draws.yml": _draw().seed})
def difference() -> float:
    """The largest difference between `head` and F.scaled_dot_product_attention, in float32: about 2⁻²³ here.

    Both get the same Q, K, V, projected by PyTorch; the drawn matrices are divided by √d.
    """
    import torch

    drawn = {name: torch.from_numpy(array) for name, array in random_draws.drawn(lab().draw).items()}
    X = drawn["X"]
    Q, K, V = (X @ (drawn[name] / X.shape[-1] ** 0.5) for name in ("W_Q", "W_K", "W_V"))
    theirs = torch.nn.functional.scaled_dot_product_attention(Q, K, V).numpy()
    return float(np.abs(head(Q.numpy(), K.numpy(), V.numpy()) - theirs).max())
