"""A document from source to executed Markdown: read it, run its cells, put its shortcodes in.

The result holds no format's looks: each format's module makes its own page of it, so one execution serves several.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from base import pack
from base.failures import Failure
from proof import made_of

from engine import inline_code
from engine.calls import Calls
from engine.cells import split
from engine.settings import Kind, Setting, Settings, layer, project
from engine.surroundings import environment
from figures.kit import files, formats, language, lecture, qmd, targets
from figures.kit.errors import Problem
from figures.kit.files import Line, Place, lines_of, shown
from figures.kit.project import variables
from figures.kit.qmd import Cell, Text

MARK = re.compile(r"\[([^\[\]]*)\]\{\.n\b[^{}]*\}")  # a shown value, as it stands in the Markdown


@dataclass(frozen=True)
class Document:
    """Its Markdown in `lines`, as written or, once run, with no cell, inline expression or shortcode left in it."""

    path: Path
    root: Path
    layers: list[dict[str, Setting]]
    lines: list[Line]
    variables: Mapping[str, Any]
    edition: Mapping[str, bool] = field(default_factory=dict)  # what paper holds: `notes`, or `numbers` alone (engine/papers.py)

    @property
    def place(self) -> Place:
        return Place(shown(self.path, self.root), 1)

    def place_of(self, address: str) -> Place:
        """The line that names a file, in the text or the front matter; where none does, the document's first."""
        name = unquote(address).rpartition("/")[2]
        lines = [*self.lines, *lines_of(self.path, self.root)]
        return next((line.place for line in lines if name in unquote(line.text)), self.place)

    def settings(self, format: str, options: Mapping[str, Kind] | None) -> Settings:
        return Settings(self.place, self.layers, format, options)

    def text(self, settings: Settings, key: str) -> str | None:
        """A setting's text with its shortcodes put in."""
        setting = settings.find(key)
        return None if setting is None else inline_code.shortcodes(str(setting.value), setting.place, self.variables)

    def texts(self, settings: Settings, key: str) -> list[str]:
        """The same for a setting that may be a list."""
        setting = settings.find(key)
        if setting is None:
            return []
        written = [setting.value] if isinstance(setting.value, str) else setting.value
        return [inline_code.shortcodes(text, setting.place, self.variables) for text in written]

    @property
    def lecture(self) -> dict[str, Any]:
        """What the document says under `lecture:`, for the filters that read it."""
        written: dict[str, Any] = qmd.front_matter(self.path, self.root).value.get(lecture.KEY) or {}
        return written

    def head(self, settings: Settings, *keys: str) -> dict[str, Any]:
        """What pandoc is told of the document beside its text: authors, lecture, and those of these settings that it has."""
        texts = {key: self.text(settings, key) for key in ("title", "subtitle", "date", *keys)}
        known: dict[str, Any] = {key: text for key, text in texts.items() if text is not None}
        if "date" in known:
            with language.speaking(language.of(self.path)):
                known["date"] = formats.day(known["date"])
        return known | {"author": self.texts(settings, "author"), "lecture": self.lecture, "edition": dict(self.edition)}

    def output(self, settings: Settings, suffix: str) -> Path:
        """Where Quarto writes it: under the output folder as it lies in the project, `output-file` as its name if set."""
        folder = self.root / str(settings.get("project.output-dir", ".")) / self.path.parent.relative_to(self.root)
        return folder / str(settings.get("output-file", self.path.stem + suffix))


def opened(path: Path) -> Document:
    """The document as written: includes in place, settings and variables read, nothing run."""
    if not path.is_file():
        raise Problem(path, "there is no such document", "Give the path of a .qmd file.")
    path = path.resolve()
    root = _root_of(path)
    lecture.of(path, root)  # refused before anything runs
    layers = [project(root), layer(qmd.front_matter(path, root), path.parent, root)]
    return Document(path, root, layers, qmd.body(path, root), variables(root))


