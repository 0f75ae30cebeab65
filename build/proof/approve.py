"""`make approve`: shows each place where a page says other words than were approved, asks, and keeps what is taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from base import atomic_write

from figures.kit import project
from figures.kit.errors import Problem
from figures.kit.files import shown
from proof import approvals, approved_text, asked_words, data_digests, made_of
from proof.approvals import Compared, Difference

QUESTION = "Approve? [y]es, [n]o, [a]ll that follow, [q]uit: "
Ask = Callable[[str], str]


def run(root: Path, name: str, everything: bool, ask: Ask | None) -> str:
    """What was approved of the project's documents, or of the one of this name; `ask` is None where nobody can answer.

    A Problem where something is left that nobody approved.
    """
    documents = [project.named(name, root)] if name else project.documents(root)
    said, left = [], []
    for document in documents:
        refuse(document, root)
    for file, both in _compared(documents, root, whole=not name):
        found = both.differences()
        accepted = found if everything else _asked(both, found, ask)
        if accepted or not found:
            approved_text.write(file, both.document, both.taken(accepted))
        said.append(f"{shown(file, root)}: {len(accepted)} of {len(found)} places approved" if found else f"{shown(file, root)} holds")
        left += [both.told(one) for one in found if one not in accepted]
    if left:
        raise Problem(
            "approve", f"{len(left)} {'places are' if len(left) > 1 else 'place is'} not approved", "\n".join([*left, approvals.REMEDY])
        )
    if not name:
        _keep_digests(root)
    return "\n".join(said)


def _compared(documents: list[Path], root: Path, whole: bool) -> Iterator[tuple[Path, Compared]]:
    """Each page beside what was approved of it, with its file; once all are, the texts that none of them shows."""
    for document in documents:
        yield approved_text.file_of(document, root), approvals.compared(document, root)
    if whole:
        yield root / asked_words.FILE, asked_words.compared(root)


def refuse(document: Path, root: Path) -> None:
    """A Problem for a page that isn't made of the sources as they are: nobody should approve what the next render won't say."""
    page = project.page(document, root)
    for fault in made_of.faults(page, root) if page.is_file() else ("has not been rendered",):
        raise Problem(shown(page, root), f"this page {fault}", "Render it, then approve: `make all`, or `make deck NAME=…`")


def _asked(both: Compared, found: list[Difference], ask: Ask | None) -> list[Difference]:
    """What whoever is asked takes of a document's differences."""
    accepted: list[Difference] = []
    for n, one in enumerate(found if ask else ()):
        answer = ask(f"\n{both.told(one)}\n{QUESTION}").strip().lower() if ask else ""
        if answer.startswith("a"):
            return [*accepted, *found[n:]]
        if answer and "quit".startswith(answer):
            return accepted
        if answer.startswith("y"):
            accepted.append(one)
    return accepted


def _keep_digests(root: Path) -> None:
    """What data/ is like now that every word has been approved with it."""
    text = json.dumps(data_digests.current(root), indent=0, sort_keys=True, ensure_ascii=False)
    atomic_write.write(root / approvals.DATA, text + "\n")
