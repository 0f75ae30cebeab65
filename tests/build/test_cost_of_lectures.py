"""The table of what lectures cost."""

from __future__ import annotations

from pathlib import Path

import pytest
from publishing import cost

from figures.kit.errors import Problem
from figures.kit.files import ROOT


def test_a_hundred_cost_a_hundred_times_the_mean(monkeypatch: pytest.MonkeyPatch):
    asked: list[list[str]] = []
    monkeypatch.setattr(cost, "_timed", lambda command, _: asked.append(command) or cost.Cost(len(asked), 2.0))
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in cost.table(ROOT, lambda _: None).splitlines()[2:]]
    lectures, hundred = rows[:-1], rows[-1]
    assert len(asked) == len(cost.JOB) * len(lectures) and [command[2] for command in asked[: len(cost.JOB)]] == list(cost.JOB)
    assert {row[2] for row in lectures} == {"8 s"} and hundred[2] == "13 min"  # four commands of 2 s; 800 s


def test_a_command_that_stops_is_told(tmp_path: Path):
    with pytest.raises(Problem, match="no such"):
        cost._timed(["sh", "-c", "echo no such lecture >&2; exit 1"], tmp_path)
