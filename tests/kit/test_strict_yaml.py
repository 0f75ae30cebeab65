"""YAML has no traps here, and whatever stands in a file is either read with its line or refused by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures.kit import strict_yaml
from figures.kit.errors import DataError
from figures.kit.files import Line, Place, numbered


def parsed(text: str) -> object:
    return strict_yaml.parse(text, "x.yml")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *(("true", True), ("True", True), ("FALSE", False), ("yes", "yes"), ("NO", "NO"), ("off", "off"), ("tRue", "tRue")),
        *(("1e12", 1e12), ("012", 12), ("0x10", 16), ("0o17", 15), ("-2", -2), (".5", 0.5), ("5.", 5.0), ("1_000", "1_000")),
        *(("1:30", "1:30"), ("2026-01-02", "2026-01-02"), ("2026-13-45", "2026-13-45"), ("=", "="), ("<<", "<<")),
        *(("~", None), ("", None), ("null", None), ("''", ""), ("'12'", "12"), ("!!str 12", "12"), ("1.5 ", 1.5)),
    ],
)
def test_a_word_is_what_quarto_takes_it_for(written, value):
    """By the core schema of YAML 1.2, which js-yaml follows."""
    read = parsed(f"a: {written}")
    assert read == {"a": value} and type(read["a"]) is type(value)


def test_the_largest_number_that_a_course_can_use():
    assert parsed("[1e18, -1e18, 1000000000000000000]") == [1e18, -1e18, 10**18]
    for text in ("1.1e18", "-1.1e18", "1000000000000000001", "-1000000000000000001", ".inf", "-.Inf", ".NAN", "9" * 5000):
        with pytest.raises(DataError, match="larger than 1e\\+18"):
            parsed(text)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: 1\nb: 2\na: 3", 3, "`a` stands twice"),
        ("a:\n  b: 1\n  b: 2", 3, "`a.b` stands twice"),
        ("a: {b: 1}\na.b: 2", 2, "`a.b` stands twice"),
        ("1: a\n0x1: b", 2, "stands twice"),
        ("a: &a [*a]", 1, "recursive"),
        ("\n- ? [a]\n  : b", 2, "one word"),
        ("~: b", 1, "one word"),
        ("a: !!set {b}", 1, "tag"),
        ("a: !cat [b]", 1, "tag"),
        ("a: !!bool nao", 1, "nao is no bool"),
        ("a: !!timestamp 2026-01-02", 1, "no timestamp"),
        ("a:\n- [b", 2, "no valid YAML"),
        ("a: 1\n--- \nb: 2", 2, "no valid YAML"),
        ("\n- \x01", 2, "no valid YAML"),
        ("[" * 5000 + "\n", 1, "no valid YAML: \\S"),
        ('"\\UFFFFFFFF"\nb', 1, "no valid YAML: \\S"),
    ],
)
def test_what_would_pass_silently_elsewhere_is_refused_at_its_line(text, line, what):
    with pytest.raises(DataError, match=what) as caught:
        parsed(text)
    assert (caught.value.file, caught.value.line) == ("x.yml", line)
    assert caught.value.remedy


def test_a_key_that_stands_twice_says_where_it_stood_before():
    with pytest.raises(DataError) as caught:
        parsed("a: 1\n\nb: 2\na: 3")
    assert "x.yml:1" in caught.value.remedy


NESTED = "title: a\nlist:\n  - {id: one}\n  - id: two\n    size: 3\nempty: {}\n"


def test_every_value_knows_its_line():
    tree = strict_yaml.read(numbered(NESTED, "x.yml"))
    assert {path: entry.place.line for path, entry in tree.entries.items()} == {
        "title": 1, "list": 2, "list[0]": 3, "list[0].id": 3, "list[1]": 4, "list[1].id": 4, "list[1].size": 5, "empty": 6,
    }  # fmt: skip
    assert tree.line("list[1].colour") == 4 and tree.line("list[7].id") == 2 and tree.line("nothing.here") == 0
    assert list(tree.leaves()) == ["title", "list", "empty"]
    assert [path for path, _ in tree.texts()] == ["title", "list[0].id", "list[1].id", "list[1].size"]


def test_lines_that_were_gathered_from_elsewhere_keep_their_places():
    lines = [Line("a: 1", Place("a.qmd", 7)), Line("b: [", Place("b.qmd", 2))]
    with pytest.raises(DataError) as caught:
        strict_yaml.read(lines)
    assert caught.value.where == "b.qmd:2"


def test_the_pieces_of_a_text_are_what_is_written():
    lines = numbered('a: "um\n  dois"\nb: três  # quatro\n', "x.yml")
    pieces = {path: [(piece.place.line, piece.column, piece.text) for piece in entry.pieces] for path, entry in texts(lines)}
    assert pieces == {"a": [(1, 4, '"um'), (2, 1, '  dois"')], "b": [(3, 4, "três")]}


def test_only_a_line_feed_ends_a_line_as_in_every_editor():
    """PyYAML counts others too."""
    tree = strict_yaml.read(numbered("a: 'x\u2028y'\nb: 'z'\nc: 1", "x.yml"))
    assert [(entry.place.line, entry.pieces[0].column) for entry in tree.entries.values()] == [(1, 4), (2, 4), (3, 4)]


def texts(lines: list[Line]):
    return strict_yaml.read(lines).texts()


@pytest.mark.parametrize("text", ["a", "- a\n- b", "3"])
def test_settings_are_a_mapping(text):
    with pytest.raises(DataError, match=r"^x\.yml:1: these settings are no mapping"):
        strict_yaml.settings(numbered(text, "x.yml"))
    assert strict_yaml.settings([]).value == {}


WORD = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=6)
VALUE = st.recursive(
    WORD | st.integers(-(10**9), 10**9) | st.booleans() | st.none() | st.floats(-1e9, 1e9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(VALUE)
def test_what_json_writes_is_read_back(value):
    """JSON is YAML 1.2."""
    import json

    assert parsed(json.dumps(value, ensure_ascii=False, indent=1)) == value


@given(st.text("ab:-[]{}#&*!|>'\"%@`\n \t0.~,?\\é\x07\u2028", max_size=30))
def test_any_text_is_read_or_refused_with_a_line_of_its_own(text):
    try:
        parsed(text)
    except DataError as error:
        assert error.file == "x.yml" and 0 <= error.line <= text.count("\n") + 1  # noqa: PT017
