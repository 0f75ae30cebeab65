"""What poppler, which many viewers are built on, has to say against a PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

COMMANDS: Sequence[Sequence[str]] = (("pdfinfo", "{file}"), ("pdftotext", "{file}", "-"), ("pdftoppm", "-r", "20", "{file}", "{file}"))

WORD = re.compile(r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)</word>')


class Word(NamedTuple):
    """A word and where it stands on its page, in points from the upper left."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def words(pdf: bytes) -> list[Word]:
    """Every word in its place; a test is skipped where poppler isn't there."""
    if not shutil.which("pdftotext"):
        pytest.skip("no poppler on the PATH: nothing says where words stand")
    with TemporaryDirectory() as folder:
        file = Path(folder, "d.pdf")
        file.write_bytes(pdf)
        boxes = subprocess.run(["pdftotext", "-bbox", file, "-"], capture_output=True, text=True, check=True).stdout
    return [Word(*map(float, found[:4]), unescape(found[4])) for found in WORD.findall(boxes)]


def complaints(pdf: bytes) -> str:
    """Its warnings and errors as it reads the file, its text and its drawings; a test is skipped where it isn't there."""
    if not all(shutil.which(command[0]) for command in COMMANDS):
        pytest.skip("no poppler on the PATH: nothing is asked of it")
    with TemporaryDirectory() as folder:
        file = Path(folder, "d.pdf")
        file.write_bytes(pdf)
        done = [subprocess.run([part.format(file=file) for part in command], capture_output=True, text=True) for command in COMMANDS]
    return "".join(one.stderr for one in done)
