"""How many small faults the tests notice: `python tests/helpers/mutants.py --module rope`, or `make mutants`, which tries every one.

Everything is imported once. Then each test is run by itself, to see which lines of figures/ it runs and how long it takes
(reached.py), and each fault is put into a copy of this process, where the tests that run its line are asked, first those that
noticed faults beside it, then the quickest: it is killed when one fails. A trial's time is what its process works, so that
what runs beside it changes no verdict. Needs a system that can fork: Linux or macOS. Writes nothing but the verdicts, with
`--keep FILE`: a run with the same file goes on where the last one stopped, and tries again what survived and what a changed
module holds.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import gc
import importlib.abc
import importlib.machinery
import io
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import faults
import pytest
import reached
import verdicts
from faults import Fault
from hypothesis import Phase, settings
from reached import Runs
from verdicts import Verdicts

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
ROOMS = ("kit", "laws", "topics")  # of tests/: the others see figures/ only through a page, a browser or another process
ASIDE = ("test_lab_notebook.py", "test_mutants.py", "test_mutation.py")  # and so do these
ELSEWHERE = {"browser", "session_folder"}  # the fixtures of such tests
PATIENCE = 10  # how many times as long as without a fault a test may take, and as many seconds more, before it counts as failed
TARGET = 0.98
UNSHRUNK = "unshrunk"  # hypothesis: an example that fails is enough, the smallest isn't looked for


class Trials:
    """A pytest plugin that, in place of running the tests once, runs them for each fault."""

    def __init__(self, chosen: list[Fault], at_once: int, keep: Path | None) -> None:
        self.chosen, self.at_once, self.verdicts = chosen, at_once, Verdicts(keep)
        self.failing = ["(not one test could be run)"]  # until they have been

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if ELSEWHERE.isdisjoint(getattr(item, "fixturenames", ()))]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return False  # a file that can't be imported: pytest_collectreport has its name
        told(f"{len(session.items)} tests, each by itself")
        reached.caches(), reached.keys(), made()  # found once, before any other process
        gc.freeze()  # what all processes share stays shared
        runs = Runs(session.items, self.at_once)
        self.failing = runs.failing or controls(session.items, runs)
        if not self.failing:
            try_each(self.verdicts.untried(self.chosen), session.items, runs, self.verdicts, self.at_once)
        return True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and report.nodeid:
            self.failing.append(report.nodeid)


def controls(items: list[pytest.Item], runs: Runs) -> list[str]:
    """What goes wrong in a trial without a fault, in either way of putting one in; nothing, or no score could be believed."""
    ways = {"in the order of trials": True, "imported anew": False}
    quickest = sorted(items, key=lambda item: runs.of[item.nodeid].seconds)
    pids = {reached.forked(functools.partial(trial, None, in_body, quickest, runs)): way for way, in_body in ways.items()}
    return [f"(without a fault, the tests {pids[pid]})" for pid, status in (os.wait() for _ in ways) if status]


def try_each(untried: list[Fault], items: list[pytest.Item], runs: Runs, kept: Verdicts, at_once: int) -> None:
    """Tries each fault, so many at once, and keeps its verdict."""
    by_name, running = {item.nodeid: item for item in items}, dict[int, Fault]()
    with tempfile.TemporaryDirectory() as folder:
        for tried, fault in enumerate(untried, 1):
            if len(running) == at_once:
                end_one(running, kept, Path(folder))
            reached.stored_by(fault.module)
            names = sorted(runs.reaching(fault), key=lambda name: (*kept.rank(fault, name), runs.of[name].seconds, name))
            asked = [by_name[name] for name in names]
            running[reached.forked(functools.partial(trial, fault, fault.in_body, asked, runs, Path(folder)))] = fault
            if tried % 100 == 0:
                told(f"{tried} of {len(untried)} tried")
        while running:
            end_one(running, kept, Path(folder))


def end_one(running: dict[int, Fault], kept: Verdicts, folder: Path) -> None:
    """Waits for a trial to end and keeps its verdict, with the name of the test that noticed the fault."""
    pid, status = os.wait()
    fault, named = running.pop(pid), folder / str(pid)
    verdict = verdicts.NEVER_ENDED if os.WIFSIGNALED(status) else verdicts.NOTICED if status else verdicts.SURVIVED
    kept.add(fault, verdict, named.read_text(encoding="utf-8") if named.exists() else "")
    named.unlink(missing_ok=True)
    if verdict == verdicts.SURVIVED:
        told(f"survived  {fault}")


def trial(fault: Fault | None, in_body: bool, asked: list[pytest.Item], runs: Runs, folder: Path | None = None) -> None:
    """Fails when a test notices the fault, and leaves the test's name in the folder. To be called in a process of its own."""
    patient(sum(runs.of[item.nodeid].seconds for item in asked))
    if in_body:
        reached.forget()
        reached.forget_stored(fault and fault.module)
        put_in(fault)
        failing = next((item.nodeid for item, following in zip(asked, [*asked[1:], None]) if not reached.passes(item, following)), "")
    else:
        failing = failing_anew(fault, [item.nodeid for item in asked])
    if failing:
        if folder:
            (folder / str(os.getpid())).write_text(failing, encoding="utf-8")
        raise AssertionError(f"noticed: {fault}")


