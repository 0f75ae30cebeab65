"""A preview of a copy of the project, for the tests of a file: started once, its sources edited, its page watched in a browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = float(os.environ.get("PREVIEW_PATIENCE", "60"))  # seconds for what a loaded machine takes


class Preview:
    """The process and its address; `edit` changes a source while the block lasts, `put` for good."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root
        self.log = root / ".cache" / "preview.log"
        with self.log.open("w") as log:
            command = [sys.executable, "build", "preview", "--name", name]
            self.process = subprocess.Popen(command, cwd=root, stderr=log, start_new_session=True)
        until(lambda: "http://" in self.log.read_text() or self.process.poll() is not None)
        self.address = "http://" + self.log.read_text().partition("http://")[2].split()[0]

    def put(self, file: str, text: str) -> None:
        (self.root / file).write_text(text, encoding="utf-8")

    def text(self, file: str) -> str:
        return (self.root / file).read_text(encoding="utf-8")

    @contextmanager
    def edited(self, file: str, old: str, new: str) -> Iterator[None]:
        """One change of a file, and at the end its first text again."""
        before = self.text(file)
        assert before.count(old) >= 1, f"{file} doesn't hold {old!r}"
        self.put(file, before.replace(old, new, 1))
        try:
            yield
        finally:
            self.put(file, before)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)


def files_of(root: Path) -> dict[str, float]:
    """Every file of a project but its outputs and cache, with the time of its last change."""
    skipped = ("_output", ".cache", "__pycache__")
    found = (file for file in root.rglob("*") if file.is_file() and not any(part in file.parts for part in skipped))
    return {file.relative_to(root).as_posix(): file.stat().st_mtime for file in found}


def until(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Waits for a condition."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.05)
