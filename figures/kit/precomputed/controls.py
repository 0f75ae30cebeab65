"""The controls of a simulator whose every state is computed before it is shown: a slider, a choice, a switch.

Each offers a few values in order and opens with one of them. Knows no page, and not what the values are for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from figures.kit.formats import Format, plain
from figures.kit.json_values import json_value
from figures.kit.simulator import Range, WholeRange
from figures.kit.words import Words

_texts = Words("simulators")
LEAST = 2  # values of a control: with fewer there is nothing to choose


@dataclass(frozen=True)
class Slider:
    """Numbers that rise, by a range with its step or one by one; it opens with the least unless `opens` says another.

    >>> Slider([1, 10, 100], opens=10).values
    (1, 10, 100)
    """

    over: Range | WholeRange | Iterable[float]
    opens: float | None = None
    format: Format = field(default_factory=plain)

    @property
    def values(self) -> tuple[float, ...]:
        return steps(self.over) if isinstance(self.over, (Range, WholeRange)) else tuple(map(json_value, self.over))

    @property
    def opening(self) -> float:
        """The value it opens with, as the grid has it: 0.3 also where 0.1 + 0.2 is asked for."""
        asked = self.values[0] if self.opens is None else self.opens
        return next((value for value in self.values if math.isclose(value, asked, rel_tol=1e-9, abs_tol=1e-12)), asked)

    def texts(self, words: Words, key: str) -> list[str]:
        """How each value is written."""
        return [self.format(value) for value in self.values]

    def label(self, words: Words, key: str) -> str:
        """What stands before it."""
        return words(key)


@dataclass(frozen=True)
class Choice:
    """One of a few, all in sight: numbers in a format, or names, whose texts stand among the words as `options` beside the
    `label`. It opens with the first unless `opens` says another.
    """

    over: Sequence[str] | Sequence[float]
    opens: str | float | None = None
    format: Format = field(default_factory=plain)

    @property
    def values(self) -> tuple[str | float, ...]:
        return tuple(map(json_value, self.over))

    @property
    def opening(self) -> str | float:
        return self.values[0] if self.opens is None else self.opens

    @property
    def named(self) -> bool:
        """Whether its values are names."""
        return any(isinstance(value, str) for value in self.values)

    def texts(self, words: Words, key: str) -> list[str]:
        return [words(f"{key}.options.{value}") if self.named else self.format(value) for value in self.values]

    def label(self, words: Words, key: str) -> str:
        return words(f"{key}.label" if self.named else key)


@dataclass(frozen=True)
class Switch:
    """On or off; it opens off unless `opens` says on."""

    opens: bool = False

    @property
    def values(self) -> tuple[bool, bool]:
        return (False, True)

    @property
    def opening(self) -> bool:
        return self.opens

    def texts(self, words: Words, key: str) -> list[str]:
        return [_texts("common.off"), _texts("common.on")]

    def label(self, words: Words, key: str) -> str:
        return words(key)


Control = Slider | Choice | Switch


def offered(control: Control, words: Words, key: str) -> dict[str, Any]:
    """What the page needs to know of a control: its kind, its label, its values and how each is written."""
    kind = type(control).__name__.lower()
    return {"kind": kind, "label": control.label(words, key), "values": control.values, "texts": control.texts(words, key)}


def faults(control: Control) -> Iterator[str]:
    """What is wrong with the values of a control, in words."""
    values = control.values
    if len(values) < LEAST:
        yield f"it offers {len(values)} values, and a control needs {LEAST} at least"
        return
    if twice := [value for n, value in enumerate(values) if value in values[:n]]:
        yield f"it offers {twice[0]} twice"
    if control.opening not in values:
        yield f"it opens with {control.opening}, which is not among its values: {', '.join(map(str, values))}"
    if isinstance(control, Slider) and list(values) != sorted(values):
        yield "its values must rise"


def written_alike(texts: Sequence[str]) -> Iterator[str]:
    """What is wrong with the texts of a control's values: a reader could not tell two apart."""
    yield from (f"two of its values are written alike, “{text}”" for n, text in enumerate(texts) if text in texts[:n])


def steps(over: Range | WholeRange) -> tuple[float, ...]:
    """The numbers of a range from the least by its step, none beyond the most.

    >>> steps(Range(min=0.1, max=0.35, step=0.1))
    (0.1, 0.2, 0.3)
    """
    count = math.floor((over.max - over.min) / over.step + 1e-9) + 1
    numbers = (over.min + i * over.step for i in range(count))
    return tuple(numbers if isinstance(over, WholeRange) else (float(f"{number:.12g}") for number in numbers))
