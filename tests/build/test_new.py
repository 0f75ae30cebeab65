"""`make new`: a small working lecture beside the others, and nothing written where a name or a title can't be used."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from a_copy import copied, run
from new import alone, beside, packages

from figures.kit import project
from figures.kit.errors import Problem
from figures.kit.files import ROOT

SETTINGS = """# kept
project:
  render:
    - slides/a.qmd  # the first
    - /slides/**/*.qmd  # and the rest
lang: pt-BR
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slides").mkdir()
    (tmp_path / "slides" / "a.qmd").write_text("---\ntitle: A\n---\n", encoding="utf-8")
    (tmp_path / "_quarto.yml").write_text(SETTINGS, encoding="utf-8")
    return tmp_path


def everything(folder: Path) -> dict[str, str]:
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in folder.rglob("*") if file.is_file()}


def test_a_lecture_is_written_whole_under_its_name_and_listed_with_the_comments_kept(folder: Path):
    written = [file.relative_to(folder).as_posix() for file in beside.make("trial", "A trial", folder)]
    assert {"slides/trial.qmd", "figures/trial.py", "data/trial.yml", "tests/trial/test_trial.py"} <= set(written)
    texts = everything(folder)
    assert not [name for name in written if "NAME" in texts[name] or "TITLE" in texts[name]]
    assert texts["_quarto.yml"] == SETTINGS.replace("# the first\n", "# the first\n    - slides/trial.qmd\n")
    assert [document.stem for document in project.documents(folder)] == ["a", "trial"]


@pytest.mark.parametrize(
    ("name", "title", "what"),
    [
        ("", "T", "needs a name\n"),
        ("", "", "needs a name and a title\n"),
        ("trial", " ", "needs a title\n"),
        ("tri-al", "T", "can't be the name of a Python module"),
        ("2trial", "T", "can't be the name"),
        ("Trial", "T", "can't be the name"),
        ("média", "T", "can't be the name"),
        ("class", "T", "Python's own"),
        ("random", "T", "Python's own"),
        ("a", "T", "slides/a.qmd is there already"),
        ("kit", "T", "figures/kit is there already"),
        ("trial", 'K "means"', "quotation mark"),
    ],
)
def test_a_name_or_a_title_that_can_t_be_used_is_told_and_nothing_is_written(folder: Path, name: str, title: str, what: str):
    (folder / "figures" / "kit").mkdir(parents=True)
    before = everything(folder)
    with pytest.raises(Problem, match=what) as caught:
        beside.make(name, title, folder)
    assert caught.value.remedy and everything(folder) == before


def test_a_second_lecture_of_the_same_name_is_refused(folder: Path):
    beside.make("trial", "A trial", folder)
    with pytest.raises(Problem, match="is there already"):
        beside.make("trial", "Another", folder)


def test_a_list_on_one_line_is_told(folder: Path):
    (folder / "_quarto.yml").write_text("project: {render: [slides/a.qmd]}\n", encoding="utf-8")
    with pytest.raises(Problem, match="stands on one line"):
        beside.make("trial", "A trial", folder)


def test_an_empty_folder_becomes_a_repository_of_the_kit_and_one_lecture(tmp_path: Path):
    folder = tmp_path / "away"
    written = {file.relative_to(folder).as_posix() for file in alone.make("trial", "A trial", folder, ROOT)}
    own = {path.removesuffix(".py") for path in written if re.fullmatch(r"figures/[a-z]\w*(\.py|/__init__\.py)", path)}
    assert own == {"figures/trial", "figures/kit/__init__"}
    assert {
        "Makefile",
        "README.md",
        "build/set_up.py",
        "slides/theme/deck.css",
        "data/words/en/deck.yml",
        "tests/kit/test_qmd.py",
    } <= written
    assert [path for path in written if path.startswith("slides/") and path.endswith(".qmd")] == ["slides/trial.qmd"]
    assert tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"] == "trial"
    assert project.documents(folder) == [folder / "slides" / "trial.qmd"]
    texts = everything(folder)
    assert not [name for name, text in texts.items() if "build/new/" not in name and re.search("# [Tt]his lecture alone", text)]
    readme = texts["README.md"]
    assert "# A trial" in readme and "SAVED" not in readme and float(re.search(r"saves (\d+) MB", readme)[1]) >= 0


