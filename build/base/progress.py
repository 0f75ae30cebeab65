"""Says what is being done: one line rewritten on a terminal, one line each elsewhere. Goes to standard error."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TextIO


class Progress:
    """Says what is being done, as `Progress()("05-topic · topic.table()")` does; `.done("…")` leaves a last line standing."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.rewrites = self.stream.isatty()
        self.start = time.perf_counter()

    def __call__(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        self.stream.write(f"\r\033[K{text[:width]}" if self.rewrites else f"  {text}\n")
        self.stream.flush()

    def say(self, text: str) -> None:
        """A line that stays: something the reader of the build should know."""
        self.stream.write(f"{self._clear()}{text}\n")
        self.stream.flush()

    def done(self, text: str) -> None:
        seconds = time.perf_counter() - self.start
        self.stream.write(f"{self._clear()}{text} ({seconds:.1f} s)\n")
        self.stream.flush()

    def end(self) -> None:
        """Clear a line that stands half-way, before an error is printed."""
        self.stream.write(self._clear())
        self.stream.flush()

    def _clear(self) -> str:
        return "\r\033[K" if self.rewrites else ""
