"""What a page says, paragraph by paragraph, what else it holds, and where another copy of it differs: prose, formulas, tables, how
pictures are drawn, where links lead, the data of simulators, scripts and styles.

What was measured may differ between two machines, and counts as the same. Does *not* know which of two copies is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from itertools import zip_longest
from typing import NamedTuple

from base.html_tree import SAID_AGAIN, SILENT, Element, Text, around, parse, spoken, within
from base.slides import slides

BLOCKS = ("p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "caption", "figcaption", "summary", "svg", "aside")
MEASURED = "…"
FOREIGN = ("img", "iframe", "object", "embed", "video", "audio", "canvas", "form", "base")
HIDING = ("style", "hidden")
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
            heard = [] if within(node, "pre") else spoken(node)  # the numbers of lines, which Quarto makes heard
            made += [Paragraph(slide, text) for text in heard if not _measured(above, measured)]
            block = None if heard else block
            continue
        here = next((one for one in above if one.tag in BLOCKS), above[0])
        text = MEASURED if _measured(above, measured) else node.text
        if here is block and made:
            made[-1] = Paragraph(slide, made[-1].text + text)
        else:
            made.append(Paragraph(slide, text))
        block = here
    return [Paragraph(one.slide, " ".join(one.text.split())) for one in made if one.text.strip()]


def parts(html: str, measured: Collection[int], notes: bool = True) -> list[Paragraph]:
    """What a page's slides hold beside their text, in a few words and a digest each: pictures, links, data, and what hides or replaces."""
    made: list[Paragraph] = []
    for slide, node in slides(parse(html)):
        if not isinstance(node, Element) or not (slide and (what := _part(node, html))):
            continue
        above = list(around(node))
        is_note = not notes and any("notes" in one.classes for one in above)
        if not is_note and not within(node, "nav") and not any(one.attributes.get("id") == OWN for one in above):
            made += [] if _measured(above, measured) else [Paragraph(slide, what)]
    return made


def _part(node: Element, html: str) -> str:
    """What an element holds that is no text; empty for one that is text alone."""
    if node.tag == "a":
        return f"a link to {node.attributes.get('href', '')}"
    if node.tag == "svg" and node.parent and not within(node.parent, "svg"):
        return f"a picture, {_digest(_drawn(node))}"
    if node.tag == "script" and "json" in node.attributes.get("type", "") and "id" not in node.attributes:
        return f"the data of a simulator, {_digest(html[node.inside : node.close])}"
    if node.tag in SAID_AGAIN and "aria-label" in node.attributes:
        return f"heard: {node.attributes['aria-label']}"
    if node.tag in FOREIGN:
        return f"{node.tag}, {_digest(str(node))}"
    hiding = [f"{name}={node.attributes[name]}" for name in HIDING if name in node.attributes and not within(node, "svg", "math")]
    return f"{node.tag} with {', '.join(hiding)}" if hiding else ""


def _drawn(svg: Element) -> str:
    """A picture without what each engine writes its own way: names of namespaces, spaces between elements."""
    told = []
    for node in (svg, *svg.walk()):
        if isinstance(node, Text):
            told.append(node.text.strip())
            continue
        own = sorted((name.removeprefix("xlink:"), value) for name, value in node.attributes.items())
        told.append(f"{node.tag} {[one for one in own if not one[0].startswith(('xmlns', 'xlink'))]}")
    return "\n".join(filter(None, told))


def running(html: str) -> list[Paragraph]:
    """Each script and each style of a page, by their digests: what can show something else than the page says."""
    tree = parse(html)
    data = ("application/json", "application/ld+json")
    found = [*(one for one in tree.all("script") if one.attributes.get("type") not in data), *tree.all("style")]
    ours = [one for one in found if one.attributes.get("id") != f"{OWN}-style"]
    return [Paragraph("", f"{one.tag} {one.attributes.get('id', '')}, {_digest(html[one.inside : one.close])}") for one in ours]


def generator(html: str) -> str:
    """The engine that made a page, as it says: Quarto's version, or nothing."""
    return next((one.attributes.get("content", "") for one in parse(html).all("meta") if one.attributes.get("name") == "generator"), "")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


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
