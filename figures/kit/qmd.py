"""Reads a .qmd and puts its includes in place; every line remembers the file and number that it came from.

Does *not* look at YAML, cells or Markdown beyond the fences that protect an include from being read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from figures.kit.errors import Problem
from figures.kit.files import ROOT, shown

INCLUDE = re.compile(r"^\s*\{\{<\s*include\s+(?P<path>\S+)\s*>\}\}\s*$")
FENCE = re.compile(r"^\s*(?P<ticks>`{3,}|~{3,})(?P<info>.*)$")


@dataclass(frozen=True)
class Place:
    """A line of a file. `str(Place("slides/a.qmd", 3))` -> "slides/a.qmd:3"."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def down(self, lines: int) -> Place:
        return Place(self.file, self.line + lines)


@dataclass(frozen=True)
class Line:
    """One line without its end, and where it was written."""

    text: str
    place: Place


def read(document: Path, root: Path) -> list[Line]:
    """The lines of `document` with the lines of each included file where its shortcode stood."""
    return list(_expand(document, root, document.parent, ()))


def split_front_matter(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """(lines between the two `---` at the top, the lines after them)."""
    if not lines or lines[0].text.rstrip() != "---":
        return [], lines
    for end, line in enumerate(lines[1:], 1):
        if line.text.rstrip() == "---":
            return lines[1:end], lines[end + 1 :]
    raise Problem(lines[0].place, "the front matter never ends", "Close it with a line `---`.")


def _expand(file: Path, root: Path, folder: Path, parents: tuple[Path, ...]) -> Iterator[Line]:
    """An include is looked for beside the *document*, however deep it stands, or from the root if it starts with `/`."""
    name = shown(file, root)
    fence, opened = "", Place(name, 1)
    for number, content in enumerate(lines_of(file), 1):
        line = Line(content, Place(name, number))
        opened = opened if fence else line.place
        fence = after(content, fence)
        include = None if fence else INCLUDE.match(content)
        if not include:
            if parents and number == 1 and content.rstrip() == "---":
                raise Problem(line.place, "an included file starts with front matter", "Move it to the document's own.")
            yield line
            continue
        wanted = include["path"]
        target = (root / wanted[1:] if wanted.startswith("/") else folder / wanted).resolve()
        if target in (*parents, file.resolve()):
            raise Problem(line.place, f"the include of {wanted} goes round in a circle", "Drop one of the includes.")
        if not target.is_file():
            raise Problem(
                line.place,
                f"there is no file {shown(target, root)} to include",
                f"Write the path as seen from {shown(folder, root)}/, or from the project's folder with a leading `/`.",
            )
        yield from _expand(target, root, folder, (*parents, file.resolve()))
        yield Line("", line.place)
    if fence:
        raise Problem(opened, "this code fence never ends in its file", f"Close it with a line {fence}.")


def lines_of(file: Path) -> list[str]:
    """The lines of a text file; only a line feed ends one, so that numbers agree with every editor's."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise Problem(file, f"byte {error.start + 1} is no UTF-8", "Save the file as UTF-8.") from None
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def after(text: str, fence: str) -> str:
    """The code fence that is open after this line ("" for none), given the one open before it."""
    match = FENCE.match(text)
    if not match:
        return fence
    ticks, info = match["ticks"], match["info"]
    if not fence:
        return "" if ticks[0] in info else ticks
    closes = ticks[0] == fence[0] and len(ticks) >= len(fence) and not info.strip()
    return "" if closes else fence


def told_lines(file: Path) -> list[tuple[str, str]]:
    """(file:line, text) of a page's source with its includes put in place."""
    return [(str(line.place), line.text) for line in read(file, ROOT)]
