"""The one formatter: raw values to text in the document's language, on top of Babel.

Knows nothing of slides, Markdown tables or where a value came from. There is one rule of rounding, here and in
slides/sim/kit/format.mjs: of the decimal digits that a number is written with, half a unit goes away from zero. Where a form
would state what the number is not, it says "≈" or shows more digits.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.numbers import format_decimal, get_decimal_symbol

from figures.kit import language, markup, project
from figures.kit.errors import DataError
from figures.kit.rounding import decimal_of, exponent_of, rounded, scaled

NBSP = "\u00a0"
MINUS = "−"
ABOUT = f"≈{NBSP}"
MOST = 12  # decimals that a share near none or all may take
_TEX_NAMES = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_SUPERSCRIPTS = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")


class FormatError(ValueError):
    """A value that this format can't show honestly: not a number, infinite, or of another kind."""


@dataclass(frozen=True)
class Format:
    """How a raw value becomes text: `.name` distinguishes two formats, `.unit` is the raw value's."""

    name: str
    write: Callable[[Any], str]
    unit: str = ""

    def __call__(self, value: Any) -> str:
        return self.write(value)


def locale() -> Locale:
    """Babel's locale of the language in hand."""
    return _locale(language.spoken())


def day(text: str) -> str:
    """A day, YYYY-MM-DD, as pages of the language in hand write it; what is no day as it is.

    >>> day("2027-03-01"), day("2027/1")
    ('1 de março de 2027', '2027/1')
    """
    try:
        return format_date(datetime.date.fromisoformat(text), "long", locale())
    except ValueError:
        return text


@cache
def _locale(lang: str) -> Locale:
    try:
        return Locale.parse(lang, sep="-")
    except (UnknownLocaleError, ValueError):
        raise DataError(project.SETTINGS, "lang", f"Babel knows no language {lang!r}", "Write a BCP 47 tag, such as pt-BR or en") from None


def fixed(decimals: int, sign: bool = False, trim: bool = False) -> Format:
    """So many decimals; `sign` shows a plus, `trim` drops trailing zeros, up to all.

    >>> fixed(3)(0.62)
    '0,620'
    """
    pattern = "#,##0" + ("." + ("#" if trim else "0") * decimals if decimals else "")

    def write(value: Any) -> str:
        number = _number(value)
        text = _grouped(rounded(decimal_of(value).copy_abs(), decimals), pattern)
        negative = number < 0 and any(c in "123456789" for c in text)
        return (MINUS if negative else "+" if sign and number > 0 else "") + text

    return Format(f"fixed({decimals}{', sign' * sign}{', trim' * trim})", write)


def plain(decimals: int = 4) -> Format:
    """As many decimals as it needs, up to `decimals`.

    >>> plain()(0.5), plain()(-1.0)
    ('0,5', '−1')
    """
    return fixed(decimals, trim=True)


def count() -> Format:
    """A whole number, with a no-break space between thousands; a fraction is refused.

    >>> print(count()(46080))
    46 080
    """

    def write(value: Any) -> str:
        number = _number(value)
        if number != int(number):
            raise FormatError(f"{value!r} is not a whole number; show it with fixed(…)")
        return fixed(0)(int(number))

    return Format("count", write)


def significant(digits: int) -> Format:
    """So many significant digits, written out.

    >>> significant(2)(0.0538)
    '0,054'
    """

    def write(value: Any) -> str:
        number = _number(value)
        if number == 0:
            return fixed(0)(0)
        place = digits - 1 - exponent_of(value, digits)
        return fixed(max(place, 0))(rounded(value, place))

    return Format(f"significant({digits})", write)


def scientific(digits: int = 1, sign: bool = False) -> Format:
    """So many significant digits and a power of ten, which goes without saying where it is 10⁰; zero is "0".

    >>> print(scientific(2)(1.19e-7), "and", scientific(1)(1))
    1,2 × 10⁻⁷ and 1
    """

    def write(value: Any) -> str:
        number = _number(value)
        if number == 0:
            return fixed(0)(0)
        exponent = exponent_of(value, digits)
        mantissa = fixed(digits - 1, sign=sign)(scaled(value, -exponent))
        return f"{mantissa}{NBSP}×{NBSP}10{_superscript(exponent)}" if exponent else mantissa

    return Format(f"scientific({digits}{', sign' * sign})", write)


