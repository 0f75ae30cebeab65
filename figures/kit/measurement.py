"""How a measured value says where and when it was measured: in words, and in the ledger.

Measures nothing.
"""

from __future__ import annotations

import datetime
from typing import Any

from babel.dates import format_date

from figures.kit import formats, ledger
from figures.kit.formats import Format, count, fixed, unit
from figures.kit.machine import Machine
from figures.kit.words import Words

_words = Words("measured")


def milliseconds() -> Format:
    """Whole ms from 10 on, one decimal below: `milliseconds()(23.6)` -> "24 ms", `milliseconds()(2.31)` -> "2,3 ms"."""
    return Format("milliseconds", lambda value: unit(fixed(0 if value >= 9.95 else 1), "ms")(value), "ms")


def told(machine: Machine, recorded: bool = False) -> str:
    """ "medido em 30 de nov. de 2026: AMD EPYC, uma thread, torch 2.13.0"."""
    return _words(
        "recorded" if recorded else "measured",
        date=day(machine.date), processor=machine.processor, threads=_threads(machine), torch=machine.torch,
    )  # fmt: skip


def _threads(machine: Machine) -> str:
    return _words("one_thread") if machine.threads == 1 else _words("threads", count=count()(machine.threads))


def day(date: str) -> str:
    """An ISO date as the document's language writes it: `day("2026-11-30")` -> "30 de nov. de 2026"."""
    return str(format_date(datetime.date.fromisoformat(date), format="medium", locale=formats.locale()))


def noted(value: Any, machine: Machine, recorded: bool = False) -> ledger.Known:
    """A measured value for the ledger, with hardware, versions and date."""
    hardware = f"{machine.processor}, {machine.system}, {_threads(machine)}"
    return ledger.measured(value, hardware, f"Python {machine.python}, torch {machine.torch}", machine.date, recorded)