def patient(seconds: float) -> None:
    """Ends this process if it works much longer than that: the fault made something that never stops."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE * (seconds + 1))


# A fault within a function: its code is changed where it lies


@functools.cache
def made() -> list[FunctionType]:
    """Every function made by figures/, whoever holds it."""
    folder = str(faults.FIGURES)
    return [thing for thing in gc.get_objects() if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(folder)]


def put_in(fault: Fault | None) -> None:
    """The function at fault, and what it has made, runs the changed code from now on, whoever holds it."""
    if fault is None:
        return
    changed = {place(code): code for code in inner(faults.faulty(fault)) if outer(code) == fault.function}
    for function in made():
        if code := changed.get(place(function.__code__)):
            function.__code__ = code


def place(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def outer(code: CodeType) -> str:
    """The function or method that the code is, or is inside of."""
    return code.co_qualname.partition(".<locals>")[0]


def inner(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from inner(constant)


# A fault in a decorator or default: it shows only where its module, and what uses it, is imported anew


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports figures.MODULE with the fault in it."""

    def __init__(self, fault: Fault) -> None:
        self.name, self.code, self.file = faults.imported_as(fault.module), faults.faulty(fault), faults.path(fault.module)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=self.file)
        spec.has_location = True
        return spec

    def exec_module(self, module: Any) -> None:
        exec(self.code, module.__dict__)


class FirstFailure:
    """A pytest plugin that remembers the name of what failed."""

    name = "(pytest itself)"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.name = report.nodeid


def failing_anew(fault: Fault | None, names: list[str]) -> str:
    """The first test to fail where figures/ and tests are imported anew, "" for none."""
    for name in [name for name, module in sys.modules.items() if ours(getattr(module, "__file__", None))]:
        del sys.modules[name]
    if fault:
        sys.meta_path.insert(0, Finder(fault))
    with contextlib.suppress(Exception):  # a module that can't even be imported: its tests will say so
        reached.forget_stored(fault and fault.module)
    first = FirstFailure()
    return first.name if names and asked_of_pytest(["-x", *names], first) else ""


def ours(file: str | None) -> bool:
    folders = (faults.FIGURES, ROOT / "build", TESTS)
    return file is not None and Path(file) != Path(__file__) and any(folder in Path(file).parents for folder in folders)


# The score


def asked_of_pytest(arguments: Sequence[str], *plugins: object) -> int:
    settings.register_profile(UNSHRUNK, phases=[Phase.explicit, Phase.generate], derandomize=True, deadline=None)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return pytest.main(["-q", "-p", "no:cacheprovider", "--tb=native", f"--hypothesis-profile={UNSHRUNK}", *arguments], plugins=plugins)


def told(text: str) -> None:
    print(f"  {text}", file=sys.__stdout__, flush=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, help="how many faults to try (every one)")
    parser.add_argument("--seed", type=int, default=1, help="which ones, where not every one (1)")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 2, help="processes (one a processor)")
    parser.add_argument("--module", action="append", help="only this module of figures/")
    parser.add_argument("--tests", action="append", help="ask only this file of tests/")
    parser.add_argument("--keep", type=Path, help="a file that keeps the verdicts, to go on from")
    options = parser.parse_args(arguments)
    if not hasattr(os, "fork"):
        print("mutants: this system can't fork\n  → Run it on Linux or macOS", file=sys.stderr)
        return 1
    every = [fault for module in options.module or faults.modules() for fault in faults.faults(module)]
    chosen = every if options.count is None else random.Random(options.seed).sample(every, min(options.count, len(every)))
    start = time.monotonic()
    keep = options.keep and options.keep.absolute()
    os.chdir(ROOT)
    trials = Trials(chosen, options.at_once, keep)
    asked_of_pytest(
        options.tests or [str(file) for room in ROOMS for file in sorted((TESTS / room).glob("test_*.py")) if file.name not in ASIDE],
        trials,
    )
    if trials.failing:
        what = "\n  ".join(["mutants: tests fail as things stand:", *trials.failing, "→ Run `make test`, and put that right first"])
        print(what, file=sys.stderr)
        return 1
    killed = len(chosen) - len(trials.verdicts.survivors)
    score = killed / len(chosen)
    drawn = "" if chosen is every else f" (seed {options.seed}, of {len(every)})"
    print(f"{killed} of {len(chosen)} faults noticed: {score:.1%}{drawn}, in {(time.monotonic() - start) / 60:.0f} min")
    return 0 if score >= TARGET else 1


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "build")]
    sys.exit(main(sys.argv[1:]))
