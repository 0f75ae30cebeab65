"""Calls pandoc, the version that the wheel `pypandoc-binary` carries, and turns its complaints into places in the source.

Each document takes one call: the template and `filter.lua` beside this file do the rest. Writes no file.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from base import pack
from base.pandoc import pandoc

from figures.kit.errors import Problem
from figures.kit.files import ROOT, Line, Place

HERE = Path(__file__).resolve().parent
WARNING = re.compile(r"^\[(?:WARNING|ERROR)\] (?P<text>.*(?:\n(?!\[).*)*)", re.MULTILINE)
NO_DATE = {"SOURCE_DATE_EPOCH": "315532800"}  # the first day that a zip file can name
LOCALE = {"LC_ALL": "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"}  # else pandoc finds no file under a path with accents
NEAR = re.compile(r"line (\d+)")


def convert(
    lines: list[Line], metadata: dict[str, Any], to: str, *options: str, folder: Path | None = None, filters: Sequence[str] = ()
) -> str:
    """The document in another format, `filters` run before this engine's own; what pandoc writes beside it goes to `folder`.

    A warning of pandoc's is an error here, and names the line that it means.
    """
    head = ["---", json.dumps(metadata, ensure_ascii=False), "---", ""]
    text = "\n".join([*head, *(line.text for line in lines)]) + "\n"
    filtered = [f"--lua-filter={file}" for file in (*filters, HERE / "filter.lua")]
    command = [pandoc(), "--from=markdown", f"--to={to}", "--wrap=none", *filtered, *options]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    asking = {"QUARTO_PYTHON": sys.executable, "PYTHONPATH": path}  # for filters that ask Python
    environment = os.environ | NO_DATE | LOCALE | asking

    def converted() -> str:
        done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", cwd=folder, env=environment)
        if done.returncode or done.stderr.strip():
            raise _problem(done.stderr, lines, len(head))
        return done.stdout

    if folder or filters:  # what reads or writes more than the text
        return converted()
    return pack.once("pandoc", [*command, text, os.environ.get("QUARTO_PROFILE", "")], converted)


def _problem(said: str, lines: list[Line], head: int) -> Problem:
    refused = next((line.split("\t") for line in said.splitlines() if line.startswith("PROBLEM\t")), None)
    if refused:
        _, needle, what, remedy = refused
        return Problem(_place_of(needle, lines), what, remedy)
    match = WARNING.search(said)
    text = match["text"].strip() if match else said.strip()
    near = NEAR.search(text)
    if near and 0 <= int(near[1]) - 1 - head < len(lines):
        return Problem(lines[int(near[1]) - 1 - head].place, f"pandoc says: {text}", "Put this right in the source.")
    math = re.match(r"Could not convert TeX math (.*?), rendering as TeX", text, re.DOTALL)
    return Problem(_place_of(math[1], lines) if math else "pandoc", text, "Put this right in the source.")


def _place_of(needle: str, lines: list[Line]) -> Place:
    """Where this text, or its first line, stands; the document's first line when it is nowhere whole."""
    first = needle.strip().split("\n")[0].strip()
    return next((line.place for line in lines if first and first in line.text), lines[0].place)
