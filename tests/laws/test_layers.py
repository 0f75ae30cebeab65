"""The layers that pyproject.toml states hold, and the statement itself notices what it is there for."""

from __future__ import annotations

import ast
import sys

import layers
import pytest
from plain_code import ROOT, files


def test_the_layers_hold():
    said = layers.of(ROOT)
    assert said.returncode == 0, said.stdout + said.stderr


TOPIC = next(name for name in sorted(path.stem for path in files("figures/*.py")) if not name.startswith("__"))


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("figures/kit/errors.py", f"import figures.{TOPIC}", "The kit names no topic"),
        (f"figures/{TOPIC}.py", "from base import progress", "What is computed knows nothing of how pages are built"),
        ("build/base/progress.py", f"from figures import {TOPIC}", "The build names no topic"),
        ("build/base/progress.py", "import engine.convert", "The engine runs the other rooms, which know nothing of each other"),
    ],
)
def test_an_import_against_the_layers_is_named(tmp_path, file, line, contract):
    said = layers.of(layers.planted(tmp_path, file, line))
    assert said.returncode == 1
    assert f"{contract} BROKEN" in " ".join(said.stdout.split())


def test_the_set_up_needs_nothing_installed():
    """`build/environment.py` runs before pip does, so it imports the standard library alone."""
    tree = ast.parse((ROOT / "build" / "environment.py").read_text(encoding="utf-8"))
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
