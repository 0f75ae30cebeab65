"""A numeral on a page that no entry of its ledger holds is found, and the whole lecture has none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter

import entries
import pytest
from proof import audit, ledger_file, page_numbers

from figures.kit.entry import VERSION
from figures.kit.errors import Problem
from figures.kit.files import ROOT

TABLE = entries.cells([["4"]], [[4]], ["$d_{64}$"]) | {"caption": "de 8"}
HERE = {"slide": {"id": "sec-a", "number": 1}}
NUMBER = entries.entry(1, id="t.f()", value=0.6199) | HERE
OTHERS = (
    entries.entry(2, id="t.g()", what="table", text="", value=TABLE) | HERE,
    entries.entry(3, id="t.h()", what="figure", text="Uma curva até 256", value=entries.drawing(texts=["10−3", "128"])) | HERE,
)
LEDGER = entries.records(NUMBER, *OTHERS)
PAGE = """<html><body><section id="sec-a"><h2>Uma frase</h2>
<p>Vale <span data-n="1">0,62</span> &amp; basta, no GPT-2.</p>
<div data-n="2"><table><caption>de 8</caption><tr><th><math><msub><mi>d</mi><mn>64</mn></msub></math></th></tr><tr><td><span data-n="2-1-1">4</span></td></tr></table></div>
<div data-n="3"><svg role="img" aria-label="Uma curva até 256"><text>10<tspan>−3</tspan></text><text>128</text></svg></div>
<aside class="notes"><p>Nada</p></aside></section>
<script>var x = 3;</script></body></html>"""  # noqa: E501
TYPED = {"sec-a": Counter({"2": 1})}

STRAYS = {
    "prose": ("basta,", "basta 7,", "7", "no mark of the ledger around it"),
    "after an entity": ("&amp; basta", "&amp; duas", "duas", "no mark of the ledger around it"),
    "what was typed once, twice": ("basta,", "basta 2,", "2", "no mark of the ledger around it"),
    "notes": ("<p>Nada</p>", "<p>São 13</p>", "13", "no mark of the ledger around it"),
    "a formula": ("<h2>Uma", "<h2><math><mn>128</mn></math>Uma", "128", "no mark of the ledger around it"),
    "a mark with another text": (">0,62<", ">0,63<", "0,63", "t.f() around it does not hold it"),
    "a cell": ("2-1-1\">4<", "2-1-1\">5<", "5", "t.g() around it does not hold it"),
    "a caption": ("de 8", "de 9", "9", "t.g() around it does not hold it"),
    "a heading": (">64<", ">65<", "65", "t.g() around it does not hold it"),
    "alt text": ("até 256", "até 512", "512", "t.h() around it does not hold it"),
    "a list's start": ("<p>Nada</p>", '<ol start="13"><li>a</li></ol>', "13", "no mark of the ledger around it"),
    "a button": ("<p>Nada</p>", '<input type="button" value="mais 13">', "13", "no mark of the ledger around it"),
    "a placeholder": ("<p>Nada</p>", '<input type="range" value="13" placeholder="até 14">', "14", "no mark of the ledger around it"),
    "a formula's bold digits": ("<h2>Uma", "<h2><math><mn>\U0001d7d5</mn></math>Uma", "\U0001d7d5", "no mark of the ledger around it"),
    "what is typed in": ("<p>Nada</p>", '<input value="13">', "13", "no mark of the ledger around it"),
    "a page in a page": ("<p>Nada</p>", '<iframe srcdoc="<p>São 13</p>"></iframe>', "13", "no mark of the ledger around it"),
    "a picture in an address": ("<p>Nada</p>", '<img src="data:image/svg+xml,<text>13</text>">', "13", "no mark of the ledger around it"),
    "navigation": ("<p>Nada</p>", "<nav>São 13</nav>", "13", "no mark of the ledger around it"),
    "a paragraph of a class for code": ("<p>Nada</p>", '<p class="cell-code">13</p>', "13", "no mark of the ledger around it"),
    "a bar": ("<p>Nada</p>", '<progress value="13"></progress>', "13", "no mark of the ledger around it"),
    "SVG text": (">128<", ">129<", "129", "t.h() around it does not hold it"),
}  # fmt: skip


IN_ATTRIBUTES = {
    "alt text",
    "a list's start",
    "a button",
    "a placeholder",
    "what is typed in",
    "a page in a page",
    "a picture in an address",
    "a bar",
}


def test_a_page_that_shows_its_ledger_is_clean():
    assert page_numbers.unexplained("a.html", PAGE, LEDGER, TYPED) == []


@pytest.mark.parametrize("kind", STRAYS)
def test_a_numeral_on_a_page_that_no_entry_holds_is_found(kind):
    old, new, numeral, why = STRAYS[kind]
    page = PAGE.replace(old, new, 1)
    assert page != PAGE
    (stray,) = page_numbers.unexplained("a.html", page, LEDGER, TYPED)
    assert stray.text == numeral and why in str(stray) and "sec-a" in str(stray)
    line = page.split("\n")[stray.line - 1]
    assert kind in IN_ATTRIBUTES or line[stray.column - 1 :].startswith(numeral)


def test_what_an_attribute_says_stands_on_its_slide_too():
    here, elsewhere = LEDGER, entries.records({**NUMBER, "slide": {"id": "sec-b", "number": 2}}, *OTHERS)
    page = PAGE.replace("<h2>Uma", '<h2 title="vale 0,62">Uma', 1)
    assert page_numbers.unexplained("a.html", page, here, TYPED) == []
    assert len(page_numbers.unexplained("a.html", page, elsewhere, TYPED)) == 1
    text = PAGE.replace("Uma frase", "Uma frase 0,62", 1)
    assert len(page_numbers.unexplained("a.html", text, here, TYPED)) == 1


def test_pandocs_own_number_of_a_note_is_none():
    page = PAGE.replace("basta,", 'basta<a href="#fn1" class="footnote-ref"><sup>1</sup></a>,', 1)
    assert page_numbers.unexplained("a.html", page, LEDGER, TYPED) == []


def test_a_page_to_read_has_its_places_by_heading():
    page = '<nav><a>Os 2</a></nav><h2 id="um">Um</h2><h3 id="auto">Sem id na fonte</h3><p>são 2</p><h2 id="dois">Os 2</h2><p>são 2</p>'
    (stray,) = page_numbers.unexplained("a.html", page, [], {"um": Counter({"2": 1}), "dois": Counter({"2": 1})})
    assert "text of dois" in str(stray) and page[: stray.column].count("<p>") == 2, "a list of headings says them again"


# The whole


def test_the_shipped_kit_has_no_stray_numeral(deck_file, chapter_file, lab_file):
    strays = audit.audit(ROOT, [deck_file, chapter_file, lab_file])
    assert not strays, f"{len(strays)}:\n" + "\n".join(map(str, strays))


def test_a_missing_or_broken_ledger_is_named(tmp_path):
    page = tmp_path / "a.html"
    page.write_text(PAGE, encoding="utf-8")
    with pytest.raises(Problem, match="there is no such ledger"):
        audit.audit(tmp_path, [page])
    page.with_suffix(".ledger.json").write_text(json.dumps({"version": VERSION}), encoding="utf-8")
    with pytest.raises(Problem, match="missing required field `page`"):
        audit.audit(tmp_path, [page])


def test_without_a_rendered_page_the_remedy_is_told(tmp_path):
    (tmp_path / "_quarto.yml").write_text("project:\n  output-dir: _output\n  render:\n    - slides/a.qmd\n", encoding="utf-8")
    with pytest.raises(Problem, match="Run `make deck` first"):
        audit.run(tmp_path)


@pytest.mark.slow
def test_ledger_and_audit_cost_less_than_an_eighth_of_a_warm_build(deck_file):
    """In processor time, so that what else runs counts for nothing."""
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"ENGINE": "embedded"}
    subprocess.run([sys.executable, "build", "deck"], cwd=ROOT, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    build = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    start = time.process_time()
    ledger_file.ledger(deck_file.read_text(encoding="utf-8"), deck_file)
    audit.audit(ROOT, [deck_file])
    spent = time.process_time() - start
    assert spent < build / 8, f"{spent:.2f} s of {build:.2f} s"
