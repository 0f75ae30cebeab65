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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from base import atomic_write, last_good
from base.progress import Progress
from proof import made_of, output_check

from engine import beforehand, embedded, tex
from engine.document import Document, opened
from engine.settings import formats
from figures.kit import language, project
from figures.kit.files import shown

EXPECTED = embedded.RECORDS / "expected.json"


def before(root: Path, environment: Mapping[str, str], progress: Progress) -> None:
    """Refuse what can't be made, then keep what stands there, then see to what cells need."""
    documents = [opened(root / name) for name in environment.get("QUARTO_PROJECT_INPUT_FILES", "").splitlines() if name.endswith(".qmd")]
    asked = asked_formats(command_line(os.getppid()))
    for document in documents:
        embedded.accept(document, asked, progress)
    tex.tell_quarto(root)
    made_of.start(root)
    expect(root, documents)
    last_good.keep(dict.fromkeys(output for document in documents for output in outputs(document)), root)
    last_good.watch(root, os.getppid())
    beforehand.ready(root, progress, documents)


def after(root: Path, environment: Mapping[str, str], progress: Progress) -> None:
    """Finish and check each output that Quarto names; where one isn't good, none is left in place of the last good ones."""
    try:
        plans = expected(root)
        for name in environment.get("QUARTO_PROJECT_OUTPUT_FILES", "").splitlines():
            output = root / name
            plan = plans.get(output)
            if output.suffix in embedded.FINISHED:
                with language.speaking(language.of(plan.document) if plan else project.language()):
                    for notice in embedded.after(output, plan.document if plan else None, root, progress):
                        progress.say(notice)
            if plan:
                said = [thing for record in plan.records for thing in output_check.recorded(record) or ()]
                output_check.check(output, output.read_bytes(), said)
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


@dataclass(frozen=True)
class Plan:
    """What is known of an output before it is made: its document, and where `shown.lua` will say what it has to hold.

    Of two formats that share a name, the records of both: the one just rendered is there.
    """

    document: Path
    records: list[Path]


def expect(root: Path, documents: Sequence[Document]) -> None:
    """Leave the plans for the hook after the render; none of the records is there yet."""
    plans: dict[str, dict[str, Any]] = {}
    for document in documents:
        for output, format in _by_output(document):
            record = embedded.record(document, format)
            (root / record).unlink(missing_ok=True)
            plan = plans.setdefault(str(output.relative_to(root)), {"document": str(document.path.relative_to(root)), "records": []})
            plan["records"] = list(dict.fromkeys([*plan["records"], str(record)]))
    atomic_write.write(root / EXPECTED, json.dumps(plans))


def expected(root: Path) -> dict[Path, Plan]:
    """The plans that were left."""
    file = root / EXPECTED
    plans = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {root / output: Plan(root / plan["document"], [root / name for name in plan["records"]]) for output, plan in plans.items()}


def _by_output(document: Document) -> Iterator[tuple[Path, str]]:
    for format in formats(document.layers):
        if format in embedded.FORMATS:
            yield embedded.output(document, format), format
