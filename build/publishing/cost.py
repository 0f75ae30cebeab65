"""What a lecture costs, as a table: the processor's seconds and the time of all commands that make it, and the bytes that it leaves."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from figures.kit import project
from figures.kit.errors import Problem

JOB = ("deck", "handout", "pdf", "audit")
HUNDRED = 100


class Cost(NamedTuple):
    """Seconds of the processor and of the clock, and the bytes of all files."""

    processor: float
    clock: float
    size: float = 0.0


def summed(costs: Iterable[Cost]) -> Cost:
    """All of them together.

    >>> summed([Cost(1.0, 2.0, 3.0), Cost(0.5, 0.5)])
    Cost(processor=1.5, clock=2.5, size=3.0)
    """
    processor, clock, size = zip(*costs)
    return Cost(sum(processor), sum(clock), sum(size))


def table(root: Path, progress: Callable[[str], None]) -> str:
    """A row for each lecture, and one for a hundred that cost as much as these do on average."""
    lectures = [document for document in project.documents(root) if {"revealjs", "typst"} <= set(project.formats(document, root))]
    costs = {document.stem: _of(document, root, progress) for document in lectures}
    processor, clock, size = (HUNDRED * part / len(costs) for part in summed(costs.values()))
    rows = ["| lecture | processor | clock | files |", "| --- | --- | --- | --- |", *(_row(name, cost) for name, cost in costs.items())]
    return "\n".join([*rows, _row(f"{HUNDRED} like these, one after the other", Cost(processor, clock, size))])


def _of(document: Path, root: Path, progress: Callable[[str], None]) -> Cost:
    spent = []
    for command in JOB:
        progress(f"{document.stem} · {command}")
        spent.append(_timed([sys.executable, "build", command, "--name", document.stem], root))
    page = project.page(document, root)
    return summed(spent)._replace(size=sum(file.stat().st_size for file in page.parent.glob(f"{page.stem}*") if file.is_file()))


def _timed(command: list[str], root: Path) -> Cost:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise Problem(" ".join(command[1:]), done.stderr.strip()[-2000:], "Put this right, then ask again")
    return Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - started)


def _row(name: str, cost: Cost) -> str:
    return f"| {name} | {_time(cost.processor)} | {_time(cost.clock)} | {cost.size / 1e6:.1f} MB |"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
