"""The project's settings: which documents it renders, where their pages go, what a variable says."""

from __future__ import annotations

import pytest

from figures.kit import files, project
from figures.kit.errors import DataError, Problem

QUARTO = "project:\n  output-dir: out\n  render:\n    - a/deck.qmd\n    - a/page.qmd\n    - a/lab.qmd\nlang: pt\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "_quarto.yml").write_text(QUARTO)
    for name, format in {
        "deck": "\n  revealjs: default\n  typst: default",
        "page": "html",
        "lab": "\n  html: default\n  ipynb: default",
    }.items():
        (tmp_path / "a" / f"{name}.qmd").write_text(f"---\ntitle: x\nformat: {format}\n---\n")
    return tmp_path


def test_documents_are_told_apart_by_their_formats(root):
    def document(*formats: str) -> str:
        return project.document(*formats, root=root).name

    assert [document("revealjs"), document("typst"), document("ipynb")] == ["deck.qmd", "deck.qmd", "lab.qmd"]
    assert document("html") == document("html", "ipynb") == "page.qmd"
    with pytest.raises(Problem, match="no document .* the format docx"):
        document("docx")


def test_a_document_is_named_as_its_file_is(root):
    assert project.document("revealjs", name="deck", root=root).name == "deck.qmd"
    with pytest.raises(Problem, match=r"NAME=nada.*has that name\n.*deck, page, lab"):
        project.document("revealjs", name="nada", root=root)
    with pytest.raises(Problem, match=r"NAME=page: .*made as html, and this command makes revealjs\n.*there are deck\."):
        project.document("revealjs", name="page", root=root)


def test_a_pattern_brings_the_documents_that_are_not_listed_by_name(root):
    (root / "a" / "_part.qmd").write_text("")
    listed = (root / "_quarto.yml").read_text()
    (root / "_quarto.yml").write_text(listed.replace("    - a/page.qmd\n    - a/lab.qmd\n", "    - /a/*.qmd\n"))
    assert [document.stem for document in project.documents(root)] == ["deck", "lab", "page"]
    (root / "_quarto.yml").write_text("lang: pt\n")
    assert [document.stem for document in project.documents(root)] == ["deck", "lab", "page"]


def test_a_page_goes_where_quarto_puts_it(root):
    assert [project.page(document, root) for document in project.documents(root)] == [
        root / "out" / "a" / f"{name}.html" for name in ("deck", "page", "lab")
    ]


def test_settings_know_their_lines(root):
    assert project.settings(root).entries["project.render"].place.line == 3
    (root / "_quarto.yml").write_text("- a\n")
    with pytest.raises(DataError, match=r"_quarto.yml:1: these settings are no mapping"):
        project.settings(root)


def test_variables_go_by_dotted_names(root):
    assert project.variables(root) == {}
    (root / "_variables.yml").write_text("course: {name: Redes, years: [1, 2]}\nempty:\n")
    assert project.variables(root) == {"course.name": "Redes", "course.years": [1, 2], "empty": None}


@pytest.mark.parametrize(("written", "told"), [("repository: example.org/a", "example.org/a"), ("repository: ", "")])
def test_the_repository_may_be_nowhere(root, monkeypatch, written, told):
    monkeypatch.setattr(files, "ROOT", root)
    (root / "_variables.yml").write_text(f"{written}\n")
    project.repository.cache_clear()
    try:
        assert project.repository() == told
    finally:
        project.repository.cache_clear()


def test_the_language_is_asked_for_where_it_is_missing(root, monkeypatch):
    monkeypatch.setattr(files, "ROOT", root)
    project.language.cache_clear()
    try:
        assert project.language() == "pt"
        project.language.cache_clear()
        (root / "_quarto.yml").write_text("lang: [pt]\n")
        with pytest.raises(DataError, match="language of the documents is missing"):
            project.language()
    finally:
        project.language.cache_clear()
