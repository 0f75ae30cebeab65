"""Where the browser parts of the deck come from: files inside installed Python packages, never the network.

reveal.js travels in the wheel `sphinx-revealjs` (only its static files are used), the fonts in the wheels
that `data/theme.yml` names, or in files of data/. This module finds files; it changes and copies none.
"""

from __future__ import annotations

from pathlib import Path

from figures.kit import packages
from figures.kit.errors import Problem
from figures.kit.style import FONTS, face_path
from figures.kit.theme import Face

REMEDY = "Run `make setup`, or install what requirements.lock names."


def reveal() -> Path:
    """The folder of reveal.js, in which `dist/reveal.js` lies."""
    folder = package("sphinx_revealjs") / "_static" / "revealjs"
    for name in ("dist/reveal.js", "dist/reveal.css", "dist/reset.css"):
        if not (folder / name).is_file():
            raise Problem("reveal.js", f"the package sphinx-revealjs holds no {name}", REMEDY)
    return folder


def font_files() -> list[tuple[str, Face, Path]]:
    """Every face that the theme names, as (family, face, file), in the theme's order."""
    return [(font.family, face, face_path(font, face)) for font in FONTS for face in font.faces]


def package(name: str) -> Path:
    """The folder of an installed package, found without importing it."""
    folder = packages.folder(name)
    if folder is None:
        raise Problem(f"package {name}", "it is not installed", REMEDY)
    return folder
