"""The one reader of .qmd: lines keep their place, and headings, cells and inline code are the same for whoever asks."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures.kit import qmd
from figures.kit.errors import Problem
from figures.kit.files import numbered
from figures.kit.qmd import Cell, Text


def lines(text: str) -> list[qmd.Line]:
    return numbered(text, "d.qmd")


@pytest.fixture
def write(tmp_path: Path):
    """`write({"a.qmd": "um\\n"})` writes the files of a project and gives its folder."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path

    return write


# Files


def test_an_include_stands_in_its_place_and_each_line_keeps_its_own(write):
    """Nested includes are looked for beside the document, as Quarto does; one with a slash starts at the project."""
    root = write(
        {
            "slides/d.qmd": "um\n{{< include parts/_a.qmd >}}\n```\n{{< include nada.qmd >}}\n```\n{{< include /_c.qmd >}}\n",
            "slides/parts/_a.qmd": "dois\n{{< include parts/_b.qmd >}}\n",
            "slides/parts/_b.qmd": "três",
            "_c.qmd": "quatro\n",
        }
    )
    assert [(line.text, str(line.place)) for line in qmd.read(root / "slides" / "d.qmd", root)] == [
        ("um", "slides/d.qmd:1"),
        ("dois", "slides/parts/_a.qmd:1"),
        ("três", "slides/parts/_b.qmd:1"),
        ("", "slides/parts/_a.qmd:2"),
        ("", "slides/d.qmd:2"),
        ("```", "slides/d.qmd:3"),
        ("{{< include nada.qmd >}}", "slides/d.qmd:4"),
        ("```", "slides/d.qmd:5"),
        ("quatro", "_c.qmd:1"),
        ("", "slides/d.qmd:6"),
    ]


@pytest.mark.parametrize(
    ("part", "where", "what"),
    [
        ("a\n{{< include _a.qmd >}}\n", "_a.qmd:2", "circle"),
        ("a\n{{< include d.qmd >}}\n", "_a.qmd:2", "circle"),
        ("{{< include /_a.qmd >}}\n", "_a.qmd:1", "circle"),
        ("{{< include _b.qmd >}}\n", "_a.qmd:1", "no file _b.qmd"),
        ("---\ntitle: x\n---\n", "_a.qmd:1", "front matter"),
        ("a\n\n~~~~\n```\n", "_a.qmd:3", "never ends"),
        ("a\n\n```{python}\n  ```\n", "_a.qmd:3", "never ends"),
    ],
)
def test_an_include_that_cannot_be_is_refused_where_it_stands(write, part, where, what):
    root = write({"d.qmd": "{{< include _a.qmd >}}\n", "_a.qmd": part})
    with pytest.raises(Problem, match=what) as caught:
        qmd.read(root / "d.qmd", root)
    assert caught.value.where == where and caught.value.remedy


def test_front_matter_knows_its_lines_and_ends(write):
    root = write({"d.qmd": "---\ntitle: x\nformat:\n  html: default\n---\ntexto\n", "e.qmd": "---\ntitle: x\n"})
    settings = qmd.front_matter(root / "d.qmd", root)
    assert settings.value == {"title": "x", "format": {"html": "default"}}
    assert str(settings.entries["format.html"].place) == "d.qmd:4"
    assert [str(line.place) for line in qmd.body(root / "d.qmd", root)] == ["d.qmd:6"]
    with pytest.raises(Problem, match="never ends"):
        qmd.body(root / "e.qmd", root)


# Headings


@pytest.mark.parametrize(
    ("written", "level", "title", "id"),
    [
        ("## Um", 2, "Um", ""),
        ("# Um {#um}", 1, "Um", "um"),
        ("### Um  {.x #um width=3}  ", 3, "Um", "um"),
        ("## Um{#um}", 2, "Um", "um"),
        ("## Peso $x_{3}$ {#sec-a}", 2, "Peso $x_{3}$", "sec-a"),
        ("## Peso $x_{3}$", 2, "Peso $x_{3}$", ""),
        ('## Um [três]{.n n="1"} {#um}', 2, 'Um [três]{.n n="1"}', "um"),
        ("## Um [três]{.n}", 2, "Um [três]{.n}", ""),
        ("## Os `{python} n()` passos {#sec-p}", 2, "Os `{python} n()` passos", "sec-p"),
        ("## O conjunto {a, b}", 2, "O conjunto {a, b}", ""),
        ("## Sem número {-}", 2, "Sem número", ""),
    ],
)
def test_a_heading(written, level, title, id):
    (heading,) = qmd.headings(lines(written))
    assert (heading.level, heading.title, heading.id) == (level, title, id)


