"""A simulator with all its states computed, as it stands on a page: on paper the opening one, in the browser the chosen one."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace
from typing import Any

from figures.kit import ledger
from figures.kit.json_values import script_json
from figures.kit.markup import Markup, joined
from figures.kit.origin import Origin
from figures.kit.precomputed.kept import Kept, stored
from figures.kit.precomputed.view import View
from figures.kit.simulator import TEXTS, State, locale, on_page, said

MODULE = "precomputed"  # of slides/sim/kit


@dataclass(frozen=True)
class Precomputed:
    """Its name, what its controls offer, the state it opens in with what that shows, and all states as the page keeps them."""

    name: str
    controls: dict[str, dict[str, Any]]
    opening: State
    view: View
    states: tuple[tuple[State, Kept], ...]
    origin: Origin

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        """What the browser chooses from."""
        controls = [{"name": name} | offered for name, offered in self.controls.items()]
        return {"controls": controls, **stored([kept for _, kept in self.states])}

    def params(self) -> dict[str, Any]:
        """All that the browser's side needs to know; every state is one that the page checks itself with."""
        golden = [{"state": state, "result": kept.digest()} for state, kept in self.states]
        words = {**TEXTS.group("common"), "name": self.name}
        shared = {"words": words, "said": said(script_json([self.data, words])), "locale": locale()}
        return {"name": MODULE, "data": self.data, "opening": self.opening, "golden": golden, **shared}

    def chosen(self) -> Markup:
        """The opening state in words: "rate: 0,3; heavy: off"."""
        written = {name: dict(zip(offered["values"], offered["texts"])) for name, offered in self.controls.items()}
        settings = ((self.controls[name]["label"], ": ", written[name][value]) for name, value in self.opening.items())
        return joined(map(joined, settings), "; ")

    def _repr_markdown_(self) -> str:
        offered = hashlib.sha256(script_json([self.data, self.name]).encode()).hexdigest()[:16]
        opening = {"opening": self.opening, "result": self.view.result(), "offered": offered}
        n = ledger.add("simulator", opening, self.name, self.origin)
        static = self.view.on_paper(self.chosen(), replace(self.origin, kwargs=tuple(self.opening.items())))
        return on_page(MODULE, n, static, self.params())
