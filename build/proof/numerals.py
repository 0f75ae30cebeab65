"""What counts as a numeral: every sign that Unicode gives a number, Roman numerals, and the number words of the language in hand.

A language's grammar of numbers stands in data/languages/: cardinals, parts, multiples, collectives, ordinals, and the prefixes
that count (tridimensional). Left aside are its article (um, uma; one), and the first and the second, which tell one of
two from the other. A text is read as an eye reads it (bare_text): what nobody sees in a word parts nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from babel.numbers import get_decimal_symbol

from figures.kit import formats, language, tongues
from figures.kit.tongues import Amount, Tongue
from proof.bare_text import SIGN, bare

_DIGITS = r"\d+(?:[.,\u00a0\u202f]\d+)*"  # of any script: 7, ７, ٧
SIGNS = "[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅞]+"
_ROMAN = "M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


class Numeral(NamedTuple):
    """A numeral as it is written, and where in its text it starts and ends."""

    text: str
    start: int
    end: int


def values() -> dict[str, float]:
    """Every number word of the language in hand with its value."""
    return _values(language.spoken())


@cache
def _values(tag: str) -> dict[str, float]:
    known = tongues.of(tag)
    words = {word: amount.value for amount in known.words for word in amount.words}
    verbs, agreeing = _inflected(known.verbs, known.endings), _inflected((*known.multiples, *known.ordinals), known.agreeing)
    return words | verbs | agreeing


def _inflected(amounts: Iterable[Amount], endings: Iterable[str]) -> dict[str, float]:
    return {stem + ending: amount.value for amount in amounts for stem, ending in product(amount.stems, tuple(endings))}


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
    spelled = rf"(?<![^\W_])(?=[{first}])(?:{words})+(?![^\W_]){_not_before(known)}"
    kinds = [_DIGITS, SIGNS, f"{SIGN}+", spelled, _halves(known), _prefixed(known), _parts(known), _roman(known)]
    return re.compile("|".join(filter(None, kinds)), re.IGNORECASE)


def _written(words: Iterable[str]) -> set[str]:
    """The words, and the same without accents, as a text is read that has marks of its own."""
    return {form for word in words for form in (word, bare(f"{word}\u00ad")[0])}


def _not_before(known: Tongue) -> str:
    """Behind a number word, what makes it the name of something else: quarta-feira."""
    return f"(?!(?:{'|'.join(known.not_before)}))" if known.not_before else ""


def _halves(known: Tongue) -> str:
    """The word for a half where it is one: "meio segundo", and not "no meio" or "meio ambiente"."""
    halves = known.halves
    if halves is None:
        return ""
    after = "".join(rf"(?<!\b{word} )" for word in halves.not_after)
    return rf"{after}\b(?:{'|'.join(halves.words)})(?= (?!(?:{'|'.join(halves.not_before)})\b)[^\W\d_])"


def _prefixed(known: Tongue) -> str:
    """A word that counts in its prefix: tridimensional, tetracampeão. The prefixes in `sure` do so before whatever follows."""
    counted = "|".join(_written(known.counted))
    some, sure = ("|".join(stem for amount in amounts for stem in _written(amount.stems)) for amounts in (known.prefixes, known.sure))
    kinds = [rf"(?:{some})-?(?:{counted})\w*"] * bool(some and counted) + [rf"(?:{sure})-?[^\W\d_]{{3,}}"] * bool(sure)
    return rf"(?<![^\W_])(?:{'|'.join(kinds)})" if kinds else ""


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
    return rf"(?:(?<![\w\\^{{])|(?<=text\{{)|(?<=mathrm\{{))(?=(?-i:[IVXLCDM]{{2,}})\b|(?:{after})[IVX]\b)(?-i:{_ROMAN})(?![\w^{{])|[Ⅰ-ↈ]+"


def numerals(text: str) -> Iterator[Numeral]:
    """The numerals of a text, in order.

    >>> [numeral.text for numeral in numerals("x² + 1,5 + ⑦")]
    ['²', '1,5', '⑦']
    """
    read, places = bare(text)
    for match in pattern().finditer(read):
        if match[0]:
            start, end = places[match.start()], places[match.end()]
            yield Numeral(text[start:end], start, end)


def value_of(text: str) -> float | None:
    """What a numeral amounts to; None where it is no number.

    >>> [value_of(text) for text in ("1,5", "²", "½", "XIV")]
    [1.5, 2.0, 0.5, 14.0]
    """
    text, tag = unicodedata.normalize("NFC", text), language.spoken()
    if len(text) == 1 and (worth_of_one := unicodedata.numeric(text, None)) is not None:
        return worth_of_one
    if text.lower() in _fractions(tag):
        return 1 / _fractions(tag)[text.lower()]
    if text.lower() in _values(tag):
        return _values(tag)[text.lower()]
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


def parts_of(text: str) -> Iterator[str]:
    """The parts of every numeral of a text, as often as they stand there."""
    return (part for numeral in numerals(text) for part in parts(numeral.text))


def parts(numeral: str) -> set[str]:
    """A numeral's runs of digits, or the word, since MathML and SVG break numbers where they like."""
    plain = numeral if re.fullmatch(SIGNS, numeral) else unicodedata.normalize("NFKC", numeral)  # bold digits are digits
    plain = plain if SIGN in bare(plain)[0] else bare(plain)[0]
    return set(re.findall(r"\d+", plain)) or {plain.lower()}
