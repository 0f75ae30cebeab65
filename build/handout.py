"""The handout: executed Markdown -> Typst -> PDF, through pandoc's own Typst template and the package `typst`.

The looks are a Typst file that the document names under `include-in-header`, so that Quarto takes them too. Numbers and
text are those of the same execution. Pictures are drawn as paths, so only the text needs fonts.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from convert import convert
from document import Document
from problem import Problem
from settings import NUMBER, PATHS, TEXT, TRUTH, Kind, Settings

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
}


def render(document: Document, settings: Settings) -> bytes:
    """The PDF."""
    with tempfile.TemporaryDirectory(prefix="handout-") as name:
        folder = Path(name)
        options = ["--standalone", "--extract-media=media", f"--resource-path={document.path.parent}"]
        options += [f"--include-in-header={file}" for file in settings.get("include-in-header", [])]
        if settings.get("toc"):
            options += ["--toc", f"--toc-depth={settings.get('toc-depth', 3)}"]
        text = convert(document.lines, _metadata(document, settings), "typst", *options, folder=folder)
        source = folder / "handout.typ"
        source.write_text("#set document(date: none)\n" + text, encoding="utf-8")
        return _compiled(source, document)


def _metadata(document: Document, settings: Settings) -> dict[str, Any]:
    texts = {key: document.text(settings, key) for key in ("title", "subtitle", "date", "papersize", "mainfont", "fontsize")}
    metadata: dict[str, Any] = {key: text for key, text in texts.items() if text is not None}
    language, _, region = str(settings.get("lang", "en")).partition("-")
    margins = {side: settings.get(f"margin.{side}") for side in ("x", "y") if settings.get(f"margin.{side}")}
    institute = document.text(settings, "institute")
    authors = [{"name": name, "affiliation": institute or "", "email": ""} for name in document.texts(settings, "author")]
    return metadata | {"lang": language, "region": region, "author": authors, "margin": margins}


def _compiled(source: Path, document: Document) -> bytes:
    try:
        import typst
    except ImportError:
        raise Problem("typst", "the package typst is not installed", "Run `make handout`, which installs what it needs.") from None
    from assets import font_files

    fonts = source.parent / "fonts"
    fonts.mkdir()
    for _, _, file in font_files():
        shutil.copy2(file, fonts)
    try:
        return bytes(typst.compile(str(source), root=str(source.parent), font_paths=[str(fonts)]))
    except RuntimeError as error:
        raise Problem(
            document.place.file, f"Typst says: {error}", "Put this right in the source; `typst` must fit pandoc's version."
        ) from None
