"""Formats that show a calculation with its result: "=" where the numbers as shown come to it, "≈" where they don't."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

from babel.numbers import get_decimal_symbol

from figures.kit.formats import ABOUT, MINUS, NBSP, Format, locale


def result_of(inner: Format) -> Format:
    """What a calculation comes to, with the sign before it: "=", or "≈" where the format says that it rounds.

    >>> from figures.kit.formats import binary_bytes
    >>> print(result_of(binary_bytes())(2**30), result_of(binary_bytes())(8e8))
    = 1 GiB ≈ 763 MiB
    """

    def write(value: Any) -> str:
        shown = inner(value)
        return shown if shown.startswith(ABOUT) else f"= {shown}"

    return Format(f"result_of({inner.name})", write, inner.unit)


def sum_of(inner: Format) -> Format:
    """Terms with their sum; a term of zero is left out, and one term alone is its own sum.

    >>> from figures.kit.formats import plain
    >>> sum_of(plain())([1, 2])
    '1 + 2 = 3'
    """

    def write(terms: Any) -> str:
        present = [term for term in terms if term]
        total = inner(math.fsum(present))
        added = " + ".join(map(inner, present)).replace(f"+ {MINUS}", f"{MINUS} ")
        shown = [sum((_read(inner(term))[0] for term in present), Decimal(0))] if len(present) > 1 else []
        return f"{added} {_is(shown, total)} {total}" if shown else total

    return Format(f"sum_of({inner.name})", write, inner.unit)


def quotient_of(inner: Format, result: Format) -> Format:
    """Two numbers with their quotient, after "≈" where that of the numbers as shown is another.

    >>> from figures.kit.formats import fixed
    >>> quotient_of(fixed(2), fixed(3))([2.03, 27.29])
    '2,03 / 27,29 ≈ 0,074'
    """

    def write(pair: Any) -> str:
        part, whole = pair
        above, below, shown = inner(part), inner(whole), result(part / whole)
        return f"{above} / {below} {_is([_read(above)[0] / _read(below)[0]], shown)} {shown}"

    return Format(f"quotient_of({inner.name}, {result.name})", write, result.unit)


def multiple_of(factor: Format, inner: Format, result: Format) -> Format:
    """A vector times a number, with the product.

    >>> from figures.kit.formats import plain, vector
    >>> print(multiple_of(plain(), vector(plain()), vector(plain()))([2, [1, 3]]))
    2 [1; 3] = [2; 6]
    """

    def write(pair: Any) -> str:
        number, values = pair
        before, within, shown = factor(number), inner(values), result([number * value for value in values])
        return f"{before}{NBSP}{within} {_is([_read(before)[0] * value for value in _read(within)], shown)} {shown}"

    return Format(f"multiple_of({factor.name}, {inner.name}, {result.name})", write, result.unit)


def _is(result: list[Decimal], shown: str) -> str:
    """The sign between what numbers as shown come to, and the result as it is shown."""
    return "=" if result == _read(shown) else "≈"


def _read(shown: str) -> list[Decimal]:
    """The numbers of a shown text, as a reader takes them."""
    point = get_decimal_symbol(locale())
    numerals = re.findall(rf"{MINUS}?\d[\d{NBSP}]*(?:{re.escape(point)}\d+)?", shown)
    return [Decimal(number.replace(NBSP, "").replace(point, ".").replace(MINUS, "-")) for number in numerals]
