"""The layers that pyproject.toml states hold, and the statement itself notices what it is there for."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from plain_code import ROOT, files

LINT = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True, no_logo=True))"


def layers_of(folder: Path) -> subprocess.CompletedProcess[str]:
    """What import-linter says of the project in `folder`."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(folder / "build")]), "COLUMNS": "140"}
    return subprocess.run([sys.executable, "-c", LINT], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_layers_hold():
    said = layers_of(ROOT)
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("figures/kit/errors.py", "import figures.attention", "The kit names no topic"),
        ("figures/attention.py", "import figures.lab", "No topic uses the lab or a simulator"),
        ("figures/attention.py", "from base import progress", "What is computed knows nothing of how pages are built"),
        ("figures/gradient_descent/model.py", "from figures import attention", "The lecture on gradient descent stands on the kit alone"),
        ("figures/attention.py", "import figures.gradient_descent", "No topic of another lecture uses the one on gradient descent"),
        ("build/base/progress.py", "from figures import attention", "The build names no topic"),
        ("build/base/progress.py", "import engine.convert", "The engine runs the other rooms, which know nothing of each other"),
    ],
)
def test_an_import_against_the_layers_is_named(tmp_path, file, line, contract):
    for source in files("figures/**/*.py", "build/**/*.py", "pyproject.toml"):
        copy = tmp_path / source.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    with (tmp_path / file).open("a") as planted:
        planted.write(f"\n{line}\n")
    said = layers_of(tmp_path)
    assert said.returncode == 1
    assert f"{contract} BROKEN" in " ".join(said.stdout.split())


def test_the_set_up_needs_nothing_installed():
    """`python3 build/set_up.py` runs before pip does, so it imports the standard library alone."""
    tree = ast.parse((ROOT / "build" / "set_up.py").read_text(encoding="utf-8"))
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
