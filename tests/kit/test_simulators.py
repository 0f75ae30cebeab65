"""A simulator of no lecture: the ranges of its controls, and what it leaves on a page."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from figures.kit import ledger, show, style
from figures.kit.errors import DataError
from figures.kit.simulator import Range, Simulator, WholeRange, listed, simulator


@simulator
def doubling() -> Simulator:
    """A number doubled, for the tests."""
    figure, _ = style.canvas(100, 100)
    return Simulator(
        name="doubling",
        data={"most": 9},
        opening={"x": 2},
        run=lambda state: listed(twice=2 * state["x"]),
        draw=lambda rng: {"x": int(rng.integers(10))},
        words={"name": "O dobro"},
        picture=lambda: show.Picture(figure, "O dobro de dois"),
        tried=({"x": 7},),
    )


def test_a_page_gets_the_picture_the_state_and_states_to_check_itself_with():
    ledger.clear()
    text = doubling()._repr_markdown_()
    (entry,) = ledger.entries()
    ledger.clear()
    assert re.match(r'\n:{5,} \{\.sim data-sim="doubling" data-n="1"\}\n:{4,} \{\.sim-static\}\n', text)
    assert 'aria-label="O dobro de dois"' in text
    params = json.loads(re.search(r'class="sim-params">(.*)</script>', text)[1])
    assert params["opening"] == {"x": 2} and params["data"] == {"most": 9} and params["words"] == {"name": "O dobro"}
    assert [one["state"]["x"] for one in params["golden"]][:2] == [2, 7] and len(params["golden"]) > 2
    assert all(one["result"] == {"twice": 2 * one["state"]["x"]} for one in params["golden"])
    assert (entry.what, entry.text, entry.function) == ("simulator", "O dobro", "test_simulators.doubling")
    assert entry.value.opening == {"x": 2} and entry.value.result == {"twice": 4} and re.fullmatch("[0-9a-f]{16}", entry.value.offered)


def test_one_that_no_page_function_made_is_in_no_ledger():
    ledger.clear()
    assert "data-n" not in replace(doubling(), origin=None)._repr_markdown_() and ledger.entries() == ()


@pytest.mark.parametrize(("least", "most"), [(1, 2), (-0.5, 0.5)])
def test_a_range_goes_up(least: float, most: float):
    assert not list(Range(min=least, max=most, step=1).faults())
    assert list(Range(min=most, max=least, step=1).faults()) and list(Range(min=least, max=least, step=1).faults())


def test_a_control_must_reach_what_the_simulator_opens_with():
    range = WholeRange(min=1, max=8, step=1)
    range.must_reach([1, 4, 8], "doubling.x")
    for value in (0, 9):
        with pytest.raises(DataError, match=rf"doubling\.x: the simulator opens with {value}, which a control from 1 to 8 can't show"):
            range.must_reach([4, value], "doubling.x")
