"""The forges' workflows are what the forges read, ask for little, and call commands that are there. Nothing here uses a network."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from plain_code import ROOT

from figures.kit import project, strict_yaml

FILES = {".github/workflows/course.yml": "vendor.github-workflows", ".gitlab-ci.yml": "vendor.gitlab-ci"}
GITHUB, GITLAB = ((ROOT / name).read_text(encoding="utf-8") for name in FILES)
WRITES = {"site": {"id-token", "attestations"}, "publish": {"pages", "id-token"}, "comment": {"pull-requests"}}


def jobs() -> dict[str, Any]:
    return dict(strict_yaml.parse(GITHUB, "course.yml")["jobs"])


def commands() -> Iterator[str]:
    """Every line that a job runs, on either forge."""
    for job in jobs().values():
        yield from (step["run"] for step in job["steps"] if "run" in step)
    for job in strict_yaml.parse(GITLAB, ".gitlab-ci.yml").values():
        yield from job.get("script", []) if isinstance(job, dict) else []


@pytest.mark.parametrize("file", FILES)
def test_the_forge_s_schema_takes_it(file):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", FILES[file], str(ROOT / file)]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr


def test_the_schema_would_refuse_a_slip(tmp_path):
    slip = tmp_path / "course.yml"
    slip.write_text(GITHUB.replace("runs-on:", "run-on:", 1), encoding="utf-8")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(slip)]
    assert subprocess.run(command, capture_output=True).returncode == 1


def test_every_action_is_pinned_to_a_commit_and_says_its_release():
    used = re.findall(r"uses: (.*)", GITHUB)
    assert used and not [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)]
    assert len({one for one in used if one.startswith("actions/checkout@")}) == 1


def test_a_job_may_write_only_what_it_is_for():
    assert strict_yaml.parse(GITHUB, "course.yml")["permissions"] == {}
    for name, job in jobs().items():
        assert {key for key, may in job["permissions"].items() if may == "write"} == WRITES.get(name, set()), name
        assert "timeout-minutes" in job


def test_no_job_that_runs_a_pull_request_may_write_to_it_and_none_has_secrets():
    assert "secrets." not in GITHUB and "pull_request_target" not in GITHUB
    assert not [step for step in jobs()["comment"]["steps"] if "uses" in step]
    assert all(step.get("with", {}).get("persist-credentials") is False for job in jobs().values() for step in job["steps"]
               if step.get("uses", "").startswith("actions/checkout@"))  # fmt: skip


def test_what_runs_is_shell_without_expressions_put_into_it():
    for command in commands():
        assert "${{" not in command, command
        assert subprocess.run(["bash", "-n"], input=command, text=True, capture_output=True).returncode == 0, command


def test_each_command_of_ours_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    called = {target for command in commands() for target in re.findall(r"\bmake ([\w-]+)", command)}
    assert {"test", "check", "site", "audit", "deck"} <= called
    assert [target for target in called if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []
    for ours in {one for command in commands() for one in re.findall(r"build (\w+) ", command)}:
        assert subprocess.run([sys.executable, "build", ours, "--help"], cwd=ROOT, capture_output=True).returncode == 0


def test_every_lecture_that_a_matrix_names_is_one():
    named = {*jobs()["lecture"]["strategy"]["matrix"]["name"], *strict_yaml.parse(GITLAB, "")["lecture"]["parallel"]["matrix"][0]["NAME"]}
    gone = named - {file.stem for file in project.documents() if "revealjs" in project.formats(file)}
    assert not gone, f".github/workflows and .gitlab-ci.yml test lectures that aren't here: {gone}. Name yours in their matrix"
    assert len(named) > 1
