"""What a checkpoint asks for: functions with the arguments that they are tried on, or values; what is right, what is known to go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from figures.kit.arrays import Array

RIGHT, NEAR, MISTAKE, WRONG, BLANK, UNFIT = "right", "near", "mistake", "wrong", "blank", "unfit"
# What a verdict over several parts shows first: the part that most needs the student.
URGENCY = (UNFIT, MISTAKE, WRONG, NEAR, BLANK, RIGHT)
# At most so large a share of the largest right number may an answer be off: equal but for rounding, and near.
EQUAL, CLOSE = 1e-6, 0.05


@dataclass(frozen=True)
class Finding:
    """What one part of an answer turned out to be, and the text that says so."""

    status: str
    text: str


class Unfit(Exception):
    """An answer that can't be compared; its text says what was expected. `value` holds its numbers, where there are NaN or ±∞."""

    def __init__(self, text: str, status: str = UNFIT, value: Array | None = None) -> None:
        super().__init__(text)
        self.status, self.value = status, value


def as_it_is(value: Array, right: Array) -> Array:
    return value


@dataclass(frozen=True)
class Output:
    """One array that a function gives.

    `right` and the known mistakes are functions of the same arguments; a mistake's key names the text that tells it
    (`mistakes.KEY` in the words). Where `after` names an output before this one, the student's own value of that output comes
    as the first argument, so that one slip isn't held against what follows from it. `read` brings an answer to its
    canonical form, beside the right one, and `explains` says what is true of a wrong one, in place of `facts`; `infinite`
    lets ±∞ in; `weights` are rows that sum to 1; `wanted` says what is expected where a shape doesn't; `growth` is the share by
    which a result that is rounded may grow otherwise than the right one.
    """

    name: str
    right: Callable[..., Any]
    mistakes: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    after: str = ""
    read: Callable[[Array, Array], Array] = as_it_is
    explains: Callable[[Array, Array], tuple[str, Mapping[str, Any]] | None] | None = None
    infinite: bool = False
    weights: bool = False
    wanted: str = ""
    equal: float = EQUAL
    close: float = CLOSE
    growth: float = 1e-6


@dataclass(frozen=True)
class Probe:
    """One set of arguments that a function is tried on, by position and by name."""

    args: tuple[Any, ...]
    named: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A function that a checkpoint asks for, by its parameters, its outputs and the probes that it is tried on.

    `alone` names the parameters that may be changed while the others stay: what that changes tells what is wrong. `value`
    is the share by which a value handed in place of the function may be off; none where only a function will do.
    """

    name: str
    parameters: tuple[str, ...]
    outputs: tuple[Output, ...]
    probes: tuple[Probe, ...]
    alone: tuple[str, ...] = ()
    value: float | None = None

    @property
    def takes(self) -> str:
        """How it is called: "f(x, y)"."""
        return f"{self.name}({', '.join(self.parameters)})"

    def calls(self) -> list[Probe]:
        """Every call that a verdict needs: the probes, then the first one with one argument changed at a time."""
        return [*self.probes, *(probe for _, probe in self.variations())]

    def variations(self) -> Iterator[tuple[str, Probe]]:
        """The first probe with another value of each parameter of `alone`."""
        first = self.probes[0]
        for name in self.alone:
            at = self.parameters.index(name)
            args = [other(arg) if n == at else arg for n, arg in enumerate(first.args)]
            yield name, Probe(tuple(args), first.named)


@dataclass(frozen=True)
class Rule:
    """An array that no single value makes right: `judged` gives "right", "near", or the key of the mistake that it shows."""

    name: str
    shape: tuple[int, ...]
    judged: Callable[[Array], str]


def other(value: Any) -> Any:
    """Another value of the same kind and size: a number doubled, marks exchanged, an array's numbers moved and shifted.

    >>> other(3), other(np.array([True, False])).tolist()
    (6, [False, True])
    """
    if not isinstance(value, np.ndarray):
        return 2 * value
    return ~value if value.dtype == bool else (np.roll(value, 1, axis=-1) * 1.5 + 0.25).astype(value.dtype)
