"""Calls that are found again: only where code, data and answers are as they were, marked anew, and never where something is unsure."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from base.pack import Pack
from engine import calls, sure
from engine.calls import Calls
from engine.outputs import Output
from hypothesis import given
from hypothesis import strategies as st
from proof import made_of

from figures.kit import files, formats, ledger, readings
from figures.kit.files import Line, Place
from figures.kit.origin import Origin
from figures.kit.qmd import Cell, Fence
from figures.kit.show import Shown

PLACE = Place("slides/a.qmd", 1)
KNOWN = {**made_of.digests(files.ROOT), "data/deck.yml": "1"}
IMPORTS = Cell("from figures.kit import deck, language", {}, {}, PLACE, Fence(Line("", PLACE), "```", "python"))


def cell(code: str) -> Cell:
    return Cell(code, {}, {}, PLACE, Fence(Line("", PLACE), "```", "python"))


class Session:
    """Counts what it is asked to run; each call shows a number that reads data and asks a question."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.does: Callable[[], object] = lambda: None

    def run(self, cell: Cell) -> list[Output]:
        self.ran.append(cell.code)
        return []

    def inline(self, expression: str, place: Place) -> dict[str, Any]:
        self.ran.append(expression)
        readings.note("deck.yml", "deck.yml:first")
        asked("a.qmd")
        self.does()
        shown = Shown(2, formats.count(), Origin(answers.get))
        return {"text/markdown": shown._repr_markdown_(), "text/plain": "2"}


answers: dict[str, str] = {}


@readings.question
def asked(name: str) -> str:
    return answers.get(name, "")


@pytest.fixture
def render(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs these calls as a new render does; gives what they show and what was run for it."""
    monkeypatch.setattr(calls.ledger, "_entries", [])
    monkeypatch.setattr(Origin, "place", ("figures/kit/deck.py", 1))
    monkeypatch.setattr(Origin, "name", "deck.answers")
    monkeypatch.setattr(Origin, "arguments", [])
    answers.clear()

    def rendered(*expressions: str, before: tuple[Cell, ...] = (), does: Callable[[], object] = lambda: None, **known: str):
        ledger.clear()
        session, pack = Session(), Pack(tmp_path / "pack", "")
        session.does = does
        made = Calls(lambda: session, files.ROOT, pack, KNOWN | {name.replace("__", "/"): digest for name, digest in known.items()}, True)
        for one in (IMPORTS, *before):
            made.run(one)
        shown = [made.inline(expression, PLACE)["text/markdown"] for expression in expressions]
        pack.save()
        return shown, [code for code in session.ran if code != IMPORTS.code]

    return rendered


def test_a_call_is_found_again_and_nothing_runs_for_it(render) -> None:
    first = render("deck.act_count()")
    assert first == (['[2]{.n n="1"}'], ["deck.act_count()"])
    assert render("deck.act_count()") == (first[0], [])
    assert [entry.n for entry in ledger.entries()] == [1]


def test_marks_are_those_of_this_page(render) -> None:
    render("deck.act_count()")
    assert render("deck.slide('a')", "deck.act_count()") == (['[2]{.n n="1"}', '[2]{.n n="2"}'], ["deck.slide('a')"])
    assert calls._marked(f"{calls._HIDDEN}\ufe00\ufe00\ufe03", 40) == "\ufe04\ufe03"


def test_a_call_that_stands_twice_runs_once(render) -> None:
    assert render("deck.act_count()", "deck.act_count()") == (['[2]{.n n="1"}', '[2]{.n n="2"}'], ["deck.act_count()"])


@pytest.mark.parametrize("file", ["data/deck.yml", "figures/kit/deck.py", "figures/kit/lecture.py"])
def test_what_a_call_reads_and_reaches_is_part_of_its_key(render, file: str) -> None:
    render("deck.act_count()")
    assert render("deck.act_count()", **{file: "other"})[1] == ["deck.act_count()"]
    assert render("deck.act_count()", **{"data/models.yml": "other"})[1] == []


def test_so_is_each_answer_and_each_argument(render) -> None:
    render("deck.slide('a')")
    answers["a.qmd"] = "other"
    assert render("deck.slide('a')")[1] == ["deck.slide('a')"]
    assert render("deck.slide('b')")[1] == ["deck.slide('b')"]
    answers.clear()
    assert render("deck.slide('a')")[1] == []  # what is taken back is found again


def unseeded() -> None:
    random.random()


def writes() -> None:
    Path(os.devnull).write_text("")


def reads() -> None:
    (files.ROOT / "README.md").read_bytes()


@pytest.mark.parametrize("does", [unseeded, writes, reads])
def test_what_may_differ_next_time_runs_again(render, does: Callable[[], object]) -> None:
    render("deck.act_count()", does=does)
    assert render("deck.act_count()")[1] == ["deck.act_count()"]


def test_after_a_cell_that_may_have_changed_something_all_runs_again(render) -> None:
    for _ in range(2):
        assert render("deck.act_count()", before=(cell("deck.acts = None"),))[1] == ["deck.acts = None", "deck.act_count()"]
    assert render("nobody.knows()")[1] == render("nobody.knows()")[1] == ["nobody.knows()"]


@pytest.mark.parametrize(
    "code",
    [
        "import time\ndef f():\n    return time.time()",
        "from datetime import date\ndef f():\n    return date.today()",
        "import random\ndef f():\n    return random.random()",
        "def f():\n    return np.random.default_rng().normal()",
        "def f():\n    return np.random.normal()",
        "import os\ndef f():\n    return os.environ['HOME']",
        "def f():\n    return hash('a')",
    ],
)
def test_a_module_that_takes_something_from_outside_is_in_doubt(code: str) -> None:
    assert sure.doubts(code)
    assert not sure.doubts("def f():\n    return np.random.default_rng(3).normal()")


NUMBERS = st.one_of(
    st.floats(allow_nan=False), st.integers(), st.sampled_from([7e10, 5.2403070000000005, 0.7070000000000001, 7_000_000_123])
)


@given(st.lists(NUMBERS, max_size=6))
def test_a_number_is_never_taken_for_a_mark(numbers: list[float]) -> None:
    text = json.dumps(numbers)
    assert calls._marked(text, 40) == text
