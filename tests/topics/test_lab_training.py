"""Section 10's head: how it is trained, and what it learns, judged by where it looks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from figures import (
    attention,
)
from figures.kit import data
from figures.kit.checkpoints import judge
from figures.lab import checks, inputs, training

N = inputs.records().teach.tokens


def looking_back(weights: dict[int, float]) -> np.ndarray:
    """Causal weights that give so much to the token so many positions back, the rest to oneself."""
    A = np.zeros((N, N))
    for t in range(N):
        for back, weight in weights.items():
            A[t, max(t - back, 0)] += weight
        A[t, t] += 1 - sum(weights.values())
    return A


@pytest.mark.parametrize(
    ("A", "judged"),
    [
        (looking_back({1: 0.97}), "right"),
        (looking_back({1: 0.7}), "near"),
        (looking_back({}), "itself"),
        (looking_back({N: 1.0}), "first"),
        (looking_back({2: 0.4, 3: 0.4}), "nowhere"),
        (looking_back({2: 0.9}), "further_back"),
        (looking_back({1: 0.97}).T, "columns"),
        (looking_back({1: 0.97}) * 3, "not_weights"),
        (np.full((N, N), 1 / N), "sees_ahead"),
    ],
)
def test_a_head_is_judged_by_where_it_looks(A: np.ndarray, judged: str):
    assert training.judged(A) == judged
    ((_, found),) = judge(checks.teach()[1], A)
    assert found.status == (judged if judged in ("right", "near") else "mistake")


@pytest.mark.parametrize(("shift", "judged"), [(1, "right"), (0, "itself")])
def test_a_head_learns_what_it_is_asked(shift: int, judged: str):
    assert training.judged(training.train(lambda ids: ids.roll(shift, dims=1))) == judged


def test_a_target_of_another_shape_is_told():
    with pytest.raises(training.WrongTarget, match="devia devolver a de `ids`"):
        training.train(lambda ids: ids[:, 1:])


def test_a_head_s_tables_are_drawn_to_scale() -> None:
    size = inputs.records().teach
    p = training.parameters(size)
    d = size.width
    assert {name: tuple(tensor.shape) for name, tensor in p.items()} == {
        "E": (size.vocabulary, d), "P": (size.tokens, d), "W_Q": (d, d), "W_K": (d, d), "W_V": (d, d), "W_O": (d, size.vocabulary),
        "mascara": (size.tokens, size.tokens),
    }  # fmt: skip
    for name in ("W_Q", "W_K", "W_V", "E"):
        assert float(p[name].detach().std()) == pytest.approx(d**-0.5, rel=0.1) and p[name].requires_grad
    mask = p["mascara"].numpy()
    assert np.array_equal(mask == 0, np.tri(size.tokens, dtype=bool)) and np.isneginf(mask[0, 1])


def test_the_little_head_is_attention() -> None:
    import torch

    p = training.parameters(inputs.records().teach)
    ids = torch.arange(inputs.records().teach.tokens)[None] % 5
    with torch.inference_mode():
        answers, A = training.aprendiz(p, ids)
        x = (p["E"][ids] + p["P"]).numpy()
        Q, K, V = (x @ p[name].numpy() for name in ("W_Q", "W_K", "W_V"))
    expected = attention.weights(Q, K, attention.causal(Q.shape[1]))
    assert np.allclose(A, expected, atol=1e-6) and np.allclose(answers, expected @ V @ p["W_O"].detach().numpy(), atol=1e-5)


def test_what_is_below_zero_is_not_asked() -> None:
    import torch

    ids = torch.zeros((1, 3), dtype=torch.long)
    assert training.as_ids([[-7, -1, 3]], ids, 16).tolist() == [[-1, -1, 3]]


def looking(n: int, at: Any) -> np.ndarray:
    """Weights (n, n) whose row t looks at `at(t)`."""
    A = np.zeros((n, n))
    for t in range(n):
        A[t, at(t)] = 1.0
    return A


def mixed(share: float, n: int = 6) -> np.ndarray:
    """So much of each row on the token before, the rest on the first two rows' own places."""
    before, own = looking(n, lambda t: max(t - 1, 0)), looking(n, lambda t: t)
    return share * before + (1 - share) * own


