"""Puts the scripts of a deck into it, from slides/theme/: stage.mjs, for slides off stage take no focus, and fit.mjs, which
sets a slide tighter that is too full. A page to read is left as it is.

`inline(html)` is pure beside reading slides/theme/, and leaves a finished page as it is.
"""

from __future__ import annotations

import re

from parts import with_parts, without
from simulators import ROOT, bundle

SCRIPTS = ("stage", "fit")
_DECK = re.compile(r'<div\b[^>]*\bclass="(?:[^"]*\s)?reveal[\s"]')


def inline(html: str) -> str:
    """The page with the scripts, if it is a deck."""
    for name in SCRIPTS:
        html = without(html, name)
    if not _DECK.search(html):
        return html
    for name in SCRIPTS:
        html = with_parts(html, name, bundle(ROOT / "slides" / "theme", f"{name}.mjs"))
    return html
