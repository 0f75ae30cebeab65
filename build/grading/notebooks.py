"""Reads what students handed in: the code of each notebook's cells, and the student's name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from figures.kit.words import Words

NAMES, WORDS = Words("notebook"), Words("grading")
LARGEST = 20 * 2**20  # bytes of a notebook that is read at all


class Notebook(NamedTuple):
    """One student's work; `fault` says why it can't be read."""

    file: Path
    student: str
    cells: tuple[str, ...]
    fault: str = ""


def found(folder: Path) -> list[Path]:
    """The notebooks of a folder and of those below it, in order; Jupyter's own copies left out."""
    return sorted(file for file in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in file.parts)


def read(file: Path) -> Notebook:
    """A notebook, whatever it holds: its saved outputs are not looked at."""
    try:
        if file.stat().st_size > LARGEST:
            return Notebook(file, file.stem, (), WORDS("too_large", most=LARGEST // 2**20))
        content = json.loads(file.read_bytes())  # in UTF-8, with its mark or without, or in UTF-16
        cells = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        texts = [text for cell in cells if (text := _source(cell)) and not _is_first(cell, text)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return Notebook(file, file.stem, (), WORDS("unreadable", error=type(error).__name__))
    return Notebook(file, _student(texts) or file.stem, tuple(texts))


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _is_first(cell: dict[str, Any], text: str) -> bool:
    """Whether it is the cell that finds or installs the lab."""
    return cell.get("id") == NAMES("first") or f"{NAMES('address')} =" in text


def _student(texts: list[str]) -> str:
    """The name that the student wrote in the last cell."""
    pattern = rf"^{NAMES('hand_in')}\(\s*([\"'])(.+?)\1"
    names = [match[2] for text in texts if (match := re.search(pattern, text, re.MULTILINE))]
    return names[-1].strip() if names else ""