@pytest.mark.parametrize(
    "written", ["##Um", "texto ## Um", "####### Um", "```\n## Um\n```", "```{python}\n## Um\n```", "~~~\n```\n## Um\n~~~"]
)
def test_what_only_looks_like_a_heading(written):
    assert list(qmd.headings(lines(written))) == []


def test_a_line_knows_what_it_is_part_of():
    text = "a\n## Um\n\n::: {.notes}\n::: x\nb\n:::\nc\n:::\n```{python}\n#| echo: true\n1\n```\n```r\n::: {.x}\n```\nd"
    rows = [(line.text, context.role, context.in_cell, context.divs) for line, context in qmd.contexts(lines(text))]
    assert [row for row in rows if row[0] in ("a", "b", "c", "1", "d", "## Um", "```r")] == [
        ("a", "text", False, ()),
        ("## Um", "heading", False, ()),
        ("b", "text", False, ("{.notes}", "x")),
        ("c", "text", False, ("{.notes}",)),
        ("1", "inside", True, ()),
        ("```r", "opening", False, ()),
        ("d", "text", False, ()),
    ]


# Cells


def test_a_cell_has_code_options_and_the_place_of_each():
    text = 'antes\n\n```{python}\n#| label: peso\n#| fig-cap: "Um peso"\n\nx = 1\n#| echo: true\n\n```\n```{python}\n```\ndepois'
    before, cell, empty, after = qmd.parts(lines(text))
    assert isinstance(before, Text) and isinstance(after, Text) and isinstance(cell, Cell) and isinstance(empty, Cell)
    assert [line.text for line in (*before.lines, *after.lines)] == ["antes", "", "depois"]
    assert (cell.code, str(cell.place), cell.name) == ("x = 1\n#| echo: true", "d.qmd:7", "peso")
    assert cell.options == {"label": "peso", "fig-cap": "Um peso"} and str(cell.option_places["fig-cap"]) == "d.qmd:5"
    assert (empty.code, empty.options, str(empty.place), empty.name) == ("", {}, "d.qmd:11", "")


@pytest.mark.parametrize(
    ("opening", "language", "rest", "indent"),
    [
        ("```{python}", "python", "", ""),
        ("````{python}", "python", "", ""),
        ("``` {r, echo=FALSE} ", "r", ", echo=FALSE", ""),
        ("  ```{mermaid}", "mermaid", "", "  "),
    ],
)
def test_a_cell_of_any_language_is_one(opening, language, rest, indent):
    ticks = opening.partition("{")[0].rstrip()
    (cell,) = qmd.parts(lines(f"{opening}\nx\n{ticks}"))
    assert isinstance(cell, Cell) and cell.code == "x"
    assert (cell.fence.language, cell.fence.rest, cell.fence.indent) == (language, rest.strip(), indent)


@pytest.mark.parametrize("text", ["```python\n```", "```{.python}\n```", "```{=html}\n```", "~~~{python}\n~~~", "``` x```"])
def test_a_listing_is_no_cell(text):
    assert list(qmd.parts(lines(text))) == [Text(lines(text))]


@pytest.mark.parametrize("code", ["'''\n  ```\n'''", "a\n ```", "````", "``", "x ```"])
def test_a_cell_ends_at_its_own_ticks_alone(code):
    (cell,) = qmd.parts(lines(f"```{{python}}\n{code}\n```"))
    assert isinstance(cell, Cell) and cell.code == code


@pytest.mark.parametrize("open", ["```{python}\nx", "```\nx", "~~~\n```"])
def test_a_fence_that_is_open_at_the_end_is_refused(open):
    with pytest.raises(Problem, match="never ends") as caught:
        list(qmd.parts(lines(f"a\n{open}")))
    assert caught.value.where == "d.qmd:2"


# Inline code


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("a `{python} f(1)` b `{python}\tg()`", ["f(1)", "g()"]),
        ("`{python}f(1)` ``{python} f(1)`` `{r} f(1)` `{.python} f(1)`", []),
        ('`` `{python} "x"` ``', ['"x"']),
        ('![](a.svg){fig-alt="`{python} alt()`"}', ["alt()"]),
    ],
)
def test_inline_code_as_quarto_has_it(text, codes):
    assert [piece.code for piece in qmd.inline(text)] == codes


def test_inline_code_knows_its_function():
    calls = ["scaling.gap(1).tex", "f(x)", "hand_example.weight('a')", "a.b", "1 + f(2)", '"a.b(c)"', "a.b.c()"]
    assert [qmd.inline(f"`{{python}} {code}`")[0].function for code in calls] == [
        "scaling.gap",
        "f",
        "hand_example.weight",
        "",
        "",
        "",
        "a.b.c",
    ]


