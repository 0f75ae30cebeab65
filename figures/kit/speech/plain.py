"""A text with signs of mathematics in it, such as the one that stands for a picture, with the signs in words.

What voices say by themselves (=, +, a comma, letters of any alphabet) stays as it is.
"""

from __future__ import annotations

import re

from figures.kit.speech.signs import sign
from figures.kit.words import Words

words = Words("speech")

_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n"))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-"))
_GROUPED = re.compile(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))")
_POWER = re.compile(f"([^\\W_]*)([{''.join(_RAISED)}]+)")
_INDEX = re.compile(f"[{''.join(_LOWERED)}]+")
_UNDERSCORE = re.compile(r"(?<![\w.])([^\W_]{1,2})_(?:\{(\w+)\}|(\w+))")
_TIMES = re.compile(r"\s*×\s*")
_SIGNS = re.compile(r"\s*([√−±∓≈≠≤≥≪≫∞∈∉∑∏∂∇→⇒⇔↔∝⊙⊗⊕⊤∅∀∃⋅‖])\s*")
_LETTERS = re.compile(r"(?<![^\W\d_])([Α-Ωα-ωϑϕϵ])(?![^\W\d_])")


def of_text(text: str) -> str:
    """The text with its signs in words.

    >>> of_text("de 5 × 10⁻⁴ a √d_k, com 131\u00a0072 pares")
    'de 5 vezes 10 elevado a menos 4 a raiz quadrada de d k, com 131072 pares'
    """
    text = _GROUPED.sub("", text)
    text = _UNDERSCORE.sub(lambda at: f"{at[1]} {at[2] or at[3]}", text)
    text = _TIMES.sub(lambda at: f" {_times(text, at)} ", text)
    text = _POWER.sub(lambda at: power(at[1], _digits(at[2], _RAISED)), text)
    text = _INDEX.sub(lambda at: f" {_signed(_digits(at[0], _LOWERED))}", text)
    text = _LETTERS.sub(lambda at: f" {sign(at[1])}", text)
    text = _SIGNS.sub(lambda at: f" {sign(at[1])} ", text)
    return tidy(text)


def power(base: str, exponent: str) -> str:
    """A base with an exponent of digits: "10" and "-4" -> "10 elevado a menos 4"."""
    keys = {"2": "script.square", "3": "script.cube"}
    if exponent in keys:
        return words(keys[exponent], base=base)
    return words("script.power", base=base, exponent=_signed(exponent))


def tidy(text: str) -> str:
    """Single spaces, and single commas where the ends of two things meet.

    >>> tidy("a , fim, , b,")
    'a, fim, b'
    """
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s+(?=[,;:.!?)\]])", "", text)
    text = re.sub(r"(?<=[(\[])\s+", "", text)
    text = re.sub(r",(?:\s*,)+", ",", text)
    text = re.sub(r",\s*([;:.])", r"\1", text)
    return text.strip().removesuffix(",").strip()


def _times(text: str, at: re.Match[str]) -> str:
    """Between two sizes it is another word than between factors: 6 × 8 is a matrix, 2 × 10⁻⁹ and × 100 are products."""
    after, before = text[at.end() :], text[: at.start()]
    product = re.match(f"10[{''.join(_RAISED)}]", after) or re.search(r"[^\W\d_]{2,}$|^$", before)
    return words("times.product" if product else "times.size")


def _digits(text: str, table: dict[str, str]) -> str:
    return "".join(table[one] for one in text)


def _signed(number: str) -> str:
    return "".join(f"{sign(one)} " if one in "+-" else one for one in number).strip()
