"""The numerals of a rendered page: each under a mark of the ledger whose entry holds it, or one that its sources hold."""

from __future__ import annotations

import html as entities
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from base.html_tree import SAID_AGAIN, SILENT, SPOKEN, Element, Text, parse, place
from base.slides import HEADINGS, slides

from figures.kit.entry import Claim, Entry, Figure, Number, Simulator, Table, Word
from figures.kit.json_values import json_text
from proof import fault
from proof.fault import Stray
from proof.ledger_file import mark_of
from proof.numerals import numerals, parts, parts_of
from proof.shown_code import inside_address
from proof.source_numbers import TITLE

LABELLED = {
    "ol": ("start",),
    "li": ("value",),
    "input": ("value",),
    "progress": ("value", "max"),
    "meter": ("value", "max"),
}  # attributes that only these elements show
HIDING = {*SILENT, "head"}
# By their elements: code that a page runs and shows, read in its sources; the numbers that pandoc gives to notes; what a figure
# draws, as a table made with it.
OWN = {"cell-code": ("div", "pre", "code"), "footnote-ref": ("a",), "figure-values": ("details",)}
INSIDE = ("src", "href", "data", "poster", "srcset", "xlink:href", "style")  # attributes that may hold a page or a picture themselves
IN_PLACE = ("text", "formula", "contents")
UNREAD = ("range", "checkbox", "radio", "hidden", "color")  # kinds of inputs whose value nobody reads


class Piece(NamedTuple):
    """A text that a reader or a screen reader gets, with its slide and the innermost mark around it, 0 for none."""

    start: int
    text: str
    slide: str
    mark: int
    what: str  # text, formula, the name of an attribute


class Around(NamedTuple):
    """What an element's place means for the texts in it: whether nobody gets them, the innermost mark, whether it is a formula, or
    a list of headings."""

    hidden: bool = False
    mark: int = 0
    formula: bool = False
    contents: bool = False

    def inside(self, element: Element) -> Around:
        """The same for what stands in a child of such an element."""
        own = any(element.tag in OWN.get(name, ()) for name in element.classes)
        hidden = self.hidden or element.tag in HIDING or own
        return Around(hidden, mark_of(element) or self.mark, self.formula or element.tag == "math", self.contents or element.tag == "nav")


def pieces(page: Element, places: Collection[str]) -> Iterator[Piece]:
    """All texts that a page gives its readers; a section or heading that the sources give no id (`places`) belongs to the one before."""
    known = {id(page): Around()}  # of each element, before what stands in it is asked
    for slide, node in slides(page, places.__contains__, TITLE):
        here = known[id(node.parent)]
        if isinstance(node, Element):
            known[id(node)] = here = here.inside(node)
        if here.hidden:
            continue
        if isinstance(node, Text):
            what = "contents" if here.contents else "formula" if here.formula else "text"
            yield Piece(node.start, node.text, slide, here.mark, what)
        else:
            yield from (Piece(node.start, node.attributes[name], slide, here.mark, name) for name in _spoken_attributes(node))
            yield from (Piece(node.start, said, slide, here.mark, name) for name, said in _inside(node))


def _spoken_attributes(element: Element) -> Iterator[str]:
    """The attributes by which an element says something to people."""
    if element.tag in SAID_AGAIN or element.tag == "a" and not element.attributes.get("href"):
        return  # Quarto puts such an anchor, with its number, before each line of code
    for name in (*SPOKEN, *LABELLED.get(element.tag, ())):
        steps = element.tag == "input" and name == "value" and element.attributes.get("type") in UNREAD
        if element.attributes.get(name) and not steps:
            yield name


def _inside(element: Element) -> Iterator[tuple[str, str]]:
    """What stands in the page or the picture that an attribute holds."""
    for name in INSIDE:
        if "data:" in element.attributes.get(name, ""):
            yield name, inside_address(element.attributes[name])
    if page := element.attributes.get("srcdoc"):
        yield "srcdoc", parse(page).text


def _as_wide(entity: re.Match[str]) -> str:
    """An entity's character, as wide as the entity, so that columns stay; what would be taken for a mark of HTML looks like it."""
    mark = {"<": "‹", ">": "›", '"': "”", "&": "＆"}
    character = entities.unescape(entity[0])
    return mark.get(character, character).ljust(len(entity[0]), "\u2060")


def unexplained(name: str, html: str, entries: Sequence[Entry], typed: Mapping[str, Counter[str]]) -> list[Stray]:
    """The numerals of a page that stand under no mark whose entry holds them, and that the slide's sources don't have.

    `typed` counts the numerals of the sources by slide: each explains one of the page; whether it may stand there is a
    question to the sources.
    """
    by_mark = {entry.n: entry for entry in entries}
    held = {n: _held(entry) for n, entry in by_mark.items()}
    beside: defaultdict[str, set[str]] = defaultdict(set)  # an attribute holds no mark: what it says stands on its slide
    for n, entry in by_mark.items():
        if isinstance(entry, (Number, Word)):
            beside[entry.slide.id] |= held[n]
    left = {slide: Counter(count) for slide, count in typed.items()}
    faults = []
    page = re.sub(r"&#?\w+;", _as_wide, html)
    tree = parse(page)
    headings = {part for one in tree.walk() if isinstance(one, Element) and one.tag in HEADINGS for part in parts_of(one.text)}
    for piece in pieces(tree, typed.keys()):
        marked = by_mark.get(piece.mark)
        why = f"{marked.id} around it does not hold it" if marked else "no mark of the ledger around it"
        for numeral in numerals(piece.text):
            runs = parts(numeral[0])
            explained = held.get(piece.mark, set()) if piece.mark else set(+left.get(piece.slide, Counter()))
            if not piece.mark and piece.what not in IN_PLACE:
                explained |= beside[piece.slide]
            if piece.what == "contents":
                explained = headings
            elif not piece.mark:
                left.get(piece.slide, Counter()).subtract(runs)
            if not runs <= explained:
                what = f"“{numeral[0]}” ({piece.what} of {piece.slide}): {why} (“{fault.around(piece.text, numeral)}”)"
                at = piece.start + numeral.start if piece.what in IN_PLACE else piece.start
                faults.append(Stray(name, *place(page, at), numeral[0], what))
    return faults


def _held(entry: Entry) -> set[str]:
    """Every numeral in what an entry says it shows."""
    shown = [entry.text]
    match entry:
        case Figure():
            shown += [entry.value.caption, *entry.value.texts]
        case Table() | Simulator() | Claim():
            shown.append(json_text(entry.value))
    if isinstance(entry.value, str):
        shown.append(entry.value)
    return {part for text in shown for part in parts_of(text)}
