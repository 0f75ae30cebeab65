"""Says where and when a value was measured: in words, and in the ledger.

Measures nothing.
"""

from __future__ import annotations

import datetime
import re
from typing import Any

from babel.dates import format_date

from figures.kit import formats, ledger
from figures.kit.formats import Format, count, fixed, unit
from figures.kit.machine import Machine
from figures.kit.words import Words

_words = Words("measured")


def milliseconds() -> Format:
    """Whole milliseconds from 10 on, one decimal below.

    >>> print(milliseconds()(23.6), "and", milliseconds()(2.31))
    24 ms and 2,3 ms
    """
    return Format("milliseconds", lambda value: unit(fixed(0 if value >= 9.95 else 1), "ms")(value), "ms")


def in_words(machine: Machine, recorded: bool = False) -> str:
    """When a value was measured, on which processor, with how many threads and which PyTorch."""
    return _words(
        "recorded" if recorded else "measured",
        date=day(machine.date), processor=machine.processor, threads=_threads(machine), torch=machine.torch,
    )  # fmt: skip


def _threads(machine: Machine) -> str:
    return _words("one_thread") if machine.threads == 1 else _words("threads", count=count()(machine.threads))


def day(date: str) -> str:
    """An ISO date as the document's language writes it, with its own word for the first of a month."""
    at = datetime.date.fromisoformat(date)
    text = str(format_date(at, format="medium", locale=formats.locale()))
    return re.sub(r"\b1\b", _words("first_of_month"), text, count=1) if at.day == 1 else text


def noted(value: Any, machine: Machine, recorded: bool = False) -> ledger.Known:
    """A measured value for the ledger, with hardware, versions and date."""
    hardware = f"{machine.processor}, {machine.system}, {_threads(machine)}"
    return ledger.measured(value, hardware, f"Python {machine.python}, torch {machine.torch}", machine.date, recorded)
