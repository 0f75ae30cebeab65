"""What the deck says of the lab: its sections, its hours, and where the notebook is."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from figures import real_model
from figures.kit import data, ledger, project
from figures.kit.errors import DataError
from figures.kit.formats import count, fixed, plain, spelled, unit
from figures.kit.markup import Markup
from figures.kit.notebook_link import colab, qr_code
from figures.kit.show import Column, Markdown, Picture, Table, block, figure, number, table, word
from figures.kit.words import Words

_words, _hints = Words("lab"), Words("lab_hints")


class Section(data.Record):
    """One section: the id by which slides name it, the minutes of a first time, its points of a hundred."""

    id: str
    minutes: data.Positive
    points: data.Positive


class Install(data.Record):
    """What the notebook's first cell may have to fetch: megabytes of the lab's packages and of PyTorch, minutes, the oldest Python."""

    lab: data.Positive
    torch: data.Positive
    minutes: data.Positive
    python: str
    source: str


class Lab(data.Record):
    """The lab's sections in order; `notebook` is its path in the repository's `branch`."""

    hours: data.Above
    install: Install
    notebook: str
    branch: str
    sections: tuple[Section, ...]
    source: str


def records() -> Lab:
    """The records, as `data/lab.yml` has them."""
    return data.load("lab", Lab)


def halves(sections: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Two columns, the first never the shorter.

    >>> halves(("a", "b", "c"))
    (('a', 'b'), ('c',))
    """
    middle = (len(sections) + 1) // 2
    return sections[:middle], sections[middle:]


def numbered(items: tuple[str, ...], start: int = 1) -> str:
    r"""A Markdown list that counts from `start`.

    >>> numbered(("a", "b"), 6)
    '6. a\n7. b'
    """
    return "\n".join(f"{n}. {item}" for n, item in enumerate(items, start))


def titles() -> tuple[str, ...]:
    """The sections' titles, in order."""
    return tuple(title(section.id) for section in records().sections)


def title(id: str) -> Markup:
    """The title of a section; of the one that measures a real model, with that model."""
    return _words(f"titles.{id}", model=real_model.recorded().model)


@block
def first_column() -> Markdown:
    """Sections 1 to 5, as a numbered list."""
    return Markdown(f"\n{numbered(halves(titles())[0])}\n")


@block
def second_column() -> Markdown:
    """Sections 6 to 10: the list goes on where the first column stopped."""
    first, second = halves(titles())
    return Markdown(f"\n{numbered(second, len(first) + 1)}\n")


@word
def heading(id: str) -> str:
    """A section's heading in the lab itself: its number and its title."""
    return _words("heading", n=section(id), title=title(id))


@number(count())
def section(id: str) -> int:
    """The number of a section.

    >>> section("bill")
    8
    """
    ids = [section.id for section in records().sections]
    if id not in ids:
        raise DataError("data/lab.yml", id, "no section has this id", f"Known: {', '.join(ids)}")
    return ids.index(id) + 1


@number(unit(plain(1), "h"))
def hours() -> Any:
    """How long a student takes."""
    return ledger.fact(records().hours, records().source)


@number(unit(fixed(1, trim=True), "h"))
def first_time() -> float:
    """How long all sections take somebody who has never done this, to half an hour."""
    return round(sum(section.minutes for section in records().sections) / 30) / 2


@table
def plan() -> Table:
    """A section a row: its title, its minutes, its points."""
    heading, minutes, points = _words.list("plan.columns")
    columns = [Column(heading, align="left"), Column(minutes, count()), Column(points, count())]
    rows = [[_words("heading", n=section(one.id), title=title(one.id)), one.minutes, one.points] for one in records().sections]
    return Table(columns, rows)


@block
def hints(id: str) -> Markdown:
    """A section's hints, each hidden until it is opened; paper has none."""
    section(id)
    steps = [
        f"<details>\n<summary>{_hints('step', n=n)}</summary>\n\n{text}\n\n</details>"
        for n, text in enumerate(_hints.list(f"steps.{id}"), 1)
    ]
    shown = "\n\n".join(steps)
    for format in ("typst", "pdf", "docx"):
        shown = f'::: {{.content-hidden when-format="{format}"}}\n\n{shown}\n\n:::'
    return Markdown(f"\n{shown}\n")


@number(unit(count(), "MB"))
def download(what: str) -> Any:
    """Megabytes that the first cell fetches of the lab or of PyTorch."""
    return ledger.fact(getattr(records().install, what), records().install.source)


@number(count())
def install_minutes() -> Any:
    """Minutes that this takes."""
    return ledger.fact(records().install.minutes, records().install.source)


@word
def python() -> str:
    """The oldest Python that will do."""
    return records().install.python


@number(spelled(feminine=True))
def section_count() -> int:
    """How many sections the lab has, in words."""
    return len(records().sections)


@word
def notebook() -> str:
    """The link to Colab where _variables.yml names a GitHub repository; else where the notebook is."""
    return notebook_in_words(records(), project.repository())


def notebook_in_words(lab: Lab, repository: str) -> str:
    """The same for any lab and any repository, "" where there is none."""
    url = colab(repository, lab.branch, lab.notebook)
    return _words("colab", url=url) if url else _words("local", notebook=PurePosixPath(lab.notebook).name)


def code() -> Picture | None:
    """The QR code of that link; None, which displays nothing, where there is no link."""
    url = colab(project.repository(), records().branch, records().notebook)
    return qr(url) if url else None


@figure
def qr(url: str) -> Picture:
    """The QR code of an address, for a telephone that looks at the slide."""
    return Picture(qr_code(url), alt=_words("qr", url=url))
