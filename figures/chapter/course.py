"""The chapter's place in the course: its step, and the pages before and after."""

from __future__ import annotations

from typing import Any

from figures.chapter import model
from figures.chapter.model import Page
from figures.kit import data, ledger, markup
from figures.kit.formats import count
from figures.kit.markup import Markup
from figures.kit.show import Shown, number, word
from figures.kit.words import Words

_words = Words("chapter")


@number(count())
def step() -> Any:
    """Which step of the course this is."""
    return ledger.fact(model.records().step, model.records().source)


@number(count())
def steps() -> Any:
    """How many steps the course has."""
    return ledger.fact(model.records().steps, model.records().source)


@number(count())
def step_before() -> int:
    """The step that this one continues."""
    return model.records().step - 1


@number(count())
def step_after() -> int:
    """The step that continues this one."""
    return model.records().step + 1


@word
def page(id: str) -> str:
    """The name of another page, a link where its address is known.

    >>> page("overview")
    visão geral
    """
    return linked(data.one(model.records().pages, lambda page: page.id, id, "data/chapter.yml"))


def linked(page: Page) -> Markup:
    """The name of a page, a link where its address is known.

    >>> linked(Page(id="previous", address="e.html")).markdown
    '[Embeddings](e.html)'
    """
    name = _words(f"pages.{page.id}")
    return _words("link", name=name, address=page.address) if page.address else name


def neighbours() -> Shown[str] | None:
    """The way to the pages before and after that have an address; None, which displays nothing, where neither has."""
    addressed = tuple(page.id for page in model.records().pages if page.id in ("previous", "next") and page.address)
    return way(addressed) if addressed else None


@word
def way(ids: tuple[str, ...]) -> str:
    """The way to some of the pages beside this one.

    >>> way(("previous",))
    ← Embeddings
    """
    return markup.joined((_words(f"neighbours.{id}", page=page(id)) for id in ids), " · ")
