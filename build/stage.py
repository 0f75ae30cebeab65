"""Puts the script of slides/theme/stage.mjs into a deck: slides off stage take no focus. A page to read is left as it is.

`inline(html)` is pure beside reading slides/theme/, and leaves a finished page as it is.
"""

from __future__ import annotations

import re

from parts import with_parts, without
from simulators import ROOT, bundle

_DECK = re.compile(r'<div\b[^>]*\bclass="(?:[^"]*\s)?reveal[\s"]')


def inline(html: str) -> str:
    """The page with the script, if it is a deck."""
    html = without(html, "stage")
    if not _DECK.search(html):
        return html
    return with_parts(html, "stage", bundle(ROOT / "slides" / "theme", "stage.mjs"))
