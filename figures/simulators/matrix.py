"""The whole matrix: the weights of a sentence by score function, with and without √d_k and the causal mask."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from figures import score_matrix
from figures.kit import data
from figures.kit.errors import DataError
from figures.kit.json_values import json_value
from figures.kit.simulator import Simulator, State, WholeRange, simulator, switches, words


class Settings(data.Record):
    """How far the control of d_k goes."""

    dk: WholeRange


def settings() -> Settings:
    """The settings of this simulator, as `data/simulators.yml` has them."""
    return data.load("simulators", Settings, "matrix")


@simulator
def matrix() -> Simulator:
    """The weights of a whole sentence, by score function, with and without √d_k and the causal mask."""
    records, range = score_matrix.records(), settings().dk
    vectors = score_matrix.vectors(records.tokens, records.content)
    range.must_reach([records.opening.d_k], "matrix.dk")
    if range.max > records.content.d_k:
        what = f"{range.max} components, and matrix.yml draws {records.content.d_k}"
        raise DataError("data/simulators.yml", "matrix.dk.max", what, "Lower it, or draw more")
    return Simulator(
        name="matrix",
        data={
            "tokens": records.texts,
            "queries": vectors.queries,
            "keys": vectors.keys,
            "previous": records.previous.strength,
            "distance": records.distance.slope,
            "mix": records.mix,
            "functions": [function.id for function in records.functions],
            "dk": range,
        },
        opening=in_browser(records.opening),
        run=weights,
        draw=drawn,
        words=words("matrix") | score_matrix.words_of_the_simulator(),
        picture=score_matrix.opening_state,
        tried=(in_browser(score_matrix.undivided()),),
    )


def in_browser(state: score_matrix.State) -> State:
    """A state of score_matrix as the browser has it: rows counted from 0."""
    entries = {"dk" if name == "d_k" else name: value for name, value in msgspec.structs.asdict(state).items()}
    return entries | {"row": state.row - 1}


def weights(state: State) -> dict[str, Any]:
    """The attention weights (n, n) under the browser's state."""
    entries = {"d_k" if name == "dk" else name: value for name, value in state.items()}
    return {"weights": json_value(score_matrix.weights(score_matrix.State(**entries | {"row": state["row"] + 1})))}


def drawn(rng: np.random.Generator) -> State:
    """Any function, any d_k that the control reaches, each switch on or off, any row."""
    records, range = score_matrix.records(), settings().dk
    return {
        "function": records.functions[rng.integers(len(records.functions))].id,
        "dk": int(rng.integers(range.min, range.max + 1)),
        **switches(in_browser(records.opening), rng),
        "row": int(rng.integers(len(records.tokens))),
    }
