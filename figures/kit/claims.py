"""Sentences that numbers must bear out: each carries a check beside it, and a check that fails stops the build.

In the source: ``The two rows agree. `{python} some_topic.rows_agree()` ``. The check shows nothing; it is
entered in the ledger, and when it fails the error names the slide, the sentence and the values. Only `make diff`, which
reports on what fails, lets such a page be made aside (CLAIMS=note): the ledger then says `"holds": false`, the page says so
to its readers, and the audit refuses it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec

from figures.kit import files, ledger, project, qmd, readings
from figures.kit.errors import Problem
from figures.kit.json_values import json_value
from figures.kit.origin import Origin, traced

P = ParamSpec("P")
COMPUTED = "\ufffc"  # stands for what is computed in a sentence
_CLAIM = re.compile(r"^@(?:\w+\.)?claim\b.*\n(?:@.*\n)*def (\w+)", re.MULTILINE)


class Check(NamedTuple):
    """What a check found: whether the sentence holds, and the values that decide it."""

    holds: bool
    values: Mapping[str, Any]


class ClaimError(Problem):
    """A sentence that the numbers no longer bear out: where it stands, what it says, the values, the data behind them."""

    def __init__(self, origin: Origin, slide: str, sentence: str, values: Mapping[str, Any]):
        self.slide, self.sentence, self.values = slide, sentence, values
        listed = "; ".join(f"{name} = {json_value(value)}" for name, value in values.items())
        what = f"the sentence “{sentence}” does not hold ({origin.call}): {listed}"
        read = readings.in_words(name for name in origin.reads if not name.startswith("words/"))
        remedy = f"put right what it was computed from:\n    {read}" if read else f"put {origin.place[0]}:{origin.place[1]} right"
        super().__init__(f"slide “{slide}”", what, f"Rewrite the sentence, or {remedy}")


@dataclass(frozen=True)
class Claim:
    """A check that held; displays as an empty mark."""

    origin: Origin
    values: Mapping[str, Any]

    def _repr_markdown_(self) -> str:
        n = ledger.add("claim", dict(self.values), sentence(self.origin.name, _made(self.origin.name))[1], self.origin)
        return f'[]{{.n .claim n="{n}"}}'


def claim(maker: Callable[P, Check]) -> Callable[P, Claim]:
    """Lets a sentence carry a function that returns a Check: it raises ClaimError unless the check holds.

    The undecorated function stays reachable as `.check`, for tests with other inputs.
    """

    @functools.wraps(maker)
    def checked(*args: P.args, **kwargs: P.kwargs) -> Claim:
        check, origin = traced(maker, args, kwargs)
        if not check.holds and os.environ.get("CLAIMS") != "note":
            raise ClaimError(origin, *sentence(origin.name, _made(origin.name)), check.values)
        return Claim(origin, check.values if check.holds else {**check.values, "holds": False})

    checked.check = maker  # type: ignore[attr-defined]
    return checked


@readings.question
def _made(name: str) -> int:
    """How often this page has made the claim already."""
    return sum(entry.what == "claim" and entry.function == name for entry in ledger.entries())


@readings.question
def sentence(name: str, nth: int = 0) -> tuple[str, str]:
    """(slide, sentence) that carries the check of this name, the nth of the page, counted from 0."""
    places = list(sentences(name))
    return places[min(nth, len(places) - 1)] if places else ("?", "")


def sentences(name: str) -> Iterator[tuple[str, str]]:
    """Every (slide, sentence) of the page that carries the check `name`, in order."""
    for slide, line in source_lines():
        for piece in qmd.inline(line) if f"{name}(" in line else ():
            if piece.function == name:
                yield slide, _last_sentence(line[: piece.start])


def _last_sentence(text: str) -> str:
    """The end of a line of Markdown as a sentence, its list's marker aside, "…" for what is computed in it."""
    written = qmd.fill(text, lambda piece: "" if is_claim(piece) else COMPUTED)
    pieces = re.split(rf"(?<=[.!?…])\s+(?=[“\"A-ZÀ-Ú{COMPUTED}])", re.sub(r"^[\s\-*>\d.]+", "", written).strip())
    return pieces[-1].replace(COMPUTED, "…")


def is_claim(piece: qmd.Inline) -> bool:
    """Whether inline code makes a claim, as the sources say: no module has to be imported for it."""
    topic, _, function = piece.function.rpartition(".")
    return topic in _claims().get(function, ())


@functools.cache
def _claims() -> dict[str, set[str]]:
    """The functions under `@claim`, each with the modules and packages that slides may call it by."""
    found: dict[str, set[str]] = {}
    for file in files.PACKAGE.rglob("*.py"):
        for function in _CLAIM.findall(file.read_text(encoding="utf-8")):
            found.setdefault(function, set()).update((file.stem, file.parent.name))
    return found


def source_lines() -> Iterator[tuple[str, str]]:
    """(title of the slide or section, line) of the page that is being made, its includes in place; of every page where none is."""
    page = project.in_hand()
    for file in [page] if page else project.documents():
        yield from _titled(file, max(one.stat().st_mtime_ns for one in (file, *file.parent.rglob("*.qmd"))))


@functools.cache
def _titled(file: Path, changed: int) -> list[tuple[str, str]]:
    """The lines of one page, cells aside, each with the title that it stands under; read once, until a source is changed."""
    written = [(line.text, context) for line, context in qmd.contexts(qmd.body(file)) if not context.in_cell]
    return [(context.heading.title if context.heading else file.stem, text) for text, context in written]
