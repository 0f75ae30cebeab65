"""Cells of a notebook in this process."""

from __future__ import annotations

import linecache


def remembered(name: str, source: str) -> None:
    """Makes the lines of a cell known to tracebacks and to whoever asks for a function's source."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
