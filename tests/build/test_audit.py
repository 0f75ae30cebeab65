"""A numeral that nobody computed is found, wherever it is planted, with its file, line and column."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import entries
import pytest
from hypothesis import given
from hypothesis import strategies as st
from proof import audit, ledger_file, numerals, page_numbers, source_numbers
from proof import excuses as declarations
from proof.excuses import Declared
from proof.fault import Stray

from figures.kit import formats
from figures.kit.entry import VERSION, Entry
from figures.kit.errors import Problem
from figures.kit.files import ROOT

CLEAN_QMD = """---
title: "Um título"
format:
  revealjs:
    width: 1280
---

```{python}
x = 3
```

## Uma frase {#sec-a width="50%"}

- O peso vale `{python} t.weight(3)`, e uma linha só basta. [q]{.q style="width: 12px"}

::: {.notes}
Nada aqui, na primeira linha. Veja [a página](https://example.org/2024/7.html "fim").
:::

1. Um item
2. Outro

![](f.svg){fig-alt="Uma curva" width=300}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A kit without a stray numeral."""
    for folder in ("slides/sim", "slides/theme", "data/words", "figures"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "slides" / "a.qmd").write_text(CLEAN_QMD, encoding="utf-8")
    (tmp_path / "data" / "words" / "t.yml").write_text(
        'caption: "{count} linhas\\u00a0só"\nlist: [uma, "duração {n2}"]\n', encoding="utf-8"
    )
    code = '"""Dois números: 3."""\nSIZE = 12\n\n\ndef drawn(axes):\n    axes.text(0, 3, words("key.2"), color="#ff0000")\n'
    (tmp_path / "figures" / "t.py").write_text(code, encoding="utf-8")
    (tmp_path / "slides" / "sim" / "t.mjs").write_text('// três linhas\nconst path = "M 0 0 L 3 4";\nconst key = "h2";\n', encoding="utf-8")
    (tmp_path / "slides" / "theme" / "t.css").write_text('a::after { margin: 3px; content: "\\2192 fim"; }\n', encoding="utf-8")
    return tmp_path


def planted(root: Path, file: str, old: str, new: str) -> None:
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def found(root: Path, *declared: Declared, shown: dict | None = None) -> list[Stray]:
    return declarations.strays(source_numbers.typed(root), declared, shown or {})


def test_a_kit_whose_numbers_are_computed_is_clean(root):
    assert found(root) == []


PLANTED = {
    "prose": ("slides/a.qmd", "uma linha só", "uma linha de 7 só", "7"),
    "a word in prose": ("slides/a.qmd", "uma linha só", "duas linhas só", "duas"),
    "capitals": ("slides/a.qmd", "- O peso", "- Três pesos", "Três"),
    "a half": ("slides/a.qmd", "uma linha só", "a metade só", "metade"),
    "doubling": ("slides/a.qmd", "basta", "dobra", "dobra"),
    "a factor": ("slides/a.qmd", "basta", "cresce 10×", "10"),
    "a fraction": ("slides/a.qmd", "basta", "basta um terço", "terço"),
    "a decimal": ("slides/a.qmd", "basta", "vale 0,62", "0,62"),
    "a superscript": ("slides/a.qmd", "basta", "cresce com n²", "²"),
    "beside a computed one": ("slides/a.qmd", "t.weight(3)`, e", "t.weight(3)` de 9, e", "9"),
    "a title": ("slides/a.qmd", "## Uma frase", "## Quatro frases", "Quatro"),
    "the deck's title": ("slides/a.qmd", "Um título", "Cinco títulos", "Cinco"),
    "notes": ("slides/a.qmd", "Nada aqui", "Nada nos slides 13 a", "13"),
    "alt text": ("slides/a.qmd", "Uma curva", "Uma curva de 64 pontos", "64"),
    "a formula": ("slides/a.qmd", "basta", "basta: $d_k = 128$", "128"),
    "a formula's braces": ("slides/a.qmd", "basta", r"basta: $\frac{3}{x}$", "3"),
    "a cell": ("slides/a.qmd", "1. Um item", "| a | 8 |\n|---|---|\n\n1. Um item", "8"),
    "a cell's caption": ("slides/a.qmd", "x = 3", '#| fig-cap: "Os 5 passos"\nx = 3', "5"),
    "a listing": ("slides/a.qmd", "1. Um item", "```python\nx = 41\n```\n\n1. Um item", "41"),
    "a span": ("slides/a.qmd", "[q]{.q", "[q = 2]{.q", "2"),
    "HTML": ("slides/a.qmd", "1. Um item", '<b style="width: 3px" title="são 6">x</b>\n\n1. Um item', "6"),
    "a template": ("data/words/t.yml", "{count} linhas", "{count} de 40 linhas", "40"),
    "a template's list": ("data/words/t.yml", "duração", "duas durações", "duas"),
    "a drawn label": ("figures/t.py", 'words("key.2")', 'f"{x} de 12"', "12"),
    "a heading": ("figures/t.py", "SIZE = 12", 'SIZE = Column("três pesos", None)', "três"),
    "a sentence in code": ("figures/t.py", "SIZE = 12", 'EXPECTED = "são três inteiros"', "três"),
    "emphasis by underscores": ("slides/a.qmd", "basta", "são _três_ aqui", "três"),
    "an accent apart": ("slides/a.qmd", "basta", "são tre\u0302s", "tre\u0302s"),
    "digits of full width": ("slides/a.qmd", "basta", "são \uff17", "\uff17"),
    "a half more": ("slides/a.qmd", "basta", "dura uma hora e meia", "meia"),
    "five times": ("slides/a.qmd", "basta", "quintuplica", "quintuplica"),
    "a tenth part": ("slides/a.qmd", "basta", "custa a décima parte", "décima"),
    "a list's marker that counts nothing": ("slides/a.qmd", "2. Outro", "1984. Foi o ano", "1984"),
    "a marker within a sentence": ("slides/a.qmd", "vale `{python} t.weight(3)`, e", "vale\n7. e", "7"),
    "single quotes": ("slides/a.qmd", '"Uma curva"', "'Sete curvas'", "Sete"),
    "a placeholder": ("slides/a.qmd", "1. Um item", '<input placeholder="até 8">\n\n1. Um item', "8"),
    "a link's title": ("slides/a.qmd", '"fim"', '"de sete"', "sete"),
    "the deck's date": ("slides/a.qmd", 'title: "Um título"', 'title: "Um título"\ndate: "2027"', "2027"),
    "a label by keyword": ("figures/t.py", 'words("key.2")', 'words("key.2"), label="7x"', "7"),
    "a drawn label, filled in": ("figures/t.py", 'words("key.2")', '"{} de 12".format(x)', "12"),
    "a tick": ("figures/t.py", 'axes.text(0, 3, words("key.2")', 'axes.set_xticks([1], ["7x"]', "7"),
    "a returned word": ("figures/t.py", "def drawn(axes):", '@word\ndef said():\n    return "7 linhas"\n\n\ndef drawn(axes):', "7"),
    "a returned number": ("figures/t.py", "def drawn(axes):", "@number(count())\ndef said():\n    return 7\n\n\ndef drawn(axes):", "7"),
    "a table's rows": (
        "figures/t.py",
        "def drawn(axes):",
        '@table\ndef said():\n    rows = [["7 linhas"]]\n    return rows\n\n\ndef drawn(axes):',
        "7",
    ),
    "a simulator's factor": ("slides/sim/t.mjs", '"h2"', '"7×"', "7"),
    "a simulator's word alone": ("slides/sim/t.mjs", '"h2"', '"sete"', "sete"),
    "a simulator's count": ("slides/sim/t.mjs", '"h2"', "`${n} de 12`", "12"),
    "a style sheet": ("slides/theme/t.css", "fim", "de sete", "sete"),
    "a simulator's label": ("slides/sim/t.mjs", '"h2"', '"mais 20 passos"', "20"),
    "a simulator's formula": ("slides/sim/t.mjs", '"h2"', '"d_k = 64"', "64"),
    "a simulator's template": ("slides/sim/t.mjs", '"h2"', "`${n} de três passos`", "três"),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_numeral_is_found_where_it_stands(root, kind):
    file, old, new, numeral = PLANTED[kind]
    planted(root, file, old, new)
    (stray,) = found(root)
    line = (root / file).read_text(encoding="utf-8").split("\n")[stray.line - 1]
    assert (stray.file, stray.text) == (file, numeral)
    assert line[stray.column - 1 :].startswith(numeral), "line and column point at the numeral itself"
    assert str(stray).startswith(f"{file}:{stray.line}:{stray.column}: “{numeral}” is typed")


def test_the_remarks_of_code_that_a_page_shows_are_prose(root):
    planted(root, "slides/a.qmd", "x = 3", '# são sete\nx = 3  # até 8\n# %pip install x2\n"""Devolve nove."""')
    assert found(root) == [], "the deck shows no code"
    planted(root, "slides/a.qmd", "format:", "execute:\n  echo: true\nformat:")
    assert [stray.text for stray in found(root)] == ["sete", "8", "nove"]


def test_a_list_counts_by_itself_and_a_nested_one_too(root):
    planted(root, "slides/a.qmd", "2. Outro", "   mais dele\n\n   1. Dentro\n   2. Dentro\n\n2. Outro\n3. Mais")
    assert found(root) == []
    planted(root, "slides/a.qmd", "3. Mais", "\nUm parágrafo.\n\n3. Mais")
    assert [stray.text for stray in found(root)] == ["3"]


def test_line_and_column_are_an_editors(root):
    planted(root, "slides/a.qmd", "uma linha só", "uma linha de 7 só")
    (stray,) = found(root)
    assert (stray.line, stray.column) == (14, 54)


@given(st.integers(0, 999_999))
def test_every_whole_number_is_a_numeral_in_digits_and_in_words(number):
    for text in (formats.count()(number), formats.spelled()(number)):
        stray = [found[0] for found in numerals.numerals(f"são {text} linhas")]
        assert stray or text == "um"


def test_articles_ordinals_and_look_alikes_are_no_numerals():
    for text in (
        "uma linha e um peso",
        "a terceira cabeça, a quarta",
        "③ peso",
        "dezembro, novembro",
        "setembro",
        "mililitro",
        "as partes",
    ):
        assert list(numerals.numerals(text)) == [], text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("três", 3), ("Duas", 2), ("mil", 1000), ("metade", 0.5), ("dobra", 2), ("terço", 1 / 3)),
        *(("46\u00a0080", 46080), ("0,62", 0.62), ("1.5", 1.5), ("²", 2), ("½", 0.5)),
    ],
)
def test_a_numeral_has_a_value(text, value):
    assert numerals.value_of(text) == pytest.approx(value)


# Declarations


def declared(text: str, kind: str = "wording", place: str = "sec-a", file: str = "slides/a.qmd", reason: str = "um motivo") -> Declared:
    return Declared(file=file, place=place, text=text, kind=kind, reason=reason)  # type: ignore[arg-type]


def number(value: object, text: str, **more) -> Entry:
    (made,) = entries.records(entries.entry(1, id="t.f()", value=value, text=text) | more)
    return made


def table(id: str, rows: list, texts: list) -> Entry:
    return number(entries.cells(texts, rows), "", id=id, what="table")


def fault(root: Path, *declarations: Declared, shown: dict | None = None) -> str:
    (stray,) = found(root, *declarations, shown=shown)
    assert stray.file == "data/declared.yml"
    return str(stray)


def test_a_declared_numeral_is_no_stray(root):
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    assert found(root, declared("duas linhas")) == []


def test_a_declaration_covers_its_own_place_only(root):
    planted(root, "slides/a.qmd", "1. Um item", "## Outra {#sec-b}\n\n- são duas linhas\n\n1. Um item")
    planted(root, "slides/a.qmd", "uma linha só", "são duas linhas só")
    (stray,) = found(root, declared("duas linhas"))
    assert stray.line == 22 and "sec-b" in str(stray)


def test_a_declaration_that_matches_nothing_is_an_error(root):
    assert "stands there no more" in fault(root, declared("duas linhas"))
    assert "stands there no more" in fault(root, declared("uma linha 7"))


def test_a_declaration_that_matches_twice_is_an_error_but_a_name_may_recur(root):
    planted(root, "slides/a.qmd", "Nada aqui", "O GPT-2 e o GPT-2, duas vezes, duas vezes")
    names = declared("GPT-2", "name")
    assert "stands there 2 times" in fault(root, names, declared("duas vezes"))


def test_a_declaration_whose_numeral_the_ledger_has_is_an_error(root):
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    shown = {("slides/a.qmd", "sec-a"): [number(2, "2")]}
    assert "is a value of the ledger on this slide (t.f() = 2)" in fault(root, declared("duas linhas"), shown=shown)
    powers = [number(2e-9, "2 × 10⁻⁹")]
    elsewhere = {
        ("slides/a.qmd", "sec-b"): [number(2, "2")],
        ("slides/b.qmd", "sec-a"): [number(2, "2")],
        ("slides/a.qmd", "sec-a"): powers,
    }
    assert found(root, declared("duas linhas"), shown=elsewhere) == []
    plain = table("t.g()", [["a", 2.0]], [["a", "2,0"]])
    assert "t.g() = a cell" in fault(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): [plain]})
    known = table("t.h()", [[{"value": 2, "kind": "fact", "note": "x"}]], [["2"]])
    assert "t.h() = a cell" in fault(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): [known]})
    word = number(0, "duas vezes", what="word")
    assert "t.f() = duas vezes" in fault(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): [word]})
    truth = table("t.i()", [[True]], [["sim"]])
    names = [number(0, "SmolLM2", what="word"), truth]
    assert found(root, declared("duas linhas"), shown={("slides/a.qmd", "sec-a"): names}) == []


def test_a_declaration_needs_a_numeral_and_a_reason(root):
    assert "declares no numeral" in fault(root, declared("uma linha só"))
    planted(root, "slides/a.qmd", "uma linha só", "duas linhas só")
    assert "gives no reason" in fault(root, declared("duas linhas", reason=" "))


def test_a_symbol_stands_in_a_formula_and_is_small(root):
    planted(root, "slides/a.qmd", "basta", "basta: $n^2$ e $x = 7$ e 2 vezes")
    square, seven, prose = declared("n^2", "symbol"), declared("x = 7", "symbol"), declared("2 vezes", "symbol")
    told = [str(stray) for stray in found(root, square, seven, prose)]
    assert len(told) == 2 and "those are 0, 1 and 2" in told[0] and "stands in no formula" in told[1]
    assert found(root, square, declared("x = 7"), declared("2 vezes")) == []
    formula = {("slides/a.qmd", "sec-a"): [number(2, "2", what="formula")]}
    others = declared("x = 7"), declared("2 vezes", "name")
    assert "is a value" not in str(found(root, square, *others, shown=formula)), "an exponent is no amount of its own"
    planted(root, "slides/a.qmd", "$n^2$", "$n^2$ e $d_k = 2$")
    assert "is a value of the ledger" in str(found(root, square, declared("d_k = 2", "symbol"), *others, shown=formula))


def test_a_displayed_formula_may_fill_lines_of_its_own(root):
    planted(root, "slides/a.qmd", "1. Um item", "$$\nn^2\n$$\n\n1. Um item")
    assert found(root, declared("n^2", "symbol")) == []


def test_a_name_starts_each_of_its_words_with_a_letter(root):
    planted(root, "slides/a.qmd", "basta", "basta ao GPT-2, com 7 camadas")
    assert found(root, declared("GPT-2", "name"), declared("7 camadas")) == []
    assert "is no name" in str(found(root, declared("GPT-2", "name"), declared("7 camadas", "name"))[0])


def test_a_template_is_held_against_the_slides_that_show_it():
    one = declared("duas linhas", file="data/words/t.yml", place="caption")
    told = number("", "Legenda: duas linhas", what="word", data=["words/t.yml"])
    value, other = number(2, "2"), number(2, "2", slide={"id": "sec-b", "number": 3})
    assert audit.beside(one, [told, value, other]) == [told, value]
    assert audit.beside(one, [value, other]) == []


def test_a_variable_of_the_course_is_an_input(root):
    planted(root, "slides/a.qmd", "Um título", "{{< var course >}} e {{< var year >}}")
    front = next(text for text in source_numbers.typed(root) if text.line == 2)
    assert front.variables == ("course", "year") and found(root) == []


# Pages

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
    "a placeholder": ("<p>Nada</p>", '<input value="13" placeholder="até 14">', "14", "no mark of the ledger around it"),
    "a formula's bold digits": ("<h2>Uma", "<h2><math><mn>\U0001d7d5</mn></math>Uma", "\U0001d7d5", "no mark of the ledger around it"),
    "SVG text": (">128<", ">129<", "129", "t.h() around it does not hold it"),
}  # fmt: skip


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
    assert kind in ("alt text", "a list's start", "a button", "a placeholder") or line[stray.column - 1 :].startswith(numeral)


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
    page = '<nav><a>7</a></nav><h2 id="um">Um</h2><h3 id="auto">Sem id na fonte</h3><p>são 2</p><h2 id="dois">Outro</h2><p>são 2</p>'
    (stray,) = page_numbers.unexplained("a.html", page, [], {"um": Counter({"2": 1}), "dois": Counter()})
    assert "text of dois" in str(stray)


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
def test_ledger_and_audit_cost_less_than_a_tenth_of_a_warm_build(deck_file):
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
    assert spent < 0.1 * build, f"{spent:.2f} s of {build:.2f} s"
