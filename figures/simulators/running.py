"""The example's phrase, row by row: the running example through head 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import embedding, pieces, running_example
from figures.kit.json_values import json_value
from figures.kit.simulator import Simulator, State, listed, simulator, words


@simulator
def running() -> Simulator:
    """The running example through head 1, row by row."""
    names = [pieces.visible(piece) for piece in running_example.pieces()]
    return Simulator(
        name="running",
        data={"tokens": names, "X": embedding.X(), "head": running_example.records().heads[0]},
        opening={"row": len(names) - 1, "divide": True},
        run=computed,
        draw=drawn,
        words=words("running"),
        picture=running_example.opening_state,
        tried=tuple({"row": row, "divide": divide} for row in range(len(names)) for divide in (True, False)),
    )


def computed(state: State) -> dict[str, Any]:
    """The chain of head 1, from the state's own X where it has one, and what each row gives to later tokens."""
    X = np.array(state.get("X", embedding.X()))
    chain = running_example.chain(X, running_example.records().heads[0], state["divide"])
    ahead = [running_example.share_ahead(chain.weights, row) for row in range(len(X))]
    named = {"u": chain.u, "Q": chain.Q, "K": chain.K, "V": chain.V, "S": chain.scores, "A": chain.weights, "O": chain.output}
    return listed(**named, ahead=ahead)


def drawn(rng: np.random.Generator) -> State:
    """Any row, with the division and without, any numbers in the shape of X, rounded."""
    shape = embedding.X().shape
    row, divide = int(rng.integers(shape[0])), bool(rng.integers(2))
    return {"row": row, "divide": divide, "X": json_value(rng.normal(0, 2, shape).round(3))}
