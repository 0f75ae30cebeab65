"""A text as an eye reads it: without the signs that nobody sees, letters of other shapes and scripts as the plain ones they look like.

What counts for a number in one sign (⑦, Ⅶ, 七, 🔟, ⚃) becomes the sign SIGN, whatever script or block it is from: Unicode says so,
by its value, by what it is compatible with, or by its name.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

SIGN = "\ue000"  # stands for a sign that is a number by itself
KEPT = frozenset("²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞")  # which `numerals` reads itself
_PLAIN = re.compile(r"[\t\n\r -~\u00a0À-ÿ\u202f\ufffc¡-¬®-±´-¸º»¿‐-―‘-‟…−√·×→←⁰⁴-⁹₀-₉¼-¾⅐-⅞Α-ω∈∑∂∇≈≠≤≥]*")
_NAMED = re.compile(r"\b(?:DIGIT|NUMBER(?! SIGN)|NUMERAL|KEYCAP|DIE FACE|HUNDRED POINTS)\b")
_PICTURED = re.compile(r"\b(?:TWO|THREE|FOUR|FIVE|SIX|SEVEN|EIGHT|NINE|TEN|ELEVEN|TWELVE)\b(?!-)")
_SHAPED = re.compile(r"LATIN (?:LETTER |SMALL LETTER |CAPITAL LETTER )?(?:SMALL CAPITAL |SMALL LETTER |DOTLESS |SCRIPT )?([A-Z])$")
_ALIKE = str.maketrans("аеорсухіјѕԁһкмтвнԛԝοανιυρτκε", "aeopcyxijsdhkmtbhqwoaviuptke")  # Cyrillic and Greek letters that look Latin


def bare(text: str) -> tuple[str, list[int]]:
    """A text as it is read, and of each of its characters where it stands in the text, with the end behind them.

    >>> bare("se\\u00adte ⑦")[0] == "sete " + SIGN
    True
    """
    if _PLAIN.fullmatch(text):
        return text, list(range(len(text) + 1))
    signs: list[str] = []
    places: list[int] = []
    for at, sign in enumerate(text):
        for one in _read(sign):
            signs.append(one)
            places.append(at)
    return _latin("".join(signs)), [*places, len(text)]


@cache
def _read(sign: str) -> str:
    """What an eye reads in a character: nothing, itself, its letter without accents, or that it is a number."""
    if sign in KEPT or sign.isascii() or sign == "\ufffc":
        return sign
    category = unicodedata.category(sign)
    if category in ("Mn", "Me", "Cf", "Cc") or sign in "\u115f\u1160\u3164\uffa0\u2800":
        return ""  # a mark on the letter before, or what nobody sees
    if category == "Nd":
        return sign
    if is_number(sign):
        return SIGN
    if category.startswith("L"):
        shaped = _SHAPED.match(unicodedata.name(sign, ""))
        decomposed = "".join(one for one in unicodedata.normalize("NFKD", sign) if unicodedata.category(one) != "Mn")
        return shaped[1].lower() if shaped and shaped[1] else decomposed
    return sign


def is_number(sign: str) -> bool:
    """Whether a single character says a number.

    >>> [is_number(sign) for sign in "⑦Ⅳ七⚄a#"]
    [True, True, True, True, False, False]
    """
    if unicodedata.numeric(sign, None) is not None:
        return True
    if any(one.isdigit() for one in unicodedata.normalize("NFKC", sign)):
        return True
    name = unicodedata.name(sign, "")
    return bool(_NAMED.search(name)) or unicodedata.category(sign) == "So" and bool(_PICTURED.search(name))


_WORD = re.compile(r"[^\W\d_]+")


def _latin(text: str) -> str:
    """The text with words that mix scripts read as Latin ones: an “е” that is Cyrillic looks like the other."""
    if text.isascii():
        return text
    return _WORD.sub(lambda word: word[0].translate(_ALIKE) if _mixed(word[0]) else word[0], text)


def _mixed(word: str) -> bool:
    return any(one.isascii() for one in word) and not word.isascii() or len(word) > 2 and word.translate(_ALIKE).isascii()
