"""What changed between two builds, read from their ledgers: numbers, tables, figures by their data, claims, sources of facts.

A build is named by a ledger file, by a folder of them, by `.` (the checkout as it stands, edits included) or by a git ref.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from figures.kit import project
from figures.kit.errors import Problem
from proof.builds import ledgers
from proof.differences import SECTIONS, Change, compare


def run(first: str, second: str, markdown: bool, root: Path, progress: Callable[[str], None], document: str = "") -> str:
    """The report on two builds, or on one document in both, as text or as Markdown."""
    old, new = (ledgers(name, root, progress, document) for name in (first, second))
    if document:
        pages = [page for page in old | new if Path(page).stem == document]
    else:
        pages = [page for page in old | new if len(old) > 1 and len(new) > 1 or page in old and page in new]
    if document and not pages:
        project.named(document, root)
    if not pages:
        raise Problem("diff", f"{first} has {', '.join(old)}, {second} has {', '.join(new)}: no page in common", "Compare the same page")
    both = {page: [build[page].entries if page in build else [] for build in (old, new)] for page in pages}
    changes = {page: list(compare(*entries)) for page, entries in both.items()}
    return (as_markdown if markdown else as_text)(changes, first, second)


def as_text(changed: dict[str, list[Change]], first: str, second: str) -> str:
    lines = [f"From {first} to {second}:"]
    for page, changes in changed.items():
        lines += [f"\n{page}: {_counted(changes)}"]
        for title, rows in _by_section(changes):
            lines += [f"\n  {title}", *(f"    slide {row.slide}  {row.what}  {row.old} → {row.new}" for row in rows)]
    return "\n".join(lines) + "\n"


def as_markdown(changed: dict[str, list[Change]], first: str, second: str) -> str:
    lines = [f"## What changed from `{first}` to `{second}`"]
    for page, changes in changed.items():
        lines += ["", f"### {page}: {_counted(changes)}"]
        for title, rows in _by_section(changes):
            lines += ["", f"**{title}**", "", "| slide | what | before | after |", "| --- | --- | --- | --- |"]
            lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row[1:])} |" for row in rows]
    return "\n".join(lines) + "\n"


def _by_section(changes: list[Change]) -> Iterator[tuple[str, list[Change]]]:
    """The title of each section that has changes, with them."""
    for section, title in SECTIONS.items():
        if rows := [change for change in changes if change.section == section]:
            yield title, rows


def _counted(changes: list[Change]) -> str:
    return f"{len(changes)} change{'s' if len(changes) != 1 else ''}" if changes else "nothing changed"
