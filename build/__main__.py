"""The command line of the build: `python build deck`, `chapter`, `handout`, `pdf`, `everything`, … Run as a folder, never imported."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(1, str(ROOT))
if sys.version_info < (3, 11):  # noqa: UP036 (this file runs under whatever `python` is)
    sys.exit(f"{sys.executable}: Python {sys.version.split()[0]} is too old\n  → Install Python 3.11 or newer, then run `make setup`.")

from base.failures import not_installed  # noqa: E402

try:
    from base import last_good
    from base.progress import Progress
    from engine import choice, embedded, papers, quarto_hooks
    from proof import freeze

    from figures.kit import language, project
    from figures.kit.errors import Problem
    from figures.kit.files import shown
except ModuleNotFoundError as missing:
    if not (lacking := not_installed(missing, ROOT)):
        raise
    sys.exit(str(lacking))
except Exception as error:  # a theme that can't be used is refused while it is imported
    from figures.kit.errors import Problem

    if not isinstance(error, Problem):
        raise
    sys.exit(str(error))


def main(arguments: list[str]) -> int:
    progress = Progress()
    try:
        options = _parser().parse_args(arguments)
        options.run(options, progress)
    except KeyboardInterrupt:
        progress.end()
        print("Stopped; the last good output is untouched.", file=sys.stderr)
        return 130
    except Exception as error:
        progress.end()
        error = not_installed(error, ROOT) or error
        if not isinstance(error, Problem):  # a fault of the engine's own, whose traceback helps
            raise
        print(error, file=sys.stderr)
        return 1
    return 0


def deck(options: argparse.Namespace, progress: Progress) -> None:
    """Render the deck with Quarto if a recent one is there, else with the embedded engine; ENGINE=… forces one."""
    _rendered(project.document("revealjs", name=options.name), "revealjs", progress)


def chapter(options: argparse.Namespace, progress: Progress) -> None:
    """Render the chapter, by the same choice of engine."""
    _rendered(project.document("html", without="ipynb", name=options.name), "html", progress)


def lab(options: argparse.Namespace, progress: Progress) -> None:
    """Render the lab, a notebook and a page to read, by the same choice of engine."""
    quarto, document = _engine(), project.document("ipynb", name=options.name)
    if quarto:
        choice.run_quarto(quarto, [str(document)], ROOT)
    else:
        embedded.render(document, ["html", "ipynb"], progress)


def solutions(options: argparse.Namespace, progress: Progress) -> None:
    """For who teaches: render the lab, and outside its folder the same notebook with its gaps filled. Don't publish it."""
    lab(options, progress)
    _solved(project.document("ipynb", name=options.name), progress)


def _solved(document: Path, progress: Progress) -> Path:
    """The rendered lab with its gaps filled, outside its folder."""
    from base import atomic_write
    from page import solutions as answers

    student = project.page(document).with_suffix(".ipynb")
    with language.speaking(language.of(document)):
        solved = answers.apart(student, ROOT)
        filled = answers.solved(student.read_text(encoding="utf-8"), answers.solutions(document))
        filled = answers.answered(filled, answers.open_answers(document))
    atomic_write.write(solved, filled)
    progress.done(f"{shown(solved, ROOT)} (for who teaches; not for students)")
    return solved


def grade(options: argparse.Namespace, progress: Progress) -> None:
    """For who teaches: run a folder of handed-in notebooks again, on numbers that they have never seen, and write a table of marks."""
    from grading import grade as grader
    from grading import sandbox

    for lacking in sandbox.missing():
        progress.say(lacking)
    table, page = grader.run(options.folder, options.out, options.seed, progress)
    progress.done(f"{shown(table, ROOT)}, {shown(page, ROOT)}")


def preview(options: argparse.Namespace, progress: Progress) -> None:
    """Show the documents in a browser of this machine as they are edited, whatever engine makes the pages in the end."""
    from preview import run as previewer

    previewer.run(ROOT, options.name, options.port, lambda address: progress.say(f"Preview: {address} (Ctrl-C ends it)"))


def handout(options: argparse.Namespace, progress: Progress) -> None:
    """Render the deck as a PDF to read, by the same choice of engine, and beside it the list of its numbers; with notes in _teaching/."""
    quarto, document = _engine(), project.document("typst", name=options.name)
    if quarto:
        choice.run_quarto(quarto, [str(document), "--to", "typst"], ROOT)
        embedded.others(document, progress)
    else:
        embedded.render(document, ["typst"], progress, papers=True)


def everything(options: argparse.Namespace, progress: Progress) -> None:
    """Render every document of the project in every format that it declares, by the same choice of engine."""
    quarto = _engine()
    if quarto:
        choice.run_quarto(quarto, [], ROOT)
        for document in project.documents():
            if {"revealjs", "typst"} <= set(project.formats(document)):
                embedded.others(document, progress)
    else:
        embedded.everything(ROOT, progress)


