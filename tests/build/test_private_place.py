"""Where the solutions lie when they aren't part of the project: a folder anywhere, or a git repository at a branch, tag or commit."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from page import private_place, solutions
from rendering import first

from figures.kit import lecture
from figures.kit.errors import Problem


@pytest.fixture(autouse=True)
def _asked_anew() -> None:
    private_place.folder.cache_clear()


def git(folder: Path, *arguments: str) -> str:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits, the first of them tagged, and a branch."""
    (made := tmp_path / "private").mkdir()
    git(made, "init", "-q", "-b", "main")
    for text in ("first", "second"):
        (made / "a.py").write_text(text, encoding="utf-8")
        git(made, "add", "a.py")
        git(made, "commit", "-qm", text)
        git(made, "tag", text)
    git(made, "branch", "older", "first")
    return made


def read(said: str, root: Path) -> str:
    private_place.folder.cache_clear()
    return (private_place.folder(said, root) / "a.py").read_text(encoding="utf-8")


def test_a_lab_s_solutions_are_taken_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """From a folder of the lab's own in it where there is one, else from itself."""
    lab = first("ipynb")
    monkeypatch.setattr(solutions.project, "variables", lambda: {"solutions": str(tmp_path)})
    label = f"{solutions.NAMES('gap')}1"
    (tmp_path / f"{label}.py").write_text("x = 1\n", encoding="utf-8")
    assert solutions.solutions(lab) == {label: "x = 1"}
    (own := tmp_path / (lecture.of(lab).solutions or solutions.NAMES("solutions"))).mkdir()
    (own / f"{label}.py").write_text("x = 2\n", encoding="utf-8")
    assert solutions.solutions(lab) == {label: "x = 2"}


def test_a_folder_may_lie_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "course").mkdir()
    (root := tmp_path / "kit").mkdir()
    assert private_place.folder(str(tmp_path / "course"), root) == tmp_path / "course"
    assert private_place.folder("../course", root) == tmp_path / "course"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert private_place.folder("~/course", root) == tmp_path / "course"


@pytest.mark.parametrize(("ref", "text"), [("", "second"), ("@first", "first"), ("@older", "first"), ("@main", "second")])
def test_a_git_address_is_cloned_at_what_it_names(repository: Path, tmp_path: Path, ref: str, text: str):
    assert read(f"{repository.as_uri()}{ref}", tmp_path) == text
    assert [path.name for path in (tmp_path / ".cache").iterdir()] == ["solutions"]


def test_a_commit_may_be_named_and_a_later_one_is_fetched(repository: Path, tmp_path: Path):
    first = git(repository, "rev-parse", "first")
    assert read(f"{repository.as_uri()}@{first}", tmp_path) == "first"
    (repository / "a.py").write_text("third", encoding="utf-8")
    git(repository, "commit", "-qam", "third")
    assert read(repository.as_uri(), tmp_path) == "third"
    assert read(f"{repository.as_uri()}@main", tmp_path) == "third"


def test_an_earlier_clone_serves_where_the_address_is_out_of_reach(repository: Path, tmp_path: Path):
    address = repository.as_uri()
    assert read(address, tmp_path) == "second"
    shutil.rmtree(repository)
    assert read(f"{address}@first", tmp_path) == "first"


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("../gone", "there is no folder ../gone"),
        ("_site/a", "_site/a lies in a folder that is published"),
        ("file:///gone/away.git", "file:///gone/away.git can't be cloned: .*gone/away.git"),
        ("PRIVATE@none", "has no none"),
        ("--upload-pack=x", "there is no folder"),
    ],
)
def test_what_can_t_be_used_is_named_with_the_setting(said: str, fault: str, repository: Path, tmp_path: Path):
    (tmp_path / "_site" / "a").mkdir(parents=True)
    with pytest.raises(Problem, match=f"^_variables.yml, solutions: .*{fault}"):
        private_place.folder(said.replace("PRIVATE", repository.as_uri()), tmp_path)


@pytest.mark.parametrize(
    ("said", "address", "ref"),
    [
        ("git@host.org:me/a.git", "git@host.org:me/a.git", None),
        ("git@host.org:me/a.git@2027", "git@host.org:me/a.git", "2027"),
        ("https://me@host.org/a", "https://me@host.org/a", None),
        ("https://host.org/a@v1.2", "https://host.org/a", "v1.2"),
        (f"{os.sep}home{os.sep}me", None, None),
    ],
)
def test_what_is_an_address_and_what_a_ref(said: str, address: str | None, ref: str | None):
    found = private_place._ADDRESS.fullmatch(said)
    assert (found["address"], found["ref"]) == (address, ref) if found else address is None
