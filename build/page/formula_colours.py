"""Marks the letters of the theme's roles in formulas with a class, and changes not one byte more."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from base import pieces
from base.html_tree import Element, around, parse, replaced, with_class

from figures.kit.errors import Problem
from figures.kit.theme import THEME, Role

LETTERS = {letter: role.css for role in THEME.roles for letter in role.letters}
NEUTRAL = "neutral"
SUBSCRIPTED = ("msub", "msubsup", "munder", "munderover")


def colour_roles(html: str, shown: Iterable[Role] = THEME.roles) -> str:
    """The page with the letters of these roles marked in every formula outside class `neutral`."""
    letters = {letter: role.css for role in shown for letter in role.letters}
    return pieces.changed(html, "roles", [f"{letters}"], lambda piece: _coloured(piece, letters))


def _coloured(html: str, letters: Mapping[str, str]) -> str:
    formulas = [math for math in parse(html).all("math") if not any(NEUTRAL in element.classes for element in around(math))]
    return replaced(html, [(math.start, math.end, mark(html[math.start : math.end], letters)) for math in formulas])


def mark(math: str, letters: Mapping[str, str] = LETTERS) -> str:
    """One `<math>` element with classes on its role letters."""
    found = [(letter, name) for letter, name in roles(math, letters) if name and name not in letter.classes]
    return replaced(math, [(mi.start, mi.inside, with_class(math[mi.start : mi.inside], name)) for mi, name in found])


def roles(math: str, letters: Mapping[str, str] = LETTERS) -> Iterator[tuple[Element, str]]:
    """Each `<mi>` in order with the class of its role, "" for none.

    A letter in a subscript belongs to what it sits under; only at the letters that the theme names it can name a role.
    """
    try:
        formula = parse(math, strict=True)
    except ValueError as error:
        raise Problem("formula", f"not well-formed MathML ({error}): {math[:120]}", "Write it as TeX between dollar signs") from None
    for letter in formula.all("mi"):
        subscripted = [script for part, script in pairwise(around(letter)) if script.tag in SUBSCRIPTED and part in _parts(script)[1:2]]
        names_role = not subscripted or _plain(_parts(subscripted[-1])[0]) in THEME.subscripts_name_roles_at
        yield letter, letters.get(_plain(letter), "") if names_role else ""


def _parts(script: Element) -> list[Element]:
    """What a script is set from: what it hangs on, then what hangs on it."""
    return [part for part in script.children if isinstance(part, Element)]


def _plain(element: Element) -> str:
    return unicodedata.normalize("NFKC", element.text)
