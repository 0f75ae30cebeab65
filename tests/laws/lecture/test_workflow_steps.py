"""Every command of both workflows, job by job in a clean clone as its forge would run it; `gh` and `apt-get` only note what they are asked.

The environment is this one, linked; `make test` collects its tests and runs none, for it is what runs these.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from plain_code import ROOT

from figures.kit import strict_yaml

NOTED = ("gh", "apt-get")
CHEAP = ("comment",)


class Job(NamedTuple):
    """A job: its forge and name, its commands, and the variables that the forge would set for it."""

    forge: str
    name: str
    commands: tuple[str, ...]
    given: dict[str, str]


def jobs() -> list[Job]:
    found: list[Job] = []
    github: dict[str, Any] = strict_yaml.parse((ROOT / ".github/workflows/course.yml").read_text(encoding="utf-8"), "course.yml")["jobs"]
    for name, job in github.items():
        runs = tuple(step["run"] for step in job["steps"] if "run" in step)
        for lecture in job.get("strategy", {}).get("matrix", {}).get("name", [""]):
            found += [Job("github", name, runs, {"NAME": lecture} if lecture else {})] * bool(runs)
    gitlab: dict[str, Any] = strict_yaml.parse((ROOT / ".gitlab-ci.yml").read_text(encoding="utf-8"), ".gitlab-ci.yml")
    for name, job in gitlab.items():
        if isinstance(job, dict) and "script" in job:
            for lecture in job.get("parallel", {}).get("matrix", [{"NAME": [""]}])[0]["NAME"]:
                found.append(Job("gitlab", name, tuple(job["script"]), {"NAME": lecture} if lecture else {}))
    return found


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The last commit, cloned, with this environment and what it has measured."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tmp_path / "clone")], check=True)
    (tmp_path / "clone" / ".venv").symlink_to((ROOT / ".venv").resolve())
    if (ROOT / ".cache").is_dir():
        shutil.copytree(ROOT / ".cache", tmp_path / "clone" / ".cache", ignore=shutil.ignore_patterns("last-good", ".*"))
    for name in NOTED:
        (tool := tmp_path / "bin" / name).parent.mkdir(exist_ok=True)
        tool.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{tmp_path}/{name}"\n[ -t 0 ] || cat >> "{tmp_path}/{name}"\n', encoding="utf-8"
        )
        tool.chmod(0o755)
    return tmp_path / "clone"


@pytest.mark.parametrize(
    "job",
    [
        pytest.param(job, id=" ".join([job.forge, job.name, *job.given.values()]), marks=[] if job.name in CHEAP else pytest.mark.slow)
        for job in jobs()
    ],
)
def test_its_commands_end_well(job: Job, clone: Path):
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=clone, capture_output=True, text=True, check=True).stdout.strip()
    told = {
        "BASE": head,
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": head,
        "GITHUB_OUTPUT": str(clone.parent / "output"),
        "NUMBER": "7",
        "TEXT": "two\nlines",
    }
    own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "QUARTO_"))}
    environment = own | told | job.given | {"PATH": f"{clone.parent / 'bin'}:{os.environ['PATH']}", "PYTEST_ADDOPTS": "--collect-only -q"}
    for command in job.commands:
        if not command.startswith("make test"):
            environment.pop("PYTEST_ADDOPTS", None)
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", command], cwd=clone, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    if job.name == "comment":
        assert (clone.parent / "gh").read_text(encoding="utf-8") == "pr comment 7 --body-file - --edit-last --create-if-none\ntwo\nlines\n"
    if job.name == "difference" and job.forge == "github":
        assert (clone.parent / "output").read_text(encoding="utf-8").startswith("text<<end-")
    if job.name in ("site", "pages"):
        assert (clone / "_site" / "index.html").is_file() and not list((clone / "_site").rglob("*solucoes*"))
