"""Whether a page that somebody holds says what its commit computes: each number again from its origin, then a verdict on each.

The page may have been downloaded, mailed or changed by hand; its ledger may stand alone. What is computed is computed by the
commit that the page names, in a folder of its own. What a page says between its numbers is compared with the commit's own page;
of a PDF each numeral has to be one that this page shows on that slide.
"""

from __future__ import annotations

import html as entities
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from base.html_tree import parse
from base.slides import titles as slide_titles

from figures.kit import language, project
from figures.kit.entry import Entry, Formula, Ledger, Number, Table, Word
from figures.kit.errors import Faults, Problem
from figures.kit.files import read_text
from figures.kit.ledger import parsed
from figures.kit.words import Words
from proof import builds, ledger_file, made_of, page_text, paper_numbers, pdf_text
from proof.numerals import numerals

NAMED = re.compile(r'<meta name="commit" content="([0-9a-f]{7,40})">')
MEASURED = ("measured", "recorded")
RUNS = "the commit's page has no such one: it may change what the page shows, or a package had another version then"
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
    if page.suffix == ".pdf":
        return _of_paper(page, commit, root, progress)
    held, text = opened(page)
    named = NAMED.search(text)
    name = made_of.page_of(text) or held.page
    wanted, again, html = _again(page, name, commit or (named[1] if named else ""), root, progress)
    verdicts = [*judged(held.entries, again.entries, said(text, held.entries)), *lacking(held.entries, again.entries)]
    verdicts += _prose(text, html, held, again) if text else ()
    return _summed(page, name, wanted, verdicts)


def _again(page: Path, name: str, wanted: str, root: Path, progress: Callable[[str], None]) -> tuple[str, Ledger, str]:
    """The commit, and the ledger and the page that it makes now."""
    if not wanted:
        raise Problem(page, "it does not name the commit that it was made of", "Name it: COMMIT=…; `make site` writes it into each page")
    if not builds.known(wanted, root):
        remedy = "If it is a page of another one, ask there. Else `git fetch --all` brings the commit; COMMIT=… names another"
        raise Problem(page, f"this repository has not the commit {wanted}, of which it says to be", remedy)
    made = builds.whole(wanted, root, progress, Path(name).stem).get(name)
    if made is None:
        raise Problem(page, f"the commit {wanted} makes no {name}", "Is it a page of this repository? Name another: COMMIT=…")
    return wanted, *made


def _summed(page: Path, name: str, wanted: str, verdicts: Sequence[Verdict]) -> str:
    if wrong := [verdict for verdict in verdicts if verdict.kind == DIFFERS]:
        right = [verdict for verdict in verdicts if verdict.kind != DIFFERS]
        what = f"{len(wrong)} of {len(verdicts)} verdicts, the last above, are not what the commit {wanted} makes: ask who made the page"
        raise Faults(page, [*right, *wrong], what)
    counts = ", ".join(f"{sum(one.kind == kind for one in verdicts)} {kind}" for kind in (SAME, ELSEWHERE))
    return "\n".join([*map(str, verdicts), f"{name} at {wanted}: {counts}"])


def _prose(text: str, html: str, held: Ledger, again: Ledger) -> Iterator[Verdict]:
    """A verdict on each paragraph that isn't the commit's own, prose and formulas between the numbers included."""
    numbers = {entry.slide.id: entry.slide.number for entry in again.entries}
    notes = any(parse(text).all("aside", "notes"))
    measured = [{entry.n for entry in ledger.entries if entry.kind in MEASURED} for ledger in (held, again)]
    pages = list(zip((text, html), measured))
    for reader in (page_text.paragraphs, page_text.parts):
        for slide, here, there in page_text.differences(*(reader(page, numbers_of, notes) for page, numbers_of in pages)):
            why = f"the commit says “{there}”" if there else "the commit says no such thing"
            yield Verdict(DIFFERS, numbers.get(slide, 0), f"#{slide}", f"“{here}”" if here else "(nothing)", why)
    if page_text.generator(text) == page_text.generator(html):
        own = page_text.running(html)
        for one in page_text.running(text):
            if one not in own:
                yield Verdict(DIFFERS, 0, "the page", one.text, RUNS)


