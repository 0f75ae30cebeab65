"""Finds every numeral that somebody typed: it must come from the ledger, or be declared in data/declared.yml with a reason.

The sources are read, where a numeral has a line and a column, and the rendered pages, where it must stand under a mark of
the ledger. Writes nothing.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from base import atomic_write

from figures.kit import data, language, project, qmd
from figures.kit import files as kit_files
from figures.kit.entry import Claim, Entry, Ledger
from figures.kit.errors import Faults, Problem
from figures.kit.files import read_text
from figures.kit.files import shown as shown_path
from figures.kit.json_values import json_text
from proof import freeze, ledger_file, made_of, paper_numbers
from proof.excuses import DECLARED, OF_THE_KIT, Declared, declarations, drafts, stale, strays, without
from proof.fault import Stray
from proof.number_flow import KIT
from proof.numerals import parts_of
from proof.page_numbers import unexplained
from proof.source_numbers import typed
from proof.text_piece import Text

UNDERIVED = "underived"
REMEDY = "Compute the number with a function of figures/ (README, “How to add a number”), or declare it in data/declared.yml with a reason"


def audit(root: Path, pages: Iterable[Path], alone: bool = False, read: Sequence[Text] = ()) -> list[Stray]:
    """Everything that is wrong with the sources under `root` and with these pages, whose ledgers stand beside them.

    Where the pages are looked at `alone`, what is not their business is left out. `read` are the sources, if they were read.
    """
    rendered = {page: (ledger_file.read(page.with_suffix(".ledger.json")), sources(root, page)) for page in pages}
    shown: defaultdict[tuple[str, str], list[Entry]] = defaultdict(list)
    for ledger, files in rendered.values():
        for file, entry in itertools.product(files, ledger.entries):
            shown[file, entry.slide.id].append(entry)
    texts, declared = list(read) or typed(root), [*declarations(), *declarations(OF_THE_KIT)]
    if alone:
        ours = frozenset[str]().union(*(own(root, page) for page in rendered))
        texts, declared = [text for text in texts if text.file in ours], [one for one in declared if one.file in ours]
    for one in declared:
        for ledger, _ in rendered.values():
            if one.file.startswith("data/words/"):
                shown[one.file, one.place] += beside(one, ledger.entries)
    faults = [*strays(texts, declared, shown), *unborne(rendered), *underived(rendered)]
    course = project.variables(root)
    for page, (ledger, files) in rendered.items():
        by_slide: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            if text.file in files:
                brought = " ".join(str(course.get(name, "")) for name in text.variables)
                with language.speaking(text.language):
                    by_slide[text.place].update(parts_of(f"{text.text} {brought}"))
        html = read_text(page)
        with language.speaking(language.of_page(html)):
            faults += unexplained(shown_path(page, root), html, ledger.entries, by_slide)
    return faults


class Underived(data.Record):
    """A function that reads no data and draws on no seed, and shows a result all the same; the reason says what it counts."""

    function: str
    reason: str


def underived(rendered: Mapping[Path, tuple[Ledger, frozenset[str]]]) -> list[Stray]:
    """What these pages show as computed though nothing of data/ was read for it; the kit itself counts what documents hold."""
    is_there = (kit_files.folder() / f"{UNDERIVED}.yml").is_file()
    known = {one.function for one in data.load(UNDERIVED, tuple[Underived, ...])} if is_there else set()
    faults: dict[str, Stray] = {}
    for ledger, _ in rendered.values():
        for one in ledger.entries:
            from_data = one.seeds or any(not name.startswith("words/") for name in one.data)
            is_ours = one.kind == "computed" and not isinstance(one, Claim) and not one.file.startswith(KIT)
            if is_ours and not from_data and one.function not in known:
                what = f"{one.call} shows “{one.text[:60]}”, and has read no data and drawn on no seed; if it counts what code"
                faults[one.function] = Stray(one.file, one.line, 1, one.text, f"{what} or words hold, say so in data/{UNDERIVED}.yml")
    return list(faults.values())


def unborne(rendered: Mapping[Path, tuple[Ledger, frozenset[str]]]) -> list[Stray]:
    """The sentences of these pages that their numbers don't bear out: a page is made so for `make diff` alone."""
    return [
        Stray(page.name, entry.line, 1, entry.text, f"slide {entry.slide.id}: “{entry.text}” does not hold ({entry.call})")
        for page, (ledger, _) in rendered.items()
        for entry in ledger.entries
        if isinstance(entry, Claim) and not entry.holds
    ]


def beside(one: Declared, entries: Sequence[Entry]) -> list[Entry]:
    """What stands on the slides that show a declared text of data/words/."""
    name = one.file.removeprefix("data/")
    slides = {entry.slide.id for entry in entries if name in entry.data and one.text in f"{entry.text} {json_text(entry.value)}"}
    return [entry for entry in entries if entry.slide.id in slides]


def own(root: Path, page: Path) -> frozenset[str]:
    """The files that are a page's business: its sources, the modules that its cells reach, and the data that they read."""
    modules = {shown_path(module, root) for document in documents(root, page) for module in freeze.reached(document, root)}
    data = {f"data/{name}" for entry in ledger_file.read(page.with_suffix(".ledger.json")).entries for name in entry.data}
    return sources(root, page) | modules | data


