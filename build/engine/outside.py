"""What happens outside while a call runs, as Python tells it: a file written, another process, the network, a file that nobody noted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

from figures.kit import files, readings

EVENTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "os.remove", "os.rename")
READ = ("r", "rb", "rt")
READS = "reads "
WRITING = os.O_WRONLY | os.O_RDWR
CODE = (".py", ".pyc", ".so")
STORED = (".cache", ".venv")  # of the checkout: results under keys of their own, packages under their versions

_taken: ContextVar[set[str] | None] = ContextVar("taken", default=None)


@contextmanager
def watched() -> Iterator[set[str]]:
    """What is done inside the block that a result can't be kept after, by name."""
    _listen()
    taken: set[str] = set()
    token = _taken.set(taken)
    try:
        yield taken
    finally:
        _taken.reset(token)


@cache
def _listen() -> None:
    sys.addaudithook(_heard)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    taken = _taken.get()
    if taken is None or readings.answering():
        return
    if event in EVENTS:
        taken.add(event)
    elif event == "open" and isinstance(arguments[0], (str, Path)):
        path, mode, flags = Path(arguments[0]), *arguments[1:]
        if mode not in (*READ, None) or mode is None and flags & WRITING:
            taken.add(f"writes {path}")
        elif path.is_relative_to(files.ROOT) and path.suffix not in CODE:
            name = path.relative_to(files.ROOT)
            taken |= {f"{READS}{name.as_posix()}"} if name.parts[0] not in STORED else set()
