"""Where the project lies, and its text files, read as UTF-8 or refused by name."""

from __future__ import annotations

from pathlib import Path

from figures.kit.errors import DataError

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent


def read_text(path: Path) -> str:
    """A text file in UTF-8, or a DataError that names it."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError(shown(path), "", "the file is missing", "Restore it from git, or write it anew") from None
    except UnicodeDecodeError as error:
        raise DataError(shown(path), "", f"not UTF-8 at byte {error.start}", "Save the file as UTF-8") from None


def shown(path: Path, root: Path = ROOT) -> str:
    """How messages name a file: from the project's folder on where it lies inside, else its whole path."""
    path = path.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def folder() -> Path:
    """The folder of data files: beside the package once installed, the checkout's `data/` otherwise."""
    installed = PACKAGE / "data"
    return installed if installed.is_dir() else ROOT / "data"
