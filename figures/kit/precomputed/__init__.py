"""A simulator without JavaScript: a function of one to three controls, asked for every state while the page is built.

The function returns what one state shows: a Picture, a Table, a sentence, or several of them. The page keeps each distinct
one once, and slides/sim/kit/precomputed.mjs shows those of the state that a reader chooses. The words stand in
data/words/TOPIC.yml under the function's name: `name`, and a label for each control.

    @precomputed(rate=lambda: Slider(records().rates, opens=records().rate), heavy=Switch())
    def descent(rate: float, heavy: bool) -> tuple[Picture, str]:
        ...

`descent()` in a cell of a slide puts it there.
"""

from figures.kit.precomputed.controls import Choice, Slider, Switch
from figures.kit.precomputed.decorator import precomputed

__all__ = ["Choice", "Slider", "Switch", "precomputed"]
