"""A simulator whose states Python computes: its controls, what a page keeps of its states, and what is refused."""

from __future__ import annotations

import itertools
import json
import zlib
from typing import Any

import numpy as np
import pytest
import spring
from hypothesis import assume, given
from hypothesis import strategies as st

from figures.kit import ledger, style
from figures.kit.errors import Problem
from figures.kit.formats import fixed
from figures.kit.precomputed import Choice, Slider, Switch, decorator, precomputed
from figures.kit.precomputed.controls import steps
from figures.kit.precomputed.kept import Kept, stored
from figures.kit.show import Column, Picture, Table
from figures.kit.simulator import Range, WholeRange


class AnyWords:
    """Words that have a text for every key: the key itself."""

    def __init__(self, topic: str) -> None:
        self.topic = topic

    def __call__(self, key: str) -> str:
        return key


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decorator, "Words", AnyWords)


def shown_by_hand(data: dict[str, Any], place: int) -> Kept:
    """A state put together again from what the page keeps, as the browser does it."""
    picture, table, sentence = data["shown"][place]
    alt, runs = data["pictures"][picture]
    lines = [data["lines"][start + i] for start, count in zip(runs[::2], runs[1::2]) for i in range(count)]
    return Kept(alt, "\n".join(lines), data["tables"][table], data["sentences"][sentence])


# What it shows, by hand


def test_the_spring_opens_as_hooke_says() -> None:
    made = spring.made()
    assert made.opening == {"pull": 1.0, "stiffness": "soft", "double": False}
    assert made.chosen() == "peso $p$: 1,0; mola: macia; duas molas: desligado"
    assert len(made.states) == 4 * 2 * 2
    said = {tuple(state.values()): kept.sentence for state, kept in made.states}
    assert said[1.0, "soft", False] == "A mola se alonga 1,00."
    assert said[2.0, "hard", True] == "A mola se alonga 0,25."
    assert list(said) == list(itertools.product((0.5, 1.0, 2.0, 3.5), ("soft", "hard"), (False, True)))
    controls = made.data["controls"]
    assert [control["kind"] for control in controls] == ["slider", "choice", "switch"]
    assert controls[0]["texts"] == ["0,5", "1,0", "2,0", "3,5"] and controls[1]["texts"] == ["macia", "dura"]


def test_what_differs_is_kept_and_what_is_equal_is_kept_once() -> None:
    made = spring.made()
    data, lengths = made.data, {pull / (k * n) for pull in (0.5, 1.0, 2.0, 3.5) for k in (1, 4) for n in (1, 2)}
    assert len(data["sentences"]) == len(lengths) < len(made.states)
    assert sum(map(len, data["lines"])) * 5 < sum(len(kept.svg) for _, kept in made.states)
    assert [shown_by_hand(data, i) for i in range(16)] == [kept for _, kept in made.states]


def test_the_same_bytes_each_time() -> None:
    ledger.clear()
    first = spring.made()._repr_markdown_()
    ledger.clear()
    assert spring.made()._repr_markdown_() == first


def test_the_ledger_knows_the_opening_state_and_each_of_its_parts() -> None:
    ledger.clear()
    text = spring.made()._repr_markdown_()
    entries = {entry.what: entry for entry in ledger.entries()}
    calls = sorted(entry.call for entry in ledger.entries())
    call = "spring.spring(pull=1.0, stiffness='soft', double=False)"
    assert calls == ["spring.spring()", *(f"{call}.{part}" for part in ("controls", "picture", "sentence", "table"))]
    simulator = entries["simulator"]
    assert f'.sim data-sim="precomputed" data-n="{simulator.n}"' in text
    assert simulator.text == "Simulador: a mola"
    assert simulator.value.opening["pull"] == 1.0
    assert simulator.value.result["sentence"] == "A mola se alonga 1,00." and simulator.value.result["table"] == [["1,0", "1,00"]]
    assert "tests/helpers/spring.py" in simulator.file and simulator.line > 1
    assert entries["figure"].text == "Uma reta; no peso, o alongamento é 1,00"
    ledger.clear()


def test_every_state_is_checked_by_its_crc() -> None:
    made = spring.made()
    golden = made.params()["golden"]
    assert [one["state"] for one in golden] == [state for state, _ in made.states]
    kept = made.states[3][1]
    text = f"{kept.words}\n{kept.svg}\n{kept.table}\n{kept.sentence}"
    assert golden[3]["result"] == f"{zlib.crc32(text.encode()):08x}"
    assert len({one["result"] for one in golden}) == 16, "each state shows something else"


