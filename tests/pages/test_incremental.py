"""A page put together from what was kept is the page made anew, whatever was changed; a key that leaves something out is noticed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import a_copy
import pytest

DOCUMENT = "slides/descida.qmd"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_copy.copied(tmp_path_factory.mktemp("incremental"), "tests/helpers")


def tried(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return a_copy.run(checkout, "tests/helpers/incremental.py", DOCUMENT, *arguments)


def commit() -> str:
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=a_copy.ROOT, capture_output=True, text=True).stdout.strip()


def test_some_changes_that_the_commit_draws_give_the_page_made_anew(checkout: Path) -> None:
    """Three: each takes two renders, and one that changes the data of a simulator draws all its states twice."""
    done = tried(checkout, "3", commit())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_every_change_gives_the_page_made_anew(checkout: Path) -> None:
    done = tried(checkout, "0", "")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["code", "data", "questions", "arguments"])
def test_a_key_that_leaves_something_out_is_noticed(checkout: Path, wrong: str) -> None:
    done = tried(checkout, "40", "a", wrong)
    assert done.returncode == 1 and " pages differ" in done.stdout, done.stdout + done.stderr
