"""The embedded engine from source to output, and the hooks that it shares with Quarto.

The hooks that `_quarto.yml` declares call the same functions here as `render` does, so that neither engine skips a step.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from base import atomic_write, fit, pack
from base.progress import Progress
from proof import made_of, output_check, prose_language
from proof.made_of import Digests
from proof.output_check import Shown

from engine import beforehand, handout, latex, notebook, office, refusal, revealjs, tex, webpage
from engine import papers as engine_papers
from engine.document import Document, executed, opened
from engine.settings import Settings, formats, rendered
from engine.surroundings import environment
from figures.kit import files, language, ledger, profile, project
from figures.kit.errors import Problem
from figures.kit.files import shown
from figures.kit.shown import listed

RECORDS = Path(".cache", "shown")
WRITERS = {"pdf": "latex"}  # pandoc's name of a format, where Quarto's is another
PAPER = ("typst", "pdf", "docx")
FINISHED = (".html", ".ipynb", ".pdf")
PASSES = ("build/page/", "build/proof/", "data/words/", "slides/theme/", "slides/sim/")  # what finishing a page depends on besides
FORMATS = {"revealjs": revealjs, "html": webpage, "ipynb": notebook, "typst": handout, "pdf": latex, "docx": office}


class Plan(NamedTuple):
    """An output to make: its format with the settings, its file, and what paper holds beside the slides."""

    format: str
    settings: Settings
    file: Path
    edition: Mapping[str, bool] = {}


def render(path: Path, wanted: Sequence[str], progress: Progress, teaching: bool = False, papers: bool = False) -> list[Path]:
    """One document in the formats wanted, its first if none: the project's hooks around the cells, which run once.

    For `teaching`, paper goes to `_teaching/` with the notes; with `papers`, a handout comes with the others of its deck.
    """
    document = opened(path)
    names = list(wanted) or formats(document.layers)[:1] or ["none"]
    accept(document, names, progress)
    plans = [Plan(name, _settings(document, name), output(document, name)) for name in names]
    if teaching:
        plans = [_for_who_teaches(plan, document) for plan in plans]
    if papers and engine_papers.FORMAT in names:
        plans += _others(document)
    return _made(document, plans, progress)


def others(path: Path, progress: Progress) -> list[Path]:
    """What is made of a deck on paper beside the students' handout, which Quarto may have made."""
    document = opened(path)
    return _made(document, list(_others(document)), progress)


def _others(document: Document) -> Iterator[Plan]:
    handout = output(document, engine_papers.FORMAT)
    for paper in engine_papers.of(document, handout):
        if paper.file != handout:
            yield Plan(engine_papers.FORMAT, _settings(document, engine_papers.FORMAT), paper.file, paper.edition)


def _settings(document: Document, name: str) -> Settings:
    return document.settings(tex.maker(name), FORMATS[tex.maker(name)].OPTIONS)


def _for_who_teaches(plan: Plan, document: Document) -> Plan:
    """The same with the notes, out of the way of what is published; a Problem for what is no paper."""
    if plan.format not in PAPER:
        remedy = f"Leave --teaching out, or ask for paper: {', '.join(PAPER)}"
        raise Problem(document.place.file, f"`{plan.format}` has one edition", remedy)
    return plan._replace(file=project.teaching(plan.file, document.root), edition={"notes": True})


def _made(document: Document, plans: Sequence[Plan], progress: Progress) -> list[Path]:
    """These outputs in place, the cells run once."""
    if active := project.profiles(document.root):
        os.environ[profile.VARIABLE] = ",".join(active)  # as Quarto does, for cells and conditions
    refusal.refuse_metadata_of_folders(document)
    for plan in plans:
        atomic_write.clean(plan.file)
    if plans and plans[0].settings.get("project.pre-render"):
        beforehand.ready(document.root, progress, [document], [tex.maker(plan.format) for plan in plans])
    for page in pages(document, plans, progress):
        _put(page, progress)
    return [plan.file for plan in plans]


@dataclass(frozen=True)
class Page:
    """An output that is finished and not yet in place: its file, its content, what stands beside it, what its cells have shown."""

    document: Document
    file: Path
    content: str | bytes
    beside: Mapping[Path, str]
    said: Sequence[Shown]
    finished: bool  # whether the project's hooks finish such a file


def page(path: Path, name: str, progress: Progress) -> Page:
    """A document's page in one format, as `render` makes it: nothing is put in place, and no browser looks at it."""
    document = opened(path)
    accept(document, [name], progress)
    beforehand.ready(document.root, progress, [document], [name])
    (made,) = pages(document, [Plan(name, _settings(document, name), output(document, name))], progress)
    return made


def pages(document: Document, plans: Sequence[Plan], progress: Progress) -> Iterator[Page]:
    """A document as each of these plans has it; its cells run once for those that show code alike."""
    known = made_of.digests(document.root)
    wanted = list(dict.fromkeys(tex.maker(plan.format) for plan in plans))
    ready: dict[bool, tuple[Document, list[Shown]]] = {}
    for plan in plans:
        echo = bool(plan.settings.get("execute.echo", FORMATS[plan.format].ECHO))
        if echo not in ready:
            ledger.clear()
            made = executed(document, echo, progress, wanted, known)
            ready[echo] = made, [Shown(**entry) for entry in listed(ledger.entries())]
        place = environment(document.path, [plan.format], known, PASSES) if document.root == files.ROOT else ""
        with pack.opened(f"page {shown(plan.file, document.root)}", place):
            page = _page(*ready[echo], plan, known, progress)
        yield page


