"""Values become Markdown without losing what they are."""

from __future__ import annotations

import base64
import re
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from figures.kit import ledger, show
from figures.kit.formats import FormatError, count, fixed, percent
from figures.kit.markup import Markup


@show.number(fixed(2))
def third(of: float) -> float:
    """A third, for the tests."""
    return of / 3


@show.table
def small() -> show.Table:
    """A table, for the tests."""
    columns = [show.Column("nome"), show.Column(Markup("$d_k$"), fixed(2)), show.Column("parte", percent())]
    return show.Table(columns, [["a|b", 0.5, show.Cell(0.25, role="best")], ["c", None, 1.0]], caption="Legenda")


@show.figure
def drawing() -> show.Picture:
    """A picture, for the tests."""
    figure = Figure(figsize=(2, 1), dpi=72)
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1])
    axes.text(0.5, 0.5, "meio")
    return show.Picture(figure, alt='Uma reta "subindo" & <só>', values=())


def test_a_number_keeps_its_raw_value_and_its_maker():
    shown = third(2.0)
    assert shown.value == 2 / 3 and shown.text == "0,67" == str(shown)
    assert str(shown.tex) == r"\text{0,67}"
    assert shown.to(fixed(3)).text == "0,667"
    assert shown.origin.name == "test_show.third" and shown.origin.args == (2.0,)


def test_a_cell_may_be_what_a_function_of_the_page_shows():
    @show.table
    def mixed() -> show.Table:
        return show.Table([show.Column("a"), show.Column("b", align="right")], [[show.Markdown("*x*"), third(2.0)]])

    text, entry = mixed()._repr_markdown_(), ledger.entries()[-1]
    assert f'[*x*]{{.n n="{entry.n}-1-1"}}' in text and f'[0,67]{{.n n="{entry.n}-1-2"}}' in text
    assert entry.value.rows == [["*x*", 2 / 3]] and entry.value.texts == [["*x*", "0,67"]]


def test_a_table_writes_pipes_and_keeps_raw_values():
    table = small()
    text = table._repr_markdown_()
    n = ledger.entries()[-1].n
    assert r"a\|b" in text and f'[25%]{{.best .n n="{n}-1-3"}}' in text and ": Legenda" in text
    assert table.texts() == [["a|b", "0,50", "25%"], ["c", "", "100%"]]
    assert re.search(r"^\| :-+ \| -+: \| -+: \|$", text, re.MULTILINE)


@show.block
def paragraph(text: str) -> show.Markdown:
    """A block, for the tests."""
    return show.Markdown(text)


def loose_table(**more) -> show.Table:
    return show.Table([show.Column("a"), show.Column("n", fixed(1))], [["x", 1.5]], **more)


PIPES = "| a | n |\n| :--- | ---: |\n| x | 1,5 |"


def test_what_no_page_function_made_is_plain_markdown_and_in_no_ledger():
    ledger.clear()
    assert show.Markdown("um *a*")._repr_markdown_() == "um *a*"
    assert loose_table()._repr_markdown_() == f"\n\n{PIPES}\n\n"
    assert loose_table(classes=("sum",), caption="L")._repr_markdown_() == f"\n::: {{.sum}}\n\n{PIPES}\n\n: L\n\n:::\n"
    assert show.Picture(drawing().figure, "alt")._repr_markdown_().startswith("\n:::: {.figure .figure-figure}\n")
    assert ledger.entries() == ()


def test_what_a_page_function_made_has_its_name_and_its_mark():
    ledger.clear()
    assert paragraph("um *a*")._repr_markdown_() == '\n::: {.block n="1"}\num *a*\n:::\n'
    assert small()._repr_markdown_().startswith('\n::: {.table-test-show-small n="2"}\n\n| nome |')
    assert drawing()._repr_markdown_().startswith('\n:::: {.figure .figure-test-show-drawing n="3"}\n')
    assert [(entry.n, entry.what, entry.text) for entry in ledger.entries()] == [
        (1, "text", "um *a*"),
        (2, "table", "Legenda"),
        (3, "figure", 'Uma reta "subindo" & <só>'),
    ]
    ledger.clear()


@pytest.fixture
def person(monkeypatch) -> None:
    """Somebody runs the cell in Jupyter."""
    monkeypatch.delenv("QUARTO_EXECUTE_INFO", raising=False)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1)))


def test_a_person_in_jupyter_gets_plain_markdown_and_no_ledger(person):
    ledger.clear()
    assert paragraph("um *a*")._repr_markdown_() == "um *a*"
    assert small()._repr_markdown_() == (
        "| nome | $d_k$ | parte |\n| :--- | ---: | ---: |\n" + r"| a\|b | 0,50 | 25% |" + "\n| c |  | 100% |"
    )
    assert third(2.0)._repr_markdown_() == "0,67" and third(2.0).tex._repr_markdown_() == r"\text{0,67}"
    assert ledger.entries() == ()


def test_a_person_is_there_where_jupyter_has_a_kernel_that_quarto_does_not_run(monkeypatch):
    for shell, person in ((SimpleNamespace(kernel=1), True), (SimpleNamespace(), False), (None, False)):
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda shell=shell: shell))
        monkeypatch.delenv("QUARTO_EXECUTE_INFO", raising=False)
        assert show.by_hand() == person
        monkeypatch.setenv("QUARTO_EXECUTE_INFO", "info.json")
        assert not show.by_hand()


def test_a_value_that_its_column_can_t_show_is_told_with_its_place():
    table = show.Table([show.Column("texto"), show.Column("saldo", count())], [["a", 2], ["b", 2.5]])
    with pytest.raises(FormatError, match="column “saldo”, row 2: 2.5 is not a whole number"):
        table.texts()


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="row 2 has 1 cells for 2 columns"):
        show.Table([show.Column("a"), show.Column("b")], [["x", "y"], ["z"]])


