"""A fault that the audit found: where, and what."""

from __future__ import annotations

import re
from typing import NamedTuple

from proof.numerals import Numeral

HOLE = "\ufffc"  # stands where something computed will stand, character for character


class Stray(NamedTuple):
    """A numeral that nothing accounts for, or another fault; printed as "file:line:column: …"."""

    file: str
    line: int
    column: int
    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.what}"


def around(text: str, numeral: Numeral, width: int = 24) -> str:
    """The numeral with some of what stands around it, holes as one "…"."""
    piece = text[max(0, numeral.start - width) : numeral.end + width]
    return " ".join(re.sub(f"{HOLE}+", "…", piece).split())