def documents(root: Path, page: Path) -> list[Path]:
    """The document that a page is made of; none where `_quarto.yml` knows it no more."""
    return [document for document in project.documents(root) if project.page(document, root) == page]


def sources(root: Path, page: Path) -> frozenset[str]:
    """The sources of a page, its includes too."""
    return frozenset(line.place.file for document in documents(root, page) for line in qmd.read(document, root))


def pages(root: Path, name: str = "") -> list[Path]:
    """The pages of the project that have been rendered, or the one of this name; a Problem if none has."""
    documents = [project.named(name, root)] if name else project.documents(root)
    listed = [project.page(document, root) for document in documents]
    made = [page for page in listed if page.with_suffix(".ledger.json").is_file()]
    if not made:
        raise Problem(name or root, "no page has been rendered", f"Run `make deck{f' NAME={name}' if name else ''}` first")
    return made


def drop_stale(root: Path) -> str:
    """Take the declarations out of data/declared.yml whose text stands nowhere any more; says which."""
    gone = stale(typed(root), declarations())
    if gone:
        file = root / "data" / f"{DECLARED}.yml"
        lines = read_text(file).split("\n")
        atomic_write.write(file, "\n".join(without(lines, gone)))
        data.forget()
    which = [f"  “{one.text}” ({one.file}, {one.place})" for one in gone]
    return "\n".join([f"data/{DECLARED}.yml: {len(gone)} declarations taken out", *which])


def declare(root: Path) -> str:
    """Add a line to data/declared.yml for each numeral of the sources that nothing explains, without a reason; says how many."""
    lines = drafts(typed(root), [*declarations(), *declarations(OF_THE_KIT)])
    file = root / "data" / f"{DECLARED}.yml"
    if lines:
        before = read_text(file).rstrip("\n") if file.is_file() else ""
        atomic_write.write(file, "\n".join([before, "", *lines, ""]).lstrip("\n"))
        data.forget()
    rest = ", each without its reason: compute what is a result, and write why the rest is none" if lines else ""
    return f"data/{DECLARED}.yml: {len(lines)} lines added{rest}"


def told_of_stale(gone: Sequence[Declared]) -> str:
    """All stale declarations in one message, with what to do; empty where there are none."""
    if not gone:
        return ""
    lines = ", ".join(str(data.line_of(one)) for one in gone)
    what = f"{len(gone)} declarations match nothing any more (data/{DECLARED}.yml, lines {lines})"
    return f"{what}. Delete those lines, or: python build audit --drop-stale"


Papers = Mapping[Path, Mapping[Path, str]]  # of each page, the files that it became on paper or as a notebook, with their kinds


def run(root: Path, name: str = "", papers: Papers | None = None) -> str:
    """What `make audit` does, for all pages or the one of this name; raises Faults unless all is accounted for.

    A page that isn't made of the sources as they are proves nothing of them: it is refused, by name, once the others have been read.
    """
    rendered = pages(root, name)
    refused = {page: list(refusals(root, page)) for page in rendered}
    made = [page for page in rendered if not refused[page]]
    there, lacking = built(made, papers or {})
    texts = typed(root)
    if faults := [*audit(root, made, bool(name), texts), *on_paper(root, there, {text.place for text in texts})]:
        raise Faults("audit", faults, REMEDY)
    if told := [f"{page.stem} {fault}" for page, all_of_it in refused.items() for fault in all_of_it]:
        remedy = "Render again: `make all`, `make deck NAME=…`; or ask for one that is up to date: `make audit NAME=…`"
        raise Problem("audit", f"pages that prove nothing: {'; '.join(told)}", remedy)
    gone = told_of_stale(stale(texts, declarations()))
    names = [*(page.stem for page in made), *(file.name for files in there.values() for file in files)]
    report = f"Audit: every numeral of {', '.join(names)} is in the ledger or declared"
    unread = f"not built, and not read: {', '.join(lacking)}"
    return ". ".join([report, *[unread] * bool(lacking), *[gone] * bool(gone)])


def built(made: Sequence[Path], papers: Papers) -> tuple[Papers, list[str]]:
    """Which of the files that pages become are there, and the names of those that are not."""
    wanted = {page: papers.get(page, {}) for page in made}
    there = {page: {file: kind for file, kind in files.items() if file.is_file()} for page, files in wanted.items()}
    return there, [file.name for files in wanted.values() for file in files if not file.is_file()]


def on_paper(root: Path, papers: Papers, places: Collection[str]) -> list[Stray]:
    """The numerals of PDFs and notebooks that their pages don't show there."""
    faults: list[Stray] = []
    for page, files in papers.items():
        if files:
            html = read_text(page)
            with language.speaking(language.of_page(html)):
                shown = paper_numbers.Shown(html, ledger_file.read(page.with_suffix(".ledger.json")).entries, places)
                for file, kind in files.items():
                    faults += paper_numbers.of_file(shown_path(file, root), file.read_bytes(), kind, shown)
    return faults


def refusals(root: Path, page: Path) -> Iterator[str]:
    """Why a page proves nothing: what it was made of has changed since, or the ledger beside it isn't its own."""
    ledger_file.read(page.with_suffix(".ledger.json"))  # a broken one is told as such
    yield from made_of.faults(page, root)
    if ledger_file.ledger(read_text(page), page) != read_text(page.with_suffix(".ledger.json")):
        yield "has a ledger beside it that isn't its own"