@given(st.lists(st.tuples(st.text("ab$^_ cção", max_size=30), st.floats(-10, 10)), min_size=1, max_size=6))
def test_every_line_of_a_table_has_as_many_cells(rows):
    table = show.Table([show.Column("texto"), show.Column("n", fixed(1))], rows)
    lines = [line for line in table._repr_markdown_().splitlines() if line.startswith("|")]
    assert {line.count("|") for line in lines} == {3} and len(lines) == len(rows) + 2


def test_a_picture_is_the_same_bytes_twice_and_its_ids_are_its_own():
    first, second = drawing().svg(), drawing().svg()
    assert first == second
    assert all(id.startswith("test-show-drawing-") for id in re.findall(r'\bid="([^"]+)"', first))
    assert ">meio<" in first and ">meio<" not in drawing().svg(text_as_text=False)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', first))
    assert used <= set(re.findall(r'\bid="([^"]+)"', first))


def test_the_alt_text_survives_its_quotes():
    text = drawing()._repr_markdown_()
    assert 'aria-label="Uma reta &quot;subindo&quot; &amp; &lt;só>"' in text
    assert "text/html" not in text and 'unless-format="html"' in text


def test_paper_gets_the_picture_with_letters_as_shapes_and_the_caption_once():
    picture = show.Picture(drawing().figure, "alt", caption="Uma legenda.")
    text = picture._repr_markdown_()
    paper = base64.b64decode(re.search(r"base64,([^)]+)\)", text)[1]).decode()
    assert ">meio<" in text and paper == picture.svg(text_as_text=False) and ">meio<" not in paper
    assert re.search(r'\)\{fig-alt="alt" pixels="[\d.]+"\}\n:::\n\nUma legenda\.\n::::\n$', text) and text.count("Uma legenda.") == 1
    assert drawing()._repr_markdown_().endswith("}\n:::\n::::\n")


class Two(show.Picture):
    """A picture whose mark-up holds another."""

    def svg(self, text_as_text=True):
        return f"<svg a><svg {text_as_text}></svg></svg>"


def test_a_page_gets_a_picture_with_letters_as_text_and_jupyter_on_its_ground_with_letters_as_shapes(request):
    two = Two(Figure(), "")
    assert two._repr_svg_() is None and '<svg role="img" aria-label="" a><svg True>' in two._repr_markdown_()
    request.getfixturevalue("person")
    assert two._repr_markdown_() is None
    assert re.fullmatch(r'<svg style="background:#\w+" a><svg False></svg></svg>', two._repr_svg_())


def test_a_listing_is_marked_where_it_is_in_the_ledger():
    @show.listing
    def code():
        """A line of code, for the tests."""
        return show.Listing("x = 1")

    loose = show.Listing("x = 1")._repr_markdown_()
    marked = code()._repr_markdown_()
    n = ledger.entries()[-1].n
    assert ":::" not in loose and loose.strip() in marked
    assert marked.strip().startswith(f'::: {{.listing n="{n}"}}') and marked.rstrip().endswith(":::")


def test_a_cell_that_holds_only_words_is_not_marked():
    rows = [line for line in small()._repr_markdown_().splitlines() if line.startswith("| ")]
    n = ledger.entries()[-1].n
    assert rows[2:] == [f'| a\\|b | [0,50]{{.n n="{n}-1-2"}} | [25%]{{.best .n n="{n}-1-3"}} |', f'| c |  | [100%]{{.n n="{n}-2-3"}} |']


def test_what_is_shown_is_in_the_ledger_with_its_origin():
    ledger.clear()
    assert third(2.0)._repr_markdown_() == '[0,67]{.n n="1"}'
    small()._repr_markdown_()
    drawing()._repr_markdown_()
    third(1.0).tex._repr_markdown_()
    kinds = [(entry.what, entry.function) for entry in ledger.entries()]
    assert kinds == [
        ("number", "test_show.third"),
        ("table", "test_show.small"),
        ("figure", "test_show.drawing"),
        ("formula", "test_show.third"),
    ]
    entry = ledger.entries()[0]
    assert entry.value == 2 / 3 and entry.text == "0,67" and entry.id == "test_show.third(2.0):fixed(2)"
    assert entry.file == "tests/kit/test_show.py" and entry.line > 0
    ledger.clear()


def test_strings_in_other_texts_are_not_entered():
    ledger.clear()
    assert f"{third(2.0)} e {third(1.0).to(fixed(1))}" == "0,67 e 0,3"
    assert ledger.entries() == ()


@show.number(fixed(1))
def layers() -> ledger.Known:
    """A fact, for the tests."""
    return ledger.fact(32.0, "a paper")


def test_a_fact_keeps_its_source_and_a_measurement_its_hardware():
    shown = layers()
    assert (shown.text, shown.value, shown.origin.kind, shown.origin.note) == ("32,0", 32.0, "fact", "a paper")
    known = ledger.measured(24.0, "CPU X", "torch 2", "2026-11-30")
    assert (known.kind, known.note) == ("measured", "CPU X; torch 2; 2026-11-30")


def test_a_picture_of_a_measurement_says_so():
    @show.figure
    def measured() -> ledger.Known:
        return ledger.measured(show.Picture(Figure(), alt="Um mapa"), "a machine", "Python 3", "2026-01-01")

    origin = measured().origin
    assert (origin.kind, origin.note) == ("measured", "a machine; Python 3; 2026-01-01")
