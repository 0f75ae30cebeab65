"""What a page says aloud where letters and signs don't: each formula, the texts of pictures in files, each title with a formula.

A formula carries its words as `aria-label`, a number with an exponent as `data-said`, a slide whose title holds a formula as
`data-title-said`. `say(html, page)` is pure, and leaves a finished page as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from base import pieces
from base.html_tree import Element, Text, parse, replaced, within
from base.slides import slides, titles

from figures.kit import speech
from figures.kit.errors import Problem

HEADINGS = ("h1", "h2")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]")


def say(html: str, page: str) -> str:
    """The page with the words in it; a Problem that names page, slide and formula where there are none."""
    return pieces.changed(html, "speech", [page], lambda piece: _said(piece, page))


def _said(html: str, page: str) -> str:
    tree = parse(html)
    named = titles(tree)
    changes: list[tuple[int, int, str]] = []
    for slide, node in slides(tree):
        if not isinstance(node, Element) or within(node, "script", "style", "template"):
            continue
        where = f"{page}, slide “{named.get(slide) or 'without a title'}”"
        changes += [(node.start, node.inside, tag) for tag in _changed(html, node, where)]
    return replaced(html, changes)


def _changed(html: str, node: Element, where: str) -> Iterator[str]:
    """The opening tag of an element with its words, if it needs any."""
    tag = html[node.start : node.inside]
    if node.tag == "math":
        yield _with(tag, "aria-label", formula(html[node.start : node.end], where))
    elif node.tag == "section" and (said := _title(html, node, where)):
        yield _with(tag, "data-title-said", said)
    elif node.tag == "img" and node.attributes.get("alt"):
        yield _with(tag, "alt", speech.of_text(node.attributes["alt"]))
    elif node.tag == "span" and "n" in node.classes and _RAISED.search(node.text):
        yield _with(tag, "data-said", speech.of_text(node.text))


def formula(math: str, where: str) -> str:
    """A `<math>` element in words; a Problem that names the place and the formula as its source has it."""
    try:
        return speech.of_mathml(math)
    except Problem as fault:
        tex = re.search(r"<annotation[^>]*>(.*?)</annotation>", math, re.DOTALL)
        raise Problem(f"{where}, formula “{tex[1] if tex else math[:80]}”", fault.what, fault.remedy) from None


def _title(html: str, section: Element, where: str) -> str:
    """A slide's title in words, where it holds a formula."""
    heading = next((child for child in section.children if isinstance(child, Element) and child.tag in HEADINGS), None)
    if heading is None or not any(heading.all("math")):
        return ""
    parts = [
        node.text if isinstance(node, Text) else f" {formula(html[node.start : node.end], where)} " for node in _above_formulas(heading)
    ]
    return " ".join("".join(parts).split())


def _above_formulas(element: Element) -> Iterator[Element | Text]:
    """The texts and formulas of an element, in order; what is inside a formula stays in it."""
    for child in element.children:
        if isinstance(child, Text) or child.tag == "math":
            yield child
        else:
            yield from _above_formulas(child)


def _with(tag: str, name: str, value: str) -> str:
    """An opening tag with an attribute set anew."""
    bare = re.sub(rf'\s{name}="[^"]*"', "", tag)
    return re.sub(r"\s*(/?>)$", lambda end: f' {name}="{escape(value)}"{end[1]}', bare)
