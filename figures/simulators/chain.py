"""One head, matrix by matrix: the example worked by hand, all queries at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import chapter, hand_example
from figures.kit.simulator import Simulator, State, listed, simulator, words
from figures.simulators.banco import numbers_of, settings


@simulator
def chain() -> Simulator:
    """The example worked by hand, all queries at once, a matrix at a time."""
    matrices, example = chapter.by_hand(), hand_example.example()
    return Simulator(
        name="chain",
        data={
            "tokens": example.names,
            "asking": example.asking,
            "Q": matrices.Q,
            "K": matrices.K,
            "V": matrices.V,
            "vectors": settings().vectors,
        },
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
    """Any step, any row, any numbers that the sliders of the example reach, in its shapes."""
    by_hand = chapter.by_hand()
    tensors = {name: numbers_of(getattr(by_hand, name).shape, rng) for name in "QKV"}
    return {"step": int(rng.integers(1, len(by_hand) + 1)), "row": int(rng.integers(len(by_hand.Q))), **tensors}
