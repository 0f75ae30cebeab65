"""The embedded engine from source to output, and the hooks that it shares with Quarto.

The hooks that `_quarto.yml` declares call the same functions here as `render` does, so that neither engine skips a step.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from base import atomic_write
from base.failures import placed
from base.progress import Progress
from proof import output_check, prose_language
from proof.output_check import Shown

from engine import handout, latex, notebook, office, refusal, revealjs, webpage
from engine.document import Document, executed, opened
from engine.settings import Settings, formats, rendered
from figures.kit import language, ledger, profile, project
from figures.kit.errors import Problem
from figures.kit.files import shown
from figures.kit.shown import listed

FINISHED = (".html", ".ipynb")
FORMATS = {"revealjs": revealjs, "html": webpage, "ipynb": notebook, "typst": handout, "pdf": latex, "docx": office}


def render(path: Path, wanted: Sequence[str], progress: Progress) -> list[Path]:
    """One document in the formats wanted, its first if none: the project's hooks around the cells, which run once."""
    document = opened(path)
    if active := project.profiles(document.root):
        os.environ[profile.VARIABLE] = ",".join(active)  # as Quarto does, for cells and conditions
    names = list(wanted) or formats(document.layers)[:1] or ["none"]
    refusal.refuse(document, names, list(FORMATS))
    refuse_one_file_for_two(document, names)
    if warning := prose_language.warning(document.path, document.root):
        progress.say(warning)
    plans = [(name, _settings(document, name)) for name in names]
    for name, settings in plans:
        atomic_write.clean(_output(document, name, settings))
    if plans and plans[0][1].get("project.pre-render"):
        before(document.root, progress)
    ready: dict[bool, tuple[Document, list[Shown]]] = {}
    for name, settings in plans:
        echo = bool(settings.get("execute.echo", FORMATS[name].ECHO))
        if echo not in ready:
            ledger.clear()
            made = executed(document, echo, progress, names)
            ready[echo] = made, [Shown(**entry) for entry in listed(ledger.entries())]
        _write(*ready[echo], name, settings, progress)
    return [_output(document, name, settings) for name, settings in plans]


def everything(root: Path, progress: Progress) -> None:
    """Each document that the project lists under `render`, in all its formats, its cells run once."""
    for document in project.documents(root):
        render(document, rendered(opened(document).layers), progress)


def refuse_one_file_for_two(document: Document, names: Sequence[str]) -> None:
    """A Problem where two of the formats asked for would be written to one file, as PDF by Typst and by LaTeX are."""
    taken: dict[Path, str] = {}
    for name in names:
        before = taken.setdefault(output(document, name), name)
        if before != name:
            what = f"`{before}` and `{name}` would both be written to {output(document, name).name}"
            raise Problem(document.place.file, what, "Ask for one of them, or give one an `output-file`.")


def _settings(document: Document, name: str) -> Settings:
    return document.settings(name, FORMATS[name].OPTIONS)


def output(document: Document, name: str) -> Path:
    """The file that a format of the document's is written to, by either engine."""
    return _output(document, name, document.settings(name, None))


def _output(document: Document, name: str, settings: Settings) -> Path:
    return document.output(settings, FORMATS[name].SUFFIX)


def _write(ready: Document, said: list[Shown], name: str, settings: Settings, progress: Progress) -> None:
    """The output put in place whole."""
    output = _output(ready, name, settings)
    progress(f"{output.name} · pandoc and {name}")
    made = FORMATS[name].render(ready, settings)
    beside: dict[Path, str] = {}
    if isinstance(made, str) and output.suffix in FINISHED and settings.get("project.post-render"):
        with language.speaking(language.of(ready.path)):
            made = finished(made, output, ready.path)
        beside = ledger_of(made, output)
    output_check.check(output, made.encode() if isinstance(made, str) else made, said)
    atomic_write.write_together({**beside, output: made})
    progress.done(shown(output, ready.root))


def before(root: Path, progress: Progress) -> None:
    """What must be there before a cell runs: the results that take long, measured once and stored.

    A module with something to say of this build, as that a recorded measurement is shown, says it in its `notice()`.
    """
    if not (root / "figures").is_dir():
        return
    from paper import latex_theme, office_styles, typst_fonts

    from figures.kit import slow
    from figures.kit.modules import modules

    typst_fonts.ready(root)
    latex_theme.ready(root)
    office_styles.ready(root)
    with placed("figures", root):
        loaded = list(modules())
    for job in slow.pending():
        progress(f"{job.title} ({job.name}, once for this code, data and machine)")
        with placed(job.name, root):
            atomic_write.write(job.path, job.compute())
    for module in loaded:
        with placed(module.__name__, root):
            notice = module.notice() if hasattr(module, "notice") else None
        if notice:
            progress.say(notice)


def finished(text: str, page: Path, document: Path | None) -> str:
    """A page or a notebook with all done that Quarto leaves to be done, whichever engine made it of the document."""
    if page.suffix == ".ipynb":
        from page import student_notebook

        return student_notebook.finished(text, project.repository())
    from page.finish import finish

    return finish(text, page, document)


def after(page: Path, document: Path | None) -> None:
    """Finishes a page or notebook that Quarto made of a document, and puts it in place whole."""
    text = page.read_text(encoding="utf-8")
    made = finished(text, page, document)
    contents = ledger_of(made, page) | ({page: made} if made != text else {})
    if contents:
        atomic_write.write_together(contents)


def ledger_of(html: str, page: Path) -> dict[Path, str]:
    """What stands beside a page that keeps a ledger: `PAGE.ledger.json`, and the schema of them all; nothing beside any other."""
    if page.suffix != ".html":
        return {}
    from proof import ledger_file

    text = ledger_file.ledger(html, page)
    if text is None:
        return {}
    return {page.with_suffix(".ledger.json"): text, page.with_name(ledger_file.SCHEMA): ledger_file.schema_text()}
