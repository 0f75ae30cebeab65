"""What the handout's filter and looks make of some Markdown, by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import needs
import pytest
from engine import convert
from fontTools.ttLib import TTFont
from paper import typst_fonts

from figures.kit.errors import Problem
from figures.kit.files import ROOT, Line, Place
from figures.kit.formats import to_tex
from figures.kit.marks import mark_in_formula

pytest.importorskip("typst")
THEME = ROOT / "slides" / "theme"


ACTS = {"acts": [{"name": "O começo", "summary": "x", "first": "a"}]}


def typst(text: str, **metadata: Any) -> str:
    """What the filter makes of some Markdown, below the lines that set it up."""
    lines = [Line(line, Place("a.qmd", n)) for n, line in enumerate(text.split("\n"), 1)]
    made = convert.convert(lines, {"lang": "pt"} | metadata, "typst", filters=[str(THEME / "handout.lua")])
    return re.sub(r"^#(let role|show: |words.update).*\n+", "", made, flags=re.MULTILINE)


@needs.roles
@pytest.mark.parametrize(
    ("tex", "made"),
    [
        ("q \\cdot k", "$roleq dot.op rolek$"),
        ("Q = XW_Q", "$roleQ = X W_(roleQ)$"),
        ("\\sqrt{d_k}", "$sqrt(d_k)$"),
        ("a_j v_j", "$a_j rolev_j$"),
        ("h_{kv}", "$h_(k v)$"),
        ("\\text{Var}(q \\cdot k)", '$upright("Var")\\( roleq dot.op rolek \\)$'),
        ("K^\\top\\!/2", "$roleK^top \\/ 2$"),
        ("\\text{k e v}", '$upright("k e v")$'),
        ("\\frac{\\partial L}{\\partial Q}", "$frac(partial L, partial roleQ)$"),
        ("1,\\; k", "$1 \\, #h(0.28em) rolek$"),
    ],
)
def test_formulas_take_the_colours_of_the_roles(tex: str, made: str):
    assert f", {made});" in typst(f"a ${tex}$ b")


def test_formulas_and_bookmarks_say_their_words():
    made = typst("## Por $\\sqrt{d_k}$ {#a}\n\nvale $e^{-20}$", lecture=ACTS)
    assert '#math.equation(block: false, alt: "e elevado a menos 20", $e^(- 20)$);' in made
    assert '#[#text("raiz quadrada de d k")<title-formula-1>];' in made


def test_a_formula_that_cannot_be_said_is_refused_where_it_stands():
    with pytest.raises(Problem) as refused:
        typst("## Soma {#a}\n\nvale\n\n$A \\boxplus B$", lecture=ACTS)
    assert refused.value.where == "a.qmd:5" and "“Soma”, formula “A \\boxplus B”" in refused.value.what
    assert "data/words/pt/speech.yml" in refused.value.remedy


@needs.roles
def test_neutral_formulas_stay_black_and_marks_of_the_ledger_vanish():
    assert "$V times d$" in typst("[$V \\times d$]{.neutral}")
    assert typst('vale [0,62]{.n n="3"} agora').strip() == "vale 0,62 agora"
    assert typst('::: {.block n="3"}\nvale 0,62\n:::').strip() == "vale 0,62"
    assert typst('[[k]{.k n="1-2"}]{.n n="3"}').strip() == '#role("key")[k];'


@needs.roles
def test_a_document_that_shows_other_roles_colours_other_letters():
    assert "$k = roleq$" in typst("$k = q$", lecture={"roles": ["query"]}) and "$k = q$" in typst("$k = q$", lecture={"roles": []})


def test_an_act_opens_before_its_first_slide_and_the_title_s_notes_come_first():
    source = "## Um {#a}\n\n:::: {.notes}\n::: {.title-slide-notes}\nOlá.\n:::\n::::\n\nTexto.\n\n## Dois {#b}\n"
    made = typst(source, lecture=ACTS, edition={"notes": True})
    assert re.search(r"#notes\[\s*Olá\..*= O começo.*#slide\[\s*== Um.*Texto\..*#slide\[\s*== Dois", made, re.DOTALL)
    assert "Olá" not in typst(source, lecture=ACTS)  # unless somebody asks for notes


def test_a_page_without_a_slide_has_sections_from_the_first_level_on():
    made = typst("## Um {#a}\n\nTexto.\n\n### Parte\n\n## Dois {#b}\n", title="Aula")
    assert re.findall(r"^=+ .*", made, re.MULTILINE) == ["= Um", "== Parte", "= Dois"] and "#slide[" not in made


ROW = {"shown": "0,62", "what": "", "value": "", "call": "a.b()", "place": "a.py:1", "kind": "calculado"}


def with_rows(body: str, *rows: dict[str, Any], **edition: bool) -> str:
    """The filter's reading of a page that leaves these rows: the list of numbers, notes included unless an edition says otherwise."""
    made = [{**ROW, "n": n, "id": f"id {n}", **row} for n, row in enumerate(rows, 1)]
    left = {
        "title": "Fim",
        "opening": "Lista.",
        "headings": ["o", "v"],
        "slide": "slide {number}",
        "notes_title": "N",
        "notes": ["uma fonte", "outra, https://a.org/b."],
        "entries": made,
    }
    return typst(
        f"{body}\n\n```{{.ledger-appendix}}\n{json.dumps(left)}\n```\n",
        title="Aula",
        lecture=ACTS,
        edition={"notes": True, "numbers": True} | edition,
    )


