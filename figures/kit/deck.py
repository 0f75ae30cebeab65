"""Where a slide stands in the deck: numbers from slide ids, and the acts of the lecture.

Reads the deck's sources, so that a slide moved, dropped or added changes every reference to it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from figures.kit import data, qmd, readings
from figures.kit.errors import DataError
from figures.kit.files import ROOT
from figures.kit.formats import count, joined, spelled
from figures.kit.show import number, word
from figures.kit.words import Words

DECK = ROOT / "slides" / "atencao.qmd"
TITLE = "title-slide"
_words = Words("deck")
_HEADING = re.compile(r"^##\s+(?P<title>.*?)\s*\{#(?P<id>[^\s}]+)[^}]*\}\s*$")


class Slide(NamedTuple):
    """One slide: its id and its title as the source has it."""

    id: str
    title: str


class Act(data.Record, frozen=True):
    """An act of the lecture: its name, what it tells, and the id of its first slide."""

    name: str
    summary: str
    first: str


@readings.remembered
def slides(deck: Path = DECK) -> tuple[Slide, ...]:
    """Every slide in order, the title slide first. Raises DataError for an id that stands twice or is missing."""
    found = [Slide(TITLE, "")]
    fenced = False
    for place, line in qmd.told_lines(deck):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if not fenced and line.startswith("# "):
            raise DataError(place, "", f"{line!r} would be a slide that no number counts", "Write it as `## Title {#sec-name}`")
        if fenced or not line.startswith("## "):
            continue
        match = _HEADING.match(line)
        if not match:
            raise DataError(place, "", f"the slide {line[3:].strip()!r} has no id", "Write it as `## Title {#sec-name}`")
        if match["id"] in {slide.id for slide in found}:
            raise DataError(place, match["id"], "two slides have this id", "Give one of them another")
        found.append(Slide(match["id"], match["title"]))
    return tuple(found)


def acts() -> tuple[Act, ...]:
    """The acts as `data/acts.yml` has them; each starts at a slide of the deck."""
    records = data.load("acts", tuple[Act, ...])
    known = [slide.id for slide in slides()]
    for n, act in enumerate(records):
        if act.first not in known:
            what = f"the deck has no slide {act.first!r}"
            raise DataError("data/acts.yml", f"[{n}].first", what, f"Name the act's first slide; known: {', '.join(known)}")
        if n and position(act.first) <= position(records[n - 1].first):
            what = f"it starts at slide {position(act.first)}, and the act before it at {position(records[n - 1].first)}"
            raise DataError("data/acts.yml", f"[{n}].first", what, "Put the acts in the order of their slides")
    return records


def position(id: str) -> int:
    """The number of the slide with this id, counted from 1: `position("title-slide")` -> 1."""
    ids = [slide.id for slide in slides()]
    if id not in ids:
        raise DataError(
            "slides/atencao.qmd", id, "the deck has no slide with this id", f"Correct the reference, or drop it; known: {', '.join(ids)}"
        )
    return ids.index(id) + 1


@number(count())
def slide(id: str) -> int:
    """The number of a slide: `slide("sec-quatro-passos")` -> 14."""
    return position(id)


@word
def span(first: str, last: str) -> str:
    """Two slides and what lies between: "13 a 15", or one number where both are the same."""
    if position(first) == position(last):
        return count()(position(first))
    return _words("span", first=position(first), last=position(last))


@word
def away(id: str, here: str) -> str:
    """Where a slide lies seen from another: "no próximo slide", "daqui a quatro slides", "no slide anterior"…"""
    steps = position(id) - position(here)
    known = {-2: "behind", -1: "previous", 0: "here", 1: "next", 2: "ahead"}
    return _words(known[max(-2, min(steps, 2))], steps=spelled()(abs(steps)))


@word
def act_list() -> str:
    """The acts, numbered, in one sentence: "(1) …, (2) …, (3) … e (4) …"."""
    told = [f"({n}) {act.summary}" for n, act in enumerate(acts(), 1)]
    return joined(told, _words("and"))


@number(spelled())
def act_count() -> int:
    """How many acts the lecture has, in words."""
    return len(acts())
