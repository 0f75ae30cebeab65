"""The texts that no page shows until somebody asks: replies of a lab, dialogs, passages on cards, answers for who teaches.

They are approved too, in tests/approved/words.txt, by file and key. What an approved page says as it is, is approved there. Reads
data/words/, the Markdown in slides/ and what was approved; writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from figures.kit import project
from figures.kit.files import read_text, shown
from proof import approved_text, translations
from proof.approvals import Compared
from proof.approved_text import Approved, Line

DOCUMENT = "data/words"
FILE = approved_text.FOLDER / "words.txt"
_FIELD = re.compile(r"\{[^{}]*\}")


def compared(root: Path) -> Compared:
    """These texts beside what was approved of them."""
    return Compared(DOCUMENT, approved_text.read(root / FILE, root), said(root), (), root)


def said(root: Path) -> Approved:
    """By file, each text that stands in no approved page: of words with their key, of Markdown by its lines."""
    files = [approved_text.file_of(document, root) for document in project.documents(root)]
    pages = _letters("\n".join(read_text(file) for file in files if file.is_file()))
    found = {shown(file, root): [*_lines(file, root, pages)] for file in sorted(root.glob(f"{DOCUMENT}/*/*.yml"))}
    found |= {shown(file, root): [Line(f"text | {line}") for line in _paragraphs(file)] for file in sorted(root.glob("slides/**/*.md"))}
    return {name: lines for name, lines in found.items() if lines}


def _lines(file: Path, root: Path, pages: str) -> Iterator[Line]:
    for key, unit in translations.texts(file, root).items():
        if not all(_letters(part) in pages for part in _FIELD.split(unit.text)):
            yield Line(f"{key} | {' '.join(unit.text.split())}")


def _paragraphs(file: Path) -> list[str]:
    return [line.strip() for line in read_text(file).split("\n") if line.strip()]


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())
