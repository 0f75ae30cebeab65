"""Where and when something was measured: the record that goes with every measured value.

Knows no measurement and no words.
"""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager

from figures.kit import data, slow


class Machine(data.Record):
    """One machine on one day. `date` is ISO; `threads` is what torch used."""

    processor: str
    threads: int
    system: str
    python: str
    torch: str
    date: str

    def faults(self) -> Iterator[str]:
        try:
            datetime.date.fromisoformat(self.date)
        except ValueError:
            yield f"{self.date!r} is no date: write it as 2026-11-30"


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread inside the block: where something else runs too, several wait for each other longer than they compute."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def here() -> Machine:
    """This machine, now, with the threads in use. Imports torch, so only measurements call it."""
    import torch

    return Machine(
        processor=slow.processor(),
        threads=torch.get_num_threads(),
        system=platform.system(),
        python=platform.python_version(),
        torch=torch.__version__.partition("+")[0],
        date=today().isoformat(),
    )


def today() -> datetime.date:
    """The day of a measurement: that of SOURCE_DATE_EPOCH where a reproducible build sets it, else today's."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date() if epoch else datetime.datetime.now(datetime.UTC).date()
