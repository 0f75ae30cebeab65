"""The picture of the title slide as a CSS value: rows of numbers as dots, a file of the project, or none."""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Sequence
from importlib import import_module
from math import sqrt
from pathlib import Path
from urllib.parse import quote

from figures.kit.errors import DataError
from figures.kit.files import ROOT, shown
from figures.kit.style import COLOURS
from figures.kit.theme import FILE, Dots, NoPicture, PictureFile, role

SIDE = 448
LARGEST = 25 / 56  # the radius of a dot of 1, in parts of the grid's pitch
LEAST = 3 / 56


def title_picture(picture: Dots | PictureFile | NoPicture, root: Path = ROOT) -> str:
    """`url("data:image/svg+xml,…")`, or `none`."""
    if isinstance(picture, NoPicture):
        return "none"
    if isinstance(picture, PictureFile):
        return f'url("{_file(root / picture.file)}")'
    last = COLOURS.stress if picture.last_row == "stress" else role(picture.last_row).ink
    return f'url("data:image/svg+xml,{quote(dots(_rows(picture.numbers), last))}")'


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


def _file(path: Path) -> str:
    """A picture as a data: URI."""
    kind = mimetypes.guess_type(path.name)[0]
    if not path.is_file() or not kind or not kind.startswith("image/"):
        raise DataError(FILE, "title_picture.file", f"there is no picture {shown(path)}", "Correct its path, from the project's folder on")
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def _rows(function: str) -> Sequence[Sequence[float]]:
    """What the function of figures/ gives whose name the theme states."""
    module, _, name = function.rpartition(".")
    try:
        rows: Sequence[Sequence[float]] = getattr(import_module(f"figures.{module}"), name)()
    except (ImportError, AttributeError) as error:
        raise DataError(FILE, "title_picture.numbers", f"{function} can't be called: {error}", "Name a function of figures/") from None
    return rows