def test_a_change_of_any_state_is_told_by_the_digest_of_what_it_offers() -> None:
    def offered(most: float) -> str:
        @precomputed(x=Slider([1, 2, 3]))
        def told(x: float) -> str:
            return f"{min(x, most):g}"

        ledger.clear()
        told()._repr_markdown_()
        (entry,) = (entry for entry in ledger.entries() if entry.what == "simulator")
        return str(entry.value.offered)

    assert offered(3) == offered(4) != offered(2.5)


# Controls


def test_a_range_s_steps() -> None:
    assert steps(Range(min=0.05, max=0.35, step=0.1)) == (0.05, 0.15, 0.25, 0.35)
    assert steps(WholeRange(min=-2, max=5, step=3)) == (-2, 1, 4)
    assert Slider(Range(min=0, max=1, step=0.1), opens=0.1 + 0.2).opening == 0.3


@given(st.floats(-100, 100), st.floats(0.01, 10), st.integers(1, 60), st.floats(0, 0.99))
def test_steps_go_from_the_least_evenly_as_far_as_the_most_lets_them(least: float, step: float, count: int, beyond: float) -> None:
    assume(abs(beyond - round(beyond)) > 1e-3 or beyond == 0)
    most = least + (count + beyond) * step
    assume(most > least)
    found = steps(Range(min=least, max=most, step=step))
    assert len(found) == count + 1
    assert found == pytest.approx([least + i * step for i in range(count + 1)], rel=1e-9, abs=1e-9)


def test_a_control_behind_a_function_is_asked_when_the_page_is_made() -> None:
    values = [1, 2]

    @precomputed(x=lambda: Slider(values, format=fixed(0)))
    def said(x: float) -> str:
        return f"{x}"

    values.append(3)
    assert len(said().states) == 3


# Laws: whatever the states show, the page can show it again


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=12)
SVGS = st.lists(st.sampled_from(["<g>", "</g>", "<a/>", "<b/>", ' <path d="M 0 1', "L 2 3", '"/>', ""]), max_size=30).map("\n".join)
KEPT = st.builds(Kept, TEXTS, SVGS, TEXTS, TEXTS)


@given(st.lists(KEPT, min_size=1, max_size=12))
def test_every_state_comes_back_whole_and_each_thing_is_kept_once(states: list[Kept]) -> None:
    data = json.loads(json.dumps(stored(states)))
    assert [shown_by_hand(data, i) for i in range(len(states))] == states
    assert len(set(data["tables"])) == len(data["tables"]) and len(set(data["sentences"])) == len(data["sentences"])
    assert len(data["pictures"]) == len({(state.words, state.svg) for state in states})
    assert len(data["lines"]) <= sum(state.svg.count("\n") + 1 for state in states)


CONTROLS = st.one_of(
    st.lists(st.integers(-50, 50), min_size=2, max_size=5, unique=True).map(lambda values: Slider(sorted(values))),
    st.lists(st.sampled_from("abcdef"), min_size=2, max_size=5, unique=True).map(Choice),
    st.booleans().map(Switch),
)


FUNCTIONS = {1: lambda x: f"{x}", 2: lambda x, y: f"{x} {y}", 3: lambda x, y, z: f"{x} {y} {z}"}


@given(st.lists(CONTROLS, min_size=1, max_size=3))
def test_a_grid_has_every_combination_once_and_opens_within_it(controls: list[Any]) -> None:
    made = precomputed(**dict(zip("xyz", controls)))(FUNCTIONS[len(controls)])()
    combinations = list(itertools.product(*(control.values for control in controls)))
    assert [tuple(state.values()) for state, _ in made.states] == combinations
    assert [kept.sentence for _, kept in made.states] == [" ".join(map(str, values)) for values in combinations]
    assert made.view.sentence == " ".join(map(str, made.opening.values()))
    assert tuple(made.opening.values()) in combinations


# What is refused


def picture(width: int = 400, height: int = 300, alt: str = "uma reta") -> Picture:
    drawing, axes = style.canvas(width, height)
    axes.plot([0, 1], [0, 1])
    return Picture(drawing, alt)


def table(cell: str) -> Table:
    return Table([Column("a")], [[cell]])


