"""How bytes and shares of the cache are written."""

from __future__ import annotations

from figures.kit.formats import Format, count, fixed, unit
from figures.kit.rounding import scaled


def gigabytes() -> Format:
    r"""Always in GB, three digits.

    >>> gigabytes()(34.36e9)
    '34,4\xa0GB'
    >>> gigabytes()(137.4e9)
    '137\xa0GB'
    """
    return Format("gigabytes", lambda value: unit(fixed(0 if abs(value) >= 99.95e9 else 1, trim=True), "GB")(scaled(value, -9)))


def one_in() -> Format:
    """A small share as one part in so many.

    >>> one_in()(0.01758)
    '~1/57'
    """
    return Format("one_in", lambda value: f"~1/{count()(round(1 / value))}")
