"""Where a shown value comes from: the function that made it, what that read, and the note that a fact or a measurement needs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from figures.kit import modules, readings
from figures.kit.files import ROOT
from figures.kit.json_values import json_value

T = TypeVar("T")
Kind = Literal["computed", "fact", "measured", "recorded"]


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that is not only computed: its kind, and the note that a reader needs to trust it."""

    value: Any
    kind: Kind
    note: str


def fact(value: Any, source: str) -> Known:
    """A fact about the world, as a record of `data/` has it, with its source."""
    if not source.strip():
        raise ValueError(f"the fact {value!r} has no source: name it in its record of data/")
    return Known(value, "fact", source)


def measured(value: Any, hardware: str, versions: str, date: str, recorded: bool = False) -> Known:
    """A measurement: what it was made on, with what, and when; `recorded` where it was not made by this build."""
    if not (hardware.strip() and versions.strip() and date.strip()):
        raise ValueError(f"the measurement {value!r} must tell its hardware, versions and date")
    return Known(value, "recorded" if recorded else "measured", f"{hardware}; {versions}; {date}")


@dataclass(frozen=True)
class Origin:
    """The function that made a shown thing, its arguments, the data it read, and the kind of its value."""

    maker: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()
    kind: Kind = "computed"
    reads: tuple[str, ...] = ()  # as `readings.noted` tells them
    note: str = ""  # the source of a fact; hardware, versions and date of a measurement
    part: str = ""  # where a result is shown in parts, which of them: "picture"

    @property
    def name(self) -> str:
        """The topic and the function, as in "some_topic.weight": one name for function, slide and test."""
        return f"{modules.topic(self.maker)}.{self.maker.__name__}"

    @property
    def call(self) -> str:
        """The call as it would be typed: `some_topic.weight('a')`; of a part `some_topic.view('a').picture`."""
        written = [repr(arg) for arg in self.args] + [f"{name}={value!r}" for name, value in self.kwargs]
        return f"{self.name}({', '.join(written)})" + f".{self.part}" * bool(self.part)

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """The arguments by the names of their parameters: `[{"name": "token", "value": "a"}]`."""
        bound = inspect.signature(self.maker).bind_partial(*self.args, **dict(self.kwargs)).arguments
        return [{"name": name, "value": json_value(value)} for name, value in bound.items()]

    @property
    def files(self) -> list[str]:
        """The data files read on the way: `["topic.yml", "words/topic.yml"]`."""
        return sorted({re.split("[#:]", name)[0] for name in self.reads})

    @property
    def fields(self) -> list[str]:
        """The fields of data files that were read: `["topic.yml:first", "topic.yml:last"]`."""
        return sorted(name for name in self.reads if ":" in name.partition("#")[0])

    @property
    def records(self) -> list[str]:
        """The records picked by name: `["topic.yml#large"]`."""
        return sorted(name for name in self.reads if "#" in name and "#seed=" not in name)

    @property
    def seeds(self) -> list[dict[str, Any]]:
        """The seeds of random draws: `[{"file": "topic.yml", "seed": 271}]`."""
        drawn = sorted(name.split("#seed=") for name in self.reads if "#seed=" in name)
        return [{"file": file, "seed": int(seed)} for file, seed in drawn]

    @property
    def place(self) -> tuple[str, int]:
        """(file, line) of the function, the file relative to the project."""
        code = self.maker.__code__
        file = Path(code.co_filename)
        return (file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name, code.co_firstlineno)


def traced(maker: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[T, Origin]:
    """What the function makes, and where that comes from, the data files read on the way included."""
    with readings.noted() as read:
        made = maker(*args, **kwargs)
    return made, Origin(maker, args, tuple(sorted(kwargs.items())), reads=tuple(sorted(read)))
