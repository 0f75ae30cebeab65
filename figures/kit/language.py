"""The language that is spoken: that of the document in hand, its front matter before `_quarto.yml`; and what a language falls back on.

`lang: en-GB` reads data/words/en-GB/ first and data/words/en/ where that has no such text: a variant holds only what differs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from figures.kit import files, project, qmd, readings
from figures.kit.errors import DataError

_chosen: ContextVar[str] = ContextVar("language", default="")
_PAGE = re.compile(r"<html\b[^>]*?\slang=\"([^\"]+)\"")


def spoken() -> str:
    """The language in hand as a BCP 47 tag, such as "en" or "pt-BR"."""
    folder, name = os.environ.get("QUARTO_DOCUMENT_PATH", ""), os.environ.get("QUARTO_DOCUMENT_FILE", "")
    return _chosen.get() or (_of_the_document(folder, name) if name else project.language())


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Inside the block, this language whatever document is in hand: what is done to a page once its cells have run."""
    token = _chosen.set(tag)
    try:
        yield
    finally:
        _chosen.reset(token)


def of(document: Path) -> str:
    """The language of a document: its own `lang`, or else the project's."""
    lang = qmd.front_matter(document).value.get("lang")
    if lang is not None and not isinstance(lang, str):
        raise DataError(files.shown(document), "lang", f"{lang!r} is no language", "Write a BCP 47 tag, such as pt-BR or en")
    return lang or project.language()


def of_page(html: str) -> str:
    """The language that a page says it is in, or else the project's.

    >>> of_page('<!DOCTYPE html><html lang="en">')
    'en'
    """
    said = _PAGE.search(html)
    return said[1] if said else project.language()


def fallbacks(tag: str) -> tuple[str, ...]:
    """A language with the more general ones behind it, each written as folders are named.

    >>> fallbacks("zh-hant-TW"), fallbacks("pt-br")
    (('zh-Hant-TW', 'zh-Hant', 'zh'), ('pt-BR', 'pt'))
    """
    first, *rest = tag.split("-")
    parts = [first.lower(), *(part.title() if len(part) == 4 else part.upper() if len(part) == 2 else part for part in rest)]
    heads = ["-".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return tuple(head for head in heads if len(head.rpartition("-")[2]) > 1)  # a single letter only opens an extension


@readings.remembered
def _of_the_document(folder: str, name: str) -> str:
    document = Path(folder, name)
    return of(document) if document.is_file() else project.language()
