"""What a PDF shows: the commit that it names, and the text of each page."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

from base.kept import kept

from figures.kit.errors import Problem
from figures.kit.words import Words

_words = Words("site")


def read(file: Path) -> tuple[str, list[str]]:
    """The commit that a PDF names, "" for none or for a checkout that had changed since, and the text of each page."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        content = file.read_bytes()
        about = PdfReader(io.BytesIO(content)).metadata
        said = str(about.get("/Keywords", "")) if about else ""
        pages = texts(content)
    except (PyPdfError, OSError, ValueError) as error:
        raise Problem(file, f"it can't be read as a PDF ({error})", "Download it again: PAGE=…") from None
    pattern = re.escape(_words("commit", name="NAME", day="DAY")).replace("NAME", "([0-9a-f]{7,40})").replace("DAY", r"[\d-]+")
    named = re.fullmatch(pattern, said)
    return named[1] if named else "", pages


def texts(pdf: bytes) -> list[str]:
    """The text of each page of a PDF, kept: pypdf takes seconds for those with many pictures."""
    found: list[str] = json.loads(kept("pdf-text", [pdf], ["pypdf"], lambda: _texts(pdf)))
    return found


def _texts(pdf: bytes) -> bytes:
    from pypdf import PdfReader

    return json.dumps([page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]).encode()
