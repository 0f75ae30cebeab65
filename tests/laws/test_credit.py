"""A fork teaches another course elsewhere: its pages say so, and nothing else that was credited to somebody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from engine import inline_code

from figures.kit import project, qmd
from figures.kit.files import Line, Place

OURS = project.variables()
FORK = OURS | {"course": "Aprendizado Profundo", "institution": "Universidade Livre"}
CREDIT = re.compile(r"reconstr[óu]", re.IGNORECASE)


def written(document: Path) -> list[str]:
    """The lines of a document as a fork's pages have them, its author first."""
    author = Line(qmd.front_matter(document).leaves()["author"].value, Place(document.name, 1))
    return [inline_code.shortcodes(line.text, line.place, FORK) for line in (author, *qmd.body(document))]


@pytest.mark.parametrize("document", project.documents(), ids=lambda path: path.stem)
def test_the_author_is_the_fork_and_no_credit_is(document: Path):
    author, *lines = written(document)
    assert author.endswith("Aprendizado Profundo · Universidade Livre")  # who gives the lecture may stand before it
    assert not [line for line in lines if CREDIT.search(line) and re.search(r"Aprendizado Profundo|Universidade Livre", line)]
