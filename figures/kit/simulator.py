"""What all simulators have in common: their data, the state they open in, and the states that each page checks itself with.

A function under `@simulator` returns a Simulator; called in a cell it puts the simulator on the page. The browser's model
(in slides/sim) and `run` here take the same state and give the same result: the golden vectors that travel with the page
are `run` of some states. Knows no simulator by name.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from babel.numbers import get_decimal_symbol

from figures.kit import data, formats, ledger, readings, speech, theme
from figures.kit.errors import DataError
from figures.kit.json_values import json_value, script_json
from figures.kit.marks import FENCE
from figures.kit.origin import Origin
from figures.kit.show import Picture
from figures.kit.words import Words

State = dict[str, Any]
TEXTS = Words("simulators")
_FORMULA = re.compile(r"\$([^$\n\"\\]{1,80})\$")  # as slides/sim/kit/draw.mjs takes them


class Range(data.Record):
    """How far a control goes, and by which steps."""

    min: float
    max: float
    step: data.Above

    def faults(self) -> Iterator[str]:
        if self.min >= self.max:
            yield f"the least, {self.min:g}, must be below the most, {self.max:g}"

    def must_reach(self, values: Iterable[float], key: str) -> None:
        """Refuse a control that can't show what the simulator opens with: a page that shows 5 where the slide says 6 would lie."""
        for value in values:
            if not self.min <= value <= self.max:
                what = f"the simulator opens with {value:g}, which a control from {self.min:g} to {self.max:g} can't show"
                raise DataError("data/simulators.yml", key, what, "Widen the range")


class WholeRange(Range):
    """The same for whole numbers."""

    min: int
    max: int
    step: data.Positive


class Golden(data.Record):
    """How many states, beside the opening one, each page checks itself with, and the seed that draws them."""

    seed: data.Natural
    checked: data.Natural


def golden() -> Golden:
    """The states to check, as `data/simulators.yml` asks for them."""
    return data.load("simulators", Golden, "golden")


@dataclass(frozen=True)
class Simulator:
    """A simulator: its data, the state it opens in, its model in Python, and how to draw a state at random."""

    name: str
    data: dict[str, Any]
    opening: State
    run: Callable[[State], dict[str, Any]]
    draw: Callable[[np.random.Generator], State]
    words: dict[str, Any]
    picture: Callable[[], Picture]  # on paper: the opening state, or the one of `on_paper`
    on_paper: State | None = None
    series: tuple[str, ...] = ()  # roles and series of the theme that its view draws
    tried: tuple[State, ...] = ()  # states that the speaker's notes lead to
    origin: Origin | None = None

    def params(self) -> dict[str, Any]:
        """All that the browser's side needs to know, ready for JSON."""
        rng = np.random.default_rng(readings.seed("simulators.yml", golden().seed))
        shown = [self.opening] if self.on_paper is None else [self.opening, self.on_paper]
        states = [*shown, *self.tried, *(self.draw(rng) for _ in range(golden().checked))]
        checked = [{"state": state, "result": self.run(state)} for state in states]
        looks = {name: look_of(name) for name in self.series}
        shared: dict[str, Any] = {"golden": checked, "words": self.words, "looks": looks, "locale": locale()}
        shared["said"] = said(script_json([self.data, self.words]))
        return {"name": self.name, "data": self.data, "opening": self.opening, **shared}

    def _repr_markdown_(self) -> str:
        """The picture, which print and PDF keep, and beside it the JSON from which build/ brings the simulator to life."""
        offered = hashlib.sha256(script_json([self.data, self.words]).encode()).hexdigest()[:16]  # menus, inputs and words, in short
        opening = {"opening": self.opening, "result": self.run(self.opening), "offered": offered}
        n = ledger.add("simulator", opening, self.words["name"], self.origin) if self.origin else 0
        return on_page(self.name, n, self.picture()._repr_markdown_() or "", self.params())


def on_page(name: str, n: int, static: str, params: dict[str, Any]) -> str:
    """What print and PDF keep of a simulator, and beside it the JSON from which slides/sim brings it to life; `n` marks its entry."""
    mark = f' data-n="{n}"' if n else ""
    script = f'<script type="application/json" class="sim-params">{script_json(params)}</script>'
    return (
        f'\n::::::: {{.sim data-sim="{name}"{mark}}}\n:::::: {{.sim-static}}\n{static}\n::::::\n\n'
        f"{FENCE}{{=html}}\n{script}\n{FENCE}\n:::::::\n"
    )


def said(text: str) -> dict[str, str]:
    """The formulas of a text, which stand between dollars, in words: voices stumble over the letters that a page shows.

    >>> said("divided by $√{d_k}$, of $n$")
    {'√{d_k}': 'raiz quadrada de d k', 'n': 'n'}
    """
    return {formula: _read(formula) for formula in _FORMULA.findall(text)}


def _read(formula: str) -> str:
    """A formula as simulators write it: letters side by side are factors or indices, longer runs are words."""
    plain = re.sub("[{}]", "", formula.replace("^⊤", "⊤"))
    apart = re.sub(r"(?<![^\W\d_])[^\W\d_]{2,3}(?![^\W\d_])", lambda letters: " ".join(letters[0]), plain)
    return speech.of_text(apart)


def locale() -> dict[str, str]:
    """How the document's language writes numbers, for the browser."""
    return {"decimal": get_decimal_symbol(formats.locale()), "minus": formats.MINUS}


def look_of(name: str) -> dict[str, Any]:
    """The look of a role or series for the browser: its colour as CSS, the strokes of its line in widths of it, its marker."""
    look = theme.look(name)
    return {"colour": f"var({look.variable})", "dash": theme.DASHES[look.line], "marker": look.marker}


def simulator(maker: Callable[[], Simulator]) -> Callable[[], Simulator]:
    """Lets a slide call a function that returns a Simulator, and stamps it with its origin."""

    @functools.wraps(maker)
    def made() -> Simulator:
        with readings.noted() as read:
            one = maker()
            one.params()
        return replace(one, origin=Origin(maker, reads=tuple(sorted(read))))

    return made


def words(name: str, **fields: object) -> dict[str, Any]:
    """The texts of a simulator with the common ones; `fields` known here are filled in, the others left to the page."""
    return {**TEXTS.group("common"), **_filled(TEXTS.group(name), fields)}


def _filled(text: Any, fields: dict[str, object]) -> Any:
    if isinstance(text, dict):
        return {key: _filled(one, fields) for key, one in text.items()}
    if isinstance(text, list):
        return [_filled(one, fields) for one in text]
    for name, value in fields.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def switches(state: State, rng: np.random.Generator) -> State:
    """Each switch of a state, an entry that is on or off, on or off at random.

    >>> list(switches({"row": 1, "causal": True}, np.random.default_rng(1)))
    ['causal']
    """
    return {name: bool(rng.integers(2)) for name, value in state.items() if isinstance(value, bool)}


def listed(**values: Any) -> State:
    """A state, or a result, in plain numbers and lists."""
    return {name: json_value(value) for name, value in values.items()}
