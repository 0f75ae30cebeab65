"""What a PDF shows: the commit that it names, and the numerals of each of its sheets, beside those that are known."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from base.kept import kept

from figures.kit.errors import Problem
from figures.kit.words import Words

NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")
_words = Words("site")


class Sheet(NamedTuple):
    """A page of the PDF: its text without spaces, and the numerals on it."""

    number: int
    letters: str
    numerals: frozenset[str]


def read(file: Path) -> tuple[str, list[Sheet]]:
    """The commit that a PDF names, "" for none or for a checkout that had changed since, and its sheets."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        content = file.read_bytes()
        about = PdfReader(io.BytesIO(content)).metadata
        said = str(about.get("/Keywords", "")) if about else ""
        pages = [unicodedata.normalize("NFKC", text) for text in texts(content)]
    except (PyPdfError, OSError, ValueError) as error:
        raise Problem(file, f"it can't be read as a PDF ({error})", "Download it again: PAGE=…") from None
    pattern = re.escape(_words("commit", name="NAME", day="DAY")).replace("NAME", "([0-9a-f]{7,40})").replace("DAY", r"[\d-]+")
    named = re.fullmatch(pattern, said)
    return named[1] if named else "", [Sheet(n, "".join(text.split()), numerals(text)) for n, text in enumerate(pages, 1)]


def texts(pdf: bytes) -> list[str]:
    """The text of each page of a PDF, kept: pypdf takes seconds for those with many pictures."""
    found: list[str] = json.loads(kept("pdf-text", [pdf], ["pypdf"], lambda: _texts(pdf)))
    return found


def _texts(pdf: bytes) -> bytes:
    from pypdf import PdfReader

    return json.dumps([page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]).encode()


def numerals(text: str) -> frozenset[str]:
    """Each number of a text as it is written.

    >>> sorted(numerals("0,62 de 1,5 × 10⁴"))
    ['0,62', '1,5', '104']
    """
    return frozenset(NUMERAL.findall(unicodedata.normalize("NFKC", text)))


def strange(sheets: list[Sheet], known: frozenset[str]) -> Iterator[tuple[Sheet, str]]:
    """Each numeral that is none of those known, with its sheet; the sheet's own number and their count aside.

    A line may end within a numeral, so the digits of a known one before or after its point are known too.
    """
    parts = {part for one in known for part in re.findall(r"\d+", one)}
    for sheet in sheets:
        for one in sorted(sheet.numerals - known - parts - {str(sheet.number), str(len(sheets))}):
            yield sheet, one
