"""English numerals are found as Portuguese ones are, each text in the language of its own document; num2words spells them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from num2words import num2words
from proof import numerals
from typed import found, kit_in, planted

from figures.kit import language


@pytest.fixture(autouse=True)
def english():
    with language.speaking("en"):
        yield


def of(text: str) -> list[str]:
    return [match[0] for match in numerals.numerals(text)]


@given(st.one_of(st.integers(0, 200), st.integers(0, 10**15 - 1)).filter(lambda n: n != 1))
@example(21)
@example(100)
@example(10**9 + 1)
def test_every_number_spelled_in_english_is_found(number: int) -> None:
    with language.speaking("en"):
        spelled = num2words(number, lang="en")
        found = " ".join(of(f"there are {spelled} rows"))
        assert found and numerals.value_of(found.split()[0]) is not None
        left = spelled
        for word in found.split():
            left = left.replace(word, "", 1)
        assert set(left.replace("-", " ").replace(",", " ").split()) <= {"and", "one"}


@given(st.integers(2, 1000))
def test_every_count_of_parts_but_halves_is_found_in_the_plural(parts: int) -> None:
    """Of 3/21 the plural is "three twenty-firsts": there the number word alone is found."""
    with language.speaking("en"):
        assert of(f"in {num2words(parts, lang='en')} parts")


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("There are three kinds of gates and forty-two tricks", [3, 40, 2]),
        ("twice as long, half as wide, a dozen rows, doubled and tripled, a tenfold gain", [2, 0.5, 12, 2, 3, 10]),
        ("a third of it, two thirds, one-fifth, by a tenth.", [1 / 3, 2, 1 / 3, 1 / 5, 1 / 10]),
        ("1,234.5 bytes, 3.5 seconds, 1,000,000 of ½, 2²", [1234.5, 3.5, 1e6, 0.5, 2, 2]),
        ("act V of chapter IX, part II, in XIV steps", [5, 9, 2, 14]),
        ("a quarter of the weight, three quarters", [0.25, 3, 0.25]),
        ("a decade, a pair of rows, double, septupled, a triad, two centuries, a thirtieth", [10, 2, 2, 7, 3, 2, 100, 30]),
    ],
)
def test_numerals_by_hand(text: str, amounts: list[float]) -> None:
    assert [numerals.value_of(word) for word in of(text)] == amounts


def test_a_word_that_counts_in_its_prefix_is_a_numeral() -> None:
    assert of("three-dimensional, tridimensional, a tetrameter, a pentagon, bilateral") == [
        *("three", "tridimensional", "tetrameter", "pentagon", "bilateral")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "the one that it was, once, both of them, one after another",
        "the second row, the first head, a bishop, a trial, the diameter, bidding, pairs of tokens",
        "weight, often, tenure, score, heighten, Platen, fortune, atone, someone",
        "I have V and X; $XX^\\top$, W_V, MIXED",
        "CIVIL, XML, LCD, VIM, IIII, VX",
    ],
)
def test_pronouns_the_second_and_look_alikes_are_no_numerals(text: str) -> None:
    assert of(text) == []


def in_english(root: Path) -> Path:
    (root / "slides" / "a.qmd").write_text("---\ntitle: A title\nlang: en\n---\n\n## A slide {#sec-a}\n\nNothing here.\n", encoding="utf-8")
    (root / "data" / "words" / "en").mkdir()
    (root / "data" / "words" / "en" / "t.yml").write_text('caption: "{count} rows"\n', encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("file", "old", "new", "typed"),
    [
        ("slides/a.qmd", "Nothing here.", "There are three kinds.", ["three"]),
        ("slides/a.qmd", "A slide", "Forty slides", ["Forty"]),
        ("slides/a.qmd", "Nothing here.", "Duas linhas.", []),  # Portuguese on an English page is no English numeral
        ("data/words/en/t.yml", "{count} rows", "{count} of twenty rows", ["twenty"]),
        ("data/words/pt/t.yml", "{count} linhas", "{count} de vinte linhas", ["vinte"]),
        ("data/words/pt/t.yml", "{count} linhas", "{count} linhas, ten dozen", []),
    ],
)
def test_a_numeral_planted_in_a_text_is_found_in_the_language_of_that_text(
    tmp_path: Path, file: str, old: str, new: str, typed: list[str]
) -> None:
    root = in_english(kit_in(tmp_path))
    assert found(root) == []
    planted(root, file, old, new)
    with language.speaking(""):
        assert [stray.text for stray in found(root)] == typed


def test_what_is_said_to_authors_is_no_text_of_a_page(tmp_path: Path) -> None:
    """Errors are in English, and so are the names of a check's values: neither is a numeral where the project is."""
    root = kit_in(tmp_path)
    file = root / "figures" / "t.py"
    code = file.read_text(encoding="utf-8")
    told = 'def faults(self):\n    yield "duas linhas iguais"\n\n\ndef f(x):\n    if x:\n        raise ValueError("são três linhas")\n'
    file.write_text(f'{code}{told}    return Check(x > 0, {{"duas cabeças": x}})\n', encoding="utf-8")
    with language.speaking(""):
        assert found(root) == []
        file.write_text(code + 'def f(x):\n    return Check(x, {"x": "duas cabeças"})\n', encoding="utf-8")
        assert [stray.text for stray in found(root)] == ["duas"]
