"""The checkpoint of section 10: a head that learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from figures.kit.checkpoints import Output, Part, Probe, Rule
from figures.lab import inputs, training
from figures.lab.checks.draws import Draws


def teach(seed: int | None = None) -> tuple[Part | Rule, ...]:
    """How a student reads the weight on the token before, and the weights of the head that the student trained."""
    draws, n = Draws(seed), inputs.records().teach.tokens
    drawn = [inputs.masked_weights()] if seed is None else []
    drawn += [draws.weights(size) for size in draws.sizes(2, 4, 9)]
    return (
        Part(
            "no_anterior",
            ("A",),
            (Output("no_anterior", training.previous_weight, READ, equal=1e-6),),
            tuple(Probe((A,)) for A in drawn),
        ),
        Rule("aprendida", (n, n), training.judged),
    )


READ: dict[str, Callable[..., Any]] = {
    "on_itself": lambda A: np.diagonal(A).mean(),
    "on_next": lambda A: np.diagonal(A, offset=1).mean(),
    "two_back": lambda A: np.diagonal(A, offset=-2).mean(),
    "on_first": lambda A: A[1:, 0].mean(),
    "on_first_of_all": lambda A: A[:, 0].mean(),
    "on_second": lambda A: A[1:, 1].mean(),
    "summed": lambda A: np.diagonal(A, offset=-1).sum(),
    "over_n": lambda A: np.diagonal(A, offset=-1).sum() / len(A),
    "largest": lambda A: A.max(axis=-1).mean(),
    "largest_before": lambda A: np.diagonal(A, offset=-1).max(),
    "smallest_before": lambda A: np.diagonal(A, offset=-1).min(),
    "middle_before": lambda A: np.median(np.diagonal(A, offset=-1)),
    "one_weight": lambda A: A[1, 0],
    "last_weight": lambda A: A[-1, -2],
    "without_first": lambda A: np.diagonal(A, offset=-1)[1:].mean(),
    "without_last": lambda A: np.diagonal(A, offset=-1)[:-1].mean(),
    "mean_of_all": lambda A: A.mean(),
    "mean_of_lower": lambda A: A[np.tril_indices(len(A), -1)].mean(),
    "not_averaged": lambda A: np.diagonal(A, offset=-1),
}
