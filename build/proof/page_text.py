"""What a page says, paragraph by paragraph, and where another copy of it says something else: prose, formulas, tables, pictures.

What was measured may differ between two machines, and counts as the same. Does *not* know which of two copies is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from base.html_tree import SILENT, Element, Text, around, parse, spoken, within
from base.slides import slides

BLOCKS = ("p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "caption", "figcaption", "summary", "svg", "aside")
MEASURED = "…"
OWN = "edition"  # the mark that the instructor's edition puts on a page


class Paragraph(NamedTuple):
    """A block of text, or what an element is called to those who hear it, with its slide."""

    slide: str
    text: str

    @property
    def letters(self) -> str:
        return "".join(self.text.split())


def paragraphs(html: str, measured: Collection[int], notes: bool = True) -> list[Paragraph]:
    """All that a page says on its slides, in order; what is marked as measured as “…”, and speaker notes only if asked for."""
    made: list[Paragraph] = []
    block: Element | None = None
    for slide, node in slides(parse(html)):
        above = list(around(node))
        if not slide or within(node, "nav", *SILENT) or not notes and any("notes" in one.classes for one in above):
            continue
        if any(one.attributes.get("id") == OWN for one in above):
            continue
        if isinstance(node, Element):
            made += [Paragraph(slide, text) for text in spoken(node) if not _measured(above, measured)]
            block = None if spoken(node) else block
            continue
        here = next((one for one in above if one.tag in BLOCKS), above[0])
        text = MEASURED if _measured(above, measured) else node.text
        if here is block and made:
            made[-1] = Paragraph(slide, made[-1].text + text)
        else:
            made.append(Paragraph(slide, text))
        block = here
    return [Paragraph(one.slide, " ".join(one.text.split())) for one in made if one.text.strip()]


def differences(held: Sequence[Paragraph], again: Sequence[Paragraph]) -> Iterator[tuple[str, str, str]]:
    """The slide, what the copy in hand says there, and what the other says; a side without such a paragraph says nothing."""
    first, second = ([(one.slide, one.letters) for one in each] for each in (held, again))
    only = Counter(first), Counter(second)
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        left = [one for one in held[a:b] if only[0][one.slide, one.letters] > only[1][one.slide, one.letters]]
        right = [one for one in again[c:d] if only[1][one.slide, one.letters] > only[0][one.slide, one.letters]]
        for one, other in zip_longest(left, right):
            yield (one or other).slide, one.text if one else "", other.text if other else ""


def _measured(above: Sequence[Element], measured: Collection[int]) -> bool:
    marks = (one.attributes.get("data-n", "").partition("-")[0] for one in above)
    return any(mark.isdecimal() and int(mark) in measured for mark in marks)


def all_of(html: str) -> Iterator[str]:
    """Every text of a page, those of its pictures too, and every name that is heard; a formula also without its spaces, and the
    labels of a picture that stand beside each other also as one, as paper has them.
    """
    for node in parse(html).walk():
        if isinstance(node, Text):
            if not within(node, *SILENT):
                yield node.text
            continue
        yield from spoken(node)
        if node.tag == "math":
            yield "".join(node.text.split())
        if node.tag == "svg":
            said = [one.text.strip() for one in node.all("text")]
            yield from ("".join(said[n : n + size]) for size in (2, 3) for n in range(len(said)))
