"""The formats that the page in the making is for, as the engine that runs its cells names them.

A picture asks, so that each format gets a file that it can hold and no other is drawn.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from figures.kit.errors import Problem

VARIABLE = "PAGE_FORMATS"  # the embedded engine's: one execution serves several, "revealjs typst"
HTML = ("html", "revealjs")
NOTEBOOK = "ipynb"
KNOWN = (*HTML, NOTEBOOK, "typst", "pdf", "docx")  # the build refuses others before a cell runs, where it can see them


def formats() -> tuple[str, ...]:
    """The names of the formats; empty where no engine runs the code, as in a test or by hand."""
    if file := os.environ.get("QUARTO_EXECUTE_INFO"):
        format = json.loads(Path(file).read_text(encoding="utf-8"))["format"]
        name = "typst" if format.get("pandoc", {}).get("to") == "typst" else str(format["identifier"]["base-format"])
        if name not in KNOWN:
            raise Problem(f"--to {name}", "no document of this project is made in that format", f"Use one of {', '.join(KNOWN)}")
        return (name,)
    return tuple(os.environ.get(VARIABLE, "").split())
