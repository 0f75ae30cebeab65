"""The one rule of rounding: of the decimal digits that a number is written with, half a unit goes away from zero.

slides/sim/kit/format.mjs holds the same rule for the browser.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

_CONTEXT = Context(prec=400, rounding=ROUND_HALF_UP, Emax=999999, Emin=-999999)


def decimal_of(value: Any) -> Decimal:
    """A number by the digits that Python writes it with; those of a float32 are fewer than its float has."""
    if isinstance(value, Decimal):
        return value
    return Decimal(str(value if isinstance(value, int) or type(value).__module__ == "numpy" else float(value)))


def rounded(value: Any, decimals: int) -> Decimal:
    """A number to so many decimals.

    >>> str(rounded(2.5, 0)), str(rounded(-0.125, 2))
    ('3', '-0.13')
    """
    return decimal_of(value).quantize(Decimal(1).scaleb(-decimals), context=_CONTEXT)


def scaled(value: Any, tens: int) -> Decimal:
    """A number times a power of ten, with not a digit lost: bytes as gigabytes.

    >>> scaled(34.36, 9) == 34_360_000_000
    True
    """
    return decimal_of(value).scaleb(tens, _CONTEXT)


def exponent_of(value: Any, digits: int) -> int:
    """The power of ten after rounding to `digits`: with two digits that of 9.96 is 1, since it becomes 10."""
    exponent = decimal_of(value).adjusted()
    return exponent + (abs(rounded(scaled(value, -exponent), digits - 1)) >= 10)
