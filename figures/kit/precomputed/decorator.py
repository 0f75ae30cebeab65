"""The decorator: checks the controls against the function, and asks it for every state once."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from figures.kit import modules, readings
from figures.kit.errors import Problem
from figures.kit.json_values import script_json
from figures.kit.origin import Origin
from figures.kit.precomputed import controls, store
from figures.kit.precomputed.controls import Control
from figures.kit.precomputed.kept import Kept
from figures.kit.precomputed.page import Precomputed
from figures.kit.precomputed.view import Unfit, View, sorted_parts
from figures.kit.simulator import State
from figures.kit.words import Words

MOST_CONTROLS = 3
MOST_STATES = 300
MOST_BYTES = 300_000
COARSER = "Take a coarser step, fewer values or one control less"

Given = Control | Callable[[], Control]


def precomputed(
    *, max_states: int = MOST_STATES, max_bytes: int = MOST_BYTES, **given: Given
) -> Callable[[Callable[..., Any]], Callable[[], Precomputed]]:
    """Lets a slide call a function of one state, whose parameters are the controls, as a simulator of all its states.

    A control may stand behind a function, which is asked once the page is made: `rate=lambda: Slider(records().rates)`.
    """

    def decorate(function: Callable[..., Any]) -> Callable[[], Precomputed]:
        @functools.wraps(function)
        def made() -> Precomputed:
            if problem := store.refused.pop(function, None):
                raise problem
            with readings.noted() as read:
                asked = {name: control() if callable(control) else control for name, control in given.items()}
                simulator = _Grid(function, asked).simulator(max_states, max_bytes)
            return replace(simulator, origin=Origin(function, reads=tuple(sorted(read))))

        store.registry[function] = made
        return made

    return decorate


@dataclass(frozen=True)
class _Grid:
    """A function with the controls of its parameters: one state for each combination of their values."""

    function: Callable[..., Any]
    controls: dict[str, Control]

    def simulator(self, max_states: int, max_bytes: int) -> Precomputed:
        """The simulator with all its states, or a Problem that says what stands in its way."""
        for what, remedy in self.faults(max_states):
            raise self.problem(what, remedy)
        topic = modules.topic(self.function)
        words, key, ids = Words(topic), self.function.__name__, f"{zlib.crc32(f'{topic}.{self.function.__name__}'.encode()):x}"
        offered = {name: controls.offered(control, words, f"{key}.{name}") for name, control in self.controls.items()}
        for name, texts in ((name, one["texts"]) for name, one in offered.items()):
            for what in controls.written_alike(texts):
                raise self.problem(f"its control `{name}`: {what}", "Give it a format that tells them apart, or a coarser step")
        opening = {name: control.opening for name, control in self.controls.items()}
        view = self.view(opening)
        opened = view.kept(ids)  # once: a picture that is laid out a second time may differ in its last digits
        states = self.kept(opening, opened) or tuple((state, self.view(state).kept(ids)) for state in self.states())
        for what, remedy in self.faults_of(states, opening, opened):
            raise self.problem(what, remedy)
        made = Precomputed(
            name=words(f"{key}.name"),
            controls=offered,
            opening=opening,
            view=view,
            states=states,
            origin=Origin(self.function),
        )
        if (size := len(script_json(made.params()).encode())) > max_bytes:
            what = f"its {len(states)} states take {_kilobytes(size)} of the page, and {_kilobytes(max_bytes)} are allowed"
            raise self.problem(what, f"{COARSER}, or draw less in each picture; `max_bytes={size}` would allow it")
        return made

    def states(self) -> Iterator[State]:
        """Every combination of the controls' values, the last control fastest."""
        for values in itertools.product(*(control.values for control in self.controls.values())):
            yield dict(zip(self.controls, values, strict=True))

    def kept(self, opening: State, again: Kept) -> tuple[tuple[State, Kept], ...]:
        """All states as an earlier build left them; none where the opening one shows something else now."""
        states, stored = tuple(self.states()), store.states(self.function)
        found = tuple(zip(states, stored)) if len(states) == len(stored) else ()
        return found if (opening, again) in found else ()

    def view(self, state: State) -> View:
        """What the function returns in one state; a Problem that names the state where it can't be shown."""
        call = f"{self.function.__name__}({', '.join(f'{name}={value!r}' for name, value in state.items())})"
        try:
            return sorted_parts(self.function(**state))
        except Unfit as unfit:
            raise self.problem(f"in the state {call} {unfit.what}", unfit.remedy) from None
        except Problem as problem:
            raise self.problem(f"the state {call} can't be computed: {problem.where}: {problem.what}", problem.remedy) from problem
        except Exception as error:
            what = f"the state {call} can't be computed: {type(error).__name__}: {error}"
            raise self.problem(what, "Mend the function for that state, or leave the state out of its controls") from error

    def faults(self, max_states: int) -> Iterator[tuple[str, str]]:
        """What is wrong before a state is computed, each with its remedy."""
        parameters = inspect.signature(self.function).parameters
        if not 1 <= len(self.controls) <= MOST_CONTROLS:
            yield f"it has {len(self.controls)} controls", f"Give it one to {MOST_CONTROLS}: a reader has to see what each does"
        for name in self.controls.keys() - parameters.keys():
            yield f"its control `{name}` is no parameter of the function", f"Its parameters: {', '.join(parameters) or 'none'}"
        for name in parameters.keys() - self.controls.keys():
            yield f"its parameter `{name}` has no control", f"Give it one: @precomputed({name}=Slider(…)), or leave the parameter out"
        for name, control in self.controls.items():
            yield from ((f"its control `{name}`: {what}", "Correct the control") for what in controls.faults(control))
        count = math.prod(len(control.values) for control in self.controls.values())
        if count > max_states:
            shape = " × ".join(str(len(control.values)) for control in self.controls.values())
            yield f"it has {count} states ({shape}), and {max_states} are allowed", f"{COARSER}; `max_states={count}` would allow it"

    def faults_of(self, states: tuple[tuple[State, Kept], ...], opening: State, again: Kept) -> Iterator[tuple[str, str]]:
        """What is wrong with computed states: one that comes out differently when asked again, a control that changes nothing."""
        if next(kept for state, kept in states if state == opening) != again:
            yield "its opening state shows something else each time", "Draw random numbers from a seed of data/"
        for name in self.controls:
            others = {(*(value for other, value in state.items() if other != name), kept) for state, kept in states}
            if len(others) * len(self.controls[name].values) == len(states):
                yield f"its control `{name}` changes nothing that is shown", "Use it in the function, or leave it out"

    def problem(self, what: str, remedy: str) -> Problem:
        """An error at the function."""
        file, line = Origin(self.function).place
        return Problem(f"{file}:{line}, {self.function.__name__}", f"the simulator can't be made: {what}", remedy)


def _kilobytes(size: int) -> str:
    return f"{math.ceil(size / 1000)} kB"
