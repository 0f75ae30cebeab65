"""What a grader needs of this lab: what to give a notebook, what to ask of it, and the verdict on what came back.

With a seed, functions are tried on numbers that no notebook has seen; answers stay in this process.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from figures import position, random_draws
from figures.kit import data
from figures.kit.checkpoints import Finding, NotMade, Part, Probe, Stopped, Verdict, judge, judged, of_findings
from figures.kit.markup import Markup
from figures.kit.words import Words
from figures.lab import checks, inputs, sections, stand_in, training
from figures.lab.student import GIVEN

_words, _lab = Words("checkpoints"), Words("lab")


class Call(NamedTuple):
    """One call of a student's function; with `each` it is called for each item of its only argument."""

    section: int
    name: str
    probe: Probe
    each: bool = False


class Mark(NamedTuple):
    """A section's verdict, its points, and how many of them were earned."""

    title: str
    verdict: Verdict
    points: int
    earned: float


class Judge:
    """Judges notebooks by the probes of one seed."""

    helpers = Path(stand_in.__file__)

    def __init__(self, seed: int) -> None:
        self._sections = [(n, section, checks.parts_of(n, seed)) for n, section in enumerate(sections.records().sections, 1)]
        self._size = data.changed(inputs.records().teach, seed=seed % 2**31)

    def given(self) -> dict[str, tuple[Any, ...]]:
        """What the notebook's helpers give: the data of each section, and the projections of section 6's head."""
        _, *projections = random_draws.drawn(position.records().lab.draw).values()
        width = np.sqrt(len(projections[0]))
        return {f"dados {n}": tuple(give()) for n, give in GIVEN.items()} | {"cabeca": tuple(W / width for W in projections)}

    def titles(self) -> list[str]:
        """The sections, in order."""
        return [_lab("heading", n=n, title=sections.title(section.id)) for n, section, _ in self._sections]

    def calls(self) -> list[Call]:
        """Every call that the verdicts need, in order."""
        wanted = [Call(n, part.name, probe) for n, part in self._functions() for probe in part.calls()]
        return [*wanted, Call(len(self._sections), "alvo", Probe((training.batches(self._size),)), each=True)]

    def marks(self, replies: Sequence[Any]) -> list[Mark]:
        """The verdict on each section, from the replies to `calls`."""
        left = iter(replies)
        asked = {part.name: [next(left) for _ in part.calls()] for _, part in self._functions()}
        learnt = self._learnt(next(left))
        marks = []
        for n, section, found in self._sections:
            findings: list[tuple[str, Finding]] = []
            right = 0
            parts = found[1] if found else ()
            for part in parts:
                made = self._judged(part, asked[part.name]) if isinstance(part, Part) else judge(part, learnt)
                right += all(finding.status == "right" for _, finding in made)
                findings += made
            title = _lab("heading", n=n, title=sections.title(section.id))
            marks.append(Mark(title, of_findings(_words("section", n=n), findings), section.points, section.points * right / len(parts)))
        return marks

    def _functions(self) -> list[tuple[int, Part]]:
        return [(n, part) for n, _, found in self._sections if found for part in found[1] if isinstance(part, Part)]

    def _judged(self, part: Part, replies: list[Any]) -> list[Any]:
        first = replies[0]
        if isinstance(first, NotMade):
            return judge(part, NotMade(part.name))
        try:
            return judged(part, replies)
        except Exception as error:  # Unfit: the whole part can't be compared
            return judge(part, NotMade(part.name, str(error)))

    def _learnt(self, targets: Any) -> Any:
        """The weights of a head trained on what the student's target gave; why there are none, where there are none."""
        if not isinstance(targets, list):
            return targets if not isinstance(targets, Stopped) else NotMade("aprendida")
        left = iter(targets)
        for target in targets:
            if isinstance(target, Stopped):
                return ... if not target.error else NotMade("aprendida", Markup(f"`{target.error}`"))
            if target is ...:
                return ...
        try:
            return training.train(lambda ids: next(left), size=self._size)
        except training.WrongTarget as wrong:
            return NotMade("aprendida", *wrong.args)
