"""What a page has shown, left in a document without HTML for the check of its output: `build/proof/output_check.py`.

A filter, `slides/theme/paper/shown.lua`, takes it out of the document and keeps it beside the engine's other files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from figures.kit.entry import Entry, Table
from figures.kit.json_values import json_text
from figures.kit.marks import FENCE


def only_on_paper(text: str) -> str:
    """Markdown for every format but pages and notebooks."""
    return f'\n:::: {{.content-visible unless-format="html"}}\n::: {{.content-hidden when-format="ipynb"}}\n{text}\n:::\n::::\n'


def block(entries: Iterable[Entry]) -> str:
    """The list as a block that `shown.lua` looks for; nothing where no engine runs the page."""
    document = os.environ.get("QUARTO_DOCUMENT_FILE", "")
    if not document:
        return ""
    entries = list(entries)
    marked = [{"n": entry.n, "named": entry.id, **said} for entry, said in zip(entries, listed(entries))]
    content = json_text({"document": document, "entries": marked})
    return only_on_paper(f"{FENCE}{{.ledger-shown}}\n{content}\n{FENCE}")


def listed(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """What must be found again: the sort of each thing, its call, the texts that a reader sees of it."""
    return [{"what": entry.what, "id": entry.call, "texts": texts(entry)} for entry in entries]


def texts(entry: Entry) -> list[str]:
    """The texts: of a table its cells, of a figure what stands for it; of what is only checked or run nothing."""
    if isinstance(entry, Table):
        return [cell for row in entry.value.texts for cell in row if cell and "$" not in cell]
    if entry.what in ("number", "word", "formula", "figure", "listing"):
        return [entry.text] if "$" not in entry.text else []
    return []