def exact() -> Format:
    """Every digit of a number, in scientific notation where Python writes it so.

    >>> print(exact()(0.0538), "and", exact()(1.25e-7))
    0,0538 and 1,25 × 10⁻⁷
    """

    def write(value: Any) -> str:
        number = _number(value)
        if number == int(number):
            return count()(number)
        digits, _, exponent = repr(float(decimal_of(value))).partition("e")
        mantissa = digits.replace(".", get_decimal_symbol(locale())).replace("-", MINUS)
        return f"{mantissa}{NBSP}×{NBSP}10{_superscript(int(exponent))}" if exponent else mantissa

    return Format("exact", write)


def power_of_ten() -> Format:
    """The order of magnitude, rounded down; zero is "0".

    >>> power_of_ten()(2.06e-9)
    '10⁻⁹'
    """

    def write(value: Any) -> str:
        number = _number(value)
        if number < 0:
            raise FormatError(f"{value!r} has no order of magnitude")
        if number == 0:
            return fixed(0)(0)
        return f"10{_superscript(math.floor(math.log10(number)))}"

    return Format("power_of_ten", write)


def decade() -> Format:
    """A power of ten as a tick of a logarithmic axis says it: one is "1".

    >>> decade()(1), decade()(0.001)
    ('1', '10⁻³')
    """
    return Format("decade", lambda value: fixed(0)(1) if _number(value) == 1 else power_of_ten()(value))


def percent(decimals: int = 0) -> Format:
    """A share of one as per cent; what isn't quite none or all is shown with as many decimals as tell it from them.

    >>> percent()(0.165), percent()(0.996)
    ('17%', '99,6%')
    """

    def write(value: Any) -> str:
        _number(value)
        hundredths, places = scaled(value, 2), decimals
        while places < MOST and hundredths not in (0, 100) and rounded(hundredths, places) in (0, 100):
            places += 1
        return fixed(places)(hundredths) + "%"

    return Format(f"percent({decimals})", write)


def times(decimals: int = 0) -> Format:
    """A factor with the sign of multiplication after it, as in "4×"."""
    return Format(f"times({decimals})", lambda value: fixed(decimals, trim=True)(value) + "×")


def reciprocal() -> Format:
    """One part of so many equal ones; a value that is no such part is refused.

    >>> reciprocal()(0.25)
    '1/4'
    """

    def write(value: Any) -> str:
        number = _number(value)
        if number <= 0 or not math.isclose(1 / number, round(1 / number), rel_tol=1e-9):
            raise FormatError(f"{value!r} is not one of so many equal parts")
        return f"1/{count()(round(1 / number))}"

    return Format("reciprocal", write)


def capital(inner: Format) -> Format:
    """The same format with a capital first letter, for the first word of a title."""
    return Format(f"capital({inner.name})", lambda value: inner(value)[:1].upper() + inner(value)[1:], inner.unit)


def unit(inner: Format, name: str) -> Format:
    """A number and its unit, kept on one line by a no-break space.

    >>> print(unit(count(), "ms")(24))
    24 ms
    """
    return Format(f"unit({inner.name}, {name})", lambda value: inner(value) + NBSP + name, name)


def binary_bytes(decimals: int = 0) -> Format:
    """Bytes in powers of 1024, with three digits and "≈" where they are no whole number of them.

    >>> print(binary_bytes()(131072), "and", binary_bytes()(8e8))
    128 KiB and ≈ 763 MiB
    """
    return Format(f"binary_bytes({decimals})", lambda value: _bytes(_number(value), decimals), "B")