def pdf(options: argparse.Namespace, progress: Progress) -> None:
    """Print the rendered deck, with one page for each slide."""
    from paper import slides_pdf

    document = project.document("revealjs", name=options.name)
    slides_pdf.render(project.page(document), document, ROOT, progress)


def site(options: argparse.Namespace, progress: Progress) -> None:
    """Gather what was rendered into _site/, the one folder that is published: for students, or with --edition for who teaches."""
    from paper import slides_pdf
    from publishing import edition, front, pictures, publish

    wanted, made = edition.chosen(options.edition), []
    publish.address()
    publish.check_current([project.page(document) for document in project.documents()], ROOT)
    for document in project.documents():
        declared, page = project.formats(document), project.page(document)
        beside = {front.NOTEBOOK: page.with_suffix(".ipynb")} if "ipynb" in declared else {}
        if "revealjs" in declared:
            beside[front.SLIDES] = slides_pdf.render(page, document, ROOT, progress)
        if "typst" in declared:
            beside |= {paper.kind: paper.file for paper in _on_paper(document) if paper.reader == wanted}
        if "ipynb" in declared and wanted == edition.INSTRUCTOR:
            beside[front.SOLUTIONS] = _solved(document, progress)
        made.append(publish.Made(page, beside))
    progress("pictures of the pages")
    index = publish.publish(made, ROOT / "_output", wanted, ROOT, pictures.taken)
    progress.done(f"{shown(index, ROOT)} (for {wanted})")


def cost(options: argparse.Namespace, progress: Progress) -> None:
    """Measure what each lecture costs, and what a hundred would: time and bytes, as a table in Markdown."""
    from publishing import cost as costs

    made = costs.table(ROOT, progress)
    progress.end()
    print(made)


def third_party(options: argparse.Namespace, progress: Progress) -> None:
    """Write THIRD_PARTY.md: what others made, with versions and licences, as requirements.lock and the packages say it."""
    from base import atomic_write
    from publishing import third_party as listing

    atomic_write.write(ROOT / listing.FILE, listing.text(ROOT))
    progress.done(listing.FILE)


def _on_paper(document: Path) -> list[papers.Paper]:
    """The handout of a document and the list of its numbers, for students and for who teaches."""
    from engine.document import opened

    ready = opened(document)
    return list(papers.of(ready, embedded.output(ready, papers.FORMAT)))


def _rendered(document: Path, to: str, progress: Progress) -> None:
    quarto = _engine()
    if quarto:
        choice.run_quarto(quarto, [str(document), "--to", to], ROOT)
    else:
        embedded.render(document, [to], progress)


def _engine() -> choice.Quarto | None:
    """The engine to use, None for the embedded one; says which, and why."""
    wanted = os.environ.get("ENGINE", "")
    quarto, why = choice.choose(wanted, None if wanted == "embedded" else choice.find_quarto())
    print(f"Engine: {quarto.name if quarto else 'embedded'} ({why}).", file=sys.stderr)
    return quarto


def render(options: argparse.Namespace, progress: Progress) -> None:
    """Render one document with the embedded engine."""
    embedded.render(options.document, options.to, progress, teaching=options.teaching)


def audit(options: argparse.Namespace, progress: Progress) -> None:
    """Find numerals that nobody computed and nobody declared, in the sources and in what was rendered."""
    from proof import audit as auditor

    edits = [auditor.drop_stale] * options.drop_stale + [auditor.declare] * options.declare
    progress.done("\n".join(edit(ROOT) for edit in edits) or auditor.run(ROOT, options.name, _papers()))


def _papers() -> dict[Path, dict[Path, str]]:
    """What each page becomes besides, made or not, with its kind: on paper slide by slide, to read, as a list, as a notebook."""
    from paper import slides_pdf
    from proof import paper_numbers

    of_pages: dict[Path, dict[Path, str]] = {}
    for document in project.documents():
        page, declared = project.page(document), project.formats(document)
        files = of_pages[page] = {}
        if "revealjs" in declared:
            files[slides_pdf.file_of(page)] = paper_numbers.SLIDES
        if "typst" in declared:
            files |= {paper.file: paper.kind for paper in _on_paper(document)}
        if "ipynb" in declared:
            files[page.with_suffix(".ipynb")] = paper_numbers.NOTEBOOK
    return of_pages


def approve(options: argparse.Namespace, progress: Progress) -> None:
    """Show each place where a page says other words than were approved, and keep those that you take; --all takes every one."""
    from proof import approve as approver

    ask = input if sys.stdin.isatty() and not options.all else None
    progress.done(approver.run(ROOT, options.name, options.all, ask))


def health(options: argparse.Namespace, progress: Progress) -> None:
    """What may be wrong with the project itself, a line each, tabs between sign, finding and remedy. `make doctor` calls this."""
    from proof import health as checks

    for line in checks.lines(ROOT):
        print("\t".join(" ".join(part.split()) for part in line), flush=True)


