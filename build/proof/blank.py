"""Whether a picture draws anything: an SVG, a PNG, what stands between two marks of a PDF."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import Any

ASIDE = re.compile(r"<(defs|clipPath|title|desc|style|metadata)\b.*?</\1>", re.DOTALL)
SHAPE = re.compile(r"<(?:path|rect|circle|ellipse|line|polyline|polygon|text|use|image|foreignObject)\b")
PAINTS = {b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"S", b"s", b"sh", b"Tj", b"TJ", b"'", b'"', b"INLINE IMAGE"}


def svg(text: str) -> bool:
    """An SVG without a shape, what it only defines aside.

    >>> svg('<svg><defs><path d="M0 0"/></defs></svg>'), svg('<svg><path d="M0 0"/></svg>')
    (True, False)
    """
    return not SHAPE.search(ASIDE.sub("", text))


def picture(content: bytes) -> bool:
    """An SVG without a shape, or a PNG of one colour."""
    if not content.startswith(b"\x89PNG"):
        return b"<svg" in content[:1000] and svg(content.decode("utf-8", "replace")) or not content
    from PIL import Image

    with Image.open(io.BytesIO(content)) as image:
        lowest = image.convert("RGBA").getextrema()
    return all(least == most for least, most in lowest)


def paints(operator: bytes, operands: Iterable[Any], resources: Any, reader: Any) -> bool:
    """Whether an operator of a PDF leaves something on the page; a form does if anything in it does."""
    from pypdf.generic import ContentStream

    if operator != b"Do":
        return operator in PAINTS
    drawn = resources["/XObject"][next(iter(operands))].get_object()
    if drawn["/Subtype"] != "/Form":
        return True
    inside = drawn.get("/Resources", resources)
    inside = inside.get_object()
    return any(paints(name, given, inside, reader) for given, name in ContentStream(drawn, reader).operations)
