"""The instructor's notebook: the student's, its gaps filled. Built only by `python build solutions`, never by a render.

Each file of `slides/solucoes` is named after the label of the cell whose place it takes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from figures.kit.errors import Problem

FOLDER = Path("slides", "solucoes")
STUDENT = Path("_output", "slides", "laboratorio.ipynb")
SOLVED = Path("_output", "slides", "laboratorio-solucoes.ipynb")
GAP = "lacuna-"


def solutions(root: Path) -> dict[str, str]:
    """The solution of each gap by the label of its cell."""
    return {file.stem: file.read_text(encoding="utf-8").strip() for file in sorted((root / FOLDER).glob(f"{GAP}*.py"))}


def solved(notebook: str, answers: Mapping[str, str]) -> str:
    """The student's notebook with each gap filled; a Problem for a gap without a solution, or the other way round."""
    content = json.loads(notebook)
    gaps = {cell["id"]: cell for cell in content["cells"] if cell["id"].startswith(GAP)}
    for label in sorted(gaps.keys() ^ answers.keys()):
        what = "this gap has no solution" if label in gaps else "the lab has no such gap"
        raise Problem(FOLDER / f"{label}.py", what, "One file a gap, named after the label of its cell.")
    for label, cell in gaps.items():
        cell["source"] = answers[label].splitlines(keepends=True)
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
