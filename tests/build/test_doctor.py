"""`make doctor` says in a line each what is there, what is missing and how to get it, also where half of it is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import doctor
import environment
import pytest
from a_copy import copied
from proof import health

from figures.kit import project
from figures.kit.files import ROOT

SIGNS = (doctor.GOOD, doctor.LACKS, doctor.STOPS)


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    return copied(tmp_path, "pyproject.toml", "requirements.lock")


def told(lines: list[tuple[str, str, str]], words: str) -> tuple[str, str, str]:
    (line,) = (line for line in lines if words in line[1])
    return line


def test_a_fresh_checkout_learns_what_to_do_in_seconds(fork: Path):
    """No environment, no programs, no package but Python's own: -S and -E leave site-packages out."""
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-I", "-S", "build/doctor.py"], cwd=fork, env={"PATH": ""}, capture_output=True, text=True, encoding="utf-8"
    )
    now = os.times()
    assert now.children_user + now.children_system - before.children_user - before.children_system < 5
    assert done.returncode == 1 and done.stderr == ""
    for words in ("the environment .venv: not made yet", "no browser", "no lualatex", "no Quarto on the PATH: the embedded engine"):
        assert words in done.stdout
    assert done.stdout.rstrip().endswith("1 to put right before `make deck`")


def test_here_it_finds_all_that_the_deck_needs():
    done = subprocess.run([sys.executable, "build/doctor.py"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    findings = [line for line in done.stdout.splitlines() if line.startswith(SIGNS)]
    assert len(findings) >= 8 and done.stdout.splitlines()[-1] == "`make deck` has what it needs"


def test_a_package_that_is_missing_or_another_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    wanted = dict(line.split("==") for line in environment.LOCK.read_text(encoding="utf-8").splitlines() if "==" in line)
    for name, version in wanted.items():
        if name != "babel":
            there = "0.0.1" if name == "numpy" else version
            (tmp_path / "lib" / "python3.11" / "site-packages" / f"{name.replace('-', '_')}-{there}.dist-info").mkdir(parents=True)
    monkeypatch.setattr(environment, "VENV", tmp_path)
    lines = list(doctor.packages())
    assert told(lines, "babel not installed") == (doctor.STOPS, "what `make deck` needs: babel not installed", "make setup")
    assert "numpy 0.0.1" in told(lines, "other versions")[1]


@pytest.mark.parametrize(
    ("version", "engine", "sign", "words"),
    [
        ("1.9.2", "", doctor.GOOD, "it makes the pages"),
        ("1.8.9", "", doctor.LACKS, "an old Quarto on the PATH: the embedded engine"),
        ("1.9.2", "embedded", doctor.GOOD, "the embedded engine makes the pages"),
        ("1.8.9", "quarto", doctor.STOPS, "no Quarto that is new enough"),
        ("", "quarto", doctor.STOPS, "no Quarto that is new enough"),
        ("1.9.2", "word", doctor.STOPS, "there is no such engine"),
    ],
)
def test_the_engine_that_wins_is_told(version: str, engine: str, sign: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    if version:
        (tmp_path / "quarto").write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / "quarto").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    monkeypatch.setenv("ENGINE", engine)
    ((found, what, _),) = doctor.quarto()
    assert found == sign and words in what


def test_a_check_that_fails_keeps_nobody_from_the_others():
    def broken() -> list[doctor.Line]:
        raise OSError("no disk")

    ((sign, what, _),) = doctor.answered(broken)
    assert sign == doctor.LACKS and what == "broken: could not be looked at (OSError: no disk)"


def test_a_repository_that_can_t_be_reached_is_no_fault(monkeypatch: pytest.MonkeyPatch):
    for address in ("", "http://127.0.0.1:9", "nonsense://x", "http://[bad"):
        monkeypatch.setattr(project, "repository", lambda address=address: address)
        ((sign, _, remedy),) = health.repository(ROOT)
        assert sign == health.LACKS and remedy
