"""The ledger in the room: numbers inside formulas get their marks, and the page gets the script that shows the cards.

`inline(html)` is pure beside reading slides/theme/, leaves a finished page as it is, and a page without a ledger too.
"""

from __future__ import annotations

import json
import re
from collections import deque

from proof.ledger_file import LEDGER

from page.inject import with_parts, without
from page.simulators import ROOT, bundle

THEME = ROOT / "slides" / "theme"
_TEXT = re.compile(r"<mtext(?P<attributes>[^>]*)>(?P<text>[^<]*)</mtext>")


def inline(html: str) -> str:
    """The page with marked formulas and the script of the cards, if it keeps a ledger."""
    html = without(html, "ledger")
    if not LEDGER.search(html):
        return html
    style = (THEME / "ledger.css").read_text(encoding="utf-8")
    return with_parts(mark_formulas(html), "ledger", bundle(THEME, "ledger.mjs"), style)


def mark_formulas(html: str) -> str:
    """`<mtext>128</mtext>` -> `<mtext data-n="7">128</mtext>` where entry 7, shown inside a formula, reads 128.

    Formulas can't carry marks through pandoc, so entries and texts are matched in the order in which they stand.
    """
    found = LEDGER.search(html)
    entries = json.loads(found[1].replace("<\\/", "</"))["entries"] if found else []
    waiting = deque((entry["text"], entry["n"]) for entry in entries if entry["what"] == "formula")

    def marked(text: re.Match[str]) -> str:
        if not waiting or "data-n=" in text["attributes"] or text["text"] != waiting[0][0]:
            return text[0]
        return f'<mtext{text["attributes"]} data-n="{waiting.popleft()[1]}">{text["text"]}</mtext>'

    return _TEXT.sub(marked, re.sub(r'(<mtext[^>]*?) data-n="\d+"', r"\1", html))
