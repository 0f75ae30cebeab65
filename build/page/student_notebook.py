"""Finishes a notebook, the same for both engines: what a student opens holds no outputs and no marks of the page.

JSON text in, JSON text out, beside the names in data/words/LANGUAGE/notebook.yml; a finished notebook stays as it is.
"""

from __future__ import annotations

import json
import re
from typing import Any

from figures.kit.marks import IN_FORMULA
from figures.kit.words import Words

KERNEL = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python"},
}
NAMES = Words("notebook")
TAGS = re.compile(r"</?(?:span|div)\b[^>]*>")
BRACKET = re.compile(r"\\([\[\]])(?!\()")  # some notebooks read \[ as the start of a formula
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def finished(notebook: str, repository: str) -> str:
    """The notebook with no outputs, its cells named by their labels, and the address that it can be installed from."""
    content = json.loads(notebook)
    cells = [_cell(cell) for cell in content["cells"]]
    kept = [cell for cell in cells if "".join(cell["source"]).strip()]
    for number, cell in enumerate(kept, 1):
        cell["id"] = _label(cell) or f"cell-{number}"
        cell["metadata"] |= graded_by(cell["id"])
        if cell["id"] == NAMES("first"):
            cell["source"] = _lines(with_address("".join(cell["source"]), repository))
    return json.dumps({"cells": kept, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False, indent=1) + "\n"


def graded_by(label: str) -> dict[str, Any]:
    """What nbgrader needs to know of a cell: a gap is a solution, a checkpoint a locked test; of any other cell nothing."""
    gap, check = label.startswith(NAMES("gap")), label.startswith(NAMES("check"))
    if not gap and not check:
        return {}
    told = {"grade_id": label, "schema_version": 3, "task": False, "solution": gap, "grade": check, "locked": check}
    return {"nbgrader": told | ({"points": 1} if check else {})}


def installed_from(notebook: str, address: str) -> str:
    """A finished notebook whose first cell installs what it needs from another address."""
    content = json.loads(notebook)
    for cell in content["cells"]:
        if cell["id"] == NAMES("first"):
            cell["source"] = _lines(with_address("".join(cell["source"]), address))
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def with_address(code: str, repository: str) -> str:
    """The code with the repository's address where it sets the variable for it."""
    name = NAMES("address")
    return re.sub(rf'^{name} = ".*"$', lambda _: f'{name} = "{address(repository)}"', code, flags=re.MULTILINE)


def address(repository: str) -> str:
    """The repository as pip wants it; "" stays empty.

    >>> address("github.com/a/b/")
    'https://github.com/a/b'
    """
    plain = repository.strip().rstrip("/")
    return plain if not plain or "://" in plain else f"https://{plain}"


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    source = "".join(cell["source"])
    made = {"cell_type": cell["cell_type"], "id": cell.get("id", ""), "metadata": {}}
    if cell["cell_type"] == "code":
        return made | {"execution_count": None, "outputs": [], "source": _lines(source)}
    return made | {"source": _lines(plain(source))}


def plain(markdown: str) -> str:
    """Markdown without the spans and divs that only a page's style sheet gives a sense.

    What stands in code is left alone, and so is a math `<`.

    >>> plain('a <span class="x">b</span>')
    'a b'
    """
    parts = CODE.split(markdown)
    bare = "".join(part if number % 2 else _bare(part) for number, part in enumerate(parts))
    return re.sub(r"\n{3,}", "\n\n", bare).strip()


def _bare(text: str) -> str:
    """Text without tags, and without the spaces that an empty mark leaves behind."""
    text = BRACKET.sub(r"\1", IN_FORMULA.sub("", TAGS.sub("", text)))
    text = text if "|" in text else re.sub(r"(?<=\S) {2,}(?=\S)", " ", text)
    return re.sub(r"[ \t]+(?=\n)", "", text)


def _label(cell: dict[str, Any]) -> str:
    """The label that a code cell has in the source: Quarto writes it bare or after "cell-", its own ids are hexadecimal."""
    name = str(cell["id"]).removeprefix("cell-")
    return name if cell["cell_type"] == "code" and not re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f-]+)?|\d*", name) else ""


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