def test_a_head_is_judged_on_both_sides_of_each_limit() -> None:
    teach = inputs.records().teach
    assert training.judged(mixed(teach.learnt_from + 1e-6)) == "right" and training.judged(mixed(teach.learnt_from - 1e-3)) == "near"
    assert training.judged(mixed(teach.near_from + 1e-6)) == "near" and training.judged(mixed(0.3)) == "itself"
    assert training.judged(looking(6, lambda t: 0)) == "first" and training.judged(looking(6, lambda t: max(t - 2, 0))) == "further_back"
    ahead = looking(4, lambda t: min(t + 1, 3))
    assert training.judged(ahead) == "sees_ahead" and training.judged(mixed(1.0) * 0.9) == "not_weights"
    columns = np.tril(np.ones((3, 3)))
    assert training.judged(columns / columns.sum(axis=0)) == "columns"


def test_the_mean_weight_on_the_token_before() -> None:
    assert training.previous_weight(mixed(0.7)) == pytest.approx(0.7)


def test_the_head_is_fed_ids_of_the_seed_after_its_tables_and_leaves_out_what_is_not_asked() -> None:
    import torch

    size = data.changed(inputs.records().teach, steps=2, batch=3)
    fed: list[torch.Tensor] = []

    def before(ids: torch.Tensor) -> torch.Tensor:
        fed.append(ids)
        return torch.cat([torch.full_like(ids[:, :1], -1), ids[:, :-1]], dim=1)

    A = training.train(before, size=size)
    random = torch.Generator().manual_seed(size.seed + 1)
    expected = [torch.randint(size.vocabulary, (3, size.tokens), generator=random) for _ in range(2)]
    assert len(fed) == 2 and all(torch.equal(*pair) for pair in zip(fed, expected))
    assert A.shape == (size.tokens, size.tokens) and np.allclose(A.sum(axis=1), 1)


def test_a_head_s_limits_are_the_head_s() -> None:
    """On the very limit a head has learnt, is near, looks at itself or at the first; the share is of rows 2 to n, or 3 to n."""
    assert training.judged(np.array([[1.0, 0.0], [0.9, 0.1]])) == "right"
    assert training.judged(np.array([[1.0, 0.0], [0.5, 0.5]])) == "near"
    quarter = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    assert training.judged(np.array([*quarter, [0.25, 0.25, 0.5]])) == "itself"
    assert training.judged(np.array([quarter[0], [0.25, 0.75, 0.0], [0.25, 0.5, 0.25]])) == "itself"
    assert training.judged(np.array([*quarter, [0.5, 0.25, 0.25]])) == "first"
    assert training.judged(np.array([*quarter, [0.49, 0.26, 0.25]])) == "nowhere"


def test_the_first_token_s_own_row_says_nothing_of_where_a_head_looks() -> None:
    spread = np.array([[1.0, 0, 0, 0], [0.7, 0.3, 0, 0], [0.3, 0.2, 0.5, 0], [0.5, 0.25, 0, 0.25]])
    assert training.judged(spread) == "nowhere"  # 0.35 on themselves without row 1, 0.4 on the first from row 3 on
    assert training.judged(np.array([*spread[:2], [0.6, 0.2, 0.2, 0], [0.4, 0.25, 0, 0.35]])) == "first"


@pytest.mark.parametrize(("ahead", "judged"), [(1e-3, "right"), (2e-3, "sees_ahead")])
def test_a_little_weight_ahead_is_rounding(ahead: float, judged: str) -> None:
    assert training.judged(np.array([[1 - ahead, ahead], [1.0, 0.0]])) == judged
