"""Valid arguments for the functions of the lab's gaps, of any size, equal ones too: drawn apart from the checkpoints' own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

ROUNDS = 12


@cache
def inputs(n: int) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """(function, arguments) of a section."""
    return tuple(one for seed in range(ROUNDS) for one in _drawn(n, np.random.default_rng([77, seed])))


def _drawn(n: int, random: np.random.Generator) -> Iterator[tuple[str, tuple[Any, ...]]]:
    def size(low: int = 1, high: int = 8) -> int:
        return int(random.integers(low, high))

    def array(*shape: int) -> np.ndarray:
        return random.normal(size=shape)

    if n == 1:
        d, m = size(), size()
        yield "consulta", (array(d), array(m, d), array(m, size()))
    elif n == 2:
        d, m, q, w, h = size(), size(2), size(2), size(), size()
        mask = np.where((random.random((q, m)) < 0.3) & (np.arange(m) > 0), -np.inf, random.normal(size=(q, m)))
        yield "atencao", (array(q, d), array(m, d), array(m, w))
        yield "atencao", (array(q, d), array(m, d), array(m, w), mask)
        yield "atencao", (array(h, q, d), array(h, m, d), array(h, m, w), mask)
    elif n == 3:
        rows, keys, d = size(5, 30), size(2, 12), size(2, 40)
        for divided in (True, False):
            yield "mede", (array(rows, d), array(rows, keys, d), array(rows, keys), divided)
    elif n == 4:
        q, m, d, w = size(), size(2), size(), size()
        A = np.exp(array(q, m))
        yield "volta", (A / A.sum(axis=1, keepdims=True), array(q, d), array(m, d), array(m, w), array(q, w))
    elif n == 5:
        yield "causal", (size(),)
        real = random.random(size(2)) < 0.6
        real[0] = True
        yield "padding", (real,)
    elif n == 6:
        q = size()
        yield "preve", (array(q, size()), [int(at) for at in random.permutation(q)])
        yield "gira", (array(2 * size()), size(0, 40), [100, 10_000, 2000][size(0, 3)])
    elif n == 7:
        h_kv, group, d_h, q = size(1, 4), size(1, 4), size(1, 5), size(1, 7)
        h = h_kv * group
        yield "gqa", (array(q, h * d_h), array(q, h_kv * d_h), array(q, h_kv * d_h), h, h_kv)
        yield "parametros", (h * size(1, 40), h, h_kv)
    elif n == 8:
        yield "bytes_de_S", (size(1, 64), size(1, 9000), size())
        yield "maior_n", (size(10**6, 10**11), size(1, 64), size())
        h, b, long = size(1, 20), size(), size(1, 30_000)
        yield "maior_n", (h * b * long**2, h, b)
        yield "maior_n", (h * b * long**2 - 1, h, b)
    elif n == 9:
        yield "bytes_por_token", (size(1, 40), size(), size(1, 100), size())
        prompt = [int(id) for id in random.integers(0, 50, size())]
        yield "entrada", (prompt, [int(id) for id in random.integers(0, 50, size(0, 6))])
    elif n == 10:
        raw = np.tril(random.random((q := size(3, 9), q)))
        yield "no_anterior", (raw / raw.sum(axis=1, keepdims=True),)