def translations(options: argparse.Namespace, progress: Progress) -> None:
    """Name what was translated from an earlier text, or is not translated yet; with --accept, renew what has been reviewed."""
    from proof import translations as translated

    progress.done(translated.run(ROOT, options.accept))


def diff(options: argparse.Namespace, progress: Progress) -> None:
    """Tell what changed between two builds: ledger files, folders of them, git refs, or `.` for the checkout as it stands."""
    from proof import diff as differ

    report = differ.run(options.first, options.second, options.markdown, ROOT, progress, options.name)
    progress.end()
    print(report, end="")


def verify(options: argparse.Namespace, progress: Progress) -> None:
    """Compute every number of a page, or of a ledger, again at the commit that it names, and give a verdict on each."""
    from proof import verify as verifier

    report = verifier.run(options.page, options.commit, ROOT, progress)
    progress.end()
    print(report)


def new(options: argparse.Namespace, progress: Progress) -> None:
    """Write a small working lecture to start from: beside the others, or with the kit alone in a folder of its own."""
    from new import alone, beside

    if options.folder:
        progress.done(alone.ready(alone.make(options.lecture, options.title, options.folder, ROOT), options.folder, ROOT))
        return
    for file in beside.make(options.lecture, options.title, ROOT):
        progress.say(shown(file, ROOT))
    progress.done(f"{options.lecture} is a lecture: make deck NAME={options.lecture}")


def pre_render(options: argparse.Namespace, progress: Progress) -> None:
    """Before a render: refuse frozen pages that are out of date; measure and store what takes long. Quarto calls this."""
    freeze.check(ROOT, os.environ)
    quarto_hooks.before(ROOT, os.environ, progress)


def post_render(options: argparse.Namespace, progress: Progress) -> None:
    """After a render: finish what Quarto made, and look for all that it shows. Quarto calls this."""
    quarto_hooks.after(ROOT, os.environ, progress)
    freeze.keep(ROOT)


def put_back(options: argparse.Namespace, progress: Progress) -> None:
    """Wait until a process has ended; if it was a render that stopped half-way, put its last good outputs back."""
    last_good.put_back_after(ROOT, options.process)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python build", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    making, proving, hooks = (
        (deck, chapter, lab, preview, solutions, grade, handout, everything, pdf, site, cost, third_party),
        (audit, approve, translations, health, diff, verify),
        (pre_render, post_render, put_back),
    )
    for run in (*making, *proving, new, render, *hooks):
        name = run.__name__.replace("_", "-")
        command = commands.add_parser(name, help=run.__doc__, description=run.__doc__)
        command.set_defaults(run=run)
        if run in (deck, chapter, lab, preview, solutions, handout, pdf, audit, approve, diff):
            command.add_argument("--name", default="", help="the document, where the first of its kind isn't meant: slides/NAME.qmd")
        if run is preview:
            command.add_argument("--port", type=int, default=0, help="of 127.0.0.1 (any that is free)")
        if run is site:
            command.add_argument("--edition", default="", help="students or instructor (that of _variables.yml)")
        if run is audit:
            command.add_argument("--drop-stale", action="store_true", help="take declarations out that match nothing any more")
            command.add_argument("--declare", action="store_true", help="write a line for what is typed, whose reason is yours to give")
        if run is approve:
            command.add_argument("--all", action="store_true", help="take every difference, without a question")
        if run is new:
            command.add_argument("lecture", help="its name, which its files have: slides/NAME.qmd")
            command.add_argument("--title", default="", help="what its title slide says")
            command.add_argument("--folder", type=Path, help="an empty folder, which becomes a repository of its own")
        if run is diff:
            command.add_argument("first", nargs="?", default="HEAD", help="the build to start from (HEAD)")
            command.add_argument("second", nargs="?", default=".", help="the build to go to (the checkout)")
            command.add_argument("--markdown", action="store_true", help="for a pull request")
        if run is verify:
            command.add_argument("page", type=Path, help="a page, a PDF or a ledger, wherever it lies")
            command.add_argument("--commit", default="", help="the commit that it was made of (the one that it names)")
        if run is translations:
            command.add_argument("--accept", action="append", default=[], help="a translated file, FILE#NAME, or all")
        if run is grade:
            command.add_argument("folder", type=Path, help="a folder with a notebook for each student")
            command.add_argument("--out", type=Path, help="where the table goes (the folder itself)")
            command.add_argument("--seed", type=int, help="to draw the numbers of an earlier run again")
        if run is put_back:
            command.add_argument("process", type=int)
        if run is render:
            command.add_argument("document", type=Path, help="a .qmd file of the project")
            command.add_argument("--teaching", action="store_true", help="paper with the notes, in _teaching/, for who teaches")
            command.add_argument("--to", action="append", default=[], help="a format of the document's, more than once for more")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
