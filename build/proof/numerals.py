"""What counts as a numeral: digits, superscripts, fractions, and the number words of the language in hand, data/numerals/.

Left aside are the article um/uma and ordinals ("a terceira linha", ③), which name a place and not an amount.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from figures.kit import data, files, language
from figures.kit.errors import DataError


class Amount(data.Record):
    value: float
    words: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()


class Numerals(data.Record):
    """`data/numerals/LANGUAGE.yml`: the number words of a language."""

    words: tuple[Amount, ...]
    verbs: tuple[Amount, ...]
    endings: tuple[str, ...]
    parts: tuple[Amount, ...]
    before_a_part: tuple[str, ...]


@cache
def _numerals(tag: str) -> Numerals:
    """What counts as a number word in a language, or in a more general one that it falls back on."""
    tags = language.fallbacks(tag)
    for name in (f"numerals/{one}" for one in tags):
        if (files.folder() / f"{name}.yml").is_file():
            return data.load(name, Numerals)
    known = sorted(file.name for file in (files.folder() / "numerals").glob("*.yml"))
    remedy = f"The audit needs its number words: write them as in {', '.join(known)}"
    raise DataError(f"data/numerals/{tags[-1]}.yml", "", "the file is missing", remedy)


def values() -> dict[str, float]:
    """Every number word of the language in hand with its value."""
    return _values(language.spoken())


@cache
def _values(tag: str) -> dict[str, float]:
    known = _numerals(tag)
    words = {word: amount.value for amount in known.words for word in amount.words}
    return words | {stem + ending: verb.value for verb in known.verbs for stem in verb.stems for ending in known.endings}


@cache
def _fractions(tag: str) -> dict[str, float]:
    """The stems of fractions with their denominators."""
    return {stem: amount.value for amount in _numerals(tag).parts for stem in amount.stems}


_DIGITS = r"\d+(?:[.,\u00a0\u202f]\d+)*"  # of any script: 7, ７, ٧
SIGNS = "[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅞]+"


def pattern() -> re.Pattern[str]:
    """What is taken for a numeral in the language in hand."""
    return _pattern(language.spoken())


@cache
def _pattern(tag: str) -> re.Pattern[str]:
    spelled = {form for word in _values(tag) for form in (word, unicodedata.normalize("NFD", word))}  # accents may stand apart
    starts: defaultdict[str, list[str]] = defaultdict(list)  # words by how they start: far fewer to try at each place
    for word in sorted(spelled, key=len, reverse=True):
        starts[word[:2]].append(word[2:])
    words = "|".join(f"{start}(?:{'|'.join(ends)})" for start, ends in starts.items())
    after = "|".join(rf"(?<=\b{word} )" for word in _numerals(tag).before_a_part)
    first = "".join({start[0] for start in starts})
    part = "|".join(form for stem in _fractions(tag) for form in (stem, unicodedata.normalize("NFD", stem)))
    fractioned = rf"(?:{after})(?:{part})[oa]\b|(?<=s )(?:{part})[oa]s\b|(?<!\w)(?:{part})[oa]s?(?= partes?\b)"
    return re.compile(rf"{_DIGITS}|{SIGNS}|(?<![^\W_])(?=[{first}])(?:{words})(?![^\W_])|{fractioned}", re.IGNORECASE)


def numerals(text: str) -> Iterator[re.Match[str]]:
    """The numerals of a text, in order.

    >>> [match[0] for match in numerals("x² + 1,5")]
    ['²', '1,5']
    """
    return pattern().finditer(text)


def value_of(text: str) -> float | None:
    """What a numeral amounts to; None where it is no number.

    >>> [value_of(text) for text in ("1,5", "²", "½")]
    [1.5, 2.0, 0.5]
    """
    text = unicodedata.normalize("NFC", text)
    if text.lower() in values():
        return values()[text.lower()]
    fractions = _fractions(language.spoken())
    if text.lower()[:-1].rstrip("oa") in fractions:
        return 1 / fractions[text.lower()[:-1].rstrip("oa")]
    if re.fullmatch(SIGNS, text):
        worth = [unicodedata.numeric(sign) for sign in text]
        return worth[0] if len(worth) == 1 else float("".join(f"{one:.0f}" for one in worth))
    digits = re.sub(r"[\u00a0\u202f]", "", text)
    try:
        return float(digits.replace(".", "").replace(",", ".") if "," in digits else digits)
    except ValueError:
        return None


def parts(numeral: str) -> set[str]:
    """A numeral's runs of digits, or the word, since MathML and SVG break numbers where they like."""
    plain = numeral if re.fullmatch(SIGNS, numeral) else unicodedata.normalize("NFKC", numeral)  # bold digits are digits
    return set(re.findall(r"\d+", plain)) or {plain.lower()}
