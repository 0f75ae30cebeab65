"""What is read of a data file is told field by field, however it is reached."""

from __future__ import annotations

from typing import Any

import pytest

from figures.kit import data, files, readings


class Step(data.Record):
    id: str
    size: int = 1


class Walk(data.Record):
    title: str
    start: Step
    steps: tuple[Step, ...]
    by_name: dict[str, Step]


@pytest.fixture
def walk(tmp_path, monkeypatch) -> Any:
    text = "title: a\nstart: {id: zeroth}\nsteps:\n  - {id: first, size: 2}\n  - {id: second}\nby_name:\n  third: {id: third, size: 3}\n"
    (tmp_path / "walk.yml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    data.forget()
    yield lambda: data.load("walk", Walk)
    data.forget()


def read(what: Any) -> set[str]:
    with readings.noted() as seen:
        what()
    return seen


def test_a_field_read_is_named_with_its_file(walk):
    assert read(lambda: walk().title) == {"walk.yml", "walk.yml:title"}


def test_loading_alone_reads_no_field(walk):
    assert read(walk) == {"walk.yml"}


def test_a_record_on_the_way_to_a_field_is_not_itself_read(walk):
    assert read(lambda: walk().start) == {"walk.yml"}
    assert read(lambda: walk().start.id) == {"walk.yml", "walk.yml:start.id"}


def test_a_record_in_a_list_goes_by_its_id_and_in_a_mapping_by_its_key(walk):
    assert read(lambda: walk().steps[0].size) == {"walk.yml", "walk.yml:steps", "walk.yml:steps.first.size"}
    assert "walk.yml:by_name.third.size" in read(lambda: walk().by_name["third"].size)


def test_a_changed_record_tells_only_the_fields_it_kept(walk):
    turned = data.changed(walk().steps[0], size=7)
    assert turned.size == 7 and read(lambda: turned.size) == set()
    assert read(lambda: turned.id) == {"walk.yml:steps.first.id"}
    assert read(lambda: data.changed(turned, id="x").size) == set()


def test_records_made_in_code_have_no_place_and_equal_those_loaded(walk):
    assert read(lambda: Step(id="first", size=2).size) == set()
    assert walk().steps[0] == Step(id="first", size=2) and hash(walk().steps[0]) == hash(Step(id="first", size=2))
