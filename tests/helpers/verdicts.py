"""What became of each fault that mutants.py tried: written to a file as it comes, to go on from; and which tests noticed it.

A line of the file: the verdict, the digest of the module's text, the fault's place among its module's, the fault, the test.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections import Counter
from pathlib import Path

import faults
from faults import Fault

SURVIVED, NOTICED, NEVER_ENDED = "survived", "noticed", "never ended"


class Verdicts:
    """The verdicts of this run, and what stood in the file before."""

    def __init__(self, file: Path | None) -> None:
        self.survivors: list[Fault] = []
        self._file = file
        self._noticed_before: set[tuple[str, int, str]] = set()
        self._noticed_by: Counter[tuple[str, str]] = Counter()  # of a module, or a function of it, and a test
        for verdict, text, k, fault, test in map(
            json.loads, file.read_text(encoding="utf-8").splitlines() if file and file.exists() else ()
        ):
            if verdict != SURVIVED:
                self._noticed_before.add((text, k, fault))
                self._count(*_places(fault), test)

    def untried(self, chosen: list[Fault]) -> list[Fault]:
        """Those that no run with this file has noticed, as their modules stand now."""
        return [fault for fault in chosen if (_digest(fault.module), fault.k, str(fault)) not in self._noticed_before]

    def add(self, fault: Fault, verdict: str, test: str) -> None:
        """A fault's verdict, and the test that noticed it."""
        if verdict == SURVIVED:
            self.survivors.append(fault)
        else:
            self._count(*_places(str(fault)), test)
        if self._file:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps([verdict, _digest(fault.module), fault.k, str(fault), test], ensure_ascii=False) + "\n")

    def rank(self, fault: Fault, test: str) -> tuple[int, int]:
        """How soon to ask this test: first those that noticed most faults of the function, then of the module."""
        module, function = _places(str(fault))
        return -self._noticed_by[function, test], -self._noticed_by[module, test]

    def _count(self, module: str, function: str, test: str) -> None:
        self._noticed_by[module, test] += 1
        self._noticed_by[function, test] += 1


def _places(fault: str) -> tuple[str, str]:
    """A fault's module and its function, from what it is called.

    >>> _places("figures/rope.py:31 rotate: 1 → 2")
    ('figures/rope.py', 'figures/rope.py rotate')
    """
    place, function, *_ = fault.split(" ")
    module = place.partition(":")[0]
    return module, f"{module} {function.removesuffix(':')}"


@functools.cache
def _digest(module: str) -> str:
    return hashlib.sha256(Path(faults.path(module)).read_bytes()).hexdigest()[:16]
