"""What counts as a numeral: digits, superscripts, fractions, Roman numerals, and the number words of the language in hand.

A language's number words stand in data/languages/. Left aside are its article (um, uma; one) and ordinals ("a terceira
linha", ③), which name a place and not an amount.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

from babel.numbers import get_decimal_symbol

from figures.kit import formats, language, tongues
from figures.kit.tongues import Tongue

_DIGITS = r"\d+(?:[.,\u00a0\u202f]\d+)*"  # of any script: 7, ７, ٧
SIGNS = "[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅞]+"
_ROMAN = "M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def values() -> dict[str, float]:
    """Every number word of the language in hand with its value."""
    return _values(language.spoken())


@cache
def _values(tag: str) -> dict[str, float]:
    known = tongues.of(tag)
    words = {word: amount.value for amount in known.words for word in amount.words}
    return words | {stem + ending: verb.value for verb in known.verbs for stem in verb.stems for ending in known.endings}


@cache
def _fractions(tag: str) -> dict[str, float]:
    """The words for parts, in the singular and the plural, with how many of them make a whole."""
    known = tongues.of(tag)
    return {
        stem + ending: amount.value
        for amount in known.parts
        for stem, ending in product(amount.stems, (*known.part_endings.one, *known.part_endings.many))
    }


def pattern() -> re.Pattern[str]:
    """What is taken for a numeral in the language in hand."""
    return _pattern(language.spoken())


@cache
def _pattern(tag: str) -> re.Pattern[str]:
    known = tongues.of(tag)
    starts: defaultdict[str, list[str]] = defaultdict(list)  # words by how they start: far fewer to try at each place
    for word in sorted(_written(_values(tag)), key=len, reverse=True):
        starts[word[:2]].append(word[2:])
    words = "|".join(f"{start}(?:{'|'.join(ends)})" for start, ends in starts.items())
    first = "".join(sorted({start[0] for start in starts}))
    spelled = rf"(?<![^\W_])(?=[{first}])(?:{words})(?![^\W_])"
    return re.compile(f"{_DIGITS}|{SIGNS}|{spelled}|{_parts(known)}|{_roman(known)}", re.IGNORECASE)


def _written(words: Iterable[str]) -> set[str]:
    """The words, and the same with each accent as a sign of its own."""
    return {form for word in words for form in (word, unicodedata.normalize("NFD", word))}


def _parts(known: Tongue) -> str:
    """An ordinal that is a fraction where it stands, as in "um terço", "two thirds", "a décima parte"."""
    stems = "|".join(sorted(_written(stem for amount in known.parts for stem in amount.stems), key=len, reverse=True))
    one, many = (f"(?:{stems})(?:{'|'.join(endings)})" for endings in (known.part_endings.one, known.part_endings.many))
    after = "|".join(rf"(?<=\b{word}[ -])" for word in known.before_a_part)
    alone = rf"(?!\s+\w)|(?=\s+(?:{'|'.join(known.after_a_part)})\b)" if known.after_a_part else ""
    several = rf"(?<={known.before_parts}[ -])" if known.before_parts else r"(?<!\w)"
    before = rf"(?= (?:{'|'.join(known.part)})\b)"
    return rf"(?:{after}){one}\b(?:{alone})|{several}{many}\b|(?<!\w)(?:{one}|{many}){before}"


def _roman(known: Tongue) -> str:
    """A Roman numeral in capitals: of several letters, or of one after a word such as "chapter"; ② and Ⅱ are signs."""
    after = "|".join(rf"(?<=\b{word} )" for word in known.before_a_roman)
    return rf"(?<![\w\\^{{])(?=(?-i:[IVXLCDM]{{2,}})\b|(?:{after})[IVX]\b)(?-i:{_ROMAN})(?![\w^{{])|[Ⅰ-ↈ]+"


def numerals(text: str) -> Iterator[re.Match[str]]:
    """The numerals of a text, in order.

    >>> [match[0] for match in numerals("x² + 1,5")]
    ['²', '1,5']
    """
    return (match for match in pattern().finditer(text) if match[0])


def value_of(text: str) -> float | None:
    """What a numeral amounts to; None where it is no number.

    >>> [value_of(text) for text in ("1,5", "²", "½", "XIV")]
    [1.5, 2.0, 0.5, 14.0]
    """
    text, tag = unicodedata.normalize("NFC", text), language.spoken()
    if text.lower() in _values(tag):
        return _values(tag)[text.lower()]
    if text.lower() in _fractions(tag):
        return 1 / _fractions(tag)[text.lower()]
    if re.fullmatch(SIGNS, text):
        worth = [unicodedata.numeric(sign) for sign in text]
        return worth[0] if len(worth) == 1 else float("".join(f"{one:.0f}" for one in worth))
    letters = unicodedata.normalize("NFKC", text).upper()
    if letters and re.fullmatch(_ROMAN, letters):
        return _of_letters(letters)
    return _of_digits(re.sub(r"[\u00a0\u202f]", "", text))


def _of_letters(roman: str) -> float:
    worth = [_LETTERS[letter] for letter in roman]
    return float(sum(-one if one < following else one for one, following in zip(worth, [*worth[1:], 0], strict=True)))


def _of_digits(text: str) -> float | None:
    """The value of digits; where the language writes a decimal comma, a point without one is taken for a decimal point too."""
    if get_decimal_symbol(formats.locale()) == ".":
        text = text.replace(",", "")
    elif "," in text:
        text = text.replace(".", "").replace(",", ".")
    try:
        return float(text)
    except ValueError:
        return None


def parts(numeral: str) -> set[str]:
    """A numeral's runs of digits, or the word, since MathML and SVG break numbers where they like."""
    plain = numeral if re.fullmatch(SIGNS, numeral) else unicodedata.normalize("NFKC", numeral)  # bold digits are digits
    return set(re.findall(r"\d+", plain)) or {plain.lower()}
