"""A number on paper, or in a notebook, that its page doesn't show at that place is found."""

from __future__ import annotations

import json

import pytest
from proof import paper_numbers
from proof.paper_numbers import HANDOUT, NOTEBOOK, NUMBERS, SLIDES, Shown

from figures.kit.appendix import WORDS

PAGE = """<html lang="pt-BR"><body><section id="title-slide"><h1>Uma aula</h1></section>
<section id="sec-a"><h2>O peso</h2><p>Vale <span>0,62</span> de 3, e 0,9<sup>64</sup>.</p><ol><li>um</li><li>outro</li></ol></section>
<section id="sec-b"><h2>A conta</h2><p>São 5 tokens.</p><svg><text>7</text><text>8</text><text>9</text></svg><pre>x = 41</pre></section>
</body></html>"""
PLACES = {"sec-a", "sec-b"}
PAGES = ["Uma aula\n1", "O peso\nVale 0,62 de 3, e 0,964.\n1. um\n2. outro\n2", "A conta\nSão 5 tokens.\n789\nx = 41\n3"]
READ = [
    "Uma aula\nO peso slide 2\nVale 0,62 de 3, e 0,964.\n1. um 2. outro\n1",
    "A conta slide 3\nSão 5 tokens. 7 8 9\nx = 41\n2",
]


def shown() -> Shown:
    return Shown(PAGE, [], PLACES)


def notebook(text: str, code: str) -> bytes:
    cells = [{"cell_type": kind, "source": [source]} for kind, source in (("markdown", text), ("code", code))]
    return json.dumps({"cells": cells}).encode()


@pytest.mark.parametrize(("kind", "texts"), [(SLIDES, PAGES), (HANDOUT, READ)])
def test_paper_that_shows_its_page_is_clean(kind: str, texts: list[str]) -> None:
    assert paper_numbers.of_texts("a.pdf", texts, kind, shown()) == []


@pytest.mark.parametrize(("kind", "texts"), [(SLIDES, PAGES), (HANDOUT, READ)])
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("0,62", "0,63", "0,63"),
        ("de 3,", "de 5,", "5"),  # which another slide shows
        ("de 3,", "de 3 e 3,", "3"),  # oftener than the page
        ("São 5", "São sete", "sete"),
        ("tokens.", "tokens, ⑥.", "⑥"),
        ("x = 41", "x = 42", "42"),
        ("2. outro", "4. outro", "4"),
    ],
)
def test_another_number_is_found_on_its_slide(kind: str, texts: list[str], old: str, new: str, found: str) -> None:
    (stray,) = paper_numbers.of_texts("a.pdf", [text.replace(old, new) for text in texts], kind, shown())
    assert stray.text == found and ("sec-a" if "outro" in new or old.startswith(("0", "d")) else "sec-b") in stray.what


def test_a_title_that_starts_with_a_formula_is_told_from_the_end_of_a_word_before_it() -> None:
    page = PAGE.replace("São 5 tokens.", "São os pesos sozinhos, 5.").replace(
        "</body>", '<section id="sec-c"><h2>hk é um termo</h2></section></body>'
    )
    read = [READ[0], "A conta slide 3\nSão os pesos sozin\nhos, 5. 7 8 9\nx = 41\n\u210e𝑘 é um termo slide 4\n2"]
    assert paper_numbers.of_texts("a.pdf", read, HANDOUT, Shown(page, [], {*PLACES, "sec-c"})) == []


def test_a_number_of_the_list_that_the_ledger_lacks_is_found() -> None:
    listed = f"{WORDS('appendix.title')}\nslide 2 vale 0,62\n1"
    assert paper_numbers.of_texts("a.pdf", [listed], NUMBERS, shown()) == []
    (stray,) = paper_numbers.of_texts("a.pdf", [listed.replace("vale", "figures/a.py:17 vale")], NUMBERS, shown())
    assert stray.text == "17"


def test_a_notebook_is_held_against_its_page_text_against_text_and_code_against_code() -> None:
    assert paper_numbers.of_file("a.ipynb", notebook("Vale 0,62; são 5.", "x = 41"), NOTEBOOK, shown()) == []
    strays = paper_numbers.of_file("a.ipynb", notebook("Vale 0,61; são 41.", "x = 5"), NOTEBOOK, shown())
    assert [stray.text for stray in strays] == ["0,61", "5"]
