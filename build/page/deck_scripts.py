"""Puts the scripts of a deck into it, from slides/theme/: reading.mjs, by which it is also a text to read and prints as it looks,
focus.mjs, by which only the slide that is shown takes focus, fit.mjs, which sets a slide tighter that is too full, and help.mjs,
for reveal's own texts. A page to read is left as it is.

`inline(html)` is pure beside reading slides/theme/ and the words, and leaves a finished page as it is.
"""

from __future__ import annotations

import re

from figures.kit.words import Words
from page.inject import with_parts, without
from page.modules import ROOT, bundle
from page.theme_css import DECK

THEME = ROOT / "slides" / "theme"
SCRIPTS = ("reading", "focus", "fit", "help")
STYLES = {"reading"}
WORDS = {"help": Words("help"), "reading": Words("reading")}

# Said before anything is drawn, so that a deck never shows first as what it is not. Without scripts it isn't said at all, and
# the slides stand one below another. Reveal's own rules for that on paper keep away from a page with the class print-pdf.
AT_ONCE = '<script id="presenting-script">document.documentElement.classList.replace("print-pdf", "presenting")</script>\n'
_ROOT = re.compile(r"<html\b(?![^>]*\bprint-pdf\b)((?:[^>](?!class=))*)(?: class=\"([^\"]*)\")?")
_HEAD = re.compile(r"<head\b[^>]*>\n?")
# Reveal would rebuild the page where it is narrow, under the scripts that hold on to its elements.
_START = re.compile(r"(Reveal\.initialize\(\{)(?! scrollActivationWidth)")


def inline(html: str) -> str:
    """The page with the scripts, if it is a deck."""
    for name in (*SCRIPTS, "presenting"):
        html = without(html, name)
    if not DECK.search(html):
        return html
    html = _HEAD.sub(lambda head: head[0] + AT_ONCE, html, count=1)
    html = _ROOT.sub(lambda root: f'<html{root[1]} class="{" ".join(filter(None, (root[2], "print-pdf")))}"', html, count=1)
    html = _START.sub(r"\1 scrollActivationWidth: null,", html)
    for name in SCRIPTS:
        style = (THEME / f"{name}.css").read_text(encoding="utf-8") if name in STYLES else ""
        words = WORDS[name].named("said") if name in WORDS else None
        html = with_parts(html, name, bundle(THEME, f"{name}.mjs"), style, words)
    return html
