"""What a cell displays: a stream's text, or an object by MIME type. Runs nothing."""

from __future__ import annotations

from typing import Any

import msgspec

ORDER = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain")  # the richest first


class Stream(msgspec.Struct, tag=True):
    """What a cell printed, in one piece until something else is displayed."""

    text: str


class Display(msgspec.Struct, tag=True):
    """One displayed object by MIME type; `result` is the value of a cell's last expression."""

    data: dict[str, Any]
    metadata: dict[str, Any] = {}
    result: bool = False


Output = Stream | Display
