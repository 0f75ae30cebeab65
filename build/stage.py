"""Puts the script of slides/theme/stage.mjs into a deck: slides off stage take no focus. A page to read is left as it is.

`inline(html)` is pure beside reading slides/theme/, and leaves a finished page as it is.
"""

from __future__ import annotations

import re

from simulators import ROOT, bundle

_DONE = re.compile(r'<script\b[^>]*\bid="stage-script"[^>]*>.*?</script>\n', re.DOTALL)
_DECK = re.compile(r'<div\b[^>]*\bclass="(?:[^"]*\s)?reveal[\s"]')


def inline(html: str) -> str:
    """The page with the script, if it is a deck."""
    html = _DONE.sub("", html)
    if not _DECK.search(html):
        return html
    script = f'<script type="module" id="stage-script">\n{bundle(ROOT / "slides" / "theme", "stage.mjs")}</script>\n'
    head, closing, rest = html.rpartition("</body>")
    return head + script + closing + rest
