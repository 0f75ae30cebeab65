"""Whether a page that somebody holds says what its commit computes: each number again from its origin, then a verdict on each.

The page may have been downloaded, mailed or changed by hand; its ledger may stand alone. What is computed is computed by the
commit that the page names, in a folder of its own. Does *not* look into PDFs.
"""

from __future__ import annotations

import html as entities
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from base.html_tree import parse

from figures.kit.entry import Entry, Ledger, Number, Table, Word
from figures.kit.errors import Faults, Problem
from figures.kit.files import read_text
from proof import builds, ledger_file

NAMED = re.compile(r'<meta name="commit" content="([0-9a-f]{7,40})">')
SAME, DIFFERS, ELSEWHERE = "same", "differs", "not computable here"
_MARK = re.compile(r"(\d+)-(\d+)-(\d+)")


class Verdict(NamedTuple):
    """What became of one entry: its slide, its call, the text that the ledger says was shown, and the reason where it isn't the same."""

    kind: str
    slide: int
    call: str
    text: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.kind:<{len(ELSEWHERE)}}  slide {self.slide}  {self.call}  {self.text}{f'  ({self.why})' if self.why else ''}"


def run(page: Path, commit: str, root: Path, progress: Callable[[str], None]) -> str:
    """A line for each number, and their sum; Faults that list what differs, a Problem for what can't be read."""
    held, text = opened(page)
    named = NAMED.search(text)
    wanted = commit or (named[1] if named else "")
    if not wanted:
        raise Problem(page, "it does not name the commit that it was made of", "Name it: COMMIT=…; `make site` writes it into each page")
    again = builds.ledgers(wanted, root, progress, Path(held.page).stem).get(held.page)
    if again is None:
        raise Problem(page, f"the commit {wanted} makes no {held.page}", "Is it a page of this repository? Name another: COMMIT=…")
    verdicts = list(judged(held.entries, again.entries, said(text, held.entries)))
    if wrong := [verdict for verdict in verdicts if verdict.kind == DIFFERS]:
        right = [verdict for verdict in verdicts if verdict.kind != DIFFERS]
        raise Faults(
            page,
            [*right, *wrong],
            f"{len(wrong)} of {len(verdicts)} entries, the last above, are not what the commit {wanted} computes: ask who made the page",
        )
    counts = ", ".join(f"{sum(one.kind == kind for one in verdicts)} {kind}" for kind in (SAME, ELSEWHERE))
    return "\n".join([*map(str, verdicts), f"{held.page} at {wanted}: {counts}"])


def opened(page: Path) -> tuple[Ledger, str]:
    """The ledger of a page, or the one in a file, with the page's text, which is empty for a ledger alone."""
    if page.suffix == ".json":
        return ledger_file.read(page), ""
    if page.suffix != ".html":
        raise Problem(page, "it is neither a page nor a ledger", "Name a .html or a .ledger.json: PAGE=…")
    text = read_text(page)
    ledger = ledger_file.ledger(text, page)
    if ledger is None:
        raise Problem(page, "it keeps no whole ledger", "Name a page of this kit, downloaded whole")
    return ledger_file.parsed(ledger, page.name, Ledger), text


def said(text: str, entries: Sequence[Entry]) -> dict[int, list[str]]:
    """What the page shows under each mark that isn't what the ledger says was shown there."""
    known = {entry.n: entry for entry in entries}
    other: defaultdict[int, list[str]] = defaultdict(list)
    for element in parse(text).all():
        mark = element.attributes.get("data-n", "")
        n = ledger_file.mark_of(element)
        wanted = _wanted(known[n], mark) if n in known else None
        if wanted is not None and element.text != wanted:
            other[n].append(element.text)
    return other


def judged(held: Sequence[Entry], again: Sequence[Entry], other: Mapping[int, Sequence[str]]) -> Iterator[Verdict]:
    """A verdict on each entry of a ledger, beside those that were computed again."""
    computed: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in again:
        computed[entry.id].append(entry)
    for entry in held:
        place = entry.slide.number, entry.id, " ".join(entry.text.split())[:60]
        if other.get(entry.n):
            yield Verdict(DIFFERS, *place, f"the page shows {', '.join(f'“{one}”' for one in other[entry.n])}")
        elif any((one.value, one.text) == (entry.value, entry.text) for one in computed[entry.id]):
            yield Verdict(SAME, *place)
        elif entry.kind in ("measured", "recorded"):
            yield Verdict(ELSEWHERE, *place, entry.note)
        elif computed[entry.id]:
            yield Verdict(DIFFERS, *place, f"computed again: {computed[entry.id][0].value!r}, shown as “{computed[entry.id][0].text[:60]}”")
        else:
            yield Verdict(DIFFERS, *place, "that commit shows no such thing")


def _wanted(entry: Entry, mark: str) -> str | None:
    """What should stand under a mark, None where it isn't plain text."""
    cell = _MARK.fullmatch(mark)
    if cell and isinstance(entry, Table):
        text = entry.value.texts[int(cell[2]) - 1][int(cell[3]) - 1]
    elif not cell and isinstance(entry, (Number, Word)):
        text = entry.text
    else:
        return None
    return None if "$" in text or "<" in text or "`" in text else " ".join(entities.unescape(text).split())
