"""The faults of `make mutants` are real ones, and the tests that run the function at fault notice them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import faults
import pytest

ROOT = Path(__file__).resolve().parents[3]


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
    assert {"Page._repr_markdown_"} <= {fault.function for fault in faults.faults("kit/appendix")}
    assert {fault.in_body for fault in faults.faults("kit/formats")} == {True, False}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
def test_a_fault_is_noticed_by_the_tests_that_run_the_function_and_by_no_other() -> None:
    held, other = tried("pieces"), tried("soft_dictionary")
    assert held.returncode == 0 and "faults noticed: 100.0%" in held.stdout, held.stdout + held.stderr
    assert other.returncode == 1 and "faults noticed: 0.0%" in other.stdout, other.stderr
    assert other.stdout.count("survived  figures/soft_dictionary.py:") == len(faults.faults("soft_dictionary"))


def tried(module: str) -> subprocess.CompletedProcess[str]:
    """The faults of one module, asked of the tests of `pieces` alone."""
    command = [sys.executable, "tests/helpers/mutants.py", "--module", module, "--tests", "tests/topics/test_pieces.py"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
