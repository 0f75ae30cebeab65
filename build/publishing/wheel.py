"""The package that the lab's notebook installs, beside its page: figures/ with its data and the ledgers of the site, nothing else.

The same sources give the same bytes. Where the solutions lie is not told: that setting is emptied in it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from figures.kit import lookup, project
from figures.kit.errors import Problem

SOURCES = ("pyproject.toml", project.SETTINGS, project.VARIABLES, "figures", "data")
PRIVATE = re.compile(rf"^({project.SOLUTIONS}:).*$", re.MULTILINE)


def built(root: Path, ledgers: Mapping[str, str]) -> tuple[str, bytes]:
    """Its name and its bytes; `ledgers` come along under their names, for `python -m figures`."""
    with tempfile.TemporaryDirectory(prefix="wheel-") as name:
        folder = Path(name)
        for source in SOURCES:
            _copied(root / source, folder / source)
        variables = folder / project.VARIABLES
        variables.write_text(PRIVATE.sub(r'\1 ""', variables.read_text(encoding="utf-8")), encoding="utf-8")
        for ledger, text in ledgers.items():
            (file := folder / "data" / lookup.FOLDER / ledger).parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "made"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr.strip().splitlines() or ["hatchling stopped"])[-1]
            raise Problem("make site", f"the notebook's package can't be built: {said}", "Put that right; `make setup` installs hatchling")
        (made,) = (folder / "made").glob("*.whl")
        return made.name, made.read_bytes()


def pinned(address: str, content: bytes) -> str:
    """The address of a file with the digest that pip asks of it.

    >>> pinned("https://a.org/b.whl", b"")[:40]
    'https://a.org/b.whl#sha256=e3b0c44298fc1'
    """
    return f"{address}#sha256={sha256(content).hexdigest()}"


def _copied(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    elif source.is_file():
        shutil.copy(source, target)
