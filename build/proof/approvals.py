"""Whether a page says what was approved: each difference with the words before and after, what is called there, the data that changed.

A sentence is approved with the calls in it, so that one which shows the same words by another function differs too, and with its
claims, so that no check outlives the sentence that it was written for. Reads pages, ledgers and tests/approved; writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from figures.kit import project, readings
from figures.kit.entry import Entry, Figure, Ledger, Simulator, Table
from figures.kit.files import read_text, shown
from figures.kit.json_values import json_text
from proof import approved_text, data_digests, ledger_file, sentences
from proof.approved_text import Approved, Line

DATA = approved_text.FOLDER / "data.json"
REMEDY = "Read them. Where a sentence says what it should: `make approve` (ALL=1 takes all); else put the sentence or its call right"
LONGEST = 60  # characters of a value in a message
OF_A_WHOLE = ("table |", "alt |", "picture |", "code |")  # lines whose calls stand above them, or above their first


class Difference(NamedTuple):
    """Sentences of one slide that stand in the place of others: from `start` to `end` of what was approved there."""

    slide: str
    start: int
    end: int
    before: tuple[Line, ...]
    after: tuple[Line, ...]


class Compared(NamedTuple):
    """A document's page beside what was approved of it."""

    document: str
    approved: Approved
    said: Approved
    entries: tuple[Entry, ...]
    root: Path

    def differences(self) -> list[Difference]:
        """What differs, slide by slide in the page's order, what is gone last."""
        slides = dict.fromkeys([*self.said, *self.approved])
        return [one for slide in slides for one in _between(slide, self.approved.get(slide, []), self.said.get(slide, []))]

    def told(self, one: Difference) -> str:
        """A difference as a reviewer reads it."""
        calls = approved_text.calls_of([*one.before, *one.after])
        lines = [f"{self.document}, {one.slide}"]
        lines += [f"  - {line.said}" for line in one.before] + [f"  + {line.said}" for line in one.after]
        before, after = (" · ".join(line.calls for line in side if line.calls) for side in (one.before, one.after))
        if before != after:
            lines += [f"    {mark} calls {text}" for mark, text in (("-", before), ("+", after)) if text]
        lines += [f"    value  {call} = {value}" for call, value in self._values(calls)]
        if data := sorted({_top(name) for name in self.reads(one)} & changed(self.root)):
            lines.append(f"    other data  {readings.in_words(data)}")
        lines += [f"    claim  {what}" for what in _claims(one)]
        return "\n".join(lines)

    def _values(self, calls: list[str]) -> Iterator[tuple[str, str]]:
        """What the calls gave, each once; what a table or a picture holds stands in its words."""
        found = {entry.call: entry for entry in self.entries if not isinstance(entry, (Table, Figure, Simulator))}
        for call in calls:
            if call in found:
                text = json_text(found[call].value)
                yield call, text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

    def reads(self, one: Difference) -> set[str]:
        """What its calls read of data/, as the ledger notes it; of a table's row its table's, of a simulator's text all simulators'."""
        calls = {*approved_text.calls_of([*one.before, *one.after]), *self._above(one)}
        simulated = any(line.said.startswith("simulator |") for line in (*one.before, *one.after))
        entries = (entry for entry in self.entries if entry.call in calls or simulated and isinstance(entry, Simulator))
        return {name for entry in entries for name in [*entry.fields, *entry.data]}

    def _above(self, one: Difference) -> list[str]:
        """The calls of the table, the picture or the code whose later lines differ."""
        if not any(line.said.startswith(OF_A_WHOLE) for line in (*one.before, *one.after)):
            return []
        above = reversed(self.approved.get(one.slide, [])[: one.start])
        return approved_text.calls_of([line for line in above if line.calls][:1])

    def taken(self, accepted: list[Difference]) -> Approved:
        """What is approved once these differences are: all else stays as it was, slides in the page's order."""
        slides = dict.fromkeys([*self.said, *self.approved])
        made = {slide: list(self.approved.get(slide, [])) for slide in slides}
        for one in reversed(accepted):
            made[one.slide][one.start : one.end] = one.after
        return {slide: said for slide, said in made.items() if said}


def compared(document: Path, root: Path) -> Compared:
    """A document whose page has been rendered, beside what was approved of it."""
    page = project.page(document, root)
    ledger = ledger_file.read(page.with_suffix(".ledger.json"))
    approved = approved_text.read(approved_text.file_of(document, root), root)
    said = approved_text.lines(of_document(page, ledger))
    return Compared(shown(document, root), approved, said, tuple(ledger.entries), root)


def of_document(page: Path, ledger: Ledger) -> list[sentences.Sentence]:
    """All that is said by a page, and by the notebook beside it alone."""
    html, notebook = read_text(page), page.with_suffix(".ipynb")
    said = sentences.of_page(html, ledger)
    if notebook.is_file():
        said += sentences.of_notebook(read_text(notebook), sentences.of_page(html, ledger, masked=False))
    return said


def changed(root: Path) -> frozenset[str]:
    """The files and fields of data/ that are other than when the words were approved last."""
    file = root / DATA
    return data_digests.differing(root, dict(json.loads(read_text(file)))) if file.is_file() else frozenset()


def _between(slide: str, approved: list[Line], said: list[Line]) -> Iterator[Difference]:
    """What differs on one slide; as many sentences as stood there before are taken one by one."""
    for tag, start, end, first, last in SequenceMatcher(None, approved, said, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if end - start == last - first:
            for n in range(end - start):
                yield Difference(slide, start + n, start + n + 1, (approved[start + n],), (said[first + n],))
        else:
            yield Difference(slide, start, end, tuple(approved[start:end]), tuple(said[first:last]))


def _claims(one: Difference) -> Iterator[str]:
    """What became of the claims: whose sentence is gone, and which stand on words that nobody approved for them."""
    before = {claim: line.said for line in one.before for claim in line.claims}
    after = {claim: line.said for line in one.after for claim in line.claims}
    yield from (f"{claim} was approved for a sentence that is gone" for claim in before.keys() - after.keys())
    yield from (f"{claim} stands on words that it was not approved for" for claim in after if before.get(claim) != after[claim])


def _top(name: str) -> str:
    file, _, field = name.partition(":")
    return f"{file}:{field.partition('.')[0]}" if field else file
