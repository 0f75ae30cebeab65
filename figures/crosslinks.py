"""Links between the slides, the chapter and the lab: where else the subject of a section is treated.

`data/crosslinks.yml` says which sections belong together. A page links to the file beside it; a notebook and paper, which
may lie anywhere, link to the `site` of `_variables.yml`, and have no links where it is empty.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from figures.kit import data, deck, files, project, qmd, readings
from figures.kit.errors import DataError
from figures.kit.formats import joined
from figures.kit.show import Markdown, block
from figures.kit.words import Words

Kind = Literal["slides", "chapter", "lab"]
KINDS: tuple[Kind, ...] = ("slides", "chapter", "lab")
NUMBERED = "lab.heading("  # a heading that calls it is one of the lab's numbered sections
RECORDS = "data/crosslinks.yml"
NOTHING = Markdown("<!-- no links -->")  # an expression has to show something

_words = Words("crosslinks")


class Documents(data.Record):
    """The three documents, named from the project's folder on; one that isn't there gets no links."""

    slides: str
    chapter: str
    lab: str


class Subject(data.Record):
    """The sections that treat one subject, by their ids."""

    slides: tuple[str, ...] = ()
    chapter: tuple[str, ...] = ()
    lab: tuple[str, ...] = ()


class Crosslinks(data.Record):
    """`data/crosslinks.yml`."""

    documents: Documents
    subjects: tuple[Subject, ...]


def records() -> Crosslinks:
    """The records, as `data/crosslinks.yml` has them."""
    return data.load("crosslinks", Crosslinks)


def document(kind: Kind) -> Path | None:
    """The document of a kind, None where the project makes none."""
    file = files.ROOT / getattr(records().documents, kind)
    return file if file in project.documents() else None


def headings(file: Path) -> dict[str, str]:
    """The titles of a document's sections as they are written, by id, in order."""
    return _headings(files.shown(file))


@readings.question
@readings.remembered
def _headings(name: str) -> dict[str, str]:
    return {heading.id: heading.title for heading in qmd.headings(qmd.body(files.ROOT / name)) if heading.id}


def related(kind: Kind, id: str, other: Kind) -> list[str]:
    """The sections of another document that treat the subjects of one section.

    >>> related("lab", "sec-mascaras-lab", "slides")
    ['sec-mascaras', 'sec-quatro-mascaras']
    """
    linked = [one for subject in records().subjects if id in getattr(subject, kind) for one in getattr(subject, other)]
    return list(dict.fromkeys(linked))


def number(kind: Kind, id: str, titles: dict[str, str]) -> int:
    """The number under which readers know a slide or a section of the lab."""
    if kind == "slides":
        return deck.position(id)
    sections = [one for one, title in titles.items() if NUMBERED in title]
    if id not in sections:
        raise DataError(RECORDS, id, "it is none of the lab's numbered sections", f"Name one of {', '.join(sections)}")
    return sections.index(id) + 1


def address(file: Path, here: Path, site: str) -> str:
    """The page of a document as seen from another's, or on a site.

    >>> address(files.ROOT / "slides" / "a.qmd", files.ROOT / "slides" / "b.qmd", "")
    'a.html'
    """
    page = project.page(file)
    if not site:
        return Path(os.path.relpath(page, project.page(here).parent)).as_posix()
    output = files.ROOT / str(project.settings().value.get("project", {}).get("output-dir", "."))
    return f"{site}/{page.relative_to(output).as_posix()}"


def from_slide(id: str) -> Markdown:
    """Where the chapter and the lab treat what a slide does."""
    return shown("slides", id, "from_slides", "short")


def from_chapter(id: str) -> Markdown:
    """Where the slides and the lab treat what a section of the chapter does."""
    return shown("chapter", id, "from_page", "long")


def from_lab(id: str) -> Markdown:
    """Where the slides and the chapter treat what a section of the lab does."""
    return shown("lab", id, "from_page", "long")


def shown(kind: Kind, id: str, line: str, name: str) -> Markdown:
    """The links of a section; nothing that anybody sees where no subject names it, or no document that it could lead to is there."""
    file = document(kind)
    if file and id not in headings(file):
        known = ", ".join(headings(file))
        raise DataError(files.shown(file), id, "links are asked for of a section that isn't here", f"Correct it; known: {known}")
    there = [other for other in KINDS if other != kind and document(other) and related(kind, id, other)]
    return beside(kind, id, line, name) if there else NOTHING


@block
def beside(kind: Kind, id: str, line: str, name: str) -> Markdown:
    """The links of a section for a page, and where there is a site for the notebook and for paper."""
    site = project.site()
    blocks = [f':::: {{.content-visible when-format="html"}}\n::: {{.crosslinks .on-screen}}\n{_line(kind, id, line, name, "")}\n:::\n::::']
    if site:
        links = _line(kind, id, line, name, site)
        blocks += [f':::: {{.content-visible when-format="html"}}\n::: {{.crosslinks .for-paper}}\n{links}\n:::\n::::']
        blocks += [f':::: {{.content-visible unless-format="html"}}\n::: {{.crosslinks}}\n{links}\n:::\n::::']
    return Markdown("\n" + "\n\n".join(blocks) + "\n")


def _line(kind: Kind, id: str, line: str, name: str, site: str) -> str:
    """The links to each other document, one after the other."""
    parts = []
    for other in KINDS:
        file, ids = document(other), related(kind, id, other)
        if other != kind and file and ids:
            links = joined([_link(kind, other, file, one, name, site) for one in ids], _words("and"))
            parts.append(_words(f"{line}.{other}", links=links))
    said = " · ".join(parts)
    return said if kind == "slides" else said[:1].upper() + said[1:]


def _link(kind: Kind, other: Kind, file: Path, id: str, name: str, site: str) -> str:
    """One link; from a slide it opens beside the lecture."""
    titles = headings(file)
    if id not in titles:
        names = ", ".join(titles)
        raise DataError(RECORDS, id, f"{files.shown(file)} has no section with this id", f"Correct it, or drop it; known: {names}")
    n = "" if other == "chapter" else number(other, id, titles)
    here = document(kind) or file
    target = f"{address(file, here, site)}#{id}"
    tab = "{target=_blank}" if kind == "slides" else ""
    return f"[{_words(f'{name}.{other}', n=n, title=titles[id])}]({target}){tab}"
