"""Describes an exception of the project's own code in a few lines: its message, and the frames that lie in the project."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from figures.kit.errors import Problem
from figures.kit.files import shown

BUILD = Path(__file__).resolve().parents[1]


def said(error: BaseException) -> str:
    """The message of an error after the name of its class; its notes stand on lines of their own.

    >>> said(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    notes = getattr(error, "__notes__", [])
    lines = traceback.format_exception_only(error)
    return "\n    ".join([lines[-1 - len(notes)].strip(), *notes])


def frames(error: BaseException, root: Path) -> list[str]:
    """One line for each frame in the project's files, the outermost first; packages and this engine left out."""
    calls = traceback.extract_tb(error.__traceback__)
    return [f"{shown(Path(one.filename), root)}:{one.lineno} in {one.name}: {one.line}" for one in calls if _is_project(one.filename, root)]


def not_installed(error: BaseException, root: Path) -> Problem | None:
    """What to say of a package that this Python lacks; None for any other error, a module of the project's own included."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return None
    package = error.name.partition(".")[0]
    if (root / package).exists() or (BUILD / package).exists():
        return None
    remedy = (
        "Run `make setup`, then call the environment's Python: `.venv/bin/python build …` (on Windows `.venv\\Scripts\\python`),\n"
        "    or activate the environment: `. .venv/bin/activate` (on Windows `.venv\\Scripts\\activate`)."
    )
    return Problem(sys.executable, f"the package {package} is not installed in this Python", remedy)


class Failure(Problem):
    """What the project's own code raised, with the frames that lie in the project. `place` is where it was called."""

    def __init__(self, place: object, error: BaseException, root: Path) -> None:
        lines = [said(error), *frames(error, root)]
        super().__init__(place, "\n    ".join(lines), "Put this right; the last good output is untouched.")
        self.place = place


@contextmanager
def placed(where: str, root: Path) -> Iterator[None]:
    """What is raised inside becomes a Problem at `where`; one that is a Problem already stays."""
    try:
        yield
    except Problem:
        raise
    except Exception as error:
        raise not_installed(error, root) or Failure(where, error, root) from error


def _is_project(filename: str, root: Path) -> bool:
    path = Path(filename)
    return path.is_file() and path.is_relative_to(root) and "site-packages" not in path.parts and BUILD not in path.parents
