"""The lab's section 10: a head with nothing but random numbers, trained until it attends to the token before.

Names in `aprendiz` are Portuguese because students read it. torch is imported inside functions. Ids are (B, n), weights
A (B, n, n); only the student's own target says what is learnt.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.kit import machine
from figures.kit.arrays import Array
from figures.kit.words import Words
from figures.lab.inputs import Teach, records
from figures.model import smollm2

if TYPE_CHECKING:
    import torch

_words = Words("laboratorio")
Head = Callable[[dict[str, "torch.Tensor"], "torch.Tensor"], tuple["torch.Tensor", "torch.Tensor"]]


def aprendiz(p: dict[str, torch.Tensor], ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    x = p["E"][ids] + p["P"]
    Q, K, V = x @ p["W_Q"], x @ p["W_K"], x @ p["W_V"]
    S = Q @ K.transpose(-1, -2) / K.shape[-1] ** 0.5 + p["mascara"]
    A = S.softmax(dim=-1)
    return A @ V @ p["W_O"], A


def source() -> str:
    """The head as the lab shows it: `aprendiz`, its annotations left out."""
    head, _, body = inspect.getsource(aprendiz).partition(":\n")
    return f"{head[: head.index('(')]}(p, ids):\n{body.rstrip()}"


def parameters(size: Teach) -> dict[str, torch.Tensor]:
    """Random tables and projections, and a causal mask: E (vocabulary, d), P (n, d), W_Q, W_K, W_V (d, d), W_O (d, vocabulary)."""
    import torch

    random = torch.Generator().manual_seed(size.seed)
    d = size.width
    shapes = {"E": (size.vocabulary, d), "P": (size.tokens, d)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (d, d))
    shapes["W_O"] = (d, size.vocabulary)
    made = {name: torch.randn(shape, generator=random) / d**0.5 for name, shape in shapes.items()}
    learnt = {name: tensor.requires_grad_() for name, tensor in made.items()}
    return learnt | {"mascara": torch.full((size.tokens, size.tokens), -torch.inf).triu(1)}


def train(target: Callable[[torch.Tensor], torch.Tensor], head: Head = aprendiz, size: Teach | None = None) -> Array:
    """The mean weights (n, n) of the head over fresh ids, after it has learnt to answer `target(ids)` at each position.

    Adam on the cross-entropy; a target below 0 isn't asked for. Raises WrongTarget for a target that names no ids.
    """
    import torch
    from torch.nn.functional import cross_entropy

    size = size or records().teach
    p = parameters(size)
    random = torch.Generator().manual_seed(size.seed + 1)

    optimizer = torch.optim.Adam([tensor for tensor in p.values() if tensor.requires_grad], lr=size.rate)
    with machine.one_thread():
        for _ in range(size.steps):
            ids = _drawn(size, random)
            answers, _ = head(p, ids)
            wanted = as_ids(target(ids.clone()), ids, size.vocabulary)
            loss = cross_entropy(answers.flatten(0, 1), wanted.flatten(), ignore_index=-1)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        with torch.inference_mode():
            _, A = head(p, _drawn(size, random))
    weights: Array = A.mean(dim=0).double().numpy()
    return weights


def batches(size: Teach) -> Array:
    """The ids that a training asks about, (steps, batch, tokens): the same for any target."""
    import torch

    random = torch.Generator().manual_seed(size.seed + 1)
    asked: Array = torch.stack([_drawn(size, random) for _ in range(size.steps)]).numpy()
    return asked


def _drawn(size: Teach, random: torch.Generator) -> torch.Tensor:
    import torch

    return torch.randint(size.vocabulary, (size.batch, size.tokens), generator=random)


class WrongTarget(ValueError):
    """A target that can't be learnt from; its text says what it should have been."""


def as_ids(target: Any, ids: torch.Tensor, vocabulary: int) -> torch.Tensor:
    """A student's target as ids of the shape of `ids`; every number below 0 counts as "not asked"."""
    import torch

    if target is None:
        raise WrongTarget(_words("target.none"))
    try:
        wanted = torch.as_tensor(target)
    except Exception:
        raise WrongTarget(_words("target.kind", kind=type(target).__name__)) from None
    if wanted.shape != ids.shape:
        raise WrongTarget(_words("target.shape", found=tuple(wanted.shape), expected=tuple(ids.shape)))
    if wanted.is_complex() or wanted.max() >= vocabulary:
        raise WrongTarget(_words("target.range", last=vocabulary - 1))
    return wanted.long().clamp(min=-1)


def previous_weight(A: Array) -> float:
    """The mean weight on the token before, rows 2 to n: by the very function that reads SmolLM2's heads for slide 32."""
    import torch

    return smollm2.strongest_previous(torch.from_numpy(np.array(A, np.float64))[None, None])[2]


def judged(A: Array) -> str:
    """What a trained head learnt, as a key of the checkpoints' words: "right", "near", or where it looks instead."""
    teach = records().teach
    if not np.allclose(A.sum(axis=1), 1, atol=1e-3):
        return "columns" if np.allclose(A.sum(axis=0), 1, atol=1e-3) else "not_weights"
    if np.triu(A, 1).max() > 1e-3:
        return "sees_ahead"
    weight = previous_weight(A)
    if weight >= teach.learnt_from:
        return "right"
    if weight >= teach.near_from:
        return "near"
    if float(np.diagonal(A)[1:].mean()) >= teach.near_from:
        return "itself"
    if float(A[2:, 0].mean()) >= teach.near_from:
        return "first"
    behind = [float(np.diagonal(A, offset=-back).mean()) for back in range(2, len(A) - 1)]
    return "further_back" if max(behind, default=0.0) >= teach.near_from else "nowhere"