def test_what_only_one_lecture_needs_is_measured_with_all_that_it_alone_brings(monkeypatch: pytest.MonkeyPatch):
    sizes = {"small": 1, "large": 200, "its-own": 30, "shared": 4}
    monkeypatch.setattr(packages, "requires", lambda name: {"small": ["shared"], "large": ["its_own", "Shared>=1"]}.get(name, []))
    monkeypatch.setattr(packages, "size", lambda name: 1_000_000 * sizes[name])
    lists = '[project]\ndependencies = ["small"]\n[project.optional-dependencies]\n{}\n[dependency-groups]\n'
    assert packages.megabytes(lists.format('model = ["large"]'), lists.format("")) == 230


@pytest.mark.parametrize(
    ("folder", "name", "what"), [("full", "trial", "not empty"), ("new", "laws", "folder of the kit"), ("new", "A", "can't be")]
)
def test_a_folder_or_a_name_that_can_t_be_used_is_told_and_nothing_is_written_there(tmp_path: Path, folder: str, name: str, what: str):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Problem, match=what):
        alone.make(name, "T", tmp_path / folder, ROOT)
    assert everything(tmp_path) == {"full/mine.txt": "mine"}


@pytest.mark.slow
def test_a_repository_of_its_own_works_at_once_and_its_tests_pass(tmp_path: Path):
    folder = tmp_path / "away"
    made = run(ROOT, "build", "new", "trial", "--title", "A trial", "--folder", str(folder))
    assert made.returncode == 0 and "MB less to install" in made.stdout + made.stderr, made.stderr
    for command in (["deck"], ["audit"], ["handout"], ["pdf"], ["translations"], ["diff", "HEAD", "."]):
        done = run(folder, "build", *command, ENGINE="embedded")
        assert done.returncode == 0, f"{command}: {done.stderr}"
    done = run(folder, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine", ["embedded", pytest.param("quarto", marks=pytest.mark.skipif(not shutil.which("quarto"), reason="no quarto"))]
)
def test_a_new_lecture_works_at_once_beside_this_one(tmp_path: Path, engine: str):
    project_copy = copied(tmp_path, "pyproject.toml", "tests")
    assert run(project_copy, "build", "new", "trial", "--title", "A trial").returncode == 0
    for command in ("deck", "audit", "handout", "pdf"):
        done = run(project_copy, "build", command, "--name", "trial", ENGINE=engine)
        assert done.returncode == 0, f"{command}: {done.stderr}"
    made = {file.name for file in (project_copy / "_output" / "slides").iterdir()}
    assert project.document("revealjs").with_suffix(".html").name not in made
    assert {"trial.html", "trial.ledger.json", "trial-apostila.pdf", "trial-slides.pdf"} <= made
    done = run(project_copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/trial", PYTHONPATH=os.pathsep.join([".", "build"]))
    assert done.returncode == 0, done.stdout


def at_once(file: Path) -> set[str]:
    """The packages that a module imports as it is loaded; what a function imports waits until it is called."""
    nodes = ast.parse(file.read_text(encoding="utf-8")).body
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name.partition(".")[0] for name in plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}}


def test_what_the_kit_s_code_imports_its_own_settings_list():
    """Itself or through another package; what only this lecture lists isn't there in a repository of the kit alone.

    A lab's stand_in lies beside the child that grades with it.
    """
    settings = alone.without_this_lecture((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    brought = packages.with_what_they_need(packages.listed(settings))
    code = [path for path in alone.kit(ROOT) if path.suffix == ".py"]
    own = {"figures", "stand_in", *sys.stdlib_module_names, *(path.stem for path in code), *(path.parent.name for path in code)}
    owners = packages_distributions()
    missing = {
        f"{path.relative_to(ROOT)} imports {top}"
        for path in code
        for top in at_once(path) - own
        if not brought & {name.lower().replace("_", "-").replace(".", "-") for name in owners.get(top, [top])}
    }
    assert missing == set()
