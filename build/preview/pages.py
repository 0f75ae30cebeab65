"""The pages of the project as a preview shows them: what each was last, what is wrong with it now, and who makes it anew.

A page that can't be made leaves the last good one where it is, with the fault beside it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from figures.kit.errors import Problem
from preview import edits, watch
from preview.child import Answer, Fault, Order
from preview.edits import Edits
from preview.renderer import Renderer

IDLE = 2.0  # seconds without a change, after which a browser looks whether the slides fit
KEEPALIVE = 15.0  # seconds after which a silent connection is tried


@dataclass
class Page:
    """A document as it is shown; `number` counts what was painted of it, `base` is its ledger without what was tried."""

    document: Path
    format: str
    number: int = 0
    answer: Answer = field(default_factory=Answer)
    faults: list[Fault] = field(default_factory=list)
    looked: list[Fault] = field(default_factory=list)  # what a browser saw: slides that hold too much
    base: str = ""
    wanted: bool = False
    dirty: bool = True
    unseen: bool = False  # changed since a browser looked at it


class Pages:
    """All pages by their addresses, such as "slides/talk.html", and the thread that makes them."""

    def __init__(self, root: Path, documents: dict[str, tuple[Path, str]]) -> None:
        self.root = root
        self.run = secrets.token_hex(4)  # versions of another run of the preview are none of ours
        self.of = {address: Page(*one) for address, one in documents.items()}
        self.tried: Edits = {}
        self.over = False
        self.renderer = Renderer()
        self._news, self._tick, self._making = Condition(), 0, ""
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    # What happens

    def ask(self, address: str) -> Page:
        """The page at an address, which from now on is kept up to date."""
        with self._told():
            self.of[address].wanted = True
        return self.of[address]

    def changed(self, files: Iterable[Path]) -> None:
        """Files were saved, renamed or deleted: what is being made is out of date."""
        if watch.stale(set(files)):
            try:
                self.renderer.stale(edits.overlay(self.tried, self.root))
            except Problem:  # what is tried can't be put into the files as they are now
                self.tried = {}
                self.renderer.stale({})
        self._again()

    def try_out(self, wanted: Edits) -> None:
        """Makes all pages as if these fields of data/ held other values; nothing is written."""
        self.renderer.stale(edits.overlay(wanted, self.root))
        self.tried = wanted
        self._again()

    def controls(self, address: str, slide: str) -> list[dict[str, Any]]:
        """What can be tried out of all that a slide read, or of all that the page did."""
        page = self.of[address]
        entries = json.loads(page.base)["entries"] if page.base else []
        names = sorted({name for entry in entries if slide in ("", entry["slide"]["id"]) for name in entry["fields"]})
        answer = None
        while answer is None and names and not self.over:
            answer = self.renderer.answer(Order(page.document, page.format, fields=tuple(names)))
        return answer.controls if answer else []

    def keep(self, address: str, shown: str) -> dict[str, Any]:
        """Writes what is tried out, if `shown` is the diff that was confirmed; gives the diff where it isn't."""
        if self.of[address].faults:
            raise edits.Refused("what if", "these values can't be used", "Put them right first, or go back")
        diff = edits.difference(self.tried, self.root)
        if not diff or diff != shown:
            return {"diff": diff}
        edits.keep(self.tried, self.root)
        self.try_out({})
        return {"kept": diff}

    def end(self) -> None:
        with self._told():
            self.over = True
        self.renderer.cancel()
        self._thread.join()
        self.renderer.end()

    def _again(self) -> None:
        with self._told():
            for page in self.of.values():
                page.dirty = True
        self.renderer.cancel()

    # What is told

    def version(self, address: str) -> str:
        return f"{self.run}-{self.of[address].number}"

    def state(self, address: str) -> dict[str, Any]:
        """All that a browser is told of a page."""
        page = self.of[address]
        return {
            "version": self.version(address) if page.answer.html else "",
            "making": self._making == address,
            "faults": [vars(one) for one in page.faults],
            "notes": [
                *({"text": f"{one.where}: {one.what} → {one.remedy}", "slide": one.slide} for one in page.looked),
                *page.answer.notes,
            ],
            "tried": self.tried,
            "changes": page.answer.changes if self.tried else [],
        }

    def states(self, address: str) -> Iterator[dict[str, Any] | None]:
        """The state now and after every change of it; None now and then, to see whether anybody listens."""
        seen = -1
        while not self.over:
            with self._news:
                news = self._news.wait_for(lambda seen=seen: self._tick != seen or self.over, KEEPALIVE)
                seen = self._tick
            yield self.state(address) if news else None

    @contextmanager
    def _told(self) -> Iterator[None]:
        with self._news:
            yield
            self._tick += 1
            self._news.notify_all()

    # Who makes them

    def _work(self) -> None:
        while not self.over:
            with self._news:
                self._news.wait_for(lambda: self.over or any(self._todo()))
                address, looks = next(self._todo(), ("", False))
            if address and not self.over:
                self._look(address) if looks else self._make(address)

    def _todo(self) -> Iterator[tuple[str, bool]]:
        """The pages to make, then those to look at in a browser."""
        yield from ((address, False) for address, page in self.of.items() if page.wanted and page.dirty)
        yield from ((address, True) for address, page in self.of.items() if page.wanted and page.unseen and not self.tried)

    def _make(self, address: str) -> None:
        page, tried = self.of[address], self.tried
        with self._told():
            page.dirty, self._making = False, address
        answer = self.renderer.answer(Order(page.document, page.format, page.base if tried else ""))
        with self._told():
            self._making = ""
            if answer is None:
                page.dirty = True
                return
            page.faults = answer.faults
            if not answer.html:
                return
            page.number += answer.html != page.answer.html
            page.unseen |= answer.html != page.answer.html and page.format == "revealjs" and not tried
            page.answer = answer
            if not tried:
                page.base = answer.ledger

    def _look(self, address: str) -> None:
        page = self.of[address]
        with self._news:
            if self._news.wait_for(lambda: self.over or any(one.wanted and one.dirty for one in self.of.values()), IDLE):
                return
        with self._told():
            page.unseen = False
        answer = self.renderer.answer(Order(page.document, page.format, looked=page.answer.html))
        with self._told():
            if answer is None:
                page.unseen = True
            else:
                page.looked = answer.faults
