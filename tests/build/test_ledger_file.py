"""The ledger of a page: every value with its slide, numbers inside formulas too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from entries import PLACE, cells, drawing, entry
from page import title_notes
from proof.ledger_file import ledger, read, schema_text

from figures.kit.errors import Problem

PAGE = Path("deck.html")


def html(body: str, *entries: dict, version: int = 1) -> str:
    content = json.dumps({"version": version, "entries": list(entries)})
    return f'<div class="slides">{body}</div><script id="ledger" type="application/json">{content}</script>'


BODY = """
<section id="title-slide"><h1>T</h1></section>
<section id="sec-a"><p><br>Um <span class="n" data-n="1">0,62</span></p>
<math><msqrt><mtext data-n="2">128</mtext></msqrt></math>
<aside class="notes"><p><span class="n" data-n="3">7</span></p></aside></section>
<section id="sec-b"><table><tr><td data-n="4"><span data-n="4-1-2">9</span></td></tr></table>
<math><mtext data-n="5">128</mtext></math></section>
"""


PLAIN = '<section id="title-slide"></section><section id="sec-a"><b data-n="1">0,62</b></section>'


def test_each_entry_gets_its_slide():
    entries = [entry(1), entry(2, what="formula"), entry(3), entry(4, what="table", value=CELLS), entry(5, what="formula")]
    found = json.loads(ledger(html(BODY, *entries), PAGE))["entries"]
    assert [(e["slide"]["id"], e["slide"]["number"], e["notes"]) for e in found] == [
        ("sec-a", 2, False),
        ("sec-a", 2, False),
        ("sec-a", 2, True),
        ("sec-b", 3, False),
        ("sec-b", 3, False),
    ]


def test_the_same_call_in_a_formula_and_in_the_text_stands_in_both_places():
    body = '<section id="sec-a"><math><mtext data-n="1">64</mtext></math></section><section id="sec-b"><b data-n="2">64</b></section>'
    same = {"id": "topic.f():count"}
    found = json.loads(ledger(html(body, entry(1, what="formula", **same), entry(2, **same)), PAGE))["entries"]
    assert [e["slide"]["id"] for e in found] == ["sec-a", "sec-b"]


def test_what_a_page_says_before_its_first_section_stands_in_its_title_block():
    head = '<header id="title-block-header"><h1>T</h1></header><nav><h2 id="toc-title">Nesta página</h2></nav>'
    body = f'{head}<p data-n="1">3</p><h2 id="sec-a">A</h2><p data-n="2">4</p>'
    found = json.loads(ledger(html(body, entry(1), entry(2)), PAGE))["entries"]
    assert [e["slide"] for e in found] == [{"id": "title-block-header", "number": 1}, {"id": "sec-a", "number": 2}]


@pytest.mark.parametrize("stray", [entry(9, text="0,5"), entry(9, text="0,5", what="formula")])
def test_a_value_that_stands_on_no_slide_is_named(stray):
    with pytest.raises(Problem, match=r"topic\.f\(9\).*0,5.*outside every slide"):
        ledger(html(PLAIN, entry(1), stray), PAGE)


def test_a_broken_ledger_is_named():
    with pytest.raises(Problem, match="not JSON"):
        ledger('<script id="ledger" type="application/json">{oops</script>', PAGE)
    with pytest.raises(Problem, match="version 99"):
        ledger(html(BODY, version=99), PAGE)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"n": "one"}, "`n`: Expected `int`, got `str`"),
        ({"kind": "guessed"}, "`kind`: Invalid enum value 'guessed'"),
        ({"what": "poem"}, "`what`: Invalid value 'poem'"),
        ({"colour": "red"}, "Object contains unknown field `colour`"),
        ({"what": "table", "value": 3}, "`value`: Expected `object`, got `int`"),
    ],
)
def test_an_entry_of_another_shape_is_named(change, said):
    with pytest.raises(Problem, match="entry 2 of its ledger.*" + re.escape(said)) as raised:
        ledger(html(PLAIN, entry(1), entry(2) | change), PAGE)
    assert raised.value.where == "deck.html" and "ledger.page()" in raised.value.remedy


def test_a_ledger_that_was_written_is_read_back_and_a_broken_one_is_named(tmp_path):
    file = tmp_path / "deck.ledger.json"
    with pytest.raises(Problem, match="there is no such ledger"):
        read(file)
    file.write_text(ledger(html(PLAIN, entry(1)), PAGE), encoding="utf-8")
    (made,) = read(file).entries
    assert (made.what, made.text, made.slide.id, made.slide.number, made.notes) == ("number", "0,62", "sec-a", 2, False)
    file.write_text(file.read_text(encoding="utf-8").replace('"notes": false', '"notes": 0'), encoding="utf-8")
    with pytest.raises(Problem, match=r"deck\.ledger\.json: entry 1 of its ledger, `notes`: Expected `bool`"):
        read(file)
    file.write_bytes(b"\xff")
    with pytest.raises(Problem, match="not UTF-8"):
        read(file)


CELLS = cells([["1"]], [[1]])
DRAWN = drawing(texts=["1"])
SOUND = [
    entry(n, what=what, value=value) | PLACE
    for n, (what, value) in enumerate([("table", CELLS), ("figure", DRAWN), ("claim", {}), ("number", [1, 2])], 1)
]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"slide": {}}, "`slide`: Object missing required field `id`"),
        ({"slide": {"id": "sec-a", "number": "2"}}, "`slide.number`: Expected `int`, got `str`"),
        ({"data": [3]}, "`data[0]`: Expected `str`, got `int`"),
        ({"what": "table", "value": CELLS | {"rows": [[1, 2]]}}, "`value`: its rows and texts are not 1 cells each"),
        ({"what": "table", "value": CELLS | {"rows": []}}, "`value`: its rows and texts are not 1 cells each"),
        ({"what": "table", "value": CELLS | {"texts": [[1]]}}, "`value.texts[0][0]`: Expected `str`, got `int`"),
        ({"what": "table", "value": CELLS | {"columns": [{}]}}, "`value.columns[0]`: Object missing required field `heading`"),
        ({"what": "figure", "value": DRAWN | {"texts": None}}, "`value.texts`: Expected `array`, got `null`"),
        ({"what": "simulator", "value": {"opening": {}}}, "`value`: Object missing required field `result`"),
        ({"what": "claim", "value": None}, "`value`: Expected `object`, got `null`"),
    ],
)
def test_an_entry_broken_within_is_named(tmp_path, change, said):
    file = tmp_path / "deck.ledger.json"
    content = {"version": 1, "page": "deck.html", "entries": SOUND}
    file.write_text(json.dumps(content), encoding="utf-8")
    assert msgspec.to_builtins(read(file)) == content
    file.write_text(json.dumps(content | {"entries": [*SOUND, entry(5) | PLACE | change]}), encoding="utf-8")
    with pytest.raises(Problem, match=re.escape(f"deck.ledger.json: entry 5 of its ledger, {said}")):
        read(file)


def test_an_entry_without_its_place_is_no_entry_of_a_file(tmp_path):
    file = tmp_path / "deck.ledger.json"
    file.write_text(json.dumps({"version": 1, "page": "deck.html", "entries": [entry(1)]}), encoding="utf-8")
    with pytest.raises(Problem, match="entry 1 of its ledger: Object missing required field `slide`"):
        read(file)


def test_the_published_schema_knows_each_key_of_each_entry():
    definitions = json.loads(schema_text())["$defs"]
    for made in SOUND:
        definition = definitions[made["what"].capitalize()]
        assert made.keys() == set(definition["required"]) == definition["properties"].keys() - {"name"}  # older ones have none
        assert definition["properties"]["what"]["enum"] == [made["what"]] and not definition["additionalProperties"]
    assert definitions["Number"]["properties"]["unit"]["description"].startswith("Of the raw value")


def test_a_ledger_without_its_page_and_one_with_a_number_twice_are_named(tmp_path):
    file = tmp_path / "deck.ledger.json"
    twice = {"version": 1, "page": "deck.html", "entries": [entry(7) | PLACE, entry(7) | PLACE]}
    for content, said in (
        (twice, "two entries of its ledger have n = 7"),
        ({"version": 1, "entries": []}, "missing required field `page`"),
    ):
        file.write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(Problem, match=said):
            read(file)


def test_one_call_written_twice_stands_in_both_places():
    body = '<section id="a"><b data-n="2">7</b></section><section id="b"><aside class="notes"><b data-n="2">7</b></aside></section>'
    twins = [entry(n, id="topic.f():count") for n in (1, 2)]
    found = json.loads(ledger(html(body, *twins), PAGE))["entries"]
    assert [(e["n"], e["slide"]["id"], e["notes"]) for e in found] == [(1, "a", False), (2, "b", True)]


def test_a_mark_that_names_nothing_is_refused():
    with pytest.raises(Problem, match="the mark n=8 on a names nothing shown"):
        ledger(html('<section id="a"><b data-n="8">7</b></section>'), PAGE)


def test_a_page_to_read_has_headings_for_slides_and_its_contents_are_no_place():
    body = '<nav><a><span data-n="1">7</span></a></nav><h2 id="um">Um</h2><p data-n="1">7</p><h3 id="dois">Dois</h3><p data-n="2">8</p>'
    found = json.loads(ledger(html(body, entry(1), entry(2)), PAGE))["entries"]
    assert [e["slide"] for e in found] == [{"id": "um", "number": 1}, {"id": "dois", "number": 2}]


def test_a_page_without_ledger_has_none():
    assert ledger("<p>x</p>", PAGE) is None


def test_the_title_slide_gets_its_notes():
    own = '<div class="title-slide-notes">\n<p>Roteiro</p>\n</div>'
    notes = f'<aside class="notes">\n{own}\n</aside>\n<aside class="notes"><p>Outra</p></aside>'
    slides = f'<section id="title-slide"><h1>T</h1>\n</section>\n<section id="a">\n<h2>A</h2>\n{notes}\n</section>'
    page = f'<style>.title-slide-notes {{}}</style><div class="slides">{slides}</div>'
    moved = title_notes.move(page)
    assert moved.index("Roteiro") < moved.index("<h2>A</h2>") and moved.count("<aside") == 2
    assert title_notes.move(moved) == moved and title_notes.move("<p>x</p>") == "<p>x</p>"
