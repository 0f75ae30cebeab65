"""Set-up: pins for all that is asked for, nothing done twice, a remedy wherever it stops, a wheel that holds what it should."""

from __future__ import annotations

import ast
import os
import re
import runpy
import subprocess
import sys
import threading
import tomllib
import zipfile
from pathlib import Path

import environment
import pytest
from doctor import plain

from figures.kit.files import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = [line for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def asked_for() -> set[str]:
    extras = {name: packages for name, packages in SETTINGS["project"]["optional-dependencies"].items() if name != "quarto"}
    lists = [SETTINGS["project"]["dependencies"], *extras.values(), *SETTINGS["dependency-groups"].values()]
    return {plain(package) for packages in lists for package in packages}


def test_every_package_that_is_asked_for_is_pinned():
    assert asked_for() <= {plain(line.partition("==")[0]) for line in LOCK}


def test_pins_are_exact_and_name_no_place():
    assert [line for line in LOCK if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []


def test_every_target_of_the_makefile_is_in_its_help():
    targets = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert targets
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert sorted(re.findall(r"^  make ([\w-]+)", listed, re.MULTILINE)) == sorted(targets[1].split())


def test_ci_calls_the_two_commands_and_holds_no_recipe():
    script = ROOT / ".ci" / "run"
    assert re.findall(r"^make .*$", script.read_text(encoding="utf-8"), re.MULTILINE) == ["make test", "make deck"]
    assert os.access(script, os.X_OK)


def test_ignored_paths_are_named_from_the_root():
    lines = [line for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    everywhere = {"__pycache__/", "**/*.quarto_ipynb"}
    assert [line for line in lines if not line.removeprefix("!").startswith("/") and line not in everywhere] == []
    assert not {"build", "/build", "build/", "/build/"} & set(lines)


class Pip:
    """Stands in for the commands that set-up runs, and remembers them."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.installed: list[list[str]] = []

    def __call__(self, command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        words = list(map(str, command))
        failed = "importlib" in words[-1] or any(package in words for package in self.refused)
        if "install" in words:
            self.installed.append(words[words.index("--constraint") + 2 :])
        return subprocess.CompletedProcess(words, int(failed))


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that is there but empty; no index answers."""
    monkeypatch.setattr(environment, "VENV", tmp_path)
    environment.python().parent.mkdir()
    environment.python().touch()
    monkeypatch.setattr(environment, "reachable", lambda address: False)
    return tmp_path


def test_a_second_set_up_does_nothing(venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    pip = Pip()
    monkeypatch.setattr(subprocess, "run", pip)
    environment.main(["deck"])
    assert pip.installed
    assert "deck: ready in" in capsys.readouterr().out
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("it ran a command"))
    environment.main(["deck"])
    assert capsys.readouterr().out == ""


def test_other_pins_are_installed_again(venv: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(subprocess, "run", Pip())
    environment.main(["deck"])
    lock = tmp_path / "other.lock"
    lock.write_text("numpy==1.0\n")
    monkeypatch.setattr(environment, "LOCK", lock)
    again = Pip()
    monkeypatch.setattr(subprocess, "run", again)
    environment.main(["deck"])
    assert again.installed


def test_a_failed_step_leaves_no_stamp(venv: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(subprocess, "run", Pip("numpy>=2"))
    with pytest.raises(SystemExit, match="pip could not install numbers"):
        environment.main(["deck"])
    assert not list(venv.glob("set-up-*"))


def test_the_deck_does_without_the_weights(venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(subprocess, "run", Pip("weights"))
    groups = SETTINGS["dependency-groups"] | {"large": ["weights"]}
    monkeypatch.setattr(environment, "project", lambda: SETTINGS | {"dependency-groups": groups})
    environment.main(["deck"])
    assert "the pages will show the recorded measurement" in capsys.readouterr().out
    assert (venv / "set-up-deck").is_file()


@pytest.mark.parametrize("reachable", [True, False])
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the ordinary build has no CUDA")
def test_linux_asks_for_the_build_without_cuda_first(venv: Path, monkeypatch: pytest.MonkeyPatch, reachable: bool):
    pip = Pip()
    monkeypatch.setattr(subprocess, "run", pip)
    monkeypatch.setattr(environment, "reachable", lambda address: reachable)
    environment.install_torch()
    cpu = ["--no-deps", "--index-url", environment.CPU_TORCH, "torch"]
    assert pip.installed == ([cpu] if reachable else []) + [["torch"]]


def test_files_only_packages_bring_no_programs(venv: Path, monkeypatch: pytest.MonkeyPatch):
    pip = Pip()
    monkeypatch.setattr(subprocess, "run", pip)
    groups = SETTINGS["dependency-groups"] | {"lecture": ["words-of-a-model"], "large": ["weights"]}
    monkeypatch.setattr(environment, "project", lambda: SETTINGS | {"dependency-groups": groups})
    environment.set_up_deck()
    assert ["--no-deps", *SETTINGS["dependency-groups"]["assets"], "words-of-a-model"] in pip.installed
    assert ["--no-deps", "weights"] in pip.installed


def test_a_lecture_that_lists_nothing_of_its_own_gets_the_kit_alone(venv: Path, monkeypatch: pytest.MonkeyPatch):
    pip = Pip()
    monkeypatch.setattr(subprocess, "run", pip)
    kit = {"dependencies": ["numpy"], "optional-dependencies": {"build": ["ipython"]}}
    monkeypatch.setattr(environment, "project", lambda: {"project": kit, "dependency-groups": {"assets": ["sphinx-revealjs"]}})
    environment.set_up_deck()
    assert pip.installed == [["numpy", "ipython"], ["--no-deps", "sphinx-revealjs"]]


@pytest.mark.parametrize("arguments", [[], ["everything"], ["--again"]])
def test_an_unknown_set_up_says_what_there_is(arguments: list[str]):
    with pytest.raises(SystemExit, match="deck, paper, preview, test, check"):
        environment.main(arguments)


SET_UP = ROOT / "build" / "set_up.py"


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 2)])
def test_an_old_python_is_told_so(version: tuple[int, ...], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit, match=r"too old\n.*3\.11"):
        runpy.run_path(str(SET_UP))


def test_an_old_python_can_read_the_file_that_tells_it():
    """Python 2.7 takes no letter beyond ASCII, no f-string and no annotation."""
    tree = ast.parse(SET_UP.read_text(encoding="ascii"), feature_version=(3, 4))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Nonlocal, ast.FunctionDef)
    assert not [node for node in ast.walk(tree) if isinstance(node, newer)]
    assert "__future__" not in [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


def test_of_two_set_ups_one_waits_and_finds_it_done(venv: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(environment, "VENV", venv)
    done: list[str] = []
    monkeypatch.setattr(environment, "is_in_place", lambda group: group in done)
    monkeypatch.setattr(environment, "put_in_place", lambda group: pytest.fail("it was done twice"))
    second = threading.Thread(target=environment.main, args=(["deck"],))
    with environment.alone():
        second.start()
        second.join(timeout=0.6)
        assert second.is_alive(), "the second did not wait"
        done.append("deck")
    second.join(timeout=10)
    assert not second.is_alive() and "another set-up is at work" in capsys.readouterr().out


def test_a_named_browser_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    mine = tmp_path / "my-browser"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(mine))
    assert environment.find_browser() == str(mine)


def test_without_a_browser_there_is_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(environment, "BROWSER_FILES", ())
    assert environment.find_browser() is None
    with pytest.raises(SystemExit, match="CHROMIUM=/path/to/browser"):
        environment.install_browser()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_figures_and_their_data_and_nothing_else(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    settings = SETTINGS["project"]
    assert {name.partition("/")[0] for name in names} == {"figures", f"{settings['name']}-{settings['version']}.dist-info"}
    data = {f"figures/data/{path.relative_to(ROOT / 'data').as_posix()}" for path in (ROOT / "data").rglob("*.yml")}
    assert {*data, "figures/data/_quarto.yml", "figures/data/_variables.yml"} <= set(names)


def test_figures_work_from_the_wheel(wheel: Path, tmp_path: Path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "from figures.kit import files, project, style; print(style.SIZES.width, project.language(), files.folder())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1280", "pt-BR", str(tmp_path / "figures" / "data")]
