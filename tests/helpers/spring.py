"""A simulator of a few lines whose states Python computes: a spring at rest, pulled by a weight; for tests of what any such one does."""

from __future__ import annotations

from unittest.mock import patch

from figures.kit import style
from figures.kit.formats import fixed
from figures.kit.precomputed import Choice, Slider, Switch, decorator, precomputed
from figures.kit.precomputed.page import Precomputed
from figures.kit.show import Column, Picture, Table

WORDS = {
    "spring.name": "Simulador: a mola",
    "spring.pull": "peso $p$",
    "spring.stiffness.label": "mola",
    "spring.stiffness.options.soft": "macia",
    "spring.stiffness.options.hard": "dura",
    "spring.double": "duas molas",
}
STIFFNESS = {"soft": 1.0, "hard": 4.0}


@precomputed(pull=Slider([0.5, 1.0, 2.0, 3.5], opens=1.0, format=fixed(1)), stiffness=Choice(["soft", "hard"]), double=Switch())
def spring(pull: float, stiffness: str, double: bool) -> tuple[Picture, Table, str]:
    """How far the weight pulls: Hooke's law."""
    length = pull / (STIFFNESS[stiffness] * (1 + double))
    drawing, axes = style.canvas(620, 420)
    axes.plot([0, 3.5], [0, 3.5 * length / pull])
    axes.plot([pull], [length], "o")
    axes.set(xlim=(0, 4), ylim=(0, 4))
    text = fixed(2)(length)
    rows = Table([Column("peso $p$", fixed(1)), Column("alongamento", fixed(2))], [[pull, length]], caption="a lei de Hooke")
    return Picture(drawing, f"Uma reta; no peso, o alongamento é {text}"), rows, f"A mola se alonga {text}."


def made() -> Precomputed:
    """The simulator, with WORDS in place of a file of data/words/."""
    with patch.object(decorator, "Words", lambda topic: lambda key: WORDS[key]):
        return spring()
