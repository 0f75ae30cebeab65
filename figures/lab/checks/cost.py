"""The checkpoint of section 8: what a layer's scores cost."""

from __future__ import annotations

import math

import numpy as np

from figures import cost, cost_experiment
from figures.kit import data
from figures.kit.checkpoints import Part
from figures.lab import inputs


def bill() -> tuple[Part, ...]:
    """The bytes of a layer's scores, and the longest sequence whose scores fit in a card's memory."""
    section = inputs.records().bill
    h, n, b = section.layer.heads, section.layer.n, section.layer.bytes_per_number
    memory, h_m, b_m = section.memory, section.memory_layer.heads, section.memory_layer.bytes_per_number
    size = score_bytes(h, n, b)
    return (
        Part(
            "bytes_de_S",
            np.array(size),
            {
                "forgot_heads": np.array(size // h),
                "not_squared": np.array(size // n),
                "bits": np.array(size * 8),
                "forgot_bytes": np.array(size // b),
                "half": np.array(size / 2),
                "half_with_diagonal": np.array(h * n * (n + 1) / 2 * b),
            },
            call=lambda function: function(h, n, b),
            takes="`bytes_de_S(h, n, b)`, três inteiros",
            equal=1e-9,
        ),
        Part(
            "maior_n",
            np.array(longest(memory, h_m, b_m)),
            {
                "no_root": np.array(memory // (h_m * b_m)),
                "forgot_heads": np.array(longest(memory, 1, b_m)),
                "forgot_bytes": np.array(longest(memory, h_m, 1)),
                "too_long": np.array(longest(memory, h_m, b_m) + 1),
                "not_whole": np.array(math.sqrt(memory / (h_m * b_m))),
            },
            call=lambda function: function(memory, h_m, b_m),
            takes="`maior_n(memoria, h, b)`, três inteiros",
            equal=1e-9,
        ),
    )


def score_bytes(heads: int, n: int, bytes_per_number: int) -> int:
    """Bytes of a layer's scores, by the function that the deck's slide on the n² bill calls.

    >>> score_bytes(8, 4096, 4)
    536870912
    """
    return cost.score_bytes(data.changed(cost_experiment.layer(), heads=heads, n=n, bytes_per_number=bytes_per_number))


def longest(memory: int, heads: int, bytes_per_number: int) -> int:
    """The largest n whose scores fit.

    >>> longest(16 * 2**30, 8, 4)
    23170
    """
    return math.isqrt(memory // score_bytes(heads, 1, bytes_per_number))
