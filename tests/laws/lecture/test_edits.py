"""One truth after any edit of data/: refused by file, key and remedy, or shown, or stopped by a claim; never a traceback."""

from __future__ import annotations

import subprocess
import sys

import edits
import pytest

from figures.kit.files import ROOT

A_FEW = "5"  # a second or less each


def tried(*arguments: str) -> str:
    """What the program that tries changes prints."""
    program = ROOT / "tests" / "helpers" / "edits.py"
    done = subprocess.run([sys.executable, str(program), *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)
    return done.stdout


def test_a_few_fields_drawn_by_the_commit_are_changed_and_the_pages_stay_one_truth() -> None:
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    assert f"{A_FEW} changes:" in tried(A_FEW, commit)


@pytest.mark.slow
def test_every_field_is_changed_once_and_the_pages_stay_one_truth() -> None:
    assert f"{len(edits.changes())} changes:" in tried()


def test_each_kind_of_value_has_its_other_values() -> None:
    given = {"a": 2, "b": 0.5, "c": "x", "d": [1, 2], "e": True, "source": "y"}
    assert [change for change in edits._changes(given, "") if "[" not in change[0]] == [
        *[("a", 3), ("a", 0), ("a", -2)],
        *[("b", 0.75), ("b", -0.5)],
        ("c", "xx"),
        *[("d", [1]), ("d", [1, 2, 2])],
        ("e", False),
    ]
    assert len({change[:2] for change in edits.changes()}) > 1000
