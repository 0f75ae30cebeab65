"""What import-linter says of the project, as it is and with an import more."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from plain_code import ROOT, files

LINT = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True, no_logo=True))"


def of(folder: Path) -> subprocess.CompletedProcess[str]:
    """What import-linter says of the project in `folder`."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(folder / "build")]), "COLUMNS": "140"}
    return subprocess.run([sys.executable, "-c", LINT], cwd=folder, env=environment, capture_output=True, text=True)


def planted(folder: Path, file: str, line: str) -> Path:
    """The project's code in `folder`, with one line more."""
    for source in files("figures/**/*.py", "build/**/*.py", "pyproject.toml"):
        copy = folder / source.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    with (folder / file).open("a") as changed:
        changed.write(f"\n{line}\n")
    return folder
