"""The numbers that the source deck and chapter publish; only tests read them.

`published("deck", 14, "scaled")` gives one entry of published.yml. Each test names the entries that it holds, as
constants, and test_published.py sees that no entry is without a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from figures.kit import strict_yaml

FILE = Path(__file__).with_name("published.yml")


@cache
def entries() -> Any:
    return strict_yaml.parse(FILE.read_text(encoding="utf-8"), "tests/helpers/published.yml")


def published(*path: str | int) -> Any:
    """The entry at `path`; where it is a mapping with its own status, the value under `shown`."""
    here = entries()
    for step in path:
        here = here[step]
    return here["shown"] if isinstance(here, dict) and "shown" in here else here


REMARKS = {"status", "why", "in_notes"}


def leaves(here: Any = None, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every published value: a mapping is walked, anything else is one value; remarks are none."""
    here = entries() if here is None else here
    if not isinstance(here, dict) or "shown" in here:
        yield path
        return
    for key, value in here.items():
        if key == "in_notes" and isinstance(value, dict) or key not in REMARKS:
            yield from leaves(value, (*path, key))


def same_text(shown: object, expected: object) -> bool:
    """Equal as a reader sees them: the kind of space, the dot that groups thousands and the minus sign aside."""
    return plain(str(shown)) == plain(str(expected))


def plain(text: str) -> str:
    """A text with one kind of space, minus and ×, and no dot between thousands."""
    for odd, even in (("\u00a0", " "), ("\u202f", " "), ("−", "-"), (" × ", "×")):
        text = text.replace(odd, even)
    return re.sub(r"(?<=\d)[. ](?=\d{3}\b)", "", text)
