"""Data files are read strictly, and an error says which file, which key and what to do."""

from __future__ import annotations

from typing import Literal

import pytest

from figures.kit import data, files, readings, strict_yaml
from figures.kit.errors import DataError
from figures.kit.words import Words


class Animal(data.Record):
    EMPTY = frozenset({"sound"})
    name: str
    legs: int
    sound: str = "miau"
    friends: tuple[str, ...] = ()

    def faults(self):
        if self.legs % 2:
            yield f"an odd number of legs: {self.legs}"


class Caged(data.Record):
    kind: Literal["bird", "fish"]


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A function that writes a data file into a folder of its own, which `data` then reads."""
    monkeypatch.setattr(files, "folder", lambda: tmp_path)

    def write(name: str, text: str) -> None:
        file = tmp_path / f"{name}.yml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        data.forget()

    yield write
    data.forget()


def test_records_come_out_typed_and_frozen(write):
    write("animals", "- {name: gato, legs: 4}\n- {name: ave, legs: 2}\n")
    cat, bird = data.load("animals", tuple[Animal, ...])
    assert (cat.name, bird.legs) == ("gato", 2)
    with pytest.raises(AttributeError):
        cat.legs = 3


@pytest.mark.parametrize(
    ("text", "key", "what"),
    [
        ("- {name: gato, legs: quatro}", "[0].legs", "Expected `int`"),
        ("- {name: gato, legs: '4'}", "[0].legs", "Expected `int`, got `str`"),
        ("- {name: gato}", "[0]", "missing required field `legs`"),
        ("- {name: gato, legs: 4, tail: 1}", "[0]", "unknown field `tail`"),
        ("- {legs: 4, name: gato, e não cão}", "[0]", "Put the text before it in quotes: between braces a comma ends it"),
        ("- {name: gato, legs: 4, legs: 5}", ":1, [0]", "`[0].legs` stands twice"),
        ("- {name: gato,\n   legs: [", ":2: ", "expected the node content"),
        ("- {name: NO, legs: true}", "[0].legs", "Expected `int`, got `bool`"),
        ("- {name: gato, legs: .nan}", ":1, [0].legs", ".nan is no number that a course can use"),
        ("- {name: gato, legs: -1e19}", ":1, [0].legs", "larger than 1e+18"),
        ("- {name: gato, legs: !!int quatro}", ":1, [0].legs", "quatro is no int"),
        ("- {name: gato, legs: !cat 4}", ":1, [0].legs", "!cat"),
        ("- {[name]: gato}", ":1", "a key must be one word"),
        ("-\n\n- \x01", ":3", "special characters are not allowed"),
        ('- {name: "", legs: 4}', "[0].name", "nothing stands here"),
        ("- {name: gato, legs: 5}", "[0]", "an odd number of legs: 5"),
        ("- {name: gato, legs: 4}\n- {name: gato, legs: 2}", ":2, [1]", "'gato' stands here twice"),
        ("- name: gato\n  legs: 4\n  friends:\n    - ave\n    - 5", ":5, [0].friends[1]", "Expected `str`"),
    ],
)
def test_bad_data_names_file_key_and_fault(write, text, key, what):
    write("animals", text)
    with pytest.raises(DataError) as caught:
        data.load("animals", tuple[Animal, ...])
    message = str(caught.value)
    assert "data/animals.yml" in message and key in message and what in message
    assert caught.value.remedy


class Zoo(data.Record):
    animals: dict[str, Animal]


@pytest.mark.parametrize(
    ("text", "kind", "key", "where"),
    [
        ("first: {name: gato, legs: 3}", dict[str, Animal], None, "data/zoo.yml:1, first"),
        ("animals: {first: {name: gato, legs: 3}}", Zoo, None, "data/zoo.yml:1, animals.first"),
        ("animals: [{name: gato, legs: 3}]", tuple[Animal, ...], "animals", "data/zoo.yml:1, animals[0]"),
        ("animals: [{name: gato, legs: x}]", tuple[Animal, ...], "animals", "data/zoo.yml:1, animals[0].legs"),
    ],
)
def test_a_fault_below_a_key_is_named_by_the_keys_above(write, text, kind, key, where):
    write("zoo", text)
    with pytest.raises(DataError) as caught:
        data.load("zoo", kind, key)
    assert caught.value.where == where


def test_a_value_that_is_none_of_a_few_is_told_with_those(write):
    write("zoo", "- {kind: bird}\n- {kind: brid}\n")
    with pytest.raises(DataError, match=r"\[1\].kind: Invalid enum value 'brid'; known: bird, fish"):
        data.load("zoo", tuple[Caged, ...])


def test_a_record_knows_the_line_where_it_stands(write):
    write("zoo", "animals:\n  first:\n    name: gato\n    legs: 4\n  second: {name: ave, legs: 2}\n")
    animals = data.load("zoo", Zoo).animals
    assert [data.line_of(animal) for animal in animals.values()] == [2, 5]
    assert data.line_of(data.changed(animals["second"], legs=4)) == 5 and data.line_of(Animal(name="x", legs=0)) == 1


def test_missing_file_and_missing_key(write):
    with pytest.raises(DataError, match="missing"):
        data.load("nowhere", list[Animal])
    write("zoo", "animals: []")
    with pytest.raises(DataError, match="plants"):
        data.load("zoo", list[Animal], "plants")


def test_a_field_may_be_empty_where_its_record_says_so_or_does_by_default(write):
    write("animals", '- {name: peixe, legs: 0, sound: ""}')
    assert data.load("animals", tuple[Animal, ...])[0].friends == ()
    write("animals", "- {name: peixe, legs: 0, friends: []}")
    assert data.load("animals", tuple[Animal, ...])


def test_an_error_of_the_code_tells_what_it_had_read(write):
    write("animals", "- {name: gato, legs: 4}")
    with pytest.raises(ZeroDivisionError) as caught, readings.noted(), readings.noted():
        1 / (data.load("animals", tuple[Animal, ...])[0].legs - 4)
    assert caught.value.__notes__ == ["It had read data/animals.yml: gato.legs. Was one of these just changed?"]


def test_a_reading_is_noticed_even_when_cached(write):
    write("animals", "- {name: gato, legs: 4}")
    data.load("animals", tuple[Animal, ...])
    with readings.noted() as seen:
        data.load("animals", tuple[Animal, ...])
    assert seen == {"animals.yml", "animals.yml:"}  # the file, and its list as a whole


def test_a_field_that_is_read_is_named_by_the_key_and_the_record_above(write):
    write("zoo", "animals:\n  - {name: gato, legs: 4}")
    with readings.noted() as seen:
        cat = data.load("zoo", tuple[Animal, ...], "animals")[0]
        assert cat.legs == 4 and data.line_of(cat) == 2
    assert seen == {"zoo.yml", "zoo.yml:animals", "zoo.yml:animals.gato.legs"}


def test_words_fill_their_fields_and_name_what_lacks(write):
    write(
        "words/pt/zoo",
        "hello: olá {name}\nodd: olá {name.legs}\nheads: [um, dois]\nmixed: [um, 2]\nbox: {label: dentro}\ncounts: {one: um, two: 2}\n",
    )
    words = Words("zoo")
    assert words("hello", name="gato") == "olá gato"
    assert words("box.label") == "dentro"
    assert words.list("heads") == ("um", "dois")
    with pytest.raises(DataError, match=r"data/words/pt/zoo.yml:1, hello: .*\n.*Known fields: none$"):
        words("hello")
    with pytest.raises(DataError, match="Known fields: name"):
        words("odd", name="gato")
    with pytest.raises(DataError, match="goodbye"):
        words("goodbye")
    for key in ("hello", "mixed"):
        with pytest.raises(DataError, match="list of texts"):
            words.list(key)
    assert words.named("box") == {"label": "dentro"}
    for key in ("hello", "counts"):
        with pytest.raises(DataError, match="texts with names"):
            words.named(key)
    with pytest.raises(DataError, match="nowhere: this text is missing"):
        words.group("nowhere")


def test_a_name_nobody_has_lists_the_known_ones():
    with pytest.raises(DataError, match="gato, ave"):
        data.one((Animal(name="gato", legs=4), Animal(name="ave", legs=2)), lambda a: a.name, "peixe", "data/animals.yml")


def test_every_data_file_parses_and_what_is_recorded_says_on_what_and_when():
    for file in sorted(files.folder().rglob("*.yml")):
        content = strict_yaml.parse(file.read_text(encoding="utf-8"), file.name)
        for block in _blocks(content, "recorded"):
            told = set(_keys(block))
            assert {"processor", "python", "torch", "date"} <= told, f"{file.name}: recorded without hardware, versions or date"


def _blocks(here, key):
    if isinstance(here, dict):
        if isinstance(here.get(key), dict):
            yield here[key]
        for value in here.values():
            yield from _blocks(value, key)
    elif isinstance(here, list):
        for value in here:
            yield from _blocks(value, key)


def _keys(here):
    if isinstance(here, dict):
        for key, value in here.items():
            yield key
            yield from _keys(value)
