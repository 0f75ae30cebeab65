"""Numbers inside formulas get their marks, and the card's script goes into pages that keep a ledger."""

from __future__ import annotations

import json
import re

from page import cards


def page(body: str, *formulas: tuple[int, str]) -> str:
    entries = [{"n": n, "what": "formula", "text": text} for n, text in formulas]
    content = json.dumps({"version": 1, "entries": entries})
    return f'<html><head></head><body>{body}<script id="ledger" type="application/json">{content}</script></body></html>'


BODY = '<math><mtext mathvariant="normal">softmax</mtext><mtext>128</mtext></math><math><mtext>11</mtext><mtext>128</mtext></math>'


def test_formulas_are_marked_in_order():
    html = cards.mark_formulas(page(BODY, (3, "128"), (5, "11"), (6, "128")))
    assert re.findall(r'data-n="(\d+)">(\w+)<', html) == [("3", "128"), ("5", "11"), ("6", "128")]
    assert cards.mark_formulas(html) == html


def test_only_pages_with_a_ledger_get_the_script():
    html = cards.inline(page(BODY, (3, "128")))
    assert html.count("ledger-script") == html.count("ledger-style") == 1
    assert cards.inline(html) == html
    assert cards.inline("<p>x</p>") == "<p>x</p>"