def _of_paper(page: Path, commit: str, root: Path, progress: Callable[[str], None]) -> str:
    """The same of a PDF: each of its numerals is one that the page shows on that slide, or one of its list, and no oftener."""
    named, texts = pdf_text.read(page)
    stem = next((one.stem for one in project.documents(root) if page.name.startswith(f"{one.stem}-")), "")
    if not stem:
        raise Problem(page, "it is not named after a document of this repository", "Give it the name that it was published under")
    name = f"{stem}.html"
    wanted, again, html = _again(page, name, commit or named, root, progress)
    with language.speaking(language.of_page(html)):
        kinds = {"slides": paper_numbers.SLIDES, Words("handout")("numbers"): paper_numbers.NUMBERS}
        shown = paper_numbers.Shown(html, again.entries, set(slide_titles(parse(html))))
        kind = kinds.get(page.stem.removeprefix(f"{stem}-"), paper_numbers.HANDOUT)
        strays = paper_numbers.of_texts(page.name, texts, kind, shown)
        counts = [len(list(numerals(text))) for text in texts]
    verdicts = [Verdict(SAME, sheet, "PDF", f"{count} numerals read") for sheet, count in enumerate(counts, 1)]
    measured = {f"({one.slide.id})" for one in again.entries if one.kind in MEASURED}
    for stray in strays:
        if kind == paper_numbers.NUMBERS and measured or any(slide in stray.what for slide in measured):
            verdicts.append(Verdict(ELSEWHERE, stray.line, "PDF", stray.what, "what was measured stands there"))
        else:
            verdicts.append(Verdict(DIFFERS, stray.line, "PDF", stray.what, f"the page of {wanted} has no such number there"))
    return _summed(page, name, wanted, verdicts)


def opened(page: Path) -> tuple[Ledger, str]:
    """The ledger of a page, or the one in a file, with the page's text, which is empty for a ledger alone."""
    if page.suffix == ".json":
        return ledger_file.read(page), ""
    if page.suffix != ".html":
        raise Problem(page, "it is neither a page nor a ledger nor a PDF", "Name a .html, a .ledger.json or a .pdf: PAGE=…")
    text = read_text(page)
    ledger = ledger_file.ledger(text, page)
    if ledger is None:
        raise Problem(page, "it keeps no whole ledger", "Name a page of this kit, downloaded whole")
    return parsed(ledger, page.name, Ledger), text


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
        elif entry.kind in MEASURED:
            yield Verdict(ELSEWHERE, *place, entry.note)
        elif computed[entry.id]:
            yield Verdict(DIFFERS, *place, f"computed again: {computed[entry.id][0].value!r}, shown as “{computed[entry.id][0].text[:60]}”")
        else:
            yield Verdict(DIFFERS, *place, "that commit shows no such thing")


def lacking(held: Sequence[Entry], again: Sequence[Entry]) -> Iterator[Verdict]:
    """A verdict on each entry of the commit that a ledger has not, or has oftener; a students' one may lack those of notes."""
    there = Counter(entry.id for entry in held)
    least, most = (Counter(entry.id for entry in again if whole or not entry.notes) for whole in (False, True))
    for id, count in (least - there).items():
        entry = next(one for one in again if one.id == id)
        yield Verdict(DIFFERS, entry.slide.number, id, " ".join(entry.text.split())[:60], f"the ledger lacks {count} of it")
    for id, count in (there - most).items():
        if most[id]:
            yield Verdict(DIFFERS, 0, id, "", f"the ledger has {count} of it too many")


def _wanted(entry: Entry, mark: str) -> str | None:
    """What should stand under a mark, None where it isn't plain text."""
    cell = _MARK.fullmatch(mark)
    if cell and isinstance(entry, Table):
        text = entry.value.texts[int(cell[2]) - 1][int(cell[3]) - 1]
    elif not cell and isinstance(entry, (Number, Word, Formula)):
        text = entry.text
    else:
        return None
    return None if "$" in text or "<" in text or "`" in text else " ".join(entities.unescape(text).split())