RATE = {"rate": Slider([1, 2, 3])}
rng = np.random.default_rng()
REFUSED: dict[str, tuple[dict[str, Any], Any, str]] = {
    "no control": ({}, lambda: "a", "it has 0 controls"),
    "four controls": (
        {name: Switch() for name in "abcd"},
        lambda a, b, c, d: f"{a}{b}{c}{d}",
        "it has 4 controls\n  → Give it one to 3",
    ),
    "a control without parameter": (RATE | {"heavy": Switch()}, lambda rate: f"{rate}", "`heavy` is no parameter of the function"),
    "a parameter without control": (RATE, lambda rate, heavy: f"{rate}", "`heavy` has no control"),
    "a control that is ignored": (RATE | {"heavy": Switch()}, lambda rate, heavy: f"{rate}", "`heavy` changes nothing that is shown"),
    "an empty choice": ({"rate": Choice([])}, lambda rate: f"{rate}", "`rate`: it offers 0 values, and a control needs 2 at least"),
    "a choice of one": ({"rate": Choice(["a"])}, lambda rate: f"{rate}", "it offers 1 values"),
    "a value twice": ({"rate": Choice(["a", "a"])}, lambda rate: f"{rate}", "it offers a twice"),
    "values that fall": ({"rate": Slider([2, 1])}, lambda rate: f"{rate}", "its values must rise"),
    "an opening that is not there": ({"rate": Slider([1, 2], opens=3)}, lambda rate: f"{rate}", "it opens with 3, which is not among"),
    "values written alike": (
        {"rate": Slider([1.01, 1.02], format=fixed(1))},
        lambda rate: f"{rate}",
        "two of its values are written alike, “1,0”",
    ),
    "too many states": (
        {"rate": Slider(range(50)), "other": Slider(range(50))},
        lambda rate, other: f"{rate} {other}",
        "it has 2500 states (50 × 50), and 300 are allowed\n  → Take a coarser step",
    ),
    "a state that raises": (
        RATE,
        lambda rate: f"{1 / (rate - 2)}",
        "the state <lambda>(rate=2) can't be computed: ZeroDivisionError: division by zero",
    ),
    "chance": (
        RATE,
        lambda rate: f"{rate} {rng.random()}",
        "its opening state shows something else each time\n  → Draw random numbers from a seed",
    ),
    "a bare figure": (RATE, lambda rate: picture().figure, "in the state <lambda>(rate=1) it returns Figure\n  → Return a Picture"),
    "nothing": (RATE, lambda rate: None, "it returns NoneType"),
    "two sentences": (RATE, lambda rate: ("a", "b"), "it returns more than one sentence"),
    "no words for a picture": (RATE, lambda rate: picture(alt=" "), "its picture has no words for who can't see it"),
    "too wide a picture": (RATE, lambda rate: picture(width=900), "its picture is 900 × 300 pixels large\n  → Draw it on 780 × 506"),
    "too high a picture": (RATE, lambda rate: picture(height=600), "its picture is 400 × 600 pixels large"),
    "Markdown in a sentence": (RATE, lambda rate: f"**{rate}**", "it says “**1**”, with Markdown in it"),
    "TeX in a cell": (RATE, lambda rate: table(f"$\\frac{{1}}{{{rate}}}$"), "with Markdown in it"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_what_can_not_be_shown_is_refused_by_name(kind: str) -> None:
    controls, function, said = REFUSED[kind]
    with pytest.raises(Problem) as refused:
        precomputed(**controls)(function)()
    assert said in str(refused.value)
    assert "tests/kit/test_precomputed.py" in refused.value.where and function.__name__ in refused.value.where


def test_a_page_has_a_bound_on_bytes() -> None:
    @precomputed(x=Slider(range(100)), max_bytes=9_000)
    def long(x: float) -> str:
        return f"{x} " * 100

    with pytest.raises(Problem, match=r"long: .*its 100 states take 3\d kB of the page, and 9 kB are allowed\n.*coarser.*`max_bytes=3\d+`"):
        long()


def test_an_error_of_data_keeps_its_file_and_its_remedy() -> None:
    @precomputed(x=Slider([1, 2]))
    def read(x: float) -> str:
        raise Problem("data/a.yml, rates", "no rate", "Write one")

    with pytest.raises(Problem, match=r"read\(x=1\) can't be computed: data/a.yml, rates: no rate\n  → Write one"):
        read()
