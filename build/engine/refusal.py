"""Formats that a document isn't made in: refused by name, with the one to use instead, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from proof import freeze

from engine import tex
from engine.document import Document
from engine.settings import DAY, formats
from figures.kit.errors import Problem
from figures.kit.files import shown

SLIDES = ("revealjs", "pptx", "beamer", "s5", "slidy", "slideous", "dzslides")
PRINTED = ("typst", "pdf")
NO_TEX = "Install TeX Live (on Debian: apt-get install texlive-luatex texlive-latex-extra texlive-lang-portuguese), or declare typst too"


def refuse(document: Document, asked: Sequence[str], known: Sequence[str]) -> None:
    """A Problem for the first format asked for that the document doesn't declare, or that this machine can't make."""
    for layer in document.layers:
        if (date := layer.get("date")) and not DAY.accepts(date.value):
            raise Problem(date.place, f"`date` is {date.value!r}, which is no day", f"Write {DAY.words}.")
    declared = [name for name in formats(document.layers) if name in known]
    for name in asked:
        if name not in declared:
            remedy = (
                f"Use `--to {_instead(name, declared)}`; all that it declares: {', '.join(declared)}."
                if declared
                else f"Declare one of {', '.join(known)} in its front matter."
            )
            raise Problem(document.place.file, f"it is not made as `{name}`", remedy)
        if tex.maker(name) not in declared:
            raise Problem(document.place.file, tex.lacking(), f"{NO_TEX}.")


def refuse_one_file_for_two(document: Document, made: Iterable[tuple[Path, str]], remedy: str) -> None:
    """A Problem where two formats would be written to one file, as a page and slides are, or PDF by Typst and by LaTeX."""
    taken: dict[Path, str] = {}
    for file, name in made:
        first = taken.setdefault(file, name)
        if first != name:
            raise Problem(document.place.file, f"`{first}` and `{name}` would both be written to {file.name}", remedy)


def _instead(name: str, declared: Sequence[str]) -> str:
    """The declared format nearest to one: another of slides for slides, of paper for paper, else the document's first."""
    for group in (SLIDES, PRINTED):
        near = [one for one in declared if one in group]
        if name in group and near:
            return near[0]
    return declared[0]


def refuse_metadata_of_folders(document: Document) -> None:
    """A Problem for a `_metadata.yml`, which Quarto alone reads for the pages of its folder."""
    for file in freeze.metadata(document.path, document.root):
        what = "Quarto reads it for every page of its folder, and this engine doesn't"
        raise Problem(shown(file, document.root), what, "Say it in `_quarto.yml` or in the page's front matter, or render with Quarto")
