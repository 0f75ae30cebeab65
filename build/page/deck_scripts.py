"""Puts the scripts of a deck into it, those that slides/theme/deck.mjs names, with their styles. A page to read is left as it is.

`inline(html, document)` is pure beside the document's acts, reading slides/theme/ and the words, and leaves a finished page as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from figures.kit import lecture
from figures.kit.words import Words
from page.inject import with_parts, without
from page.modules import THEME, bundle
from page.theme_css import DECK

STYLES = ("reading", "screen", "present")
_help, _reading, _screen, _present = Words("help"), Words("reading"), Words("screen"), Words("present")

# Said before anything is drawn, so that a deck never shows first as what it is not. Without scripts it isn't said at all, and
# the slides stand one below another. Reveal's own rules for that on paper keep away from a page with the class print-pdf.
# A sandboxed frame has no storage to ask whether the deck is a dark one.
AT_ONCE = """<script id="presenting-script">
document.documentElement.classList.replace("print-pdf", "presenting");
try { if (localStorage.getItem("deck-scheme") === "dark") document.documentElement.classList.add("dark"); } catch {}
</script>
"""
_ROOT = re.compile(r"<html\b[^>]*>")
_CLASS = re.compile(r' class="([^"]*)"')
_HEAD = re.compile(r"<head\b[^>]*>\n?")
# Reveal would rebuild the page where it is narrow, under the scripts that hold on to its elements.
_START = re.compile(r"(Reveal\.initialize\(\{)(?! scrollActivationWidth)")
# Quarto forbids a deck to be zoomed by two fingers.
_VIEWPORT = re.compile(r'(<meta name="viewport" content=")[^"]*(")')
ZOOMED = "width=device-width, initial-scale=1.0"


def inline(html: str, document: Path | None = None) -> str:
    """The page with the scripts, if it is a deck; of a document, with the names and minutes of its acts."""
    html = without(without(html, "deck"), "presenting")
    if not DECK.search(html):
        return html
    html = _HEAD.sub(lambda head: head[0] + AT_ONCE, html, count=1)
    html = _ROOT.sub(lambda root: _on_paper(root[0]), html, count=1)
    html = _VIEWPORT.sub(rf"\g<1>{ZOOMED}\g<2>", html, count=1)
    html = _START.sub(r"\1 scrollActivationWidth: null,", html)
    style = "".join((THEME / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)
    words: dict[str, Any] = {"help": _help.named("said"), "reading": _reading.named("said"), "screen": _screen.named("said")}
    words["present"] = _for_the_lecturer(_present.named("said"), document)
    return with_parts(html, "deck", bundle(THEME, "deck.mjs"), style, words)


def _for_the_lecturer(words: dict[str, str], document: Path | None) -> dict[str, Any]:
    """What present.mjs is given: its texts, the variables of the colours that one may draw in, the acts."""
    settings = lecture.of(document) if document else lecture.Lecture()
    colours = ["stress", "ink", *(role.name for role in settings.shown_roles)]
    return {"words": {**words, "colours": colours}, "acts": msgspec.to_builtins(settings.acts)}


def _on_paper(root: str) -> str:
    """The tag of the page's root with the class of a page for paper beside those that it has."""
    names = _CLASS.search(root)
    classes = dict.fromkeys([*(names[1].split() if names else []), "print-pdf"])
    return f'{_CLASS.sub("", root)[:-1]} class="{" ".join(classes)}">'
