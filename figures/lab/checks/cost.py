"""The checkpoint of section 8: what a layer's scores cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from figures import cost, cost_experiment
from figures.kit import data
from figures.kit.checkpoints import Output, Part, Probe
from figures.lab import inputs
from figures.lab.checks.draws import Draws

GIB, GB = 2**30, 10**9


def bill(seed: int | None = None) -> tuple[Part, ...]:
    """The bytes of a layer's scores, and the longest sequence whose scores fit in a card's memory."""
    draws = Draws(seed)
    section = inputs.records().bill
    layers = [(section.layer.heads, section.layer.n, section.layer.bytes_per_number)] if seed is None else []
    memories = [(section.memory, section.memory_layer.heads, section.memory_layer.bytes_per_number)] if seed is None else []
    for b in (2, 1):
        h, n = draws.one_of([5, 12, 20, 48]), draws.one_of([1000, 3001, 7919])
        layers.append((h, n, b))
        # Just enough, a little more, and one byte less than the next sequence needs.
        memories += [
            (score_bytes(h, n, 4 * b), h, 4 * b),
            (score_bytes(h, n, b) + h * b * n // 3, h, b),
            (score_bytes(h, n + 1, b) - 1, h, b),
        ]
    return (
        Part(
            "bytes_de_S",
            ("h", "n", "b"),
            (Output("bytes_de_S", score_bytes, WEIGHED, equal=1e-9),),
            tuple(Probe(sizes) for sizes in layers),
            alone=("h", "n", "b"),
        ),
        Part(
            "maior_n",
            ("memoria", "h", "b"),
            (Output("maior_n", longest, FITTED, equal=1e-9, growth=1e-3),),
            tuple(Probe(sizes) for sizes in memories),
            alone=("memoria", "h", "b"),
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


WEIGHED: dict[str, Callable[..., Any]] = {
    "forgot_heads": lambda h, n, b: n * n * b,
    "not_squared": lambda h, n, b: h * n * b,
    "forgot_bytes": lambda h, n, b: h * n * n,
    "bits": lambda h, n, b: 8 * h * n * n * b,
    "half": lambda h, n, b: h * n * n * b / 2,
    "half_with_diagonal": lambda h, n, b: h * n * (n + 1) / 2 * b,
    "half_without_diagonal": lambda h, n, b: h * n * (n - 1) / 2 * b,
    "twice": lambda h, n, b: 2 * h * n * n * b,
    "heads_squared": lambda h, n, b: h * h * n * n * b,
    "all_squared": lambda h, n, b: (h * n * b) ** 2,
    "bytes_squared": lambda h, n, b: h * (n * b) ** 2,
    "cubed": lambda h, n, b: h * n**3 * b,
    "in_gib": lambda h, n, b: h * n * n * b / GIB,
    "in_gb": lambda h, n, b: h * n * n * b / GB,
    "divided_by_heads": lambda h, n, b: n * n * b / h,
    "power_of_two": lambda h, n, b: h * 2.0**n * b if n < 1000 else math.inf,
    "doubled_n": lambda h, n, b: h * 2 * n * b,
    "added_up": lambda h, n, b: h + n * n + b,
}


def _root(memory: float) -> int:
    return math.isqrt(int(memory))


FITTED: dict[str, Callable[..., Any]] = {
    "not_whole": lambda memoria, h, b: math.sqrt(memoria / (h * b)),
    "rounded_up": lambda memoria, h, b: math.ceil(math.sqrt(memoria / (h * b))),
    "rounded": lambda memoria, h, b: round(math.sqrt(memoria / (h * b))),
    "too_long": lambda memoria, h, b: longest(memoria, h, b) + 1,
    "too_short": lambda memoria, h, b: longest(memoria, h, b) - 1,
    "no_root": lambda memoria, h, b: memoria // (h * b),
    "half_for_root": lambda memoria, h, b: memoria // (h * b) // 2,
    "forgot_heads": lambda memoria, h, b: longest(memoria, 1, b),
    "forgot_bytes": lambda memoria, h, b: longest(memoria, h, 1),
    "memory_alone": lambda memoria, h, b: longest(memoria, 1, 1),
    "bits": lambda memoria, h, b: _root(memoria // (8 * h * b)),
    "memory_in_bits": lambda memoria, h, b: _root(8 * memoria // (h * b)),
    "twice": lambda memoria, h, b: _root(memoria // (2 * h * b)),
    "heads_outside": lambda memoria, h, b: _root(memoria // b) // h,
    "heads_multiplied": lambda memoria, h, b: _root(memoria * h // b),
    "bytes_multiplied": lambda memoria, h, b: _root(memoria * b // h),
    "all_multiplied": lambda memoria, h, b: _root(memoria * h * b),
    "bytes_outside": lambda memoria, h, b: _root(memoria // h) // b,
    "heads_squared": lambda memoria, h, b: _root(memoria // (h * h)),
    "bytes_squared": lambda memoria, h, b: _root(memoria // (b * b)),
    "added_up": lambda memoria, h, b: _root(memoria // (h + b)),
    "cube_root": lambda memoria, h, b: int((memoria // (h * b)) ** (1 / 3)),
}
