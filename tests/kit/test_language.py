"""A document speaks its own language: its front matter's, else the project's, each with what it falls back on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures.kit import data, files, language, project
from figures.kit.errors import DataError
from figures.kit.words import Words

PT = "hello: olá {name}\nbox: {label: dentro, other: fora}\n"
EN = "hello: hello {name}\nbox: {label: inside, other: outside}\n"


@pytest.fixture
def spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data/ with the words of a zoo in Portuguese, English and, where they differ, British English."""
    for name, text in {"pt/zoo": PT, "en/zoo": EN, "en-GB/zoo": "box: {label: within}\n", "pt/ark": "a: arca\n"}.items():
        file = tmp_path / "words" / f"{name}.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    data.forget()
    yield tmp_path
    data.forget()


@pytest.mark.parametrize(("tag", "said"), [("pt-BR", "olá ave"), ("pt", "olá ave"), ("PT-br", "olá ave"), ("en-GB", "hello ave")])
def test_words_are_those_of_the_language_in_hand(spoken: Path, tag: str, said: str) -> None:
    with language.speaking(tag):
        assert Words("zoo")("hello", name="ave") == said


def test_a_variant_holds_only_what_differs(spoken: Path) -> None:
    with language.speaking("en-GB"):
        words = Words("zoo")
        assert words("box.label") == "within" and words("box.other") == "outside"
        assert words.named("box") == {"label": "within", "other": "outside"}


def test_a_variant_may_say_one_text_where_there_were_several_and_the_other_way_round(spoken: Path) -> None:
    (spoken / "words" / "en" / "zoo.yml").write_text("signs: {birds: {in: enter, out: leave}, cats: stroke}\n", encoding="utf-8")
    (spoken / "words" / "en-GB" / "zoo.yml").write_text("signs: {birds: look, cats: {in: mind the cat}}\n", encoding="utf-8")
    data.forget()
    with language.speaking("en-GB"):
        assert Words("zoo").group("signs") == {"birds": "look", "cats": {"in": "mind the cat"}}


@pytest.mark.parametrize(
    ("tag", "topic", "key", "told"),
    [
        ("fr", "zoo", "hello", r"data/words, fr: there are no words in the language 'fr'.*\n.*\(en, en-GB, pt\).*data/words/fr/"),
        ("en", "ark", "a", r"data/words/en/ark.yml: the file is missing\n.*Translate data/words/pt/ark.yml"),
        ("en", "zoo", "box.third", r"data/words/en/zoo.yml:2, box.third: this text is missing\n.*Add it to the file"),
        ("en", "nothing", "a", r"data/words/en/nothing.yml: the file is missing\n.*Write it"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(spoken: Path, tag: str, topic: str, key: str, told: str) -> None:
    with language.speaking(tag), pytest.raises(DataError, match=told):
        Words(topic)(key)


def test_a_missing_text_is_shown_in_the_language_that_has_it(spoken: Path) -> None:
    (spoken / "words" / "en" / "zoo.yml").write_text("box: {label: inside}\n", encoding="utf-8")
    with language.speaking("en"), pytest.raises(DataError, match=r"en/zoo.yml.*hello.*missing\n.*; data/words/pt/zoo.yml:1 has it in pt"):
        Words("zoo")("hello", name="ave")


@given(st.lists(st.from_regex(r"[a-zA-Z]{2,8}", fullmatch=True), min_size=1, max_size=4))
def test_each_language_falls_back_on_a_more_general_one_and_spelling_does_not_matter(parts: list[str]) -> None:
    tags = language.fallbacks("-".join(parts))
    assert len(tags) == len(parts) and all(longer.startswith(f"{shorter}-") for longer, shorter in zip(tags, tags[1:], strict=False))
    assert language.fallbacks("-".join(parts).upper())[-1] == tags[-1] == parts[0].lower()


def test_an_extension_is_no_language() -> None:
    assert language.fallbacks("de-x-phonebk") == ("de-x-phonebk", "de")


@pytest.mark.parametrize(("front", "tag"), [("lang: en", "en"), ("title: T", project.language()), ("", project.language())])
def test_a_document_speaks_its_own_language_or_the_project_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, front: str, tag: str) -> None:
    document = tmp_path / f"{len(front)}.qmd"
    document.write_text(f"---\n{front}\n---\n" if front else "no settings\n", encoding="utf-8")
    monkeypatch.setitem(os.environ, "QUARTO_DOCUMENT_PATH", str(tmp_path))
    monkeypatch.setitem(os.environ, "QUARTO_DOCUMENT_FILE", document.name)
    assert language.of(document) == language.spoken() == tag
    with language.speaking("de"):
        assert language.spoken() == "de"
    assert language.spoken() == tag


def test_a_language_that_is_no_text_is_refused(tmp_path: Path) -> None:
    document = tmp_path / "a.qmd"
    document.write_text("---\nlang: [pt]\n---\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"a.qmd, lang: \['pt'\] is no language"):
        language.of(document)


def test_a_page_is_finished_in_the_language_that_it_says() -> None:
    assert language.of_page('<html xmlns="x" lang="en-US" xml:lang="en-US"><body lang="de">') == "en-US"
    assert language.of_page("<p>no page</p>") == project.language()
