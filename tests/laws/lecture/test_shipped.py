"""What the lecture's published values rest on is what the checkout holds, or is known to be somebody's own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from own_data import DIFFERING, ROOT, current, own

from figures.kit import project

DECK = project.document("revealjs").relative_to(ROOT).as_posix()

TEST = """
from figures import hand_example
from figures.kit import data

def test_holds():
    assert hand_example.example().asking

def test_reads_and_fails():
    assert hand_example.example().asking == "?"

def test_reads_another_and_fails():
    assert data.load("draws", dict) == {}

def test_reads_nothing_and_fails():
    assert False
"""


@pytest.mark.shipped
def test_the_digests_are_those_of_what_is_here():
    remedy = "In the lecture's own repository: run `.venv/bin/python tests/helpers/own_data.py`. In a fork this is no fault."
    assert not DIFFERING, f"changed since the digests were written: {', '.join(sorted(DIFFERING)[:8])}\n  → {remedy}"


def test_every_field_has_a_digest_and_fields_decide():
    names = current()
    assert {"hand_example.yml", "hand_example.yml:query", "_quarto.yml", DECK} <= set(names)
    assert own(["nowhere.yml:field", "seeds#seed=4"]) == []


def run(folder: Path, *files: str) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-rsfp", "-p", "no:cacheprovider", *files]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


def test_a_test_of_published_values_is_skipped_where_the_data_are_one_s_own_and_only_then(tmp_path: Path):
    for name in ("data", "figures", "build", "slides", "tests", "_quarto.yml", "_variables.yml", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    tests = tmp_path / "tests"
    tests.unlink()
    tests.mkdir()
    for name in ("conftest.py", "helpers"):
        (tests / name).symlink_to(ROOT / "tests" / name)
    (tests / "helpers").unlink()
    (tests / "helpers").mkdir()
    for file in (ROOT / "tests" / "helpers").glob("*.py"):
        (tests / "helpers" / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (tests / "topics").mkdir()
    (tests / "laws").mkdir()
    (tests / "pages").mkdir()
    for room in ("topics", "laws", "pages"):
        (tests / room / f"test_{room}.py").write_text(TEST, encoding="utf-8")
    record = tests / "helpers" / "shipped.json"

    record.write_text(json.dumps(current()), encoding="utf-8")
    as_shipped = run(tmp_path, "tests/topics")
    assert "3 failed, 1 passed" in as_shipped, as_shipped

    record.write_text(json.dumps({name: "?" if name.startswith("hand_example") else one for name, one in current().items()}), "utf-8")
    forked = run(tmp_path, "tests/topics")
    assert "2 failed, 1 passed, 1 skipped" in forked, forked
    assert "it holds values of the published lecture" in forked and "data/hand_example.yml:asking" in forked
    assert "3 failed, 1 passed" in run(tmp_path, "tests/laws")  # a law holds for any lecture

    record.write_text(json.dumps({name: "?" if name == DECK else one for name, one in current().items()}), "utf-8")
    assert "3 failed, 1 passed" in run(tmp_path, "tests/topics")  # which rest on data, not on slides
    with_slides = run(tmp_path, "tests/pages")
    assert "1 passed, 3 skipped" in with_slides and DECK in with_slides
