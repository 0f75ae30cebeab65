"""Where a notebook on GitHub opens in Colab, and the QR code of an address.

Makes only addresses and a drawing: the caller has the words for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from figures.kit import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.path import Path

QUIET, MODULE = 4, 4  # the margin of a QR code in modules, as the norm asks, and a module's side in pixels
GITHUB = re.compile(r"(?:https?://)?(?:www\.)?github\.com/(?P<name>[^/\s]+/[^/\s]+?)(?:\.git)?/?")


def colab(repository: str, branch: str, notebook: str) -> str:
    """Colab's address of a notebook on GitHub; "" for a repository elsewhere, as Colab opens only GitHub's.

    >>> colab("https://github.com/a/b", "main", "lab.ipynb")
    'https://colab.research.google.com/github/a/b/blob/main/lab.ipynb'
    """
    github = GITHUB.fullmatch(repository.strip())
    return f"https://colab.research.google.com/github/{github['name']}/blob/{branch}/{notebook}" if github else ""


def qr_code(url: str) -> Figure:
    """The QR code of an address, dark modules on the page's ground with a quiet margin around them."""
    import segno

    rows = [list(row) for row in segno.make(url, error="l", boost_error=False).matrix][::-1]
    side = (len(rows) + 2 * QUIET) * MODULE
    drawing, axes = style.canvas(side, side, bare=True)
    axes.add_patch(style.patches.Rectangle((0, 0), side, side, facecolor=style.COLOURS.ground))
    bars = [_bar(start, y, length) for y, row in enumerate(rows) for start, length in runs(row)]
    axes.add_patch(
        style.patches.PathPatch(style.path.Path.make_compound_path(*bars), facecolor=style.COLOURS.ink, linewidth=0, antialiased=False)
    )
    return drawing


def runs(row: Sequence[int]) -> list[tuple[int, int]]:
    """Where the dark modules of a row start, and how many stand together.

    >>> runs([0, 1, 1, 0, 1])
    [(1, 2), (4, 1)]
    """
    starts = []
    for dark, group in groupby(enumerate(row), key=lambda place: place[1]):
        places = [at for at, _ in group]
        starts += [(places[0], len(places))] if dark else []
    return starts


def _bar(start: int, y: int, length: int) -> Path:
    """A run of modules as a rectangle in pixels."""
    left, bottom = (start + QUIET) * MODULE, (y + QUIET) * MODULE
    right, top = left + length * MODULE, bottom + MODULE
    return style.path.Path([(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)])