def accept(document: Document, asked: Sequence[str], progress: Progress) -> None:
    """A Problem for formats that can't be made, or would take each other's place; a word on one that another stands in for.

    With none asked for, the document's own are meant.
    """
    own, names = formats(document.layers[1:]), asked or rendered(document.layers)
    refusal.refuse(document, asked, list(FORMATS))
    refusal.refuse_one_file_for_two(document, _by_file(document, own), "Give one of them an `output-file`.")
    refusal.refuse_one_file_for_two(document, _by_file(document, names), "Ask for one of them, or give one an `output-file`.")
    if warning := prose_language.warning(document.path, document.root):
        progress.say(warning)
    for name in names:
        if tex.maker(name) != name:
            progress.say(f"{document.place.file} --to {name}: {tex.lacking()}, so it is made by {tex.maker(name)}.")


def _by_file(document: Document, names: Sequence[str]) -> Iterator[tuple[Path, str]]:
    return ((output(document, name), name) for name in dict.fromkeys(names) if name in FORMATS)


def everything(root: Path, progress: Progress) -> None:
    """Each document that the project lists under `render`, in all its formats and papers, its cells run once."""
    for document in project.documents(root):
        render(document, rendered(opened(document).layers), progress, papers=True)


def output(document: Document, name: str) -> Path:
    """The file that a format of the document's is written to, by either engine."""
    return document.output(document.settings(name, None), FORMATS[name].SUFFIX)


def record(document: Document, name: str) -> Path:
    """Where `slides/theme/paper/shown.lua` leaves what an output in this format has to hold."""
    return RECORDS / f"{document.path.stem}.{WRITERS.get(tex.maker(name), tex.maker(name))}.json"


def _page(ready: Document, said: list[Shown], plan: Plan, known: Digests, progress: Progress) -> Page:
    """The output, finished where it is one that the hooks finish."""
    name, settings, file, edition = plan
    progress(f"{file.name} · pandoc and {tex.maker(name)}")
    (ready.root / record(ready, name)).unlink(missing_ok=True)
    made = FORMATS[tex.maker(name)].render(replace(ready, edition=edition), settings)
    beside: dict[Path, str] = {}
    is_finished = isinstance(made, str) and file.suffix in FINISHED and bool(settings.get("project.post-render"))
    if isinstance(made, str) and is_finished:
        with language.speaking(language.of(ready.path)):
            made = finished(made, file, ready.path)
            made, beside = with_ledger(made, file)
            made = named(made, file, ready.path, ready.root, beside, known)
    recorded = output_check.recorded(ready.root / record(ready, name))
    return Page(ready, file, made, beside, said if recorded is None else recorded, is_finished)


def _put(page: Page, progress: Progress) -> None:
    """The output put in place whole, once it was looked at and read through."""
    if isinstance(page.content, str) and page.finished:
        fits(page.content, page.file, progress)
        for notice in notices(page.content, page.file):
            progress.say(notice)
    output_check.check(page.file, page.content.encode() if isinstance(page.content, str) else page.content, page.said)
    atomic_write.write_together({**page.beside, page.file: page.content})
    progress.done(shown(page.file, page.document.root))


def finished(text: str, page: Path, document: Path | None) -> str:
    """A page or a notebook with all done that Quarto leaves to be done, whichever engine made it of the document."""
    if page.suffix == ".ipynb":
        from page import student_notebook

        return student_notebook.finished(text, project.repository())
    from page.finish import finish

    return finish(text, page, document)


def fits(text: str, page: Path, progress: Progress) -> None:
    """A Problem for a finished deck that cuts what stands on a slide."""
    if page.suffix != ".html":
        return
    from page.theme_css import DECK

    if DECK.search(text):
        fit.check(made_of.IN_PAGE.sub("", ledger.IN_PAGE.sub("", text)), page.name, progress)


def notices(text: str, page: Path) -> list[str]:
    """What whoever made a finished page should hear: the figures that offer no values."""
    if page.suffix != ".html":
        return []
    from page.checks import without_values

    return [f"{page.name}, {notice}" for notice in without_values(text)]


def after(page: Path, document: Path | None, root: Path, progress: Progress) -> list[str]:
    """Finishes a page, a notebook or a PDF that Quarto made of a document, and puts it in place whole; gives its notices."""
    if page.suffix == ".pdf":
        pdf = page.read_bytes()
        if handout.plain_tags(pdf) != pdf:
            atomic_write.write(page, handout.plain_tags(pdf))
        return []
    text = page.read_text(encoding="utf-8")
    made = finished(text, page, document)
    fits(made, page, progress)
    made, contents = with_ledger(made, page)
    if document:
        made = named(made, page, document, root, contents, made_of.started(root))
    contents |= {page: made} if made != text else {}
    if contents:
        atomic_write.write_together(contents)
    return notices(made, page)


def named(html: str, page: Path, document: Path, root: Path, beside: Mapping[Path, str], known: Digests) -> str:
    """A page that keeps a ledger, with what it was made of; any other as it is."""
    ledger_file = page.with_suffix(".ledger.json")
    if ledger_file not in beside:
        return html
    noted = os.environ.get("CLAIMS") == "note"
    return made_of.named(html, document, root, beside[ledger_file], known, noted)


def with_ledger(html: str, page: Path) -> tuple[str, dict[Path, str]]:
    """A page that keeps a ledger with its entries named, and what stands beside it: `PAGE.ledger.json`, and the schema of them all.

    Any other page as it is, with nothing beside it.
    """
    if page.suffix != ".html":
        return html, {}
    from proof import ledger_file

    html, text = ledger_file.named(html, page)
    if text is None:
        return html, {}
    return html, {page.with_suffix(".ledger.json"): text, page.with_name(ledger_file.SCHEMA): ledger_file.schema_text()}
