"""Tells which files of the project were changed, and nothing of those that a build writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from watchfiles import Change, watch

FOLDERS = ("slides", "figures", "data", "build")
QUIET = 40  # ms without a further change, after which what was saved together is told together
LEFT_OUT = ("__pycache__", "~", ".swp", ".swx", ".tmp", ".pyc", "4913")  # what editors and Python leave beside a file


def watching(root: Path, told: Callable[[set[Path]], None], over: Event) -> list[Thread]:
    """Threads that call `told` with the files that changed, until `over` is set."""
    folders = [root / name for name in FOLDERS if (root / name).is_dir()]
    threads = [Thread(target=_watch, args=(one, deep, told, over), daemon=True) for one, deep in ((folders, True), ([root], False))]
    for thread in threads:
        thread.start()
    return threads


def _watch(paths: list[Path], deep: bool, told: Callable[[set[Path]], None], over: Event) -> None:
    for changes in watch(*paths, watch_filter=_wanted, step=QUIET, stop_event=over, recursive=deep, raise_interrupt=False):
        told({Path(path) for _, path in changes})


def _wanted(change: Change, path: str) -> bool:
    """Whether a change is a source's, and not what a program keeps for itself beside it."""
    return not Path(path).name.startswith((".", "#")) and not any(part in path for part in LEFT_OUT)


def stale(files: set[Path]) -> bool:
    """Whether a process that has imported everything can't be used for these changes: all but the texts of slides and their looks."""
    return any(file.suffix not in (".qmd", ".css", ".mjs", ".lua", ".typ") for file in files)