def kibi() -> Format:
    """A count in units of 1024, as the lengths of contexts are given; a count that is no multiple is written out.

    >>> kibi()(131072)
    '128k'
    """
    return Format("kibi", lambda value: f"{fixed(0)(value // 1024)}k" if value and value % 1024 == 0 else count()(value))


def vector(inner: Format) -> Format:
    """Several numbers between brackets.

    >>> print(vector(fixed(2))([0.85, 0.15]))
    [0,85; 0,15]
    """
    return Format(f"vector({inner.name})", lambda values: "[" + f";{NBSP}".join(inner(v) for v in values) + "]", inner.unit)


def shape() -> Format:
    """The sizes of a tensor.

    >>> print(shape()((6, 4)))
    6 × 4
    """
    return Format("shape", lambda sizes: f"{NBSP}×{NBSP}".join(count()(size) for size in sizes))


def spelled(feminine: bool = False) -> Format:
    """A small whole number in words, in the feminine where the language has one and it is asked for."""
    from num2words import num2words

    def write(value: Any) -> str:
        number = int(_number(value))
        if number != value:
            raise FormatError(f"{value!r} is not a whole number; show it with fixed(…)")
        tag = str(locale())
        try:
            words = str(num2words(number, lang={"pt": "pt_BR", "pt_PT": "pt"}.get(tag, tag)))  # a bare "pt" is Portugal's there
        except NotImplementedError:
            return count()(number)
        return _feminine(words) if feminine and locale().language == "pt" else words

    return Format(f"spelled({'feminine' if feminine else ''})", write)


def text() -> Format:
    """Words as they are."""
    return Format("text", lambda value: value if isinstance(value, str) else str(value))


def to_tex(shown: str) -> str:
    r"""Shown text as one piece of TeX math, so that it looks and reads as outside it.

    >>> print(to_tex("0,85"))
    \text{0,85}
    """
    return "\\text{" + re.sub(r"[%#&_$~^]", lambda sign: _TEX_NAMES.get(sign[0], f"\\{sign[0]}"), shown) + "}"


def joined(items: Iterable[str], last: str) -> str:
    """A list in prose, `last` before its last item.

    >>> joined(["a", "b", "c"], "and")
    'a, b and c'
    """
    *head, tail = list(items)
    return markup.joined([markup.joined(head, ", "), last, tail], " ") if head else tail


def _number(value: Any) -> float | int:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise FormatError(f"{value!r} is not a number")
    number = value if isinstance(value, int) else float(value)
    if not math.isfinite(number):
        raise FormatError(f"{value!r} is not finite: nothing honest can be shown")
    return number


def _superscript(exponent: int) -> str:
    return str(exponent).translate(_SUPERSCRIPTS)


def _grouped(number: Decimal, pattern: str) -> str:
    """Babel's digits with the groups of SI style: a no-break space, and only from five digits on."""
    with localcontext(prec=400):  # Babel rounds anew, and by itself holds no number of more than 28 digits
        written = format_decimal(number, format=pattern, locale=locale(), group_separator=False)
    digits, point, rest = written.partition(get_decimal_symbol(locale()))
    if len(digits) >= 5:
        digits = NBSP.join(re.findall(r"\d{1,3}(?=(?:\d{3})*$)", digits))
    return digits + point + rest


def _bytes(number: float, decimals: int) -> str:
    units, step = ("B", "KiB", "MiB", "GiB", "TiB"), 0
    while abs(number) >= 1024 and step < len(units) - 1:
        number, step = number / 1024, step + 1
    decimal = decimal_of(number)
    if rounded(decimal, decimals) == decimal:
        return f"{fixed(decimals, trim=True)(number)}{NBSP}{units[step]}"
    places = max(decimals, 2 - max(decimal.copy_abs().adjusted(), 0))
    shown = fixed(places, trim=True)(number)
    return f"{'' if rounded(decimal, places) == decimal else ABOUT}{shown}{NBSP}{units[step]}"


def _feminine(words: str) -> str:
    words = re.sub(r"\bum\b", "uma", words)
    words = re.sub(r"\bdois\b", "duas", words)
    return re.sub(r"entos\b", "entas", words)
