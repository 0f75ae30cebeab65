"""Where a slide stands in the deck: numbers from slide ids, and the acts of the lecture.

Reads the deck's sources, so that a slide moved, dropped or added changes every reference to it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from figures.kit import files, lecture, project, qmd, readings
from figures.kit.errors import Problem
from figures.kit.formats import count, joined, spelled
from figures.kit.lecture import Act
from figures.kit.show import number, word
from figures.kit.words import Words

TITLE = "title-slide"
REMEDY = "Write it as `## Title {#sec-name}`"
_words = Words("deck")


class Slide(NamedTuple):
    """One slide: its id and its title as the source has it."""

    id: str
    title: str


def slides(file: Path | None = None) -> tuple[Slide, ...]:
    """Every slide in order, the title slide first, of the deck in hand unless another is named.

    Raises Problem for an id that stands twice or is missing.
    """
    return read(file or source())


def read(file: Path) -> tuple[Slide, ...]:
    """The same of a file, read once."""
    return _read(files.shown(file))


@readings.question
@readings.remembered
def _read(name: str) -> tuple[Slide, ...]:
    file = files.ROOT / name
    made = [Slide(TITLE, "")]
    for heading in qmd.headings(qmd.body(file)):
        place = heading.line.place
        if heading.level == 1:
            raise Problem(place, f"{heading.line.text!r} would be a slide that no number counts", REMEDY)
        if heading.level > 2:
            continue
        if not heading.id:
            raise Problem(place, f"the slide {heading.title!r} has no id", REMEDY)
        if heading.id in {slide.id for slide in made}:
            raise Problem(place, f"two slides have the id {heading.id}", "Give one of them another")
        made.append(Slide(heading.id, heading.title))
    return tuple(made)


def source() -> Path:
    """The deck that is being made. A page to read speaks of the deck that it names, else of the project's first."""
    page = project.in_hand()
    if page and "revealjs" in project.formats(page):
        return page
    named = lecture.of(page).deck if page else ""
    return lecture.file(page, "deck", named) if page and named else project.document("revealjs")


def acts(file: Path | None = None) -> tuple[Act, ...]:
    """The acts of the deck in hand, or of another; each starts at a slide of it."""
    file = file or source()
    records = lecture.of(file).acts
    ids = [slide.id for slide in slides(file)]
    for n, act in enumerate(records):
        if act.first not in ids:
            what = f"the deck has no slide {act.first!r}"
            raise lecture.fault(file, f"acts[{n}].first", what, f"Name the act's first slide; known: {', '.join(ids)}")
        if n and ids.index(act.first) <= ids.index(records[n - 1].first):
            what = f"it starts at slide {ids.index(act.first) + 1}, and the act before it at {ids.index(records[n - 1].first) + 1}"
            raise lecture.fault(file, f"acts[{n}].first", what, "Put the acts in the order of their slides")
        if gone := [id for id in act.covers if id not in ids]:
            what = f"the summary {act.summary!r} promises slide {gone[0]!r}, which the deck no longer has"
            raise lecture.fault(file, f"acts[{n}].covers", what, "Write the summary anew, and name here the slides that it speaks of")
    return records


def position(id: str) -> int:
    """The number of the slide with this id, counted from 1."""
    ids = [slide.id for slide in slides()]
    if id not in ids:
        remedy = f"Correct the reference, or drop it; known: {', '.join(ids)}"
        raise Problem(files.shown(source()), f"the deck has no slide with the id {id}", remedy)
    return ids.index(id) + 1


@number(count())
def slide(id: str) -> int:
    """The number of a slide, by its id."""
    return position(id)


@word
def span(first: str, last: str) -> str:
    """Two slides and what lies between, or one number where both are the same."""
    if position(first) == position(last):
        return count()(position(first))
    return _words("span", first=position(first), last=position(last))


@word
def away(id: str, here: str) -> str:
    """Where a slide lies seen from another: the next one, the one before, so many slides ahead."""
    steps = position(id) - position(here)
    keys = {-2: "behind", -1: "previous", 0: "here", 1: "next", 2: "ahead"}
    return _words(keys[max(-2, min(steps, 2))], steps=spelled()(abs(steps)))


@word
def act_list() -> str:
    """The acts, numbered, in one sentence."""
    numbered = [f"({n}) {act.summary}" for n, act in enumerate(acts(), 1)]
    return joined(numbered, _words("and"))


@number(spelled())
def act_count() -> int:
    """How many acts the lecture has, in words."""
    return len(acts())
