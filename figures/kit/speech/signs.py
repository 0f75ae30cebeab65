"""One character or one name of a formula in words: letters, Greek ones, letters of another style, signs."""

from __future__ import annotations

import unicodedata

from figures.kit.errors import Problem
from figures.kit.words import Words

words = Words("speech")

STYLES = {
    "bold": ("MATHEMATICAL BOLD", "MATHEMATICAL SANS-SERIF BOLD"),
    "double": ("MATHEMATICAL DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "script": ("MATHEMATICAL SCRIPT", "MATHEMATICAL BOLD SCRIPT", "SCRIPT"),
    "fraktur": ("MATHEMATICAL FRAKTUR", "MATHEMATICAL BOLD FRAKTUR", "BLACK-LETTER"),
}
STYLED = ("MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER", "PLANCK CONSTANT")
VARIANTS = {"bold": "bold", "bold-italic": "bold", "double-struck": "double", "script": "script", "fraktur": "fraktur"}
LIKE_LETTERS = "∞∅⌀…⋯⋮⋱%°"  # signs that stand where a letter may
UNSEEN = "\u200b\u2061\u2062\u2063\u2064\ufe00\ufe01"  # no width, or understood: function of, times, comma, plus


def plain(text: str) -> str:
    """A text in the plain letters that it is a style of, without what nobody sees; signs and numbers as they are.

    >>> plain("𝐖ℒ\u2061…")
    'WL…'
    """
    return "".join(_plain(one) for one in text if one not in UNSEEN)


def _plain(character: str) -> str:
    is_style = unicodedata.name(character, "").startswith(STYLED)
    return unicodedata.normalize("NFKC", character) if is_style else character


def style(text: str, variant: str = "") -> str:
    """The style of a letter that is told: "bold", "double", "script", "fraktur"; "" for upright and italic ones.

    >>> style("𝟏"), style("ℝ"), style("x")
    ('bold', 'double', '')
    """
    names = [unicodedata.name(one, "") for one in text]
    for name, starts in STYLES.items():
        if any(one.startswith(starts) for one in names):
            return "fraktur" if name == "bold" and any("FRAKTUR" in one for one in names) else name
    return VARIANTS.get(variant, "")


def is_letter(text: str) -> bool:
    """Whether a text of a formula names something: letters, digits, or a sign such as ∞ that stands for a quantity."""
    return bool(text) and (text[0] in LIKE_LETTERS or unicodedata.category(text[0])[0] in "LN")


def sign(text: str) -> str:
    """A sign, or several that are one, in words; a Problem for one that no word stands for."""
    signs = words.group("signs")
    if text in signs:
        return str(signs[text])
    return " ".join(_one(character, signs) for character in text)


def _one(character: str, signs: dict[str, str]) -> str:
    if character in signs:
        return signs[character]
    if is_letter(character):
        return letter(character)
    code = f"“{character}” (U+{ord(character):04X}, {unicodedata.name(character, 'without a name').lower()})"
    remedy = f"Give it words under `signs` in data/words/{_language()}/speech.yml, or write the formula without it"
    raise Problem("formula", f"it can't be read aloud: no word stands for {code}", remedy)


def _language() -> str:
    from figures.kit import language

    return language.fallbacks(language.spoken())[-1]


def letter(character: str) -> str:
    """A letter in words: itself where it is Latin, its name where it is Greek."""
    letters = words.group("letters")
    if character in letters:
        return str(letters[character])
    if character.lower() in letters and character != character.lower():
        return words("letter.capital", letter=letters[character.lower()])
    return character
