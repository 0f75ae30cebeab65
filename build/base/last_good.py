"""The last good outputs, kept while Quarto renders, and put back if it stops: Quarto writes over them as it goes.

`keep` before a render, then either `done` or `restore`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

FOLDER = Path(".cache", "last-good")
FILES, MISSING = FOLDER / "files", FOLDER / "missing"
PAUSE = 0.2


def keep(outputs: Iterable[Path], root: Path) -> None:
    """Remember these files as they are; one that isn't there is remembered as missing."""
    done(root)
    for output in outputs:
        folder = FILES if output.is_file() else MISSING
        kept = root / folder / output.relative_to(root)
        kept.parent.mkdir(parents=True, exist_ok=True)
        if folder is MISSING:
            kept.touch()
            continue
        try:
            os.link(output, kept)  # a render replaces the file and leaves this one alone
        except OSError:
            shutil.copy2(output, kept)


def restore(root: Path) -> None:
    """Put every file back that a render has replaced since, and take away what it left where there was none."""
    for kept in _files(root / FILES):
        output = root / kept.relative_to(root / FILES)
        if not (output.is_file() and output.samefile(kept)):
            output.parent.mkdir(parents=True, exist_ok=True)
            os.replace(kept, output)
    for missing in _files(root / MISSING):
        (root / missing.relative_to(root / MISSING)).unlink(missing_ok=True)
    done(root)


def done(root: Path) -> None:
    """Forget what was kept."""
    shutil.rmtree(root / FOLDER, ignore_errors=True)


def watch(root: Path, quarto: int) -> None:
    """Leave a process behind that puts the files back if Quarto ends half-way: then no hook is called."""
    if os.name == "nt":
        return
    command = [sys.executable, str(root / "build"), "put-back", str(quarto)]
    nothing = subprocess.DEVNULL  # Quarto waits for a hook's streams to close
    subprocess.Popen(command, cwd=root, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)


def put_back_after(root: Path, quarto: int) -> None:
    """Wait until the render is over; what it has not finished, because it stopped, is put back."""
    while (root / FOLDER).is_dir() and _runs(quarto):
        time.sleep(PAUSE)
    restore(root)


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def _runs(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False
