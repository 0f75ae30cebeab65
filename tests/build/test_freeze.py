"""A frozen page whose numbers come from something that has changed is refused, and the refusal says what changed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from proof import freeze

from figures.kit import dependencies
from figures.kit.errors import Problem

ALL = {"QUARTO_PROJECT_RENDER_ALL": "1"}
SETTINGS = "project:\n  output-dir: _output\nexecute:\n  freeze: {freeze}\n"
PAGE = "---\ntitle: x\n---\n\n{{< include parts/_b.qmd >}}\n\n```{python}\nfrom figures import topic\n```\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project as Quarto leaves it once it has frozen its only page."""
    files = {
        "_quarto.yml": SETTINGS.format(freeze="auto"),
        "_variables.yml": "course: x\n",
        "slides/a.qmd": PAGE,
        "slides/parts/_b.qmd": "Incluído.\n",
        "figures/__init__.py": "",
        "figures/topic.py": "from figures import deeper\nimport numpy\n",
        "figures/deeper.py": "X = 1\n",
        "figures/unreached.py": "Y = 1\n",
        "data/topic.yml": "a: 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    freeze.check(tmp_path, ALL)
    frozen(tmp_path, "html")
    freeze.keep(tmp_path)
    return tmp_path


def frozen(root: Path, format: str) -> None:
    """What Quarto writes when it has run slides/a.qmd for a format."""
    folder = root / "_freeze" / "slides" / "a" / "execute-results"
    folder.mkdir(parents=True, exist_ok=True)
    text = hashlib.md5((root / "slides" / "a.qmd").read_bytes()).hexdigest()
    (folder / f"{format}.json").write_text(json.dumps({"hash": text, "result": {"markdown": "1"}}), encoding="utf-8")


def edit(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def refused(root: Path) -> str:
    with pytest.raises(Problem) as caught:
        freeze.check(root, ALL)
    assert caught.value.where == "slides/a.qmd" and "quarto render slides/a.qmd" in caught.value.remedy
    return str(caught.value)


def test_nothing_changed(project: Path) -> None:
    freeze.check(project, ALL)


@pytest.mark.parametrize(
    "name", ["figures/topic.py", "figures/deeper.py", "figures/__init__.py", "data/topic.yml", "slides/parts/_b.qmd", "_variables.yml"]
)
def test_what_the_page_is_made_of_changed(project: Path, name: str) -> None:
    edit(project / name)
    assert f"out of date: {name} changed\n" in refused(project)


def test_a_file_more_and_a_file_less(project: Path) -> None:
    (project / "data" / "more.yml").write_text("a: 1\n", encoding="utf-8")
    (project / "data" / "topic.yml").unlink()
    assert "data/more.yml is new; data/topic.yml is gone" in refused(project)


def test_another_version_of_a_package(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = dependencies.version("numpy")
    monkeypatch.setattr(dependencies, "version", lambda name: "0.1" if name == "numpy" else version)
    assert f"numpy was {version}, is 0.1" in refused(project)


def test_what_the_page_does_not_reach_may_change(project: Path) -> None:
    edit(project / "figures" / "unreached.py")
    freeze.check(project, ALL)


def test_a_page_whose_own_text_changed_is_run_anyway_unless_freeze_is_true(project: Path) -> None:
    edit(project / "slides" / "a.qmd")
    freeze.check(project, ALL)
    (project / "_quarto.yml").write_text(SETTINGS.format(freeze="true"), encoding="utf-8")
    assert "_quarto.yml changed; slides/a.qmd changed" in refused(project)


@pytest.mark.parametrize(
    "written",
    ["execute: {freeze: auto}", "execute:\n  freeze: 'auto'", "execute: {freeze: true} # always", "format: {html: {freeze: auto}}"],
)
@pytest.mark.parametrize("place", ["_quarto.yml", "slides/_metadata.yml", "the page"])
def test_however_and_wherever_freeze_is_written(project: Path, place: str, written: str) -> None:
    settings = SETTINGS.format(freeze="false").partition("execute:")[0]
    (project / "_quarto.yml").write_text(settings + (written if place == "_quarto.yml" else "") + "\n", encoding="utf-8")
    if place == "slides/_metadata.yml":
        (project / place).write_text(written + "\n", encoding="utf-8")
    if place == "the page":
        (project / "slides" / "a.qmd").write_text(PAGE.replace("title: x", f"title: x\n{written}"), encoding="utf-8")
    frozen(project, "html")
    assert "_quarto.yml changed" in refused(project)


def test_a_page_may_say_that_it_is_never_frozen(project: Path) -> None:
    (project / "slides" / "a.qmd").write_text(PAGE.replace("title: x", "title: x\nexecute: {freeze: false}"), encoding="utf-8")
    edit(project / "data" / "topic.yml")
    freeze.check(project, ALL)


def test_a_page_rendered_by_itself_is_run_anyway_and_stamped_anew(project: Path) -> None:
    edit(project / "data" / "topic.yml")
    freeze.check(project, {})
    frozen(project, "html")
    freeze.keep(project)
    freeze.check(project, ALL)


def test_each_format_has_a_stamp_of_its_own(project: Path) -> None:
    """Run for one format only, the results frozen for the other are still those of before the edit."""
    freeze.check(project, {})
    frozen(project, "typst")
    freeze.keep(project)
    freeze.check(project, ALL)
    edit(project / "data" / "topic.yml")
    freeze.check(project, {})
    frozen(project, "typst")
    freeze.keep(project)
    assert "data/topic.yml changed" in refused(project)


def test_no_file_s_time_decides_what_was_run(project: Path) -> None:
    """The results that a render wrote are told apart although they say the same and all files are of one moment."""
    results = project / "_freeze" / "slides" / "a" / "execute-results" / "html.json"
    before = results.read_bytes()
    edit(project / "data" / "topic.yml")
    freeze.check(project, {})
    for file in (results, project / freeze.PENDING):
        os.utime(file, (1, 1))
    freeze.keep(project)  # the render wrote nothing
    assert results.read_bytes() == before and "data/topic.yml changed" in refused(project)
    freeze.check(project, {})
    frozen(project, "html")
    os.utime(results, (1, 1))
    freeze.keep(project)
    assert results.read_bytes() == before
    freeze.check(project, ALL)


def test_a_stamp_that_is_missing_or_broken(project: Path) -> None:
    stamp = project / "_freeze" / "slides" / "a" / "stamp.json"
    stamp.write_text("[", encoding="utf-8")
    assert "can't be read" in refused(project)
    stamp.unlink()
    assert "without a stamp" in refused(project)


def test_a_file_edited_while_the_cells_run_is_noticed_next_time(project: Path) -> None:
    freeze.check(project, {})
    edit(project / "data" / "topic.yml")
    frozen(project, "html")
    freeze.keep(project)
    assert "data/topic.yml changed" in refused(project)


def test_without_freeze_nothing_is_read_or_kept(project: Path) -> None:
    shutil.rmtree(project / "_freeze")
    (project / "_quarto.yml").write_text(SETTINGS.format(freeze="false"), encoding="utf-8")
    freeze.check(project, ALL)
    freeze.keep(project)
    assert not (project / freeze.PENDING).exists() and not (project / "_freeze").exists()
