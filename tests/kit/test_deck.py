"""References between slides follow the sources."""

from __future__ import annotations

import pytest

from figures.kit import deck, files
from figures.kit.errors import DataError, Problem


@pytest.fixture
def source(tmp_path, monkeypatch):
    (tmp_path / "part.qmd").write_text("## Dois {#sec-b}\n\n```{python}\n## not a slide\n```\n\n## Três $x$ {#sec-c .klass}\n")
    file = tmp_path / "deck.qmd"
    file.write_text("---\ntitle: x\n---\n\n## Um {#sec-a}\n\n{{< include part.qmd >}}\n\n## Quatro {#sec-d}\n")
    monkeypatch.setattr(deck, "source", lambda: file)
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


ACTS = "lecture:\n  acts:\n    - {name: A, summary: um, first: sec-a}\n    - {name: B, summary: dois, first: sec-c}\n"


def test_the_acts_are_told_in_order_with_their_numbers(source):
    source.write_text(source.read_text().replace("title: x\n", ACTS))
    assert deck.act_list().text == "(1) um e (2) dois"
    assert deck.act_count().text == "dois"


@pytest.mark.parametrize(
    ("old", "new", "key", "what"),
    [
        ("first: sec-c", "first: sec-x", "acts[1].first", "no slide 'sec-x'"),
        ("first: sec-a", "first: sec-d", "acts[1].first", "it starts at slide 4, and the act before it at 5"),
        ("first: sec-c", "first: sec-a", "acts[1].first", "the act before it"),
        ("first: sec-c", "first: sec-c, covers: [sec-d, sec-x]", "acts[1].covers", "summary 'dois' promises slide 'sec-x'"),
        ("name: B", "name: A", "acts[1]", "'A' stands here twice"),
        ("summary: dois, ", "", "acts[1]", "summary"),
        ("summary: dois", "summary: ''", "acts[1].summary", "nothing stands here"),
        ("first: sec-c", "first: sec-c, minutes: 5", "", "write them for 'A' too"),
        ("first: sec-c", "first: sec-c, minutes: 0", "acts[1].minutes", ">= 1"),
        ("first: sec-c", "first: sec-c, minutes: 601", "acts[1].minutes", "<= 600"),
        ("first: sec-c", "first: sec-c, minutes: dez", "acts[1].minutes", "got `str`"),
        ("  acts:", "  roles: [nobody]\n  acts:", "", "'nobody'"),
        ("  acts:", "  logo: x\n  acts:", "", "logo"),
        ("  acts:", "  title-picture: {dots: a.b, last-row: nobody}\n  acts:", "title-picture", "'nobody'"),
    ],
)
def test_a_document_s_settings_are_refused_by_file_key_and_line(source, old, new, key, what):
    source.write_text(source.read_text().replace("title: x\n", ACTS.replace(old, new)))
    with pytest.raises(DataError) as caught:
        deck.acts()
    assert caught.value.file == str(source) and caught.value.line > 1 and caught.value.remedy
    assert caught.value.key.startswith("lecture") and key in caught.value.key and what in caught.value.what


def test_numbers_and_acts_are_those_of_the_document_in_hand(tmp_path, monkeypatch):
    (tmp_path / "_quarto.yml").write_text("project:\n  render: [a.qmd, b.qmd]\n")
    for name, slides in {"a": "## X {#x}\n\n## Y {#y}\n", "b": "## Y {#y}\n"}.items():
        (tmp_path / f"{name}.qmd").write_text(f"---\nformat: revealjs\n---\n\n{slides}", encoding="utf-8")
    (tmp_path / "c.qmd").write_text("---\nformat: html\nlecture: {deck: b.qmd}\n---\n", encoding="utf-8")
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setenv("QUARTO_DOCUMENT_PATH", str(tmp_path))
    for name, number in {"a.qmd": 3, "b.qmd": 2, "c.qmd": 2, "": 3}.items():
        monkeypatch.setenv("QUARTO_DOCUMENT_FILE", name)
        assert deck.position("y") == number
