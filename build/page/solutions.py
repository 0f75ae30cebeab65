"""The instructor's notebook: the student's, its gaps filled. Built only by `python build solutions`, never by a render.

Each solution is a file named after the label of the cell whose place it takes, in a folder beside the lab's source: the
one that its `lecture.solutions` names, else the one of data/words/LANGUAGE/notebook.yml, where the other names are too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from figures.kit import lecture
from figures.kit.errors import Problem
from figures.kit.words import Words

NAMES = Words("notebook")


def solutions(lab: Path) -> dict[str, str]:
    """The solution of each gap of a lab, by the label of its cell."""
    folder = lecture.of(lab).solutions or NAMES("solutions")
    sources = sorted((lab.parent / folder).glob(f"{NAMES('gap')}*.py"))
    return {file.stem: file.read_text(encoding="utf-8").strip() for file in sources}


def beside(student: Path) -> Path:
    """Where the filled notebook goes: beside the student's, under a name of its own."""
    return student.with_stem(f"{student.stem}-{NAMES('solutions')}")


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
