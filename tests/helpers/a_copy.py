"""The project in a folder of its own, to be changed and built without touching the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from own_data import everything

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("_quarto.yml", "_variables.yml", "build", "data", "figures", "slides", ".cache")
FRONT_MATTER = """---
title: "Uma página"
format:
  revealjs:
    embed-resources: true
---
"""  # of a deck that a test writes


def copied(folder: Path, *others: str) -> Path:
    """The sources and what is stored of slow results, in `folder`; with `others`, those files and folders too."""
    everything()
    folder.mkdir(parents=True, exist_ok=True)
    skip = shutil.ignore_patterns("__pycache__", ".*.part")
    for name in (*SOURCES, *others):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=skip, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copy2(source, folder / name)
    return folder


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """This Python, in `folder`: `run(folder, "build", "render", "slides/atencao.qmd")`"""
    given = {name: value for name, value in os.environ.items() if not name.startswith("QUARTO_")} | environment
    return subprocess.run([sys.executable, *command], cwd=folder, env=given, capture_output=True, text=True)


def run_quarto(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Quarto with this Python for its cells and hooks."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "QUARTO_PYTHON": sys.executable}
    return subprocess.run(["quarto", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
