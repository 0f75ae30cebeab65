"""The approved words of a document as a file to be reviewed: a heading a slide, a line a sentence, and below it what the sentence calls.

    ## sec-weights
    text | The largest weight is 0.62.
        = some_topic.largest() · ✓ some_topic.one_stands_out()

A claim, marked ✓, is approved for the sentence above it and for no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from base import atomic_write

from figures.kit.errors import Problem
from figures.kit.files import read_text, shown
from proof.sentences import Sentence

FOLDER = Path("tests", "approved")
CLAIM = "✓ "
HEAD = """\
# The approved words of {document}: what readers see and hear, and below each sentence what it calls. A claim (✓) holds for
# the sentence above it. `make test` stops at every other word; `make approve` shows what differs and writes this file.
"""
_SLIDE, _CALLS, _BETWEEN = "## ", "    = ", " · "


class Line(NamedTuple):
    """A sentence as its file has it: its kind and words, and what it calls, in one text."""

    said: str
    calls: str = ""

    @property
    def claims(self) -> list[str]:
        """The claims on it.

        >>> Line("text | One.", "a.b() · ✓ a.c()").claims
        ['a.c()']
        """
        return [call.removeprefix(CLAIM) for call in self.calls.split(_BETWEEN) if call.startswith(CLAIM)]


Approved = dict[str, list[Line]]


def lines(sentences: Iterable[Sentence]) -> Approved:
    """The sentences of a page by their slides, in order.

    >>> lines([Sentence("a", "text", "One.", ("t.one()",), ("t.holds()",))])
    {'a': [Line(said='text | One.', calls='t.one() · ✓ t.holds()')]}
    """
    by_slide: Approved = {}
    for one in sentences:
        calls = _BETWEEN.join([*one.calls, *(f"{CLAIM}{claim}" for claim in one.claims)])
        by_slide.setdefault(one.slide, []).append(Line(f"{one.kind} | {one.words}".rstrip(), calls))
    return by_slide


def file_of(document: Path, root: Path) -> Path:
    """Where the approved words of a document stand: those of slides/en/a.qmd in tests/approved/en/a.txt."""
    name = document.relative_to(root)
    return root / FOLDER / (name.relative_to("slides") if name.parts[0] == "slides" else name).with_suffix(".txt")


def read(file: Path, root: Path) -> Approved:
    """What was approved; nothing where there is no such file. A Problem for a line that is none of its."""
    approved: Approved = {}
    here: list[Line] | None = None
    for n, text in enumerate(read_text(file).split("\n") if file.is_file() else (), 1):
        if text.startswith(_SLIDE):
            here = approved.setdefault(text.removeprefix(_SLIDE), [])
        elif text.startswith(_CALLS) and here:
            here[-1] = Line(here[-1].said, text.removeprefix(_CALLS))
        elif text.startswith("# ") or not text:
            continue
        elif here is not None and " | " in f"{text} ":
            here.append(Line(text))
        else:
            raise Problem(f"{shown(file, root)}:{n}", "this is no approved sentence", "Don't edit it by hand: `make approve` writes it")
    return approved


def write(file: Path, document: str, approved: Approved) -> None:
    """The file, written whole."""
    atomic_write.write(file, text_of(document, approved))


def text_of(document: str, approved: Approved) -> str:
    """What the file of a document holds."""
    parts = [HEAD.format(document=document)]
    for slide, said in approved.items():
        parts += [f"\n{_SLIDE}{slide}\n", *map(_written, said)] if said else []
    return "".join(parts)


def _written(line: Line) -> str:
    return f"{line.said}\n" + (f"{_CALLS}{line.calls}\n" if line.calls else "")


def calls_of(lines: Sequence[Line]) -> list[str]:
    """What these sentences call, each once."""
    return list(dict.fromkeys(call.removeprefix(CLAIM) for line in lines for call in line.calls.split(_BETWEEN) if call))
