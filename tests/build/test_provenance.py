"""The ledger of a page: every value with its slide, numbers inside formulas too."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "build"))

from page import title_notes
from proof.ledger_file import ledger, read

from figures.kit.errors import Problem

PAGE = Path("deck.html")


def entry(n: int, text: str, what: str = "number", **more) -> dict:
    made = {"n": n, "id": f"topic.f({n}):fixed(2)", "what": what, "kind": "computed", "value": 0.62, "text": text, "unit": ""}
    made |= {"format": "fixed(2)", "function": "topic.f", "arguments": [], "file": "figures/topic.py", "line": 7}
    return made | {"data": [], "fields": [], "records": [], "seeds": [], "note": ""} | more


def html(body: str, *entries: dict, version: int = 1) -> str:
    content = json.dumps({"version": version, "entries": list(entries)})
    return f'<div class="slides">{body}</div><script id="ledger" type="application/json">{content}</script>'


BODY = """
<section id="title-slide"><h1>T</h1></section>
<section id="sec-a"><p><br>Um <span class="n" data-n="1">0,62</span></p>
<math><msqrt><mtext>128</mtext></msqrt></math>
<aside class="notes"><p><span class="n" data-n="3">7</span></p></aside></section>
<section id="sec-b"><table><tr><td data-n="4"><span data-n="4-1-2">9</span></td></tr></table><math><mtext>128</mtext></math></section>
"""


PLAIN = '<section id="title-slide"></section><section id="sec-a"><b data-n="1">0,62</b></section>'


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


def test_the_mark_that_the_card_leaves_in_a_formula_does_not_stand_for_the_same_call_elsewhere():
    body = '<section id="sec-a"><math><mtext data-n="1">64</mtext></math></section><section id="sec-b"><b data-n="2">64</b></section>'
    same = {"id": "topic.f():count"}
    found = json.loads(ledger(html(body, entry(1, "64", "formula", **same), entry(2, "64", **same)), PAGE))["entries"]
    assert [e["slide"]["id"] for e in found] == ["sec-a", "sec-b"]


def test_what_a_page_says_before_its_first_section_stands_in_its_title_block():
    head = '<header id="title-block-header"><h1>T</h1></header><nav><h2 id="toc-title">Nesta página</h2></nav>'
    body = f'{head}<p data-n="1">3</p><h2 id="sec-a">A</h2><p data-n="2">4</p>'
    found = json.loads(ledger(html(body, entry(1, "3"), entry(2, "4")), PAGE))["entries"]
    assert [e["slide"] for e in found] == [{"id": "title-block-header", "number": 1}, {"id": "sec-a", "number": 2}]


@pytest.mark.parametrize("stray", [entry(9, "0,5"), entry(9, "0,5", "formula")])
def test_a_value_that_stands_on_no_slide_is_named(stray):
    with pytest.raises(Problem, match=r"topic\.f\(9\).*0,5.*outside every slide"):
        ledger(html(PLAIN, entry(1, "0,62"), stray), PAGE)


def test_a_broken_ledger_is_named():
    with pytest.raises(Problem, match="not JSON"):
        ledger('<script id="ledger" type="application/json">{oops</script>', PAGE)
    with pytest.raises(Problem, match="version 99"):
        ledger(html(BODY, version=99), PAGE)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": "one"}, 'entry 1 of its ledger: `n` is "one", expected a whole number'),
        ({"kind": "guessed"}, '`kind` is "guessed", expected computed or fact or measured or recorded'),
        ({"colour": "red"}, "`colour` is unknown"),
    ],
)
def test_an_entry_of_another_shape_is_named(change, said):
    with pytest.raises(Problem, match=re.escape(said)):
        ledger(html(PLAIN, entry(1, "0,62") | change), PAGE)


def test_a_ledger_that_was_written_is_read_back_and_a_broken_one_is_named(tmp_path):
    file = tmp_path / "deck.ledger.json"
    with pytest.raises(Problem, match="there is no such ledger"):
        read(file)
    file.write_text(ledger(html(PLAIN, entry(1, "0,62")), PAGE), encoding="utf-8")
    assert read(file)["entries"][0]["slide"] == {"id": "sec-a", "number": 2}
    file.write_text(file.read_text(encoding="utf-8").replace('"notes": false', '"notes": 0'), encoding="utf-8")
    with pytest.raises(Problem, match=r"deck\.ledger\.json: entry 1 of its ledger: `notes` is 0, expected a bool"):
        read(file)
    file.write_bytes(b"\xff")
    with pytest.raises(Problem, match="not UTF-8"):
        read(file)


CELLS = {"columns": [{"heading": "a", "format": "", "unit": ""}], "rows": [[1]], "texts": [["1"]], "caption": ""}
DRAWN = {"size": [1, 1], "axes": [], "texts": ["1"], "caption": ""}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"slide": {}}, "`slide` `id` is missing"),
        ({"slide": {"id": "sec-a", "number": "2"}}, '`slide` `number` is "2", expected a whole number'),
        ({"data": [3]}, "`data` is no list of texts"),
        ({"what": "table", "value": 3}, "`value` of a table: expected a mapping"),
        ({"what": "table", "value": CELLS | {"rows": [[1, 2]]}}, "`value` of a table: its rows and texts are not 1 cells each"),
        ({"what": "table", "value": CELLS | {"rows": []}}, "`value` of a table: its rows and texts are not 1 cells each"),
        ({"what": "table", "value": CELLS | {"texts": [[1]]}}, "`value` of a table: `texts` are no texts"),
        (
            {"what": "table", "value": CELLS | {"columns": [{}]}},
            "`value` of a table: a column has other keys than heading, format and unit",
        ),
        ({"what": "figure", "value": DRAWN | {"texts": None}}, "`value` of a figure: `texts` is null, expected a list"),
        ({"what": "figure", "value": DRAWN | {"texts": [1]}}, "`value` of a figure: `texts` is no list of texts"),
        ({"what": "simulator", "value": {"opening": {}}}, "`value` of a simulator: `result` is missing"),
        ({"what": "claim", "value": None}, "`value` of a claim: expected a mapping"),
    ],
)
def test_an_entry_broken_within_is_named(tmp_path, change, said):
    placed = {"slide": {"id": "sec-a", "number": 2}, "notes": False}
    sound = [
        entry(n, "1", what, value=value) | placed for n, (what, value) in enumerate([("table", CELLS), ("figure", DRAWN), ("claim", {})], 1)
    ]
    file = tmp_path / "deck.ledger.json"
    content = {"version": 1, "page": "deck.html", "entries": sound}
    file.write_text(json.dumps(content), encoding="utf-8")
    assert read(file) == content
    file.write_text(json.dumps(content | {"entries": [*sound, entry(4, "1") | placed | change]}), encoding="utf-8")
    with pytest.raises(Problem, match=re.escape(f"deck.ledger.json: entry 4 of its ledger: {said}")):
        read(file)


def test_a_ledger_without_its_page_and_one_with_a_number_twice_are_named(tmp_path):
    file = tmp_path / "deck.ledger.json"
    placed = {"slide": {"id": "sec-a", "number": 2}, "notes": False}
    twice = {"version": 1, "page": "deck.html", "entries": [entry(7, "1") | placed, entry(7, "2") | placed]}
    for content, said in ((twice, "two entries of its ledger have n = 7"), ({"version": 1, "entries": []}, "names no page")):
        file.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(Problem, match=said):
            read(file)


def test_one_call_written_twice_stands_in_both_places():
    body = '<section id="a"><b data-n="2">7</b></section><section id="b"><aside class="notes"><b data-n="2">7</b></aside></section>'
    twins = [entry(n, "7", id="topic.f():count") for n in (1, 2)]
    found = json.loads(ledger(html(body, *twins), PAGE))["entries"]
    assert [(e["n"], e["slide"]["id"], e["notes"]) for e in found] == [(1, "a", False), (2, "b", True)]


def test_a_mark_that_names_nothing_is_refused():
    with pytest.raises(Problem, match="the mark n=8 on a names nothing shown"):
        ledger(html('<section id="a"><b data-n="8">7</b></section>'), PAGE)


def test_a_page_to_read_has_headings_for_slides_and_its_contents_are_no_place():
    body = '<nav><a><span data-n="1">7</span></a></nav><h2 id="um">Um</h2><p data-n="1">7</p><h3 id="dois">Dois</h3><p data-n="2">8</p>'
    found = json.loads(ledger(html(body, entry(1, "7"), entry(2, "8")), PAGE))["entries"]
    assert [e["slide"] for e in found] == [{"id": "um", "number": 1}, {"id": "dois", "number": 2}]


def test_a_page_without_ledger_has_none():
    assert ledger("<p>x</p>", PAGE) is None


def test_the_title_slide_gets_its_notes():
    own = '<div class="title-slide-notes">\n<p>Roteiro</p>\n</div>'
    notes = f'<aside class="notes">\n{own}\n</aside>\n<aside class="notes"><p>Outra</p></aside>'
    page = f'<section id="title-slide"><h1>T</h1>\n</section>\n<section id="a">\n<h2>A</h2>\n{notes}\n</section>'
    moved = title_notes.move(page)
    assert moved.index("Roteiro") < moved.index("<h2>A</h2>") and moved.count("<aside") == 2
    assert title_notes.move(moved) == moved and title_notes.move("<p>x</p>") == "<p>x</p>"
