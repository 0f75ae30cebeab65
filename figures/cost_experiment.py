"""How long one attention layer takes on this processor, written out and as one fused kernel.

Only measures; cost.py shows. Shapes: Q, K, V (heads, n, head_dim), float32.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from figures.kit import data, machine
from figures.kit.slow import slow

if TYPE_CHECKING:
    import torch


MOST = 8 * 10**9


class Layer(data.Record):
    """The layer that is timed; `repeats` runs of each version, after one that doesn't count."""

    heads: data.Positive
    head_dim: data.Positive
    n: data.Positive
    bytes_per_number: data.Positive
    repeats: data.Positive
    seed: data.Natural
    source: str

    def faults(self) -> Iterator[str]:
        size = self.heads * self.n**2 * self.bytes_per_number
        if size > MOST:
            yield f"heads × n² scores are {size} bytes, more than a classroom's machine holds: at most {MOST:.0e}"


class Timing(data.Record):
    """Medians in ms of processor time, so that what else runs counts for nothing, and the largest difference between the two outputs."""

    naive_ms: float
    fused_ms: float
    difference: float
    machine: machine.Machine


def layer() -> Layer:
    """The records, as `data/cost.yml` has them."""
    return data.load("cost", Layer)


def naive(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """softmax(QKᵀ/√d_k) V step by step: the (heads, n, n) scores and weights stand in memory."""
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    output: torch.Tensor = scores.softmax(dim=-1) @ V
    return output


def fused(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """The same by the library's kernel, which never builds the (n, n) matrices."""
    from torch.nn.functional import scaled_dot_product_attention

    return scaled_dot_product_attention(Q[None], K[None], V[None])[0]


@slow("one layer's attention, naive and fused (a few seconds)", files=("cost.yml",), seeds=lambda: {"cost.yml": layer().seed})
def timing() -> Timing:
    """Both versions on the layer of data/cost.yml, one thread."""
    import torch

    timed = layer()
    random = torch.Generator().manual_seed(timed.seed)
    Q, K, V = (torch.randn(timed.heads, timed.n, timed.head_dim, generator=random) for _ in range(3))
    with torch.inference_mode(), machine.one_thread():
        difference = float((naive(Q, K, V) - fused(Q, K, V)).abs().max())
        return Timing(
            naive_ms=_median_ms(lambda: naive(Q, K, V), timed.repeats),
            fused_ms=_median_ms(lambda: fused(Q, K, V), timed.repeats),
            difference=difference,
            machine=machine.here(),
        )


def _median_ms(run: Callable[[], object], repeats: int) -> float:
    taken = []
    for _ in range(repeats):
        started = time.thread_time()
        run()
        taken.append((time.thread_time() - started) * 1000)
    return statistics.median(taken)
