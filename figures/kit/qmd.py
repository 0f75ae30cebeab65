"""The one reader of .qmd: lines with their place and their includes, front matter, headings, cells, inline code.

The engine, the claims, the deck, the audit and the freeze all read through it, so that each gets the same answer.
It runs nothing, and knows of Markdown only fences, divs and headings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from figures.kit import files, readings, strict_yaml
from figures.kit.errors import Problem
from figures.kit.files import Line, Place, lines_of, shown
from figures.kit.strict_yaml import Tree

_INCLUDE = re.compile(r"^\s*\{\{<\s*include\s+(?P<path>\S+)\s*>\}\}\s*$")
SHORTCODE = re.compile(r"\{\{<\s*(?P<name>\S+)\s*(?P<rest>.*?)\s*>\}\}")
_FENCE = re.compile(r"^\s*(?P<ticks>(?P<tick>[`~])(?P=tick){2,})(?P<info>.*)$")
_CELL = re.compile(r"^(?P<indent>\s*)(?P<ticks>`{3,})\s*\{(?P<language>[A-Za-z0-9_]+)(?P<rest>[ ,][^}]*)?\}\s*$")
_OPTION = re.compile(r"^#\|( |$)")
_INLINE = re.compile(r"(^|[^`])`\{python\}[ \t]([^`]+)`")
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*(?=\()")
_DIV = re.compile(r"^\s*:{3,}\s*(?P<attributes>.*?)\s*:*\s*$")
_HEADING = re.compile(
    r"^(?P<marks>#{1,6})\s+(?P<title>.*?)"
    r"(?:(?:\s+|(?<![\])`]))\{(?P<attributes>(?=\s*(?:[.#-]|[\w-]+=))[^{}]*)\})?\s*$"  # after a bracket they are a span's
)
_ID = re.compile(r"#([^\s}]+)")


@dataclass(frozen=True)
class Heading:
    """A heading, its title as written, its attributes aside; `id` is empty where it names none."""

    level: int
    title: str
    id: str
    line: Line


@dataclass(frozen=True)
class Fence:
    """The line that opens a listing or a cell. A cell has a `language`; `rest` is what its braces hold besides."""

    line: Line
    ticks: str
    language: str = ""
    rest: str = ""
    indent: str = ""


class Context(NamedTuple):
    """What a line is, the heading it stands under, the fence it belongs to, and the attributes of the divs around it."""

    role: Literal["text", "heading", "opening", "inside", "closing"]
    heading: Heading | None
    fence: Fence | None
    divs: tuple[str, ...]

    @property
    def in_cell(self) -> bool:
        return self.fence is not None and self.fence.language != ""


@dataclass(frozen=True)
class Text:
    """The lines between two cells, listings and inline code among them."""

    lines: list[Line]


@dataclass(frozen=True)
class Cell:
    """The code of one cell without its options and the empty lines around it; `place` is its first line of code."""

    code: str
    options: dict[str, Any]
    option_places: dict[str, Place]
    place: Place
    fence: Fence

    @property
    def name(self) -> str:
        """What the progress line calls it: its label, else its first line of code."""
        first = next((line.strip() for line in self.code.splitlines() if line.strip()), "")
        return str(self.options.get("label") or first)


class Inline(NamedTuple):
    """Inline code, `{python} code` between backquotes, and where in its line it stands."""

    start: int
    end: int
    code: str

    @property
    def function(self) -> str:
        """The function that it calls first; else empty.

        >>> Inline(0, 27, "some_topic.weight(1).tex").function
        'some_topic.weight'
        """
        match = _FUNCTION.match(self.code)
        return match[0] if match else ""


# Files


def read(document: Path, root: Path | None = None) -> list[Line]:
    """The lines of a document with the lines of each included file, and an empty one, where its shortcode stood.

    An include is looked for beside the *document*, however deep it stands, or from `root` if it starts with `/`.
    Raises Problem for a missing file, a file that includes itself, a fence that is open at its file's end.
    """
    return list(_expand(document, root or files.ROOT, document.parent, ()))


def _expand(file: Path, root: Path, folder: Path, parents: tuple[Path, ...]) -> Iterator[Line]:
    fence: Fence | None = None
    open_files = (*parents, file.resolve())
    for line in lines_of(file, root):
        fence = _after(line, fence)
        include = None if fence else _INCLUDE.match(line.text)
        if include:
            yield from _expand(_included(include["path"], line.place, root, folder, open_files), root, folder, open_files)
            yield Line("", line.place)
        elif parents and line.place.line == 1 and line.text.rstrip() == "---":
            raise Problem(line.place, "an included file starts with front matter", "Move it to the document's own.")
        else:
            yield line
    if fence:
        raise _never_ends(fence)


def _included(path: str, place: Place, root: Path, folder: Path, open_files: tuple[Path, ...]) -> Path:
    target = (root / path[1:] if path.startswith("/") else folder / path).resolve()
    if target in open_files:
        raise Problem(place, f"the include of {path} goes round in a circle", "Drop one of the includes.")
    if not target.is_file():
        remedy = f"Write the path as seen from {shown(folder, root)}/, or from the project's folder with a leading `/`."
        raise Problem(place, f"there is no file {shown(target, root)} to include", remedy)
    return target


def _never_ends(fence: Fence) -> Problem:
    return Problem(fence.line.place, "this code fence never ends in its file", f"Close it with a line {fence.ticks}.")


# Front matter


def split_front_matter(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """(lines between the two `---` at the top, the lines after them)."""
    if not _has_front_matter(lines):
        return [], lines
    for end, line in enumerate(lines[1:], 1):
        if line.text.rstrip() == "---":
            return lines[1:end], lines[end + 1 :]
    raise Problem(lines[0].place, "the front matter never ends", "Close it with a line `---`.")


def _has_front_matter(lines: list[Line]) -> bool:
    return bool(lines) and lines[0].text.rstrip() == "---"


def front_matter(file: Path, root: Path | None = None) -> Tree:
    """The settings at the top of a document, with their places."""
    return strict_yaml.settings(_front(shown(file), shown(root or files.ROOT)))


@readings.question
def _front(file: str, root: str) -> list[Line]:
    return split_front_matter(lines_of(files.ROOT / file, files.ROOT / root))[0]


def body(file: Path, root: Path | None = None) -> list[Line]:
    """The lines below the front matter, includes in place."""
    return split_front_matter(read(file, root))[1]


# What the lines are


def contexts(lines: Iterable[Line]) -> Iterator[tuple[Line, Context]]:
    """Each line below the front matter with what it is part of."""
    heading: Heading | None = None
    fence: Fence | None = None
    divs: tuple[str, ...] = ()
    for line in lines:
        before, fence = fence, _after(line, fence)
        if before or fence:
            yield line, Context("opening" if not before else "inside" if fence else "closing", heading, before or fence, divs)
            continue
        div, new = _DIV.match(line.text), _heading(line)
        if div:
            divs = (*divs, div["attributes"]) if div["attributes"] else divs[:-1]
        heading = new or heading
        yield line, Context("heading" if new else "text", heading, None, divs)


def headings(lines: Iterable[Line]) -> Iterator[Heading]:
    """The headings in order; a line of code that looks like one is none."""
    return (context.heading for _, context in contexts(lines) if context.role == "heading" and context.heading)


def parts(lines: Iterable[Line]) -> Iterator[Text | Cell]:
    """Text and cells in the document's order. Neither is empty. Raises Problem for a fence that is open at the end."""
    text: list[Line] = []
    code: list[Line] = []
    context: Context | None = None
    for line, context in contexts(lines):
        if not context.in_cell:
            text.append(line)
        elif context.role == "opening":
            if text:
                yield Text(text)
            text, code = [], []
        elif context.role == "inside":
            code.append(line)
        elif context.fence:
            yield _cell(context.fence, code)
    if context and context.fence and context.role != "closing":
        raise _never_ends(context.fence)
    if text:
        yield Text(text)


