"""Slides 33 and 34: the lab's sections, where its notebook is, and the one number of the seven points."""

from __future__ import annotations

import msgspec
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st
from published import published, same_text

from figures import lab, scaling
from figures.kit import notebook_link, project
from figures.kit.errors import DataError


def test_slide_33():
    assert len(lab.sections.titles()) == published("deck", 33, "sections")
    assert lab.section_count().text == "dez"
    assert same_text(lab.hours(), f"{published('deck', 33, 'hours')} h")


def test_slide_34():
    assert same_text(scaling.variance_divided(), published("deck", 34, "variance"))


def test_the_list_goes_on_in_the_second_column():
    first, second = lab.first_column().text.split("\n"), lab.second_column().text.split("\n")
    assert first[1] == "1. o dicionário suave, à mão"
    assert first[-2].startswith("5. ")
    assert second[1] == "6. sem ordem — e a RoPE"
    assert second[-2].startswith("10. ")


@given(st.lists(st.text(), max_size=12))
def test_halves_are_the_whole(items: list[str]):
    first, second = lab.sections.halves(tuple(items))
    assert list(first + second) == items
    assert 0 <= len(first) - len(second) <= 1


def test_sections_by_name():
    assert [lab.section(id).value for id in ("dictionary", "bill", "cache")] == [1, 8, 9]
    with pytest.raises(DataError, match="no section has this id"):
        lab.section("nothing")


@pytest.mark.parametrize("repository", ["https://github.com/a/b", "https://github.com/a/b.git", "github.com/a/b/"])
def test_the_link_follows_the_repository(repository: str):
    known = msgspec.structs.replace(lab.records(), notebook="x/lab.ipynb", branch="main")
    url = "https://colab.research.google.com/github/a/b/blob/main/x/lab.ipynb"
    assert lab.sections.notebook_in_words(known, repository) == f"[abrir no Colab →]({url})"


@pytest.mark.parametrize("repository", ["", "https://gitlab.example/a/b", "github.com/only-one"])
def test_without_a_repository_on_github_there_is_no_link(repository: str):
    told = lab.sections.notebook_in_words(lab.records(), repository)
    assert "](" not in told
    assert "`laboratorio.ipynb`" in told
    assert notebook_link.colab(repository, "main", "lab.ipynb") == ""


@pytest.mark.parametrize(("repository", "linked"), [("https://github.com/a/b", True), ("", False)])
def test_the_repository_is_the_one_that_the_course_names(repository: str, linked: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(project, "repository", lambda: repository)
    assert ("colab.research.google.com/github/a/b" in lab.notebook().text) == linked == (lab.code() is not None)


def test_the_code_stands_for_the_link():
    url = "https://colab.research.google.com/github/a/b/blob/gh-pages/slides/laboratorio.ipynb"
    assert lab.sections.notebook_in_words(lab.records(), "https://github.com/a/b") == f"[abrir no Colab →]({url})"
    assert url in lab.qr(url).alt


def test_the_code_drawn_is_the_code_of_the_address():
    """The dark rectangles of the drawing, read back module by module, are segno's."""
    url = "https://colab.research.google.com/github/a/b"
    drawing = lab.qr(url).figure
    path = drawing.axes[0].patches[1].get_path()
    matrix = [list(row) for row in segno.make(url, error="l", boost_error=False).matrix]
    found = [[0] * len(matrix) for _ in matrix]
    for corners in path.vertices.reshape(-1, 5, 2):
        (left, bottom), (right, level), (_, top) = corners[:3]
        assert level == bottom == top - notebook_link.MODULE
        row = len(matrix) - 1 - int(bottom / notebook_link.MODULE - notebook_link.QUIET)
        for column in range(int(left / notebook_link.MODULE), int(right / notebook_link.MODULE)):
            found[row][column - notebook_link.QUIET] = 1
    assert found == matrix


@given(st.lists(st.integers(0, 1)))
def test_runs_give_the_row_back(row: list[int]):
    dark = [at for start, length in notebook_link.runs(row) for at in range(start, start + length)]
    assert dark == [at for at, module in enumerate(row) if module]