def by_number(made: str) -> list[tuple[str, list[str]]]:
    """What stands under which slide: [("slide 2", ["0,62"])]."""
    groups = made.split('ledger-slide("')[1:]
    return [(group.partition('"')[0], re.findall(r'ledger-row\("[\d.]+", [\["](.*?)[\]"],', group)) for group in groups]


def test_the_slide_of_a_row_is_read_off_the_marks_those_inside_formulas_too():
    two, five, again = (mark_in_formula(to_tex(text), n) for text, n in (("2", 4), ("5%", 5), ("2", 6)))
    body = f"""## Um {{#um}}

[a]{{.n n="3"}} $x = {two} + \\text{{7}}$

::: {{.notes}}
::: {{.title-slide-notes}}
[b]{{.n n="1"}}
:::
:::

## Dois {{#dois}}

[c]{{.n n="3"}} ${five}$ ${again}$"""
    rows = [{"shown": "b"}, *({"shown": text, "id": "twice"} for text in "ac"), *({"shown": text} for text in ("2", "5%", "2 again"))]
    made = with_rows(body, *rows)
    assert by_number(made) == [("slide 1", ["b"]), ("slide 2", ["a", "2"]), ("slide 3", ["c", "5%", "2 again"])]
    assert made.index("= Fim") < made.index("#ledger-table(") and "ledger-appendix" not in made and "== Dois" not in made
    students = by_number(with_rows(body, *rows, notes=False))
    assert students == [("slide 2", ["a", "2"]), ("slide 3", ["c", "5%", "2 again"])]  # what only the notes of slide 1 show is gone
    slides = with_rows(body, *rows, numbers=False)
    assert "== Dois" in slides and "ledger" not in slides
    assert not re.search("[\ufe00-\ufe0f]", made), "a mark is no letter of the handout"


def test_texts_of_rows_are_markdown_and_calls_are_not():
    made = with_rows('## Um\n\n[a]{.n n="1"} [b]{.n n="2"}', {"shown": "[␣g]{.token} $q$"}, {"shown": "(1) *um*", "call": 'a.b("#[x]")'})
    assert "#token[␣g];" in made and re.search(r"\$(role)?q\$", made)
    assert "[\\(1) #emph[um]]" in made and '"a.b(\\"#[x]\\")"' in made


def test_the_sources_of_a_list_keep_their_numbers_and_are_those_of_its_rows():
    made = with_rows('## Um\n\n[a]{.n n="1"}\n\n::: {.notes}\n[b]{.n n="2"}\n:::', {"kind": "fato [2]"}, {"kind": "fato [1]"}, notes=False)
    assert "enum.item(2, [outra, #link" in made and "uma fonte" not in made


@pytest.mark.parametrize(("body", "fault"), [("nada", "id 1 stands on no slide"), ('[a]{.n n="2"}', "the mark n=2 names nothing shown")])
def test_a_row_without_a_slide_and_a_mark_without_a_row_are_told(body: str, fault: str):
    with pytest.raises(Problem, match=fault):
        with_rows(f"## Um\n\n{body}", {})


def test_a_picture_keeps_its_proportion_to_the_text(tmp_path: Path):
    (tmp_path / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="1152" height="10"></svg>')
    lines = [Line("![](a.svg){fig-alt=x}", Place("a.qmd", 1))]
    made = convert.convert(lines, {"lang": "pt"}, "typst", "--extract-media=m", folder=tmp_path, filters=[str(THEME / "handout.lua")])
    assert "width: 470.0pt" in made


def test_a_row_that_sums_up_is_strong():
    made = typst("::: {.sum}\n| a | b |\n|---|---|\n| 1 | 2 |\n| soma | 3 |\n:::")
    assert "[1], [2]" in made and "[#strong[soma]], [#strong[3]]" in made


def test_listings_keep_their_lines():
    assert '#raw(block: true, "a = \\"b\\"\\nc")' in typst('```python\na = "b"\nc\n```')


def test_a_variable_font_becomes_one_file_a_weight(tmp_path: Path):
    folder = typst_fonts.ready(tmp_path)
    families = Counter(name_of(file) for file in sorted(folder.glob("*.ttf")))
    assert families["Fira Code"] == 2 and families["Fira Sans"] >= 2 and families["STIX Two Math"] == 1
    assert not any("fvar" in TTFont(file) for file in folder.glob("*.ttf"))
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    typst_fonts.ready(tmp_path)
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before


def name_of(file: Path) -> str:
    names = TTFont(file)["name"]
    return str(names.getDebugName(16) or names.getDebugName(1))
