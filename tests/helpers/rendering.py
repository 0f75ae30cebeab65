"""A document rendered once for all workers of a session."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from own_data import ROOT, everything

from figures.kit import project
from figures.kit.errors import Problem


def first(format: str, without: str = "") -> Path:
    """The first document of a kind; the test is skipped where the lecture has none."""
    try:
        return project.document(format, without)
    except Problem as problem:
        pytest.skip(str(problem))


def rendered(document: Path, session_folder: Path) -> Path:
    """The page of a document, made by the embedded engine unless a worker of this session has done so."""
    everything()
    name = document.relative_to(ROOT).as_posix()
    done = session_folder / f"{name.replace('/', '-')}-is-rendered"
    with FileLock(f"{done}.lock"):
        if not done.exists():
            formats = [f"--to={one}" for one in project.formats(document) if one in ("revealjs", "html", "ipynb")]
            command = [sys.executable, "build", "render", name, *formats]
            said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            assert said.returncode == 0, f"{' '.join(command)} stopped:\n{said.stderr}"
            done.touch()
    return project.page(document)
