"""A document as PDF by LaTeX: executed Markdown -> pandoc's LaTeX -> lualatex, where one is on the PATH.

Looks, filters and fonts are the files that `_quarto.yml` names under `pdf`, so that Quarto takes the same.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

from engine import tex
from engine.convert import convert
from engine.document import Document
from engine.handout import work_folder
from engine.settings import NUMBER, PATHS, TEXT, TRUTH, Kind, Settings, only
from figures.kit.errors import Problem

ECHO = True
SUFFIX = ".pdf"
RUNS = 4  # at most: contents, outline and tables settle in two or three
AGAIN = re.compile(r"Rerun to get|Rerun LaTeX|Table widths have changed")
ERROR = re.compile(r"^(?:! |[^\n]*:\d+: )(.*(?:\n(?!\n).*){0,3})", re.MULTILINE)

OPTIONS: dict[str, Kind] = {
    "pdf-engine": only(tex.PROGRAM),
    "documentclass": TEXT,
    "papersize": TEXT,
    "toc": TRUTH,
    "toc-depth": NUMBER,
    "colorlinks": TRUTH,
    "linkcolor": TEXT,
    "urlcolor": TEXT,
    "output-file": TEXT,
    "include-in-header": PATHS,
    "filters": PATHS,
    "shift-heading-level-by": NUMBER,
}


def render(document: Document, settings: Settings) -> bytes:
    """The PDF."""
    from paper import latex_theme

    latex_theme.ready(document.root)
    with work_folder(document.root) as folder:
        options = ["--standalone", "--extract-media=media", f"--resource-path={document.path.parent}"]
        options += [f"--include-in-header={file}" for file in settings.get("include-in-header", [])]
        options += [f"--shift-heading-level-by={settings.get('shift-heading-level-by', 0)}"]
        options += ["--toc", f"--toc-depth={settings.get('toc-depth', 3)}"] if settings.get("toc") else []
        text = convert(document.lines, _metadata(document, settings), "latex", *options, folder=folder, filters=settings.get("filters", []))
        (folder / "document.tex").write_text(text, encoding="utf-8")
        return _compiled(tex.program() or tex.PROGRAM, folder, document)


def _metadata(document: Document, settings: Settings) -> dict[str, Any]:
    head = document.head(settings, "lang", "documentclass", "papersize", "linkcolor", "urlcolor")
    return head | {"colorlinks": bool(settings.get("colorlinks"))}


def _compiled(program: str, folder: Path, document: Document) -> bytes:
    """LaTeX until its references stand still, without the time of day in its output."""
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "document.tex"]
    own = {"TEXMFCACHE": str(document.root / ".cache" / "latex")}  # LuaTeX keeps fonts by their names: another checkout's may be gone
    environment = os.environ | own | {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1"}
    for _ in range(RUNS):
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True)
        said = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            error = ERROR.search(said)
            words = " ".join((error[0] if error else said[-400:]).split())
            raise Problem(document.place.file, f"LaTeX says: {words}", "Put this right in the source, or render to typst.")
        if not AGAIN.search(said):
            break
    return (folder / "document.pdf").read_bytes()
