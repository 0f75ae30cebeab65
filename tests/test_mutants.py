"""The faults of `make mutants` are real ones, and the tests that run the function at fault notice them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import faults
import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_each_fault_is_one_change_and_still_compiles() -> None:
    as_it_is = ast.unparse(faults.parsed("attention")).splitlines()
    for fault in faults.faults("attention"):
        changed = ast.unparse(faults.changed(fault)).splitlines()
        assert sum(a != b for a, b in zip(as_it_is, changed, strict=True)) == 1, fault
        faults.faulty(fault)


def test_what_can_go_wrong() -> None:
    told = [fault.what for fault in faults.faults("attention")]
    for what in ("scores - largest → scores + largest", "axis=-1 → axis=0", "np.exp(scores - largest) → scores - largest", "1 → 2"):
        assert what in told


def test_drawing_is_left_out() -> None:
    functions = {fault.function for fault in faults.faults("rope")}
    assert "rotate" in functions and not functions & {"clocks", "_face"}


def test_a_method_goes_by_its_class_and_a_default_is_not_the_body() -> None:
    assert {"Page._repr_markdown_"} <= {fault.function for fault in faults.faults("appendix")}
    assert {fault.in_body for fault in faults.faults("show")} == {True, False}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
def test_faults_are_noticed_by_the_tests_that_run_the_function() -> None:
    """Of a module that one test file holds fully, all are; asked of a file that runs none of it, none is."""
    held, other = tried("test_pieces.py"), tried("test_rope.py")
    assert held.returncode == 0 and "5 of 5 faults noticed: 100.0%" in held.stdout, held.stdout + held.stderr
    assert other.returncode == 1 and "0 of 5 faults noticed: 0.0%" in other.stdout and "survived  figures/pieces.py:" in other.stdout


def tried(tests: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tests/mutants.py", "--module", "pieces", "--tests", f"tests/{tests}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
