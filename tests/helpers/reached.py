"""Which lines of figures/ each test runs, by itself and with nothing remembered: what mutants.py asks of a fault's line."""

from __future__ import annotations

import functools
import gc
import json
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import faults
import pytest
from _pytest.runner import runtestprotocol
from faults import Fault

MEASURED = ("smollm2.measure", "cost_experiment.timing")  # minutes each: their stored results serve every trial


class Ran(NamedTuple):
    """What became of one test: whether it passed, and the seconds that it worked, while its lines were noted."""

    passed: bool
    seconds: float


class Runs:
    """How each test goes without a fault, and which of them run a line."""

    def __init__(self, items: list[pytest.Item], at_once: int) -> None:
        self.of: dict[str, Ran] = {}
        self._by_line: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        with tempfile.TemporaryDirectory() as name:
            files = [Path(name) / f"{n}.json" for n in range(at_once)]
            pids = [forked(functools.partial(_write_runs, items[n::at_once], file)) for n, file in enumerate(files)]
            for pid in pids:
                os.waitpid(pid, 0)
            for file in files:
                self._read(json.loads(file.read_text(encoding="utf-8")))

    def _read(self, written: Any) -> None:
        self.of |= {name: Ran(*ran) for name, ran in written["runs"].items()}
        for file, lines in written["lines"].items():
            for line, names in lines.items():
                self._by_line[file, int(line)].update(names)

    @property
    def failing(self) -> list[str]:
        return sorted(name for name, ran in self.of.items() if not ran.passed)

    def reaching(self, fault: Fault) -> set[str]:
        """The tests that run a line of the fault."""
        return set().union(*(self._by_line.get((faults.path(fault.module), line), ()) for line in fault.lines))


def _write_runs(items: list[pytest.Item], file: Path) -> None:
    forget_stored()
    tracer = coverage.Coverage(data_file=None, config_file=False, include=[f"{faults.FIGURES}/*"])
    tracer.start()
    runs = {item.nodeid: _run(item, tracer) for item in items}
    tracer.stop()
    data = tracer.get_data()
    lines = {name: data.contexts_by_lineno(name) for name in data.measured_files()}
    file.write_text(json.dumps({"runs": runs, "lines": lines}), encoding="utf-8")


def _run(item: pytest.Item, tracer: coverage.Coverage) -> Ran:
    forget()
    tracer.switch_context(item.nodeid)
    start = time.process_time()
    return Ran(passes(item), time.process_time() - start)


def passes(item: pytest.Item, following: pytest.Item | None = None) -> bool:
    return not any(report.failed for report in runtestprotocol(item, nextitem=following, log=False))


def forked(work: Callable[[], None]) -> int:
    """Does this in a process of its own, which ends with 0 if nothing is raised; gives the process."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    with suppress(BaseException):
        work()
        code = 0
    os._exit(code)


# What is remembered


@functools.cache
def caches() -> list[Any]:
    """Every cache of figures/."""
    return [cache for cache in _all(functools._lru_cache_wrapper) if cache.__module__.startswith("figures")]


def forget() -> None:
    for cache in caches():
        cache.cache_clear()


def _all(kind: type) -> Iterator[Any]:
    return (thing for thing in gc.get_objects() if isinstance(thing, kind))


@functools.cache
def keys() -> dict[tuple[str, tuple[Any, ...]], str]:
    """The key of every stored result, which takes a while to find: by the function's name and its arguments."""
    from figures.kit import slow

    return {(name, args): slow.key(name, args) for name, entry in slow.registry.items() for args in entry.calls()}


@functools.cache
def stored_by(module: str | None) -> frozenset[str]:
    """The functions with stored results that reach a module of figures/, or all of them, but for what takes minutes."""
    from figures.kit import dependencies, slow
    from figures.kit.files import ROOT

    made_in = {name: entry.function.__module__ for name, entry in slow.registry.items() if name not in MEASURED}
    return frozenset(
        name for name, maker in made_in.items() if not module or faults.imported_as(module) in dependencies.reached([maker], ROOT)
    )


def forget_stored(module: str | None = None) -> None:
    """Stored results, of what reaches this module or of all, are not found, as they would not be had the file been edited."""
    from figures.kit import slow

    key, known, changed = slow.key, keys(), stored_by(module)

    def other(name: str, args: tuple[Any, ...] = ()) -> str:
        return (known.get((name, args)) or key(name, args)) + ("-fault" if name in changed else "")

    slow.key = other
