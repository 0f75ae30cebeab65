"""What a notebook of the site installs: one wheel beside its page, by its digest, with what students need and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from page import student_notebook
from publishing import publish, wheel

from figures.kit import lookup, project
from figures.kit.files import read_text

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://name.example/course"
LEDGER = '{"version": 1, "page": "a.html", "entries": []}'
NAMES = student_notebook.NAMES


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as the site has it."""
    name, content = wheel.built(ROOT, {"a.ledger.json": LEDGER})
    (file := tmp_path_factory.mktemp("wheel") / name).write_bytes(content)
    return file


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_it_holds_what_is_computed_its_data_and_the_ledgers(package: Path):
    inside = zipfile.ZipFile(package).namelist()
    assert {"figures/kit/ledger.py", "figures/data/theme.yml", f"figures/data/{lookup.FOLDER}/a.ledger.json"} <= set(inside)
    assert not [name for name in inside if name.endswith((".pyc", ".qmd", ".ipynb")) or "test" in Path(name).name]
    assert all(name.split("/")[0] in ("figures", package.name.rpartition("-py3")[0] + ".dist-info") for name in inside)


def test_the_same_sources_give_the_same_bytes(package: Path):
    assert wheel.built(ROOT, {"a.ledger.json": LEDGER}) == (package.name, package.read_bytes())


def test_pip_takes_the_file_of_that_digest_and_no_other(package: Path, tmp_path: Path):
    right = wheel.pinned(package.as_uri(), package.read_bytes())
    assert pip("--target", str(tmp_path / "right"), right).returncode == 0
    code = "import figures, sys; from figures.kit import lookup; print(figures.__file__, [file.name for file in lookup._kept()])"
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "right", capture_output=True, text=True).stdout
    assert str(tmp_path / "right") in said and "a.ledger.json" in said
    wrong = pip("--target", str(tmp_path / "wrong"), wheel.pinned(package.as_uri(), b"another"))
    assert wrong.returncode and "DO NOT MATCH THE HASHES" in wrong.stderr.upper()


def test_where_the_solutions_lie_is_not_told(tmp_path: Path):
    for name in ("pyproject.toml", project.SETTINGS):
        (tmp_path / name).write_text(read_text(ROOT / name), encoding="utf-8")
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / "__init__.py").touch()
    (tmp_path / "data").mkdir()
    (tmp_path / project.VARIABLES).write_text("course: A\nsolutions: ../secret\nsite: ''\n", encoding="utf-8")
    name, content = wheel.built(tmp_path, {})
    (file := tmp_path / name).write_bytes(content)
    kept = zipfile.ZipFile(file).read(f"figures/data/{project.VARIABLES}").decode()
    assert kept == "course: A\nsolutions: \"\"\nsite: ''\n"


def test_a_notebook_of_the_site_installs_it_by_its_digest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(wheel, "built", lambda root, ledgers: ("a-1-py3-none-any.whl", repr(sorted(ledgers)).encode()))
    first = {"cell_type": "code", "id": NAMES("first"), "metadata": {}, "source": [f'{NAMES("address")} = ""\n', "print()"]}
    other = {**first, "id": "another"}
    contents: dict[str, str | bytes] = {
        "slides/a.ipynb": json.dumps({"cells": [first, other]}).encode(),
        "slides/a.ledger.json": LEDGER,
        "index.html": "",
    }
    made = publish._package(contents, ADDRESS, ROOT)
    content = made["slides/a-1-py3-none-any.whl"]
    assert made.keys() == {"slides/a.ipynb", "slides/a-1-py3-none-any.whl"} and content == b"['a.ledger.json']"
    cells = json.loads(made["slides/a.ipynb"])["cells"]
    address = wheel.pinned(f"{ADDRESS}/slides/a-1-py3-none-any.whl", content)
    assert "".join(cells[0]["source"]) == f'{NAMES("address")} = "{address}"\nprint()' and cells[1] == other
    assert publish._package(contents, "", ROOT) == {}
