"""What poppler, which many viewers are built on, has to say against a PDF."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

COMMANDS: Sequence[Sequence[str]] = (("pdfinfo", "{file}"), ("pdftotext", "{file}", "-"), ("pdftoppm", "-r", "20", "{file}", "{file}"))


def complaints(pdf: bytes) -> str:
    """Its warnings and errors as it reads the file, its text and its drawings; a test is skipped where it isn't there."""
    if not all(shutil.which(command[0]) for command in COMMANDS):
        pytest.skip("no poppler on the PATH: nothing is asked of it")
    with TemporaryDirectory() as folder:
        file = Path(folder, "d.pdf")
        file.write_bytes(pdf)
        done = [subprocess.run([part.format(file=file) for part in command], capture_output=True, text=True) for command in COMMANDS]
    return "".join(one.stderr for one in done)
