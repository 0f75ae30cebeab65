"""Marks what a page shows with the number of its entry in the ledger, in a way that no reader sees."""

from __future__ import annotations

import re

from figures.kit.markup import markdown

FENCE = "`" * 3
ZERO = 0xFE00  # inside a formula pandoc keeps no span: a mark is written in variation selectors, one a digit, which no font draws
IN_FORMULA = re.compile(f"[{chr(ZERO)}-{chr(ZERO + 9)}]+(?=}}|</mtext>)")  # where a group of text ends, in TeX and in MathML


def mark(text: str, n: int | str) -> str:
    """A text marked as entry `n` of the page's ledger.

    >>> print(mark("0,62", 3))
    [0,62]{.n n="3"}
    """
    return f'[{markdown(text)}]{{.n n="{n}"}}'


def mark_in_formula(tex: str, n: int) -> str:
    """A group of TeX, marked with invisible digits before its closing brace as entry `n` of the page's ledger."""
    return f"{tex.removesuffix('}')}{''.join(chr(ZERO + int(digit)) for digit in str(n))}}}"


def marked_in_formula(digits: str) -> int:
    """The entry that invisible digits name."""
    return int("".join(str(ord(digit) - ZERO) for digit in digits))


def css_name(name: str) -> str:
    """A function's name as a class or an id may hold it.

    >>> css_name("some_topic.weight")
    'some-topic-weight'
    """
    return name.replace(".", "-").replace("_", "-")