def inline(text: str) -> list[Inline]:
    """The inline code of a line, in order; as in Quarto there is a blank after `{python}`."""
    return [Inline(match.end(1), match.end(), match[2].strip()) for match in _INLINE.finditer(text)]


def fill(text: str, value: Callable[[Inline], str]) -> str:
    """The line with each piece of inline code replaced by its value."""
    made, end = "", 0
    for piece in inline(text):
        made, end = made + text[end : piece.start] + value(piece), piece.end
    return made + text[end:]


def _after(line: Line, fence: Fence | None) -> Fence | None:
    """The fence that is open after this line, given the one that is open before it."""
    cell, mark = _CELL.match(line.text), _FENCE.match(line.text)
    if fence and fence.language:  # a cell ends at its own ticks alone; code may hold others, further in
        closes = line.text.strip() == fence.ticks and (fence.indent != "" or not line.text[0].isspace())
        return None if closes else fence
    if fence:
        closes = mark is not None and mark["ticks"].startswith(fence.ticks) and not mark["info"].strip()
        return None if closes else fence
    if cell:
        return Fence(line, cell["ticks"], cell["language"], (cell["rest"] or "").strip(), cell["indent"])
    return Fence(line, mark["ticks"]) if mark and mark["tick"] not in mark["info"] else None


def _heading(line: Line) -> Heading | None:
    match = _HEADING.match(line.text)
    if not match:
        return None
    id = _ID.search(match["attributes"] or "")
    return Heading(len(match["marks"]), match["title"], id[1] if id else "", line)


def _cell(fence: Fence, lines: list[Line]) -> Cell:
    count = next((n for n, line in enumerate(lines) if not _OPTION.match(line.text)), len(lines))
    written = [Line(line.text.removeprefix("#|").removeprefix(" "), line.place) for line in lines[:count]]
    options = strict_yaml.settings(written)
    code = lines[count:]
    while code and not code[0].text.strip():
        code = code[1:]
    while code and not code[-1].text.strip():
        code = code[:-1]
    places = {path: entry.place for path, entry in options.entries.items()}
    return Cell("\n".join(line.text for line in code), options.value, places, code[0].place if code else fence.line.place, fence)
