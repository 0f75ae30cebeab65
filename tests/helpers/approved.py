"""Whether a rendered page says what was approved, as the tests ask it."""

from __future__ import annotations

from pathlib import Path

from proof import approvals, approved_text

from figures.kit.errors import Problem
from figures.kit.files import shown


def check(document: Path, root: Path) -> None:
    """A Problem with every difference, where a page doesn't say what was approved."""
    both = approvals.compared(document, root)
    if found := both.differences():
        told = "\n".join(map(both.told, found))
        name = shown(approved_text.file_of(document, root), root)
        raise Problem(f"{both.document}: {len(found)} places say other words than {name}", f"\n{told}", approvals.REMEDY)
    written, now = approved_text.text_of(both.document, both.approved), approved_text.text_of(both.document, both.said)
    if written != now:
        raise Problem(both.document, "its slides stand in another order than when they were approved", approvals.REMEDY)
