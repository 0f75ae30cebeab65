"""What one process of the preview does: it makes a page once, sends back what came of it, and ends.

A process is forked for each page, so that edited code is imported anew, no memory is kept, and nothing that breaks in it harms the
preview. One stands by with everything imported; it serves where no code has changed since.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Packages of others, imported before the fork. None of ours: each process has those as they are then.
PRELOADED = [
    "babel.numbers",
    "brotli",
    "fontTools.subset",
    "IPython.core.interactiveshell",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "msgspec.inspect",
    "num2words",
    "numpy",
    "pypandoc",
    "regex",
    "segno",
    "yaml",
    "ziamath",
]
_SLIDE = re.compile(r"slide “(.*?)”")


@dataclass(frozen=True)
class Order:
    """A page to make: of which document and in which format, told apart from that ledger; or something else to say of it."""

    document: Path
    format: str
    compared: str = ""
    looked: str = ""  # opens this page in a browser instead, to see whether every slide fits
    fields: tuple[str, ...] = ()  # tells instead what may be tried out of these fields


@dataclass(frozen=True)
class Fault:
    """What a user can put right: where, what and how, and the title of the slide that it is of."""

    where: str
    what: str
    remedy: str
    slide: str = ""


@dataclass
class Answer:
    """What came of an order: a page with its ledger, or why there is none; what the build had to say; what differs."""

    html: str = ""
    ledger: str = ""
    faults: list[Fault] = field(default_factory=list)
    changes: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    controls: list[dict[str, Any]] = field(default_factory=list)


class Listener:
    """Takes what a render says of its progress, and keeps what its reader should know."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def __call__(self, text: str) -> None: ...

    def say(self, text: str) -> None:
        self.said.append(text)

    def done(self, text: str) -> None: ...


def serve(connection: Connection, overlay: Mapping[str, str]) -> None:
    """The life of a process: import, wait for an order, answer it, with these texts in place of files all along.

    It ends too when the preview has gone.
    """
    from figures.kit import files

    os.environ["CLAIMS"] = "note"  # a false sentence stands on the page, struck through
    if hasattr(os, "setsid"):
        os.setsid()  # ends with all that it started, as one group
    with files.overlaid(overlay):
        with suppress(Exception):  # what can't be imported is told where a page asks for it
            _import_all()
        with suppress(EOFError, OSError):
            connection.send(_answered(connection.recv()))


def _import_all() -> None:
    from engine import embedded  # noqa: F401
    from page import finish  # noqa: F401
    from proof import differences, ledger_file  # noqa: F401

    from figures.kit.modules import modules

    list(modules())


def _answered(order: Order) -> Answer:
    listener = Listener()
    try:
        answer = _told(order) if order.fields else _looked(order, listener) if order.looked else _made(order, listener)
    except BaseException as error:
        answer = Answer(faults=[fault_of(error)])
    answer.notes += [{"text": said, "slide": ""} for said in listener.said]
    return answer


def _told(order: Order) -> Answer:
    from preview import fields

    return Answer(controls=fields.controls(order.fields, ROOT))


def _made(order: Order, listener: Any) -> Answer:
    from engine import embedded
    from proof import output_check

    page = embedded.page(order.document, order.format, listener)
    html = str(page.content)
    output_check.check(page.file, html.encode(), page.said)
    ledger = page.beside.get(page.file.with_suffix(".ledger.json"), "")
    listener.said += embedded.notices(html, page.file)
    changes = _changes(order.compared, ledger) if order.compared else []
    return Answer(html, ledger, changes=changes, notes=_false(ledger), words=_words(order.document))


def _looked(order: Order, listener: Any) -> Answer:
    from engine import embedded

    from figures.kit import project

    embedded.fits(order.looked, project.page(order.document), listener)
    return Answer()


def _words(document: Path) -> dict[str, str]:
    """The texts of the preview in the language of a document."""
    from figures.kit import language
    from figures.kit.words import Words

    texts = Words("preview")
    with language.speaking(language.of(document)):
        return texts.named("said")


def _false(ledger: str) -> list[dict[str, str]]:
    """The sentences of a page that its numbers don't bear out, each with the values that decide."""
    if not ledger:
        return []
    entries = [one for one in json.loads(ledger)["entries"] if one["what"] == "claim" and one["value"].get("holds") is False]
    return [{"text": f"“{one['text']}” {_values(one['value'])}", "slide": one["slide"]["id"], "n": str(one["n"])} for one in entries]


def _values(value: dict[str, Any]) -> str:
    return "; ".join(f"{name} = {one}" for name, one in value.items() if name != "holds")


def _changes(before: str, after: str) -> list[tuple[str, ...]]:
    """What differs between two ledgers, as `make diff` says it."""
    from proof.differences import compare

    from figures.kit.entry import Ledger
    from figures.kit.ledger import parsed

    old, new = (parsed(text, "ledger", Ledger).entries for text in (before, after))
    return [tuple(change) for change in compare(old, new)]


def fault_of(error: BaseException) -> Fault:
    """What stopped a page, as a reader is told of it."""
    from base import failures

    from figures.kit.errors import Problem

    if not isinstance(error, Problem):
        where = str(getattr(error, "filename", "") or type(error).__name__)
        error = failures.not_installed(error, ROOT) or failures.Failure(where, error, ROOT)
    slide = _SLIDE.search(f"{error.where} {error.remedy}")
    what = str(error).removeprefix(f"{error.where}: ").partition("\n  → ")[0]
    return Fault(error.where, what, error.remedy, slide[1] if slide else "")
