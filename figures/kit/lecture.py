"""What a document says of itself beside Quarto's own keys, under `lecture:` in its front matter, checked as data/ is.

Its acts, the picture of its title slide, the roles that its formulas colour, where its solutions lie, and of a page to read
the deck whose slides it speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec

from figures.kit import data, files, qmd, readings
from figures.kit.errors import DataError
from figures.kit.theme import THEME, Role

KEY = "lecture"


class Act(data.Record, frozen=True):
    """An act of a lecture: its name, its summary, the id of its first slide, those that the summary promises, its planned minutes."""

    EMPTY = frozenset({"covers"})

    name: str
    summary: str
    first: str
    covers: tuple[str, ...] = ()
    minutes: Annotated[int, msgspec.Meta(ge=1, le=600)] | None = None


class Dots(data.Record, frozen=True, rename="kebab"):
    """Rows of numbers as dots, each as large as its number; `dots` is the name of a function of figures/ that gives them."""

    dots: Annotated[str, msgspec.Meta(pattern=r"^[a-z_.]+\.[a-z_]+$")]
    last_row: str = "stress"

    def faults(self) -> Iterator[str]:
        known = ("stress", *(role.name for role in THEME.roles))
        if self.last_row not in known:
            yield f"`last-row` names {self.last_row!r}, which is no colour of a role; known: {', '.join(known)}"


class Lecture(data.Record, frozen=True, rename="kebab"):
    """The whole mapping; a document may do without any of it."""

    EMPTY = frozenset({"acts", "roles"})

    acts: tuple[Act, ...] = ()
    title_picture: Dots | str = ""  # a file is named from the document's folder on, as Quarto names files
    roles: tuple[str, ...] | None = None  # the roles of data/theme.yml that it shows; all where it says nothing
    deck: str = ""
    solutions: str = ""

    def faults(self) -> Iterator[str]:
        planned = [act.minutes is not None for act in self.acts]
        if any(planned) and not all(planned):
            yield f"`acts` plans minutes for some only; write them for {self.acts[planned.index(False)].name!r} too, or for none"
        known = [role.name for role in THEME.roles]
        for name in self.roles or ():
            if name not in known:
                yield f"`roles` names {name!r}, which data/theme.yml doesn't; known: {', '.join(known) or 'none'}"

    @property
    def shown_roles(self) -> tuple[Role, ...]:
        """The roles whose letters its formulas colour."""
        return tuple(role for role in THEME.roles if self.roles is None or role.name in self.roles)


def of(document: Path, root: Path | None = None) -> Lecture:
    """The settings of a document. Raises DataError, with file, key and line, for one that can't be used."""
    return _read(document, root or files.ROOT, document.stat().st_mtime_ns)


@readings.remembered
def _read(document: Path, root: Path, changed: int) -> Lecture:
    tree = qmd.front_matter(document, root)
    if tree.value.get(KEY) is None:
        return Lecture()
    return data.checked(tree, files.shown(document, root), Lecture, KEY)


def fault(document: Path, key: str, what: str, remedy: str, root: Path | None = None) -> DataError:
    """An error that names the document, a key of the mapping and its line."""
    path = f"{KEY}.{key}"
    return DataError(files.shown(document, root), path, what, remedy, qmd.front_matter(document, root).line(path))


def file(document: Path, key: str, name: str, root: Path | None = None) -> Path:
    """A file that the mapping names: from the document's folder on, or from the project's with a `/`."""
    path = (root or files.ROOT) / name[1:] if name.startswith("/") else document.parent / name
    if not path.is_file():
        remedy = "Write its path from the document's folder on, or from the project's with a leading `/`"
        raise fault(document, key, f"there is no file {files.shown(path, root)}", remedy, root)
    return path
