"""Where the project lies, and its files: texts read as UTF-8 or refused by name, each line with its place, others as addresses."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from figures.kit import readings
from figures.kit.errors import DataError

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent
_overlay: dict[Path, bytes] = {}


@dataclass(frozen=True)
class Place:
    """A line of a file.

    >>> str(Place("slides/a.qmd", 3))
    'slides/a.qmd:3'
    """

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def down(self, lines: int) -> Place:
        """The place so many lines below.

        >>> str(Place("slides/a.qmd", 3).down(2))
        'slides/a.qmd:5'
        """
        return Place(self.file, self.line + lines)


@dataclass(frozen=True)
class Line:
    """One line without its end, and where it was written."""

    text: str
    place: Place


def read_text(path: Path) -> str:
    """A text file in UTF-8, a byte order mark and the line ends of other systems aside; or a DataError that names it."""
    if readings.asking() and path.is_relative_to(ROOT) and not path.is_relative_to(folder()):  # those of data/ are noted by `data`
        digest(shown(path))
    try:
        return read_bytes(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        raise DataError(shown(path), "", "the file is missing", "Restore it from git, or write it anew") from None
    except UnicodeDecodeError as error:
        raise DataError(shown(path), "", f"byte {error.start + 1} is no UTF-8", "Save the file as UTF-8") from None


def read_bytes(path: Path) -> bytes:
    """A file's content, as every reader of the project's own files gets it, or what stands in its place under `overlaid`."""
    content = _overlay.get(path)
    return path.read_bytes() if content is None else content


@contextmanager
def overlaid(texts: Mapping[str, str]) -> Iterator[None]:
    """Inside the block these files of the project, "data/a.yml", are read as if they held these texts; nothing is written.

    For a process that has read none of them yet, since what was read is remembered.
    """
    before = dict(_overlay)
    _overlay.update((ROOT / name, text.encode()) for name, text in texts.items())
    try:
        yield
    finally:
        _overlay.clear()
        _overlay.update(before)


@readings.question
def digest(name: str) -> str:
    """The digest of a file of the project, empty where there is none."""
    path = ROOT / name
    return hashlib.sha256(read_bytes(path)).hexdigest() if path.is_file() else ""


def lines_of(path: Path, root: Path | None = None) -> list[Line]:
    """The lines of a text file; only a line feed ends one, so that their numbers agree with every editor's."""
    return numbered(read_text(path), shown(path, root))


def numbered(text: str, file: str) -> list[Line]:
    r"""The lines of a text, each with its place.

    >>> [(line.text, str(line.place)) for line in numbered("a\nb\n", "x.qmd")]
    [('a', 'x.qmd:1'), ('b', 'x.qmd:2')]
    """
    return [Line(one, Place(file, number)) for number, one in enumerate(text.removesuffix("\n").split("\n"), 1)] if text else []


def shown(path: Path, root: Path | None = None) -> str:
    """How messages name a file: from the project's folder on where it lies inside, else its whole path."""
    path, root = path.resolve(), root or ROOT
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def data_uri(content: bytes, kind: str) -> str:
    """A file's content as an address that holds it all.

    >>> data_uri(b"<svg/>", "image/svg+xml")
    'data:image/svg+xml;base64,PHN2Zy8+'
    """
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def folder() -> Path:
    """The folder of data files: beside the package once installed, the checkout's `data/` otherwise."""
    installed = PACKAGE / "data"
    return installed if installed.is_dir() else ROOT / "data"
