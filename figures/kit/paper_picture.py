"""A drawn figure as the file that a format without HTML can hold: SVG, PDF or PNG, the same bytes each time it is made.

Drawn by matplotlib alone, so that no program has to turn one into another. Letters are shapes in an SVG, which is set by
fonts of the reader's otherwise; a PDF carries its own.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {"pdf": "pdf", "docx": "png"}  # others: SVG
PNG_SCALE = 3  # pixels of the picture for one of the slide
MIME = {"pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml"}


def kind(format: str) -> str:
    """The sort of file for a format.

    >>> kind("docx")
    'png'
    """
    return KINDS.get(format, "svg")


def drawn(figure: Figure, kind: str, svg: str) -> bytes:
    """The file's content; `svg` is the figure with letters as shapes."""
    return {"pdf": _pdf, "png": _png}[kind](figure) if kind != "svg" else svg.encode()


def _pdf(figure: Figure) -> bytes:
    import matplotlib
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    settings: dict[Any, Any] = {"pdf.fonttype": 3}
    buffer = io.BytesIO()
    with matplotlib.rc_context(settings):
        FigureCanvasPdf(figure).print_pdf(buffer, metadata={"CreationDate": None, "Creator": None, "Producer": None})  # type: ignore[no-untyped-call]
    return buffer.getvalue()


def _png(figure: Figure) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    buffer = io.BytesIO()
    dpi = figure.dpi
    try:
        figure.dpi = dpi * PNG_SCALE
        FigureCanvasAgg(figure).print_png(buffer, metadata={"Software": None})  # type: ignore[no-untyped-call]
    finally:
        figure.dpi = dpi
    return buffer.getvalue()
