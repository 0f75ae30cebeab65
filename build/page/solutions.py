"""The instructor's notebook: the student's, its gaps filled. Built only by `python build solutions`, never by a render.

Each solution is a file named after the label of the cell whose place it takes, in a folder beside the lab's source: the
one that its `lecture.solutions` names, else the one of data/words/LANGUAGE/notebook.yml, where the other names are too.
That folder may lie elsewhere: `solutions` in `_variables.yml`.
An answer to a section's open questions is a file of Markdown with the number of its gap, and goes to the end of that section.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from figures.kit import files, lecture, project
from figures.kit.errors import Problem
from figures.kit.files import read_text
from figures.kit.words import Words
from page import private_place

NAMES = Words("notebook")


def solutions(lab: Path) -> dict[str, str]:
    """The solution of each gap of a lab, by the label of its cell."""
    sources = sorted(place(lab).glob(f"{NAMES('gap')}*.py"))
    return {file.stem: read_text(file).strip() for file in sources}


def open_answers(lab: Path) -> dict[str, str]:
    """The answers to the open questions, by the label of the gap in whose section they are asked."""
    sources = sorted(place(lab).glob(f"{NAMES('answer')}*.md"))
    return {file.stem.replace(NAMES("answer"), NAMES("gap")): read_text(file).strip() for file in sources}


def place(lab: Path) -> Path:
    """The folder with a lab's solutions: beside the lab, or in the private place that `_variables.yml` names; a Problem for none."""
    name = lecture.of(lab).solutions or NAMES("solutions")
    said = str(project.variables().get(project.SOLUTIONS) or "").strip()
    if not said:
        return lab.parent / name
    whole = private_place.folder(said, files.ROOT)
    return whole / name if (whole / name).is_dir() else whole


def apart(student: Path, root: Path) -> Path:
    """Where the filled notebook goes: outside what is published, so that no folder for students holds it."""
    return project.teaching(student.with_stem(f"{student.stem}-{NAMES('solutions')}"), root)


def answered(notebook: str, answers: Mapping[str, str]) -> str:
    """The notebook with each answer as a cell of its own, before the heading that follows its gap."""
    content = json.loads(notebook)
    for label, text in answers.items():
        gap = next((n for n, cell in enumerate(content["cells"]) if cell["id"] == label), None)
        if gap is None:
            raise Problem(f"{NAMES('solutions')}/{label}", "the lab has no such gap", "One answer a gap, with its number.")
        after = next((n for n in range(gap, len(content["cells"])) if _heading(content["cells"][n]) is not None), len(content["cells"]))
        made = {"cell_type": "markdown", "id": f"answer-{label}", "metadata": {}, "source": text.splitlines(keepends=True)}
        content["cells"][after : after + 1] = [*_split(content["cells"][after : after + 1], made)]
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _heading(cell: dict[str, Any]) -> int | None:
    """The line of a Markdown cell on which a section starts."""
    lines = cell["source"] if cell["cell_type"] == "markdown" else []
    return next((n for n, line in enumerate(lines) if line.startswith("## ")), None)


def _split(cells: list[dict[str, Any]], made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What stands before the heading of a cell, the cell that is put there, and the rest."""
    if not cells:
        yield made
        return
    (cell,) = cells
    at = _heading(cell) or 0
    if at:
        yield {**cell, "id": f"{cell['id']}-end", "source": cell["source"][:at]}
    yield made
    yield {**cell, "source": cell["source"][at:]}


def solved(notebook: str, answers: Mapping[str, str]) -> str:
    """The student's notebook with each gap filled; a Problem for a gap without a solution, or the other way round."""
    content = json.loads(notebook)
    gaps = {cell["id"]: cell for cell in content["cells"] if cell["id"].startswith(NAMES("gap"))}
    for label in sorted(gaps.keys() ^ answers.keys()):
        what = "this gap has no solution" if label in gaps else "the lab has no such gap"
        raise Problem(f"{NAMES('solutions')}/{label}.py", what, "One file a gap, named after the label of its cell.")
    for label, cell in gaps.items():
        cell["source"] = answers[label].splitlines(keepends=True)
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
