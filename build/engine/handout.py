"""Makes the handout from executed Markdown: Typst, then PDF, through pandoc's own Typst template and the package `typst`.

The looks are a Typst file that the document names under `include-in-header`, and what its classes mean is a Lua filter
under `filters`, so that Quarto takes both too. Numbers and text are those of the same execution.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.convert import convert
from engine.document import Document
from engine.settings import NUMBER, PATHS, TEXT, TRUTH, Kind, Settings
from figures.kit.errors import Problem

ECHO = True
SUFFIX = ".pdf"

OPTIONS: dict[str, Kind] = {
    "papersize": TEXT,
    "margin.x": TEXT,
    "margin.y": TEXT,
    "mainfont": TEXT,
    "fontsize": TEXT,
    "toc": TRUTH,
    "toc-depth": NUMBER,
    "output-file": TEXT,
    "include-in-header": PATHS,
    "filters": PATHS,
    "font-paths": PATHS,
    "shift-heading-level-by": NUMBER,
    "pdf-standard": TEXT,
}


def render(document: Document, settings: Settings) -> bytes:
    """The PDF."""
    with work_folder(document.root) as folder:
        options = ["--standalone", "--extract-media=media", f"--resource-path={document.path.parent}"]
        options += [f"--include-in-header={file}" for file in settings.get("include-in-header", [])]
        options += [f"--shift-heading-level-by={settings.get('shift-heading-level-by', 0)}"]
        if settings.get("toc"):
            options += ["--toc", f"--toc-depth={settings.get('toc-depth', 3)}"]
        text = convert(document.lines, _metadata(document, settings), "typst", *options, folder=folder, filters=settings.get("filters", []))
        source = folder / "handout.typ"
        source.write_text("#set document(date: none)\n" + text, encoding="utf-8")
        return _compiled(source, document, settings)


@contextmanager
def work_folder(root: Path) -> Iterator[Path]:
    """A folder for sources inside the project, whose files they may name; gone afterwards."""
    cache = root / ".cache"
    cache.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="paper-", dir=cache) as name:
        yield Path(name)


def _metadata(document: Document, settings: Settings) -> dict[str, Any]:
    head = document.head(settings, "papersize", "mainfont", "fontsize")
    language, _, region = str(settings.get("lang", "en")).partition("-")
    margins = {side: settings.get(f"margin.{side}") for side in ("x", "y") if settings.get(f"margin.{side}")}
    institute = document.text(settings, "institute") or ""
    authors = [{"name": name, "affiliation": institute, "email": ""} for name in head["author"]]
    return head | {"lang": language, "region": region, "author": authors} | ({"margin": margins} if margins else {})


def _compiled(source: Path, document: Document, settings: Settings) -> bytes:
    try:
        import typst
    except ImportError:
        raise Problem("typst", "the package typst is not installed", "Run `make handout`, which installs what it needs.") from None
    from paper import typst_fonts

    fonts = [str(typst_fonts.ready(document.root)), *settings.get("font-paths", [])]
    standards = [settings.get("pdf-standard")] if settings.get("pdf-standard") else []
    try:
        return plain_tags(
            typst.compile(str(source), root=str(document.root), font_paths=fonts, ignore_system_fonts=True, pdf_standards=standards)
        )
    except RuntimeError as error:
        said = "; ".join([str(error), *getattr(error, "hints", [])])
        raise Problem(
            document.place.file, f"Typst says: {said}", "Put this right in the source; `typst` must fit pandoc's version."
        ) from None


def plain_tags(pdf: bytes) -> bytes:
    """A PDF by Typst without its `/Suspects false`, which says what its absence says: poppler takes it for an error."""
    said = b"/Suspects false"
    return pdf.replace(said, b" " * len(said))
