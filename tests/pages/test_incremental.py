"""A page put together from what was kept is the page made anew, whatever was changed; a key that leaves something out is noticed."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import a_copy
import pytest
from base.progress import Progress
from engine.calls import Calls
from engine.document import executed, opened

from figures.kit import ledger, project

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


def test_what_is_kept_of_a_deck_is_what_its_calls_give(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lecture's own deck, its calls run plainly: not even the marks are made otherwise."""
    file = project.document("revealjs")
    monkeypatch.setenv("QUARTO_DOCUMENT_PATH", str(file.parent))
    monkeypatch.setenv("QUARTO_DOCUMENT_FILE", file.name)
    made = []
    for key in (Calls._key, lambda *_, **__: ""):
        monkeypatch.setattr(Calls, "_key", key)
        ledger.clear()
        made.append([line.text for line in executed(opened(file), False, Progress(io.StringIO()), ["revealjs"]).lines])
    ledger.clear()
    assert made[0] == made[1]
