"""Slides 33 and 34: the lab's sections, where its notebook is, and the one number of the seven points."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published import published, same_text

from figures import lab, scaling
from figures.data import DataError


def test_slide_33():
    assert len(lab.titles()) == published("deck", 33, "sections")
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
    first, second = lab.halves(tuple(items))
    assert list(first + second) == items
    assert 0 <= len(first) - len(second) <= 1


def test_sections_by_name():
    assert [lab.section(id).value for id in ("dictionary", "bill", "cache")] == [1, 8, 9]
    with pytest.raises(DataError, match="no section has this id"):
        lab.section("nothing")


@pytest.mark.parametrize("repository", ["https://github.com/a/b", "https://github.com/a/b.git", "github.com/a/b/"])
def test_the_link_follows_the_repository(repository: str):
    known = msgspec.structs.replace(lab.lab(), notebook="x/lab.ipynb", branch="main")
    url = "https://colab.research.google.com/github/a/b/blob/main/x/lab.ipynb"
    assert lab._notebook(known, repository) == f"[abrir no Colab →]({url})"


@pytest.mark.parametrize("repository", ["", "https://gitlab.example/a/b", "github.com/only-one"])
def test_without_a_repository_on_github_there_is_no_link(repository: str):
    told = lab._notebook(lab.lab(), repository)
    assert "](" not in told
    assert lab.lab().notebook in told
