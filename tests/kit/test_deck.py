"""References between slides follow the sources."""

from __future__ import annotations

import re

import pytest

from figures.kit import deck
from figures.kit.errors import Problem


@pytest.fixture
def source(tmp_path, monkeypatch):
    (tmp_path / "part.qmd").write_text("## Dois {#sec-b}\n\n```{python}\n## not a slide\n```\n\n## Três $x$ {#sec-c .klass}\n")
    file = tmp_path / "deck.qmd"
    file.write_text("---\ntitle: x\n---\n\n## Um {#sec-a}\n\n{{< include part.qmd >}}\n\n## Quatro {#sec-d}\n")
    found = deck.slides(file)
    monkeypatch.setattr(deck, "slides", lambda: found)
    return file


def test_slides_in_order_with_the_title_first(source):
    assert [slide.id for slide in deck.slides()] == ["title-slide", "sec-a", "sec-b", "sec-c", "sec-d"]
    assert deck.slide("sec-c").text == "4"
    assert deck.span("sec-a", "sec-c").text == "2 a 4"
    assert deck.span("sec-a", "sec-a").text == "2"


@pytest.mark.parametrize(
    ("id", "here", "text"),
    [
        ("sec-b", "sec-a", "no próximo slide"),
        ("sec-a", "sec-b", "no slide anterior"),
        ("sec-d", "sec-a", "daqui a três slides"),
        ("sec-c", "sec-a", "daqui a dois slides"),
        ("sec-a", "sec-c", "há dois slides"),
        ("sec-a", "sec-d", "há três slides"),
        ("sec-a", "sec-a", "neste slide"),
    ],
)
def test_away(source, id, here, text):
    assert deck.away(id, here).text == text


def test_an_unknown_slide_is_named_with_the_known_ones(source):
    with pytest.raises(Problem) as caught:
        deck.slide("sec-x")
    assert "sec-x" in caught.value.what and "sec-a" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "what"), [("## Sem id\n", "has no id"), ("# Parte {#p}\n", "no number counts"), ("## A {#x}\n\n## B {#x}\n", "two slides")]
)
def test_a_slide_without_id_or_with_a_taken_one(tmp_path, text, what):
    file = tmp_path / "deck.qmd"
    file.write_text(text)
    with pytest.raises(Problem, match=what):
        deck.slides(file)


def test_the_acts_are_told_in_order_with_their_numbers():
    told = deck.act_list().text
    summaries = [act.summary for act in deck.acts()]
    assert re.findall(r"\((\d+)\)", told) == [str(n) for n in range(1, len(summaries) + 1)]
    assert all(f"({n}) {summary}" in told for n, summary in enumerate(summaries, 1))
