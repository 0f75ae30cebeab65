"""Makes the notebook from executed Markdown: cells with their code and outputs, the text between them as Markdown.

Like Quarto's, it opens with the title; unlike Quarto's, the same sources give the same bytes.
"""

from __future__ import annotations

import json
from typing import Any

from page.student_notebook import KERNEL

from engine.convert import convert
from engine.document import Document
from engine.settings import TEXT, Kind, Settings, only

ECHO = True
SUFFIX = ".ipynb"

OPTIONS: dict[str, Kind] = {"output-file": TEXT, "wrap": only("none")}


def render(document: Document, settings: Settings) -> str:
    """The notebook as JSON, indented as Jupyter does."""
    notebook = json.loads(convert(document.lines, {}, "ipynb"))
    cells: list[dict[str, Any]] = notebook["cells"]
    opening = _opening(document, settings)
    if opening and cells and cells[0]["cell_type"] == "markdown":
        cells[0]["source"] = [*opening, "\n", *cells[0]["source"]]
    elif opening:
        cells.insert(0, {"cell_type": "markdown", "metadata": {}, "source": opening})
    for number, cell in enumerate(cells, 1):
        cell["id"] = cell["id"] if str(cell.get("id", "")).startswith("cell-") else f"cell-{number}"
    return json.dumps({**notebook, "metadata": KERNEL}, ensure_ascii=False, indent=1) + "\n"


def _opening(document: Document, settings: Settings) -> list[str]:
    """The title as a heading, then the subtitle and the authors, each as a paragraph."""
    title = document.text(settings, "title")
    if title is None:
        return []
    subtitle = document.text(settings, "subtitle")
    paragraphs = [*([subtitle] if subtitle else []), *document.texts(settings, "author")]
    return [f"# {title}\n", *(line for text in paragraphs for line in ("\n", f"{text}\n"))]
