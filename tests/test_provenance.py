"""The ledger of a page: every value with its slide, numbers inside formulas too."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "build"))

import title_notes
from problem import Problem
from provenance import ledger

PAGE = Path("deck.html")


def entry(n: int, text: str, what: str = "number") -> dict:
    return {"n": n, "id": f"topic.f({n}):fixed(2)", "what": what, "text": text}


def html(body: str, *entries: dict, version: int = 1) -> str:
    content = json.dumps({"version": version, "entries": list(entries)})
    return f'<div class="slides">{body}</div><script id="ledger" type="application/json">{content}</script>'


BODY = """
<section id="title-slide"><h1>T</h1></section>
<section id="sec-a"><p><br>Um <span class="n" data-n="1">0,62</span></p>
<math><msqrt><mtext>128</mtext></msqrt></math>
<aside class="notes"><p><span class="n" data-n="3">7</span></p></aside></section>
<section id="sec-b"><table><tr><td><span data-n="4-1-2">9</span></td></tr></table><math><mtext>128</mtext></math></section>
"""


def test_each_entry_gets_its_slide():
    entries = [entry(1, "0,62"), entry(2, "128", "formula"), entry(3, "7"), entry(4, "", "table"), entry(5, "128", "formula")]
    found = json.loads(ledger(html(BODY, *entries), PAGE))["entries"]
    assert [(e["slide"]["id"], e["slide"]["number"], e["notes"]) for e in found] == [
        ("sec-a", 2, False),
        ("sec-a", 2, False),
        ("sec-a", 2, True),
        ("sec-b", 3, False),
        ("sec-b", 3, False),
    ]


@pytest.mark.parametrize("stray", [entry(9, "0,5"), entry(9, "0,5", "formula")])
def test_a_value_that_stands_on_no_slide_is_named(stray):
    with pytest.raises(Problem, match=r"topic\.f\(9\).*0,5.*outside every slide"):
        ledger(html(BODY, stray), PAGE)


def test_a_broken_ledger_is_named():
    with pytest.raises(Problem, match="not JSON"):
        ledger('<script id="ledger" type="application/json">{oops</script>', PAGE)
    with pytest.raises(Problem, match="version 99"):
        ledger(html(BODY, version=99), PAGE)


def test_a_page_without_ledger_has_none():
    assert ledger("<p>x</p>", PAGE) is None


def test_the_title_slide_gets_its_notes():
    page = (
        '<section id="title-slide"><h1>T</h1>\n</section>\n<section id="a">\n<h2>A</h2>\n'
        '<aside class="notes">\n<div class="title-slide-notes">\n<p>Roteiro</p>\n</div>\n</aside>\n<aside class="notes"><p>Outra</p></aside>\n</section>'
    )
    moved = title_notes.move(page)
    assert moved.index("Roteiro") < moved.index("<h2>A</h2>") and moved.count("<aside") == 2
    assert title_notes.move(moved) == moved and title_notes.move("<p>x</p>") == "<p>x</p>"
