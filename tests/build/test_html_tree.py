"""A page as a tree, and on which slide each part of it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from base.html_tree import VOID, Text, parse, place, spoken, within
from base.slides import slides, titles
from hypothesis import given
from hypothesis import strategies as st

PAGE = """<h1>T</h1>
<p id=a>um &amp; <b>dois</b><br>três<img alt="um gato" src="x"></p>
<script>if (a < b) { "</p>" }</script>"""


def test_texts_attributes_and_offsets():
    page = parse(PAGE)
    bold, image = next(page.all("b")), next(page.all("img"))
    assert PAGE[bold.start : bold.end] == "<b>dois</b>" and PAGE[bold.inside : bold.close] == "dois"
    assert page.text == "T um & dois três" and spoken(image) == ["um gato"] and within(bold, "p") and not within(bold, "h1")
    text = next(node for node in page.walk() if isinstance(node, Text) and node.text == "três")
    assert PAGE[text.start :].startswith("três") and place(PAGE, text.start) == (2, 33)


def test_a_tag_that_is_left_open_ends_with_what_it_stands_in():
    page = parse("<div><p>a</div><p>b</p>")
    assert [node.text for node in page.all("p")] == ["a", "b"] and [p.parent.tag for p in page.all("p")] == ["div", ""]
    for broken in ("<div><p>a</div>", "<p>a", "a</p>"):
        with pytest.raises(ValueError, match="closes|never closed"):
            parse(broken, strict=True)


def html(depth: int) -> st.SearchStrategy[str]:
    texts = st.text("ab <>&ç", max_size=4).map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
    if depth == 0:
        return texts
    element = st.tuples(st.sampled_from(["p", "section", "br", "svg"]), html(depth - 1)).map(
        lambda pair: f"<{pair[0]}>" if pair[0] in VOID else f"<{pair[0]} a='1'>{pair[1]}</{pair[0]}>"
    )
    return st.lists(element | texts, max_size=3).map("".join)


@given(html(3))
def test_every_element_is_cut_out_of_its_page_whole(page: str):
    for element in parse(page, strict=True).all():
        again = parse(page[element.start : element.end], strict=True)
        assert [child.tag for child in again.children] == [element.tag] and again.text == element.text


@pytest.mark.parametrize("name", ["deck_file", "chapter_file", "lab_file"])
def test_the_pages_are_well_formed(name: str, request: pytest.FixtureRequest):
    file: Path = request.getfixturevalue(name)
    parse(file.read_text(encoding="utf-8"), strict=True)


def where(html: str, **options) -> dict[str, str]:
    return {node.text: slide for slide, node in slides(parse(html), **options) if isinstance(node, Text)}


def test_a_part_stands_on_the_innermost_section_that_has_an_id():
    html = '<section><section id="um"><h2 id="t">A</h2><b>b</b></section><section id="dois"><p>c</p></section>d</section>'
    assert where(html) == {"A": "um", "b": "um", "c": "dois", "d": ""}
    assert where(html, counts={"dois"}.__contains__, first="x") == {"A": "x", "b": "x", "c": "dois", "d": "x"}


def test_on_a_page_to_read_it_stands_under_the_last_heading_with_an_id():
    html = '<nav><h2 id="toc">i</h2></nav>a<header id="h"><h1>b</h1></header><h2 id="um">Um</h2>c<h3>d</h3>e'
    assert where(html) == {"i": "", "a": "", "b": "h", "Um": "um", "c": "um", "d": "um", "e": "um"}
    assert titles(parse(html)) == {"": "i", "h": "b", "um": "Um"}
