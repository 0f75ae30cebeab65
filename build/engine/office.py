"""A document for Word: executed Markdown -> .docx by pandoc's own writer.

Styles and filters are the files that `_quarto.yml` names under `docx`, so that Quarto takes the same.
"""

from __future__ import annotations

from engine.convert import convert
from engine.document import Document
from engine.handout import work_folder
from engine.settings import NUMBER, PATHS, TEXT, TRUTH, Kind, Settings

ECHO = True
SUFFIX = ".docx"

OPTIONS: dict[str, Kind] = {
    "reference-doc": PATHS,
    "filters": PATHS,
    "toc": TRUTH,
    "output-file": TEXT,
    "shift-heading-level-by": NUMBER,
}


def render(document: Document, settings: Settings) -> bytes:
    """The document as Word opens it, the same bytes each time."""
    from paper import office_styles

    office_styles.ready(document.root)
    with work_folder(document.root) as folder:
        options = ["--standalone", "--output=document.docx", f"--resource-path={document.path.parent}"]
        options += [f"--reference-doc={file}" for file in settings.get("reference-doc", [])]
        options += [f"--shift-heading-level-by={settings.get('shift-heading-level-by', 0)}"]
        convert(document.lines, document.head(settings, "lang"), "docx", *options, folder=folder, filters=settings.get("filters", []))
        return (folder / "document.docx").read_bytes()
