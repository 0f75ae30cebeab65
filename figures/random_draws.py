"""The random arrays of the lab's measured examples: seeds from data/draws.yml, numbers from torch, kept between builds.

Only draws; what is computed from an array belongs to the topic that asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from figures.kit import readings
from figures.kit.arrays import Array
from figures.kit.data import Natural, Positive, Record, load, one
from figures.kit.slow import slow


class Draw(Record):
    """One seed, and the arrays of standard normals drawn after it, in order: the shape of each by its name."""

    id: str
    seed: Natural
    precision: Literal["float32", "float64"]
    arrays: dict[str, tuple[Positive, ...]]

    def faults(self) -> Iterator[str]:
        counts = sorted({len(shape) for shape in self.arrays.values()})
        if len(counts) > 1 or counts[0] not in (1, 2):
            yield f"`arrays` must all be vectors or all matrices, and have {', '.join(map(str, counts))} sizes"

    @property
    def request(self) -> tuple[int, str, tuple[tuple[int, ...], ...]]:
        return self.seed, self.precision, tuple(self.arrays.values())


def records() -> tuple[Draw, ...]:
    """The records, as `data/draws.yml` has them."""
    return load("draws", tuple[Draw, ...])


def drawn(id: str) -> dict[str, Array]:
    """The arrays of one draw by name.

    >>> drawn("rotated-pair")["q"].shape
    (8,)
    """
    draw = one(records(), lambda record: record.id, id, "data/draws.yml")
    readings.seed("draws.yml", draw.seed)
    flat = normals(*draw.request)
    return {name: np.array(numbers, dtype=draw.precision).reshape(shape) for (name, shape), numbers in zip(draw.arrays.items(), flat)}


@slow("drawing the inputs of the lab", calls=lambda: [record.request for record in records()])
def normals(seed: int, precision: str, shapes: tuple[tuple[int, ...], ...]) -> list[list[float]]:
    """Standard normals from torch's generator, each array flat.

    >>> round(normals(0, "float32", ((8,),))[0][0], 4)
    1.541
    """
    import torch

    torch.manual_seed(seed)
    kind = getattr(torch, precision)
    return [torch.randn(*shape, dtype=kind).flatten().tolist() for shape in shapes]
