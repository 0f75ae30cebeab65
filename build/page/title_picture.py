"""The picture of a document's title slide as a CSS value: rows of numbers as dots, a file of the project, or none."""

from __future__ import annotations

import mimetypes
from collections.abc import Sequence
from importlib import import_module
from math import sqrt
from pathlib import Path
from urllib.parse import quote

from figures.kit import lecture
from figures.kit.files import data_uri
from figures.kit.lecture import Dots
from figures.kit.style import COLOURS
from figures.kit.theme import role

SIDE = 448
LARGEST = 25 / 56  # the radius of a dot of 1, in parts of the grid's pitch
LEAST = 3 / 56
KEY = "title-picture"


def title_picture(document: Path) -> str:
    """`url("data:image/svg+xml,…")`, or `none`."""
    picture = lecture.of(document).title_picture
    if not picture:
        return "none"
    if isinstance(picture, str):
        return f'url("{_file(document, picture)}")'
    last = COLOURS.stress if picture.last_row == "stress" else role(picture.last_row).ink
    return f'url("data:image/svg+xml,{quote(dots(_rows(document, picture), last))}")'


def dots(rows: Sequence[Sequence[float]], last: str) -> str:
    """Numbers between 0 and 1 as dots of that area on a grid, the last row in the colour `last`."""
    pitch = SIDE / max(len(rows), *map(len, rows))
    drawn = [
        f'<circle cx="{pitch * (column + 0.5):g}" cy="{pitch * (row + 0.5):g}" '
        f'r="{pitch * max(LEAST, LARGEST * sqrt(number)):.1f}" fill="{last if row == len(rows) - 1 else COLOURS.rule}"/>'
        for row, numbers in enumerate(rows)
        for column, number in enumerate(numbers)
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">{"".join(drawn)}</svg>'


def _file(document: Path, name: str) -> str:
    """A picture as a data: URI."""
    path = lecture.file(document, KEY, name)
    kind = mimetypes.guess_type(path.name)[0]
    if not kind or not kind.startswith("image/"):
        raise lecture.fault(document, KEY, f"{name} is no picture", "Name one, such as a .svg, .png or .jpg")
    return data_uri(path.read_bytes(), kind)


def _rows(document: Path, picture: Dots) -> Sequence[Sequence[float]]:
    """What the function of figures/ gives whose name the document states."""
    module, _, name = picture.dots.rpartition(".")
    try:
        rows: Sequence[Sequence[float]] = getattr(import_module(f"figures.{module}"), name)()
    except (ImportError, AttributeError) as error:
        raise lecture.fault(document, f"{KEY}.dots", f"{picture.dots} can't be called: {error}", "Name a function of figures/") from None
    return rows
