"""Whether a rendered page says what was approved, as the tests ask it."""

from __future__ import annotations

from pathlib import Path

import own_data
import pytest
from proof import approvals, approved_text, asked_words
from proof.approvals import Compared, Difference

from figures.kit import project
from figures.kit.errors import Problem
from figures.kit.files import shown


def check(document: Path, root: Path) -> None:
    """A Problem with every difference, where a page doesn't say what was approved.

    What differs because of data or settings of this checkout's own waits for its author's approval: where there is nothing else,
    the test is skipped.
    """
    both = approvals.compared(document, root)
    found = both.differences()
    fresh = [one for one in found if own(both, one)]
    name = shown(approved_text.file_of(document, root), root)
    if left := [one for one in found if one not in fresh]:
        told = "\n".join(map(both.told, left))
        raise Problem(f"{both.document}: {len(left)} places say other words than {name}", f"\n{told}", approvals.REMEDY)
    if fresh:
        told = own_data.in_words({name for one in fresh for name in own(both, one)})
        pytest.skip(f"{both.document}: {len(fresh)} places to approve, by data or settings of this checkout's own ({told}): `make approve`")
    written, now = approved_text.text_of(both.document, both.approved), approved_text.text_of(both.document, both.said)
    if written != now:
        raise Problem(both.document, "its slides stand in another order than when they were approved", approvals.REMEDY)


def check_asked(root: Path) -> None:
    """The same of the texts that no page shows until somebody asks, by the files that are this checkout's own."""
    both = asked_words.compared(root)
    mine = {name.partition(":")[0] for name in own_data.DIFFERING}
    found = both.differences() if both.approved else []
    if left := [one for one in found if one.slide.removeprefix("data/") not in mine]:
        told = "\n".join(map(both.told, left))
        raise Problem(asked_words.FILE, f"{len(left)} texts are other than was approved\n{told}", approvals.REMEDY)
    if found:
        pytest.skip(f"{len(found)} texts to approve, of this checkout's own: `make approve`")


def own(both: Compared, one: Difference) -> list[str]:
    """What of this checkout's own a difference comes from: data that its calls read, or a setting whose value it shows."""
    settings = [str(value) for value in project.variables(both.root).values() if value]
    named = all(any(value in line.said for value in settings) for line in one.after) and one.after
    return own_data.own({*both.reads(one), *([project.VARIABLES] if named else [])})