# Laws

WORD = st.sampled_from(
    ["texto", "", "# A {#a}", "## B {.x #b}", "### C", "```{python}", "```{r}", "```", "````", "``` {.python}", "#| echo: true", "x = 1"]
    + ["~~~", "::: {.notes}", ":::", "a `{python} t.f(1)` b", "`{python} g()`", "---", "{{< var x >}}", "  ```", "    ```{python}"]
)
DOCUMENT = st.lists(WORD, max_size=16)


@given(DOCUMENT, st.booleans())
def test_the_lines_of_a_document_are_its_text(tmp_path_factory, texts, ends):
    """Whatever the document: read gives it back as it stands, or names the line that it refuses."""
    file = tmp_path_factory.mktemp("page") / "d.qmd"
    text = "\n".join(texts) + "\n" * (ends and bool(texts))
    file.write_text(text, encoding="utf-8")
    try:
        written = qmd.read(file, file.parent)
    except Problem as problem:
        assert problem.where in {f"d.qmd:{n}" for n in range(1, len(texts) + 1)}  # noqa: PT017
        return
    assert "\n".join(line.text for line in written) == text.removesuffix("\n")
    assert [line.place.line for line in written] == list(range(1, len(written) + 1))


@given(DOCUMENT, st.integers(0, 16))
def test_a_part_put_in_is_the_part_and_an_empty_line(tmp_path_factory, texts, at):
    folder = tmp_path_factory.mktemp("page")
    (folder / "_part.qmd").write_text("\n".join(texts), encoding="utf-8")
    (folder / "d.qmd").write_text("a\n{{< include _part.qmd >}}\nb\n", encoding="utf-8")
    try:
        alone = qmd.read(folder / "_part.qmd", folder)
        written = qmd.read(folder / "d.qmd", folder)
    except Problem:
        return
    assert [line.text for line in written] == ["a", *[line.text for line in alone], "", "b"]


@given(DOCUMENT)
def test_headings_cells_and_text_agree(texts):
    """What is text to one is text to all: no line belongs to two, none to nobody."""
    document = lines("\n".join(texts))
    rows = list(qmd.contexts(document))
    assert [line for line, _ in rows] == document
    assert [context.heading for _, context in rows if context.role == "heading"] == list(qmd.headings(document))
    assert all(after.heading == before.heading or after.role == "heading" for (_, before), (_, after) in pairwise(rows))
    try:
        parts = list(qmd.parts(document))
    except Problem:
        assert rows[-1][1].role in ("opening", "inside")
        return
    outside = [line for part in parts if isinstance(part, Text) for line in part.lines]
    assert outside == [line for line, context in rows if not context.in_cell]
    assert all(heading.line in outside for heading in qmd.headings(document))
    cells = [part for part in parts if isinstance(part, Cell)]
    assert [cell.fence.line for cell in cells] == [line for line, context in rows if context.in_cell and context.role == "opening"]
    coded = {line.text for line, context in rows if context.in_cell and context.role == "inside"}
    assert {line for cell in cells for line in cell.code.split("\n") if line} <= coded
    assert not any(isinstance(a, Text) and isinstance(b, Text) or a == Text([]) for a, b in pairwise(parts))


def test_inline_code_is_replaced_where_it_stands():
    text = "um `{python} f(1)`, ``{python} x``, `{python} g()`."
    assert qmd.fill(text, lambda piece: piece.function.upper()) == "um F, ``{python} x``, G."


@given(st.lists(st.sampled_from(["a", " ", "`", "``", "{python} ", "`{python} f(1)`", "`{python}g()`"]), max_size=8).map("".join))
def test_text_without_inline_code_stays_as_it_is(text):
    pieces = qmd.inline(text)
    assert qmd.fill(text, lambda piece: text[piece.start : piece.end]) == text
    assert all(text[piece.start : piece.end].startswith("`{python}") and text[piece.end - 1] == "`" for piece in pieces)
    assert (qmd.fill(text, lambda piece: "") == text) == (not pieces)


def test_a_byte_order_mark_in_an_included_part_is_no_text(write):
    root = write({"d.qmd": "---\ntitle: A\n---\n\n{{< include _a.qmd >}}\n", "_a.qmd": "\ufeff## Um título {#sec-a}\n\ntexto\n"})
    lines = qmd.body(root / "d.qmd", root)
    assert [heading.id for heading in qmd.headings(lines)] == ["sec-a"] and all("\ufeff" not in line.text for line in lines)
