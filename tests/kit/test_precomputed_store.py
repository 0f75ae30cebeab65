"""Simulators' states between builds: found only while nothing that they come from has changed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from figures.kit import data, dependencies, files, language
from figures.kit.errors import Problem
from figures.kit.precomputed import Slider, decorator, precomputed, store


class AnyWords:
    """Words that have a text for every key: the key itself."""

    def __init__(self, topic: str) -> None:
        self.topic = topic

    def __call__(self, key: str) -> str:
        return key


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small project of its own: figures/pure.py imports figures/helper.py and reads data/springs.yml, not data/free.yml."""
    texts = {
        "figures/__init__.py": "",
        "figures/helper.py": "import numpy\n",
        "figures/pure.py": "from figures.helper import numpy\n",
        "data/springs.yml": "stiffness: 2\n",
        "data/free.yml": "a: 1\n",
        "data/points.csv": "1,2\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copy(files.ROOT / "data" / "theme.yml", tmp_path / "data")
    for name in ("words", "languages"):
        shutil.copytree(files.ROOT / "data" / name, tmp_path / "data" / name)
    monkeypatch.setattr(files, "PACKAGE", tmp_path / "figures")
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(store, "registry", {})
    monkeypatch.setattr(decorator, "Words", AnyWords)
    data.forget()
    with language.speaking("pt"):
        yield tmp_path
    data.forget()


def declare(asked: list[float]) -> Any:
    """A simulator of the module figures.pure that notes the states which it is asked for."""

    def stretch(pull: float) -> str:
        asked.append(pull)
        return f"{pull / data.load('springs', dict)['stiffness']:g}"

    stretch.__module__ = "figures.pure"
    return precomputed(pull=Slider([1, 2, 3]))(stretch)


def build(code: str = "pure.stretch()") -> list[str]:
    jobs = list(store.pending(code))
    for job in jobs:
        job.path.parent.mkdir(parents=True, exist_ok=True)
        job.path.write_bytes(job.compute())
    return [job.name for job in jobs]


def sentences(made: Any) -> list[str]:
    return [kept.sentence for _, kept in made.states]


def test_states_are_computed_once_and_the_ledger_knows_what_they_read(project: Path) -> None:
    asked: list[float] = []
    simulator = declare(asked)
    first = simulator()
    assert build() == ["pure.stretch"] and build() == []
    asked.clear()
    again = simulator()
    assert asked == [1], "the opening state alone, which paper shows"
    assert sentences(again) == sentences(first) == ["0.5", "1", "1.5"]
    assert again.origin.reads == first.origin.reads and "springs.yml" in again.origin.reads
    assert again.params() == first.params()


def test_a_document_that_does_not_call_it_waits_for_nothing(project: Path) -> None:
    declare([])
    assert build("pure.other()") == []


@pytest.mark.parametrize("edit", ["figures/pure.py", "figures/helper.py", "data/springs.yml", "data/theme.yml", "data/points.csv"])
def test_an_edit_of_what_it_comes_from_is_noticed(project: Path, edit: str) -> None:
    declare([])
    build()
    (project / edit).write_text((project / edit).read_text() + "\n# changed\n")
    assert build() == ["pure.stretch"] and build() == []


def test_other_data_are_other_states(project: Path) -> None:
    simulator = declare([])
    build()
    (project / "data" / "springs.yml").write_text("stiffness: 4\n")
    data.forget()
    assert sentences(simulator()) == ["0.25", "0.5", "0.75"]


@pytest.mark.parametrize("other", ["data/words/pt-BR/pure.yml", "data/more.csv"])
def test_a_file_that_is_new_may_be_read_in_the_place_of_another(project: Path, other: str) -> None:
    declare([])
    build()
    (project / other).parent.mkdir(parents=True, exist_ok=True)
    (project / other).write_text("name: a\n")
    assert build() == ["pure.stretch"]


def test_data_that_nobody_read_compute_nothing_again(project: Path) -> None:
    declare([])
    build()
    (project / "data" / "free.yml").write_text("a: 2\n")
    assert build() == []


def test_each_language_has_states_of_its_own_and_packages_count(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declare([])
    build()
    with language.speaking("en"):
        assert build() == ["pure.stretch"]
    assert build() == []
    monkeypatch.setattr(dependencies, "version", lambda package: "0.0")
    assert build() == ["pure.stretch"]


@pytest.mark.parametrize("damage", [lambda text: text[:-9], lambda text: b"", lambda text: text.replace(b'"0.5"', b'"0.7"')])
def test_a_file_that_is_damaged_is_not_believed(project: Path, damage: Any) -> None:
    """Cut short it isn't read; where its opening state isn't what the function says now, all states are computed again."""
    simulator = declare([])
    build()
    (file,) = (project / ".cache" / "states").iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert sentences(simulator()) == ["0.5", "1", "1.5"]


def test_what_does_not_belong_to_the_project_is_never_kept(project: Path) -> None:
    @precomputed(x=Slider([1, 2]))
    def said(x: float) -> str:
        return f"{x:g}"

    assert list(store.pending("said()")) == [] and sentences(said()) == ["1", "2"]


def test_what_can_not_be_made_is_tried_once_and_told_where_it_is_asked_for(project: Path) -> None:
    asked: list[float] = []
    simulator = declare(asked)
    (project / "data" / "springs.yml").write_text("stiffness: 0\n")
    data.forget()
    (job,) = store.pending("pure.stretch()")
    with pytest.raises(Problem, match="ZeroDivisionError"):
        job.compute()
    times = len(asked)
    with pytest.raises(Problem, match="ZeroDivisionError"):
        simulator()
    assert len(asked) == times
    (project / "data" / "springs.yml").write_text("stiffness: 2\n")
    data.forget()
    assert sentences(simulator()) == ["0.5", "1", "1.5"]
