"""What is done before and after Quarto renders: formats refused, the last good outputs kept, each output finished and checked.

Quarto tells its hooks the documents and the outputs, not the formats: those stand on the command line of the process that
called the hook, which Linux and macOS show. Elsewhere the format is refused by the first cell that shows a picture.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from base import last_good
from base.progress import Progress
from proof import output_check, prose_language

from engine import embedded, refusal
from engine.document import Document, opened
from engine.settings import formats
from figures.kit import language, project
from figures.kit.files import shown

RECORDS = Path(".cache", "shown")
WRITERS = {"pdf": "latex"}  # pandoc's name of a format, where Quarto's is another


def before(root: Path, environment: Mapping[str, str], progress: Progress) -> None:
    """Refuse what can't be made, then keep what stands there, then see to what cells need."""
    documents = [opened(root / name) for name in environment.get("QUARTO_PROJECT_INPUT_FILES", "").splitlines() if name.endswith(".qmd")]
    asked = asked_formats(command_line(os.getppid()))
    for document in documents:
        refusal.refuse(document, asked, list(embedded.FORMATS))
        embedded.refuse_one_file_for_two(document, asked)
        if warning := prose_language.warning(document.path, root):
            progress.say(warning)
        for format in embedded.FORMATS:
            record(root, document, format).unlink(missing_ok=True)
    last_good.keep(dict.fromkeys(output for document in documents for output in outputs(document)), root)
    last_good.watch(root, os.getppid())
    embedded.before(root, progress)


def after(root: Path, environment: Mapping[str, str], progress: Progress) -> None:
    """Finish and check each output that Quarto names; where one isn't good, none is left in place of the last good ones."""
    try:
        made = [root / name for name in environment.get("QUARTO_PROJECT_OUTPUT_FILES", "").splitlines()]
        known = _known(root)
        for output in made:
            document, format = known.get(output, (None, ""))
            if output.suffix in embedded.FINISHED:
                with language.speaking(language.of(document.path) if document else project.language()):
                    embedded.after(output, document.path if document else None)
            if document:
                output_check.check(output, output.read_bytes(), listed(record(root, document, format)))
            progress.done(f"Finished {shown(output, root)}")
    except BaseException:
        last_good.restore(root)
        raise
    last_good.done(root)


def asked_formats(arguments: Sequence[str]) -> list[str]:
    """The formats on a command line.

    >>> asked_formats(["quarto", "render", "a.qmd", "--to", "pdf,docx"])
    ['pdf', 'docx']
    """
    asked: list[str] = []
    for argument, following in zip(arguments, [*arguments[1:], ""]):
        if argument in ("--to", "-t"):
            asked += following.split(",")
        elif argument.startswith("--to="):
            asked += argument.removeprefix("--to=").split(",")
    return [name for name in asked if name not in ("all", "default", "")]


def command_line(process: int) -> list[str]:
    """The arguments of a running process; none where the system doesn't show them."""
    file = Path("/proc", str(process), "cmdline")
    if file.is_file():
        return file.read_bytes().decode("utf-8", "replace").split("\0")
    try:
        said = subprocess.run(["ps", "-o", "args=", "-p", str(process)], capture_output=True, text=True).stdout
        return shlex.split(said)
    except (OSError, ValueError):
        return []


def outputs(document: Document) -> Iterator[Path]:
    """Every file that a render of the document may replace."""
    for output, _ in _by_output(document):
        yield output
        if output.suffix == ".html":
            yield output.with_suffix(".ledger.json")


def record(root: Path, document: Document, format: str) -> Path:
    """Where `shown.lua` leaves what a document has shown in a format."""
    return root / RECORDS / f"{document.path.stem}.{WRITERS.get(format, format)}.json"


def listed(file: Path) -> list[output_check.Shown]:
    """What was left there; nothing by a document that keeps no ledger."""
    if not file.is_file():
        return []
    return [output_check.Shown(**entry) for entry in json.loads(file.read_text(encoding="utf-8"))["entries"]]


def _known(root: Path) -> dict[Path, tuple[Document, str]]:
    """Each output's document and format; of two formats that share a name, the one that has just been rendered."""
    known: dict[Path, tuple[Document, str]] = {}
    for document in map(opened, project.documents(root)):
        for output, format in _by_output(document):
            if output not in known or record(root, document, format).is_file():
                known[output] = document, format
    return known


def _by_output(document: Document) -> Iterator[tuple[Path, str]]:
    for format in formats(document.layers):
        if format in embedded.FORMATS:
            yield embedded.output(document, format), format
