"""Whoever reads a .qmd sees the same headings, cells and inline code, on any document."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from engine import cells
from hypothesis import given
from hypothesis import strategies as st
from proof import freeze, source_numbers

from figures.kit import claims, deck, files, qmd
from figures.kit.errors import Problem
from figures.kit.qmd import Text

FRONT = 2  # the line of the title

LINE = st.sampled_from(
    ["texto", "", "## A {#a}", "## B {.x #b}", "## C {#c}", "### D {#d}", "## O caso {x, y} {#e}", "::: {.notes}", ":::"]
    + [
        "a `{python} t.f(1)` b",
        "`{python}t.g()`",
        "```{python}",
        "```{python}",
        "```",
        "```",
        "``` {.python}",
        "#| echo: true",
        "import re",
    ]
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory):
    """A project with one page, `slides/a.qmd`, which each example writes anew."""
    root = tmp_path_factory.mktemp("project")
    (root / "slides").mkdir()
    (root / "_quarto.yml").write_text("lang: pt\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "ROOT", root)
        patch.setenv("QUARTO_DOCUMENT_PATH", "slides")
        patch.setenv("QUARTO_DOCUMENT_FILE", "a.qmd")
        yield root


@given(texts=st.lists(LINE, max_size=14))
def test_all_readers_agree(project: Path, texts: list[str]) -> None:
    page = project / "slides" / "a.qmd"
    page.write_text("---\ntitle: x\n---\n" + "\n".join(texts) + "\n", encoding="utf-8")
    deck._read.cache_clear()
    try:
        parts = list(cells.split(qmd.body(page)))
    except Problem as problem:
        with pytest.raises(Problem) as caught:
            freeze.stamp(page, project)
        assert str(caught.value) == str(problem)  # noqa: PT017
        return
    prose = [line for part in parts if isinstance(part, Text) for line in part.lines]
    headings = list(qmd.headings(qmd.body(page)))
    assert all(heading.line in prose for heading in headings), "no heading is code to the engine"

    titled = list(claims.source_lines())
    assert [text for _, text in titled] == [line.text for line in prose], "no line that may hold a claim is code to the engine"
    assert [title for title, _ in groupby(title for title, _ in titled if title != "a")] == [
        title for title, _ in groupby(heading.title for heading in headings)
    ]

    typed = list(source_numbers.prose("a.qmd", files.lines_of(page)))
    assert {heading.line.place.line: heading.id for heading in headings}.items() <= {text.line: text.place for text in typed}.items()
    assert {text.line for text in typed} <= {line.place.line for line in prose} | {FRONT}, "no code is taken for prose"

    slides = [heading.id for heading in headings if heading.level == 2]
    if len(set(slides)) == len(slides):
        assert [slide.id for slide in deck.slides(page)] == [deck.TITLE, *slides]
