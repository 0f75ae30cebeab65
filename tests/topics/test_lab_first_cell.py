"""The notebook's first cell: it takes what is there, installs what is missing, and for each failure says one thing to do."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from plain_code import ROOT

CELL = re.search(
    r"```\{python\}\n#\| label: prepara\n(.*?)```", (ROOT / "slides" / "laboratorio.qmd").read_text(encoding="utf-8"), re.DOTALL
)


class Elsewhere:
    """A folder without the lecture, where some packages are missing, and a pip that says what it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.monkeypatch, self.calls, self.says = monkeypatch, [], ""
        self.missing: set[str] = {"figures"}
        find = importlib.util.find_spec
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "path", ["", *(path for path in sys.path if Path(path or ".") != ROOT)])
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in self.missing else find(name))
        monkeypatch.setattr(subprocess, "run", self.pip)

    def pip(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        self.calls.append([word for word in command[4:] if not word.startswith("--quiet") and "disable" not in word])
        self.missing.clear()
        return subprocess.CompletedProcess(command, int(bool(self.says)), "", self.says)

    def run(self, repository: str = "") -> dict[str, Any]:
        assert CELL
        names: dict[str, Any] = {}
        code = CELL[1].replace('REPOSITORIO = ""', f'REPOSITORIO = "{repository}"')
        exec(compile(code, "<prepara>", "exec"), names)
        return names


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Elsewhere:
    return Elsewhere(monkeypatch, tmp_path)


def stopped(elsewhere: Elsewhere, repository: str = "") -> str:
    with pytest.raises(SystemExit) as stop:
        elsewhere.run(repository)
    return str(stop.value)


def test_beside_the_lecture_nothing_is_installed(elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch):
    elsewhere.missing = set()
    (ROOT / "_output" / "slides").mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(ROOT / "_output" / "slides")
    names = elsewhere.run()
    assert elsewhere.calls == [] and callable(names["confere"]) and sys.path[0] == str(ROOT)
    assert repr(names["atencao"]) == "<atencao: …>"


def test_without_an_address_it_says_where_to_write_one(elsewhere: Elsewhere):
    assert "REPOSITORIO" in stopped(elsewhere) and elsewhere.calls == []


@pytest.mark.parametrize(
    ("repository", "asked"),
    [
        ("https://github.com/a/b", "atencao @ https://github.com/a/b/archive/HEAD.zip"),
        ("https://git.example/a/b", "atencao @ git+https://git.example/a/b"),
        ("https://a.example/c/atencao-1-py3-none-any.whl#sha256=1", "atencao @ https://a.example/c/atencao-1-py3-none-any.whl#sha256=1"),
    ],
)
def test_it_installs_from_the_address_without_git_where_it_can(elsewhere: Elsewhere, repository: str, asked: str):
    elsewhere.run(repository)
    assert elsewhere.calls == [[asked]]


def test_torch_comes_without_cuda_on_linux_and_only_if_it_is_missing(elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch):
    for platform, options in (("linux", ["--extra-index-url", "https://download.pytorch.org/whl/cpu"]), ("win32", [])):
        elsewhere.missing, elsewhere.calls = {"torch"}, []
        monkeypatch.setattr(sys, "platform", platform)
        elsewhere.run()
        assert elsewhere.calls == [["torch", *options]]


def test_an_old_numpy_is_renewed_and_the_kernel_to_be_restarted(elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch):
    elsewhere.missing = set()
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "1.26.4")
    assert "Reinicie o kernel" in stopped(elsewhere) and elsewhere.calls == [["numpy>=2"]]


@pytest.mark.parametrize("inside", ["nothing.py", "__init__.py"])
def test_a_folder_of_the_same_name_beside_the_notebook_is_passed_over(elsewhere: Elsewhere, tmp_path: Path, inside: str):
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures" / inside).write_text("")
    sys.path.append(str(tmp_path))
    elsewhere.run("https://github.com/a/b")
    assert elsewhere.calls and not {"", str(tmp_path)} & set(sys.path)


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("/usr/bin/python3: No module named pip", "ensurepip"),
        (
            "WARNING: Retrying after connection broken by 'ReadTimeoutError'\nERROR: ResolutionImpossible: for help visit …",
            "não combina",
        ),
        ("error: externally-managed-environment", "python -m venv"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "outra vez"),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disco"),
        ("ERROR: Cannot find command 'git' - do you have 'git' installed", "git"),
        ("fatal: unable to access: Could not resolve host: git.example", "rede"),
        ("WARNING: Retrying after connection broken by 'NewConnectionError'", "rede"),
        ("ERROR: HTTP error 404 while getting https://github.com/a/b/archive/HEAD.zip", "endereço"),
        ("remote: Repository not found.", "endereço"),
        ("ERROR: [Errno 13] Permission denied: '/usr/lib'", "permissão"),
        ("ERROR: something else\nand its last line", "and its last line"),
    ],
)
def test_each_failure_has_its_own_remedy(elsewhere: Elsewhere, said: str, remedy: str):
    elsewhere.says = said
    told = stopped(elsewhere, "https://github.com/a/b")
    assert remedy in told and "REPOSITORIO, acima" not in told


def test_an_old_python_is_told(elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    assert "3.11" in stopped(elsewhere)


@pytest.mark.parametrize(
    ("own", "others"), [((3, 12, 1), "3.11 ou 3.13"), ((3, 13, 0), "3.11 ou 3.12"), ((3, 14, 2), "3.11 ou 3.12 ou 3.13")]
)
def test_where_a_package_has_nothing_for_this_python_another_is_named(elsewhere: Elsewhere, own: Any, others: str, monkeypatch: Any):
    monkeypatch.setattr(sys, "version_info", own)
    elsewhere.says, elsewhere.missing = "ERROR: Could not find a version that satisfies the requirement torch", {"torch"}
    told = stopped(elsewhere)
    assert f"para o Python {own[0]}.{own[1]}. Escolha como kernel um {others}." in told
