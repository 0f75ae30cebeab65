"""Marks the letters of the theme's roles in formulas with a class, and changes not one byte more."""

from __future__ import annotations

import html as entities
import re
import unicodedata
import xml.etree.ElementTree as xml
from collections.abc import Iterator

from figures.kit.errors import Problem
from figures.kit.theme import THEME

ROLES = {letter: role.css for role in THEME.roles for letter in role.letters}
NEUTRAL = "neutral"
_MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
_MI = re.compile(r"<mi\b([^>]*)>")
_NEUTRAL = re.compile(rf'<(\w+)[^>]*\bclass="(?:[^"]*\s)?{NEUTRAL}(?:\s[^"]*)?"[^>]*>')
_XML_ENTITIES = {"lt", "gt", "amp", "quot", "apos"}


def colour_roles(html: str) -> str:
    """The page with the letters of the roles marked in every formula outside class `neutral`.

    A letter in a subscript belongs to what it sits under; only at the letters that the theme names it can name a role.
    """
    quiet = list(neutral_spans(html))

    def marked(math: re.Match[str]) -> str:
        if any(start <= math.start() < end for start, end in quiet):
            return math[0]
        return mark(math[0])

    return _MATH.sub(marked, html)


def mark(math: str) -> str:
    """One `<math>` element with classes on its role letters."""
    classes = iter(roles(math))
    return _MI.sub(lambda mi: _with_class(mi, next(classes)), math)


def roles(math: str) -> list[str]:
    """The role of each `<mi>` in order, "" for none."""
    try:
        root = xml.fromstring(re.sub(r"&(\w+);", _character, math))
    except xml.ParseError as error:
        raise Problem("formula", f"not well-formed MathML ({error}): {math[:120]}", "Write it as TeX between dollar signs") from None
    return list(_walk(root, under=""))


def _walk(node: xml.Element, under: str) -> Iterator[str]:
    """Roles below `node`, which sits in the subscript of the letter `under` ("" outside any subscript)."""
    name = node.tag.rpartition("}")[2]
    if name == "mi":
        letter = unicodedata.normalize("NFKC", (node.text or "").strip())
        yield ROLES.get(letter, "") if under in ("", *THEME.subscripts_name_roles_at) else ""
        return
    for place, child in enumerate(node):
        is_subscript = name in ("msub", "msubsup", "munder", "munderover") and place == 1
        yield from _walk(child, _base(node) if is_subscript and not under else under)


def _base(script: xml.Element) -> str:
    """The letter that a subscript hangs on, such as "d" in d_k."""
    return unicodedata.normalize("NFKC", "".join(script[0].itertext()).strip()) or "?"


def _with_class(mi: re.Match[str], role: str) -> str:
    attributes = mi[1]
    if not role or re.search(rf'\bclass="[^"]*\b{role}\b', attributes):
        return mi[0]
    if 'class="' in attributes:
        return "<mi" + attributes.replace('class="', f'class="{role} ', 1) + ">"
    return f'<mi class="{role}"{attributes}>'


def _character(entity: re.Match[str]) -> str:
    return entity[0] if entity[1] in _XML_ENTITIES else entities.unescape(entity[0])


def neutral_spans(html: str) -> Iterator[tuple[int, int]]:
    """Where each element of class `neutral` begins and ends."""
    for opening in _NEUTRAL.finditer(html):
        depth = 0
        for tag in re.compile(rf"<(/?){opening[1]}\b[^>]*>").finditer(html, opening.start()):
            depth += -1 if tag[1] else 1
            if depth == 0:
                yield opening.start(), tag.end()
                break
