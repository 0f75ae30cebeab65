"""One head, matrix by matrix: the example worked by hand, all queries at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import chapter, hand_example
from figures.kit.json_values import json_value
from figures.kit.simulator import Simulator, State, listed, simulator, words


@simulator
def chain() -> Simulator:
    """The example worked by hand, all queries at once, a matrix at a time."""
    matrices, example = chapter.by_hand(), hand_example.example()
    return Simulator(
        name="chain",
        data={"tokens": example.names, "Q": matrices.Q, "K": matrices.K, "V": matrices.V},
        opening={"step": len(matrices), "row": example.names.index(example.asking)},
        run=computed,
        draw=drawn,
        words=words("chain", sum=hand_example.weight_sum()),
        picture=chapter.chain,
    )


def computed(state: State) -> dict[str, Any]:
    """The six matrices, from the state's own Q, K and V where it has them."""
    by_hand = chapter.by_hand()
    Q, K, V = (np.array(state.get(name, getattr(by_hand, name))) for name in "QKV")
    return listed(**chapter.chain_of(Q, K, V)._asdict())


def drawn(rng: np.random.Generator) -> State:
    """Any step, any row, any numbers in the example's shapes, rounded."""
    by_hand = chapter.by_hand()
    tensors = {name: json_value(rng.normal(0, 2, getattr(by_hand, name).shape).round(3)) for name in "QKV"}
    return {"step": int(rng.integers(1, len(by_hand) + 1)), "row": int(rng.integers(len(by_hand.Q))), **tensors}
