"""The records of the chapter: its place in the course, its scripts, and the queries that the example by hand lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from figures.kit import data, files
from figures.kit.markup import Code

FOLDER = files.ROOT / "slides" / "codigo"
# Another site, a mailbox, or a page beside this one.
Address = Annotated[str, msgspec.Meta(pattern=r"^((https?://|mailto:)[^\s<>()]+|[\w./#-]*)$")]


class Page(data.Record):
    """Another page of the course, and its address ("" gives no link)."""

    EMPTY = frozenset({"address"})
    id: str
    address: Address


class Asking(data.Record):
    """A token and its query."""

    token: str
    query: tuple[float, float]


class Script(data.Record):
    """A script that the chapter shows, runs and hands out."""

    id: str
    file: Code


class Chapter(data.Record):
    """`data/chapter.yml`."""

    source: str
    step: data.Positive
    steps: data.Positive
    pages: tuple[Page, ...]
    queries: tuple[Asking, ...]
    scripts: tuple[Script, ...]

    def faults(self) -> Iterator[str]:
        if self.step > self.steps:
            yield f"step {self.step} of {self.steps}"
        yield from (f"there is no slides/codigo/{one.file} (`{one.id}`)" for one in self.scripts if not (FOLDER / one.file).is_file())


def records() -> Chapter:
    """The records, as `data/chapter.yml` has them."""
    return data.load("chapter", Chapter)
