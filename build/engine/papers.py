"""What a document becomes on paper, for whom, and where: without notes in `_output/`, with them, for who teaches, in `_teaching/`.

Of a deck there are a handout and, in a file of its own, the list of where each number comes from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from engine.document import Document
from figures.kit import language, project
from figures.kit.words import Words

STUDENTS, INSTRUCTOR = "students", "instructor"
HANDOUT, NUMBERS = "handout", "numbers"
FORMAT = "typst"
_words = Words("handout")


class Paper(NamedTuple):
    """One file: what it is, for whom, where it goes, and what the filters are told that it holds."""

    kind: str
    reader: str
    file: Path
    edition: Mapping[str, bool]


def of(document: Document, handout: Path) -> Iterator[Paper]:
    """The files of a deck whose handout for students goes there; of any other document that one alone."""
    with language.speaking(language.of(document.path)):
        listed = handout.with_name(f"{document.path.stem}-{_words('numbers')}{handout.suffix}")
    is_deck = "revealjs" in project.formats(document.path, document.root)
    for reader, notes in ((STUDENTS, False), (INSTRUCTOR, True)) if is_deck else ((STUDENTS, False),):
        for kind, file in ((HANDOUT, handout), (NUMBERS, listed)) if is_deck else ((HANDOUT, handout),):
            place = project.teaching(file, document.root) if notes else file
            yield Paper(kind, reader, place, {"notes": notes, "numbers": kind == NUMBERS})