def executed(
    document: Document, echo: bool, progress: Callable[[str], None], wanted: Sequence[str] = (), known: made_of.Digests | None = None
) -> Document:
    """The document with its cells run once, in order, for the formats wanted. An error stops it, and names its slide and line.

    What comes from nothing that has changed since it last ran is found instead: engine/calls.py.
    """
    made: list[Line] = []
    with _cells_told(document, wanted), _called(document, wanted, progress, known) as calls:
        for part in split(document.lines):
            try:
                if isinstance(part, Cell):
                    made += inline_code.cell(part, calls.run(part), calls.count, echo)
                else:
                    made += _filled(calls, part)
            except Failure as failure:
                before = [] if isinstance(part, Cell) else part.lines[: _upto(part.lines, failure.place)]
                raise _with_slide(failure, _title([*made, *before])) from failure
    finished = [Line(inline_code.shortcodes(line.text, line.place, document.variables), line.place) for line in made]
    return replace(document, lines=finished)


@contextmanager
def _called(document: Document, wanted: Sequence[str], progress: Callable[[str], None], known: made_of.Digests | None) -> Iterator[Calls]:
    """What runs the document's calls, with what is kept of them; of a project that figures/ doesn't belong to nothing is."""

    def session() -> Any:
        from engine.execute import Kernel

        return Kernel(document.root, progress)

    known = known or made_of.digests(document.root)
    own = document.root == files.ROOT
    with pack.opened(f"calls {document.place.file} {wanted}", environment(document.path, wanted, known) if own else "") as results:
        yield Calls(session, document.root, results, known, certain=own)


@contextmanager
def _cells_told(document: Document, wanted: Sequence[str]) -> Iterator[None]:
    """The page that is being made, under the names that Quarto gives its cells, and the formats it is for."""
    told = {"QUARTO_DOCUMENT_PATH": str(document.path.parent), "QUARTO_DOCUMENT_FILE": document.path.name}
    told[targets.VARIABLE] = " ".join(wanted)
    before = {name: os.environ.get(name) for name in told}
    os.environ.update(told)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def _filled(calls: Calls, part: Text) -> Iterator[Line]:
    """The text between two cells with its inline expressions' values.

    As in Quarto, all of them are evaluated before one is put in, and where the same words stand twice, the last value
    stands in both places.
    """
    values: dict[str, str] = {}
    for line in part.lines:
        for piece in qmd.inline(line.text):
            values[piece.code] = inline_code.inline_value(calls.inline(piece.code, line.place), line.place)
    for line in part.lines:
        yield from inline_code.lines(qmd.fill(line.text, lambda piece: values[piece.code]), line.place)


def _upto(lines: list[Line], place: object) -> int:
    """How many of the lines stand at or before a place."""
    return next((n for n, line in enumerate(lines, 1) if line.place == place), len(lines))


def _title(lines: list[Line]) -> str:
    """The title of the slide that these lines end in, empty before the first one."""
    slides = [heading for heading in qmd.headings(lines) if heading.level <= 2]
    return MARK.sub(r"\1", slides[-1].title) if slides else ""


def _with_slide(failure: Failure, title: str) -> Problem:
    """What failed, at its line; a fault that names its own place and remedy, such as one of a data file's, says only that."""
    slide = f"slide “{title}”" if title else "before the first slide"
    cause = failure.__cause__
    if isinstance(cause, Problem):
        return Problem(cause.where, cause.what, f"{cause.remedy}\n    asked for at {failure.place} ({slide})")
    return Problem(f"{failure.place} ({slide})", failure.what, failure.remedy)


def _root_of(path: Path) -> Path:
    """The project's folder: the nearest one above the document that holds `_quarto.yml`."""
    for folder in path.parents:
        if (folder / "_quarto.yml").is_file():
            return folder
    raise Problem(path, "no folder above it holds a `_quarto.yml`", "Render a document of the project.")
