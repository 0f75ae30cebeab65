"""The checkpoint of section 5: two masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import attention
from figures.kit.arrays import Array
from figures.kit.checkpoints import Part
from figures.lab import inputs


def masks() -> tuple[Part, ...]:
    """The two masks of slide "Quatro máscaras" that the lab builds, each from a student's function."""
    n, real = inputs.filled()
    causal, padding = attention.causal(n), attention.padding(real)
    allowed, seen = causal == 0, padding == 0
    shared: dict[str, Any] = {"infinite": True, "read": lambda value: as_mask(value, n), "equal": 1e-9}
    return (
        Part(
            "causal",
            causal,
            {
                "forgot_mask": np.zeros((n, n)),
                "hides_the_past": causal.T,
                "hides_itself": attention.additive(np.tri(n, k=-1, dtype=bool)),
                "inverted": attention.additive(~allowed),
                "multiplies": allowed,
                "truth_of_hidden": ~allowed,
            },
            call=lambda function: function(n),
            takes="`causal(n)`, com n inteiro",
            **shared,
        ),
        Part(
            "padding",
            padding,
            {
                "forgot_mask": np.zeros((n, n)),
                "hides_queries": padding.T,
                "inverted": attention.additive(~seen),
                "multiplies": seen,
                "truth_of_hidden": ~seen,
            },
            call=lambda function: function(real.copy()),
            takes="`padding(real)`, com um array de n booleanos",
            **shared,
        ),
    )


def as_mask(value: Array, n: int) -> Array:
    """A mask as (n, n), a row or a column of it repeated; what is below −10⁴ hides as well as −∞.

    >>> as_mask(np.array([0, -1e9]), 2).tolist()
    [[0.0, -inf], [0.0, -inf]]
    """
    hidden = np.where(value < -1e4, -np.inf, value)
    return np.broadcast_to(hidden, (n, n)) if hidden.shape in {(n,), (1, n), (n, 1)} else hidden
