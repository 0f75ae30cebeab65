"""Puts the scripts of a deck into it, from slides/theme/: focus.mjs, by which only the slide that is shown takes focus, fit.mjs, which sets
a slide tighter that is too full, and help.mjs, for reveal's own texts. A page to read is left as it is.

`inline(html)` is pure beside reading slides/theme/ and the words, and leaves a finished page as it is.
"""

from __future__ import annotations

from figures.kit.words import Words
from page.inject import with_parts, without
from page.modules import ROOT, bundle
from page.theme_css import DECK

SCRIPTS = ("focus", "fit", "help")
WORDS = {"help": Words("help")}


def inline(html: str) -> str:
    """The page with the scripts, if it is a deck."""
    for name in SCRIPTS:
        html = without(html, name)
    if not DECK.search(html):
        return html
    for name in SCRIPTS:
        words = WORDS[name].named("said") if name in WORDS else None
        html = with_parts(html, name, bundle(ROOT / "slides" / "theme", f"{name}.mjs"), words=words)
    return html
