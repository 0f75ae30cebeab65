"""Sentences whose truth hangs on numbers: each carries a check beside it, and a check that fails stops the build.

In the source: ``Com a divisão, nada se mexe. `{python} scaling.nothing_moves()` ``. The check shows nothing; it is
entered in the ledger, and when it fails the error names the slide, the sentence and the values.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, ParamSpec

from figures import data, ledger
from figures.ledger import Origin

P = ParamSpec("P")


class Check(NamedTuple):
    """What a check found: whether the sentence holds, and the values that decide it."""

    holds: bool
    values: Mapping[str, Any]


class ClaimError(AssertionError):
    """A sentence that the numbers no longer bear out: where it stands, what it says, the values."""

    def __init__(self, call: str, slide: str, sentence: str, values: Mapping[str, Any]):
        self.slide, self.sentence, self.values = slide, sentence, values
        told = "; ".join(f"{name} = {ledger.plain(value)}" for name, value in values.items())
        super().__init__(
            f"slide “{slide}”: the sentence “{sentence}” does not hold ({call}): {told}. Rewrite the sentence, or put the numbers right"
        )


@dataclass(frozen=True)
class Claim:
    """A check that held; displays as an empty mark."""

    origin: Origin
    values: Mapping[str, Any]

    def _repr_markdown_(self) -> str:
        n = ledger.add("claim", dict(self.values), sentence(self.origin.name)[1], self.origin)
        return f'[]{{.n .claim n="{n}"}}'


def claim(maker: Callable[P, Check]) -> Callable[P, Claim]:
    """A function that returns a Check -> one that a sentence carries: it raises ClaimError unless the check holds.

    The undecorated function stays reachable as `.check`, for tests with other inputs.
    """

    @functools.wraps(maker)
    def checked(*args: P.args, **kwargs: P.kwargs) -> Claim:
        with data.readings() as read:
            found = maker(*args, **kwargs)
        origin = Origin(maker, args, tuple(sorted(kwargs.items())), "computed", tuple(sorted(read)))
        if not found.holds:
            raise ClaimError(origin.call, *sentence(origin.name), found.values)
        return Claim(origin, found.values)

    checked.check = maker  # type: ignore[attr-defined]
    return checked


def sentence(name: str) -> tuple[str, str]:
    """(slide, sentence) that carries the check `name` ("scaling.nothing_moves"); what is known, if not in the sources."""
    for slide, line in _source_lines():
        if re.search(rf"`\{{python\}}\s*{re.escape(name)}\(", line):
            before = line.partition(f"{{python}} {name}(")[0]
            told = re.sub(r"`?\{python\}[^`]*`?|`$", "…", before)
            said = re.split(r"(?<=[.!?…])\s+(?=[A-ZÀ-Ú])", re.sub(r"^[\s\-*>\d.]+", "", told).strip(" `…"))
            return slide, said[-1] if said else ""
    return "?", ""


def _source_lines() -> Iterator[tuple[str, str]]:
    """(title of the slide or section, line) of every page's sources."""
    for file in sorted((data.ROOT / "slides").rglob("*.qmd")):
        title = file.stem
        for line in data.read_text(file).splitlines():
            heading = re.match(r"^#+\s+(.*?)\s*(?:\{#[^}]*\})?\s*$", line)
            title = heading[1] if heading else title
            yield title, line
