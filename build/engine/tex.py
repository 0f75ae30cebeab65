"""Who makes a `pdf`: LaTeX where there is a TeX, else Typst, the same under both engines.

Quarto is told by a file that `_quarto.yml` names under `metadata-files`: it reads its settings again after the hook.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import yaml
from base import atomic_write

from figures.kit import project

PROGRAM = "lualatex"
TINYTEX = ("~/.TinyTeX/bin", "~/Library/TinyTeX/bin", "~/AppData/Roaming/TinyTeX/bin")  # of Quarto's own TeX, on no PATH
FILE = Path(".cache", "pdf.yml")


def program() -> str | None:
    """The lualatex of this machine: the one on the PATH, or that of the TinyTeX that Quarto installs."""
    folders = [folder for bin in TINYTEX for folder in sorted(Path(bin).expanduser().glob("*"))]
    return next(filter(None, (shutil.which(PROGRAM), *(shutil.which(PROGRAM, path=folder) for folder in folders))), None)


def lacking() -> str:
    """What this machine lacks for a PDF by LaTeX; nothing where it has all."""
    return "" if program() else f"there is no `{PROGRAM}` on the PATH"


def maker(format: str) -> str:
    """The format in which another is made here: `typst` for a `pdf` without a TeX."""
    return "typst" if format == "pdf" and lacking() else format


def tell_quarto(root: Path) -> None:
    """Give `pdf` the project's settings for Typst where it is Typst that makes it; take them away where it is not."""
    file = root / FILE
    if maker("pdf") == "pdf":
        file.unlink(missing_ok=True)
        return
    declared = project.settings(root).value.get("format", {})
    typst = declared.get("typst", {}) if isinstance(declared, dict) else {}
    settings = (typst if isinstance(typst, dict) else {}) | {"to": "typst", "pdf-engine": "typst", "wrap": "none"}
    atomic_write.write(file, yaml.safe_dump({"format": {"pdf": settings}}, allow_unicode=True))
