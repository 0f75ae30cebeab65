"""The faults of `make mutants` are real ones, and the tests that it asks notice them. The whole run is not part of this."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import mutants
import pytest


def test_each_mutant_changes_one_place_and_still_compiles() -> None:
    as_it_is = ast.unparse(mutants.parsed("attention")).splitlines()
    for mutant in mutants.mutants("attention"):
        changed = ast.unparse(mutants.mutated(mutant)).splitlines()
        assert sum(a != b for a, b in zip(as_it_is, changed, strict=True)) == 1, mutant
        compile(mutants.mutated(mutant), "attention.py", "exec")


def test_what_can_go_wrong() -> None:
    told = [mutant.what for mutant in mutants.mutants("attention")]
    for what in ("scores - largest → scores + largest", "axis=-1 → axis=0", "np.exp(scores - largest) → scores - largest", "1 → 2"):
        assert what in told


def test_drawing_is_left_out() -> None:
    functions = {mutant.function for mutant in mutants.mutants("rope")}
    assert "rotate" in functions and not functions & {"clocks", "_face"}


def test_every_topic_has_tests_that_are_asked() -> None:
    asked = {module: mutants.watchers(module)[0] for module in mutants.modules()}
    assert len(asked) > 30
    assert all(Path(file).is_file() for files in asked.values() for file in files)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
@pytest.mark.parametrize("what", ["np.exp(scores - largest) → scores - largest", None])
def test_a_fault_is_noticed_and_no_fault_is_not(what: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "watchers", lambda module: [[str(mutants.TESTS / "test_soft_dictionary.py")]])
    mutant = next((one for one in mutants.mutants("attention") if one.what == what), None)
    process = mutants.tried((lambda: mutants.notice(mutant)) if mutant else lambda: not mutants.passes(mutants.watchers("attention")[0]))
    assert (os.waitpid(process, 0)[1] != 0) == (mutant is not None)
