"""The ledger's cards: numbers inside formulas get their marks, and the page gets the script that shows a card.

`inline(html)` is pure beside reading slides/theme/, leaves a finished page as it is, and a page without a ledger too.
"""

from __future__ import annotations

import re

from figures.kit.ledger import IN_PAGE
from figures.kit.marks import IN_FORMULA, marked_in_formula
from page.inject import with_parts, without
from page.modules import THEME, bundle

_TEXT = re.compile(rf"<mtext([^>]*)>([^<]*?)({IN_FORMULA.pattern})</mtext>")


def inline(html: str) -> str:
    """The page with marked formulas and the script of the cards, if it keeps a ledger."""
    html = without(mark_formulas(html), "ledger")
    if not IN_PAGE.search(html):
        return html
    style = (THEME / "ledger.css").read_text(encoding="utf-8")
    return with_parts(html, "ledger", bundle(THEME, "ledger.mjs"), style)


def mark_formulas(html: str) -> str:
    r"""The page with the marks inside its formulas, which came through pandoc as invisible digits, as attributes.

    In the formula's source, kept beside it, they vanish.

    >>> mark_formulas("<mtext>128\ufe07</mtext>")
    '<mtext data-n="7">128</mtext>'
    """
    marked = _TEXT.sub(lambda text: f'<mtext{text[1]} data-n="{marked_in_formula(text[3])}">{text[2]}</mtext>', html)
    return IN_FORMULA.sub("", marked)
