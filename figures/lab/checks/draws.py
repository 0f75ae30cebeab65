"""Arguments on which a student's functions are tried beside the section's own: numbers drawn by a seed, no two sizes alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures.kit.arrays import Array

OPEN = 0  # the seed of the notebook's own checkpoints; a grader takes another


class Draws:
    """What one seed gives, a call after the other."""

    def __init__(self, seed: int | None) -> None:
        self._random = np.random.default_rng(OPEN if seed is None else seed)

    def sizes(self, count: int, low: int = 3, high: int = 10) -> list[int]:
        """So many different sizes.

        >>> len(set(Draws(1).sizes(4)))
        4
        """
        return [int(size) for size in self._random.permutation(np.arange(low, high))[:count]]

    def array(self, *shape: int) -> Array:
        """Standard normals."""
        return self._random.normal(size=shape)

    def one_of(self, values: Sequence[int]) -> int:
        """One of these numbers."""
        return int(self._random.choice(values))

    def order(self, n: int) -> list[int]:
        """A shuffle of n positions that isn't its own inverse, so that the two can be told apart."""
        while True:
            order = self._random.permutation(n)
            if (order[order] != np.arange(n)).any():
                return [int(at) for at in order]

    def mask(self, n: int, m: int) -> Array:
        """A mask to add: some pairs forbidden, at least one allowed in each row, the others shifted a little."""
        shift = np.round(self._random.normal(size=(n, m)), 2)
        hidden = self._random.random((n, m)) < 0.4
        hidden[np.arange(n), self._random.integers(0, m, n)] = False
        return np.where(hidden, -np.inf, shift)

    def weights(self, n: int) -> Array:
        """Rows of causal weights that sum to 1."""
        raw = np.tril(self._random.random((n, n)) + 0.1)
        shares: Array = raw / raw.sum(axis=-1, keepdims=True)
        return shares
