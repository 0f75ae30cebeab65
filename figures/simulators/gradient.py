"""How far the gradient goes: what is left of it on its way back through a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import recurrence
from figures.kit import data
from figures.kit.json_values import json_value
from figures.kit.simulator import Simulator, State, simulator, words


class Settings(data.Record):
    """The steps of the controls; how far they go stands in recurrence.yml."""

    tokens_step: data.Positive
    scale_step: data.Above


def settings() -> Settings:
    """The settings of this simulator, as `data/simulators.yml` has them."""
    return data.load("simulators", Settings, "gradient")


@simulator
def gradient() -> Simulator:
    """What is left of a gradient on its way back through a text: RNN, LSTM's cell, attention."""
    records, steps = recurrence.records(), settings()
    tokens, scale = records.range.tokens, records.range.scale
    return Simulator(
        name="gradient",
        data={
            "W": records.W,
            "w": records.w,
            "u": records.u,
            "forget": records.forget,
            "tokens": {"min": tokens[0], "max": tokens[1], "step": steps.tokens_step},
            "scale": {"min": scale[0], "max": scale[1], "step": steps.scale_step},
        },
        opening=json_value(records.opening),
        run=left,
        draw=drawn,
        words=words("gradient") | {"paths": recurrence.words_of_paths()},
        series=recurrence.NAMES,
        picture=recurrence.opening_state,
        tried=(json_value(records.far),),
    )


def left(state: State) -> dict[str, Any]:
    """The gradient from the last token to the first, as powers of ten."""
    n = state["tokens"]
    paths = {
        "attention": recurrence.attention_path(n),
        "lstm": recurrence.product_path(n, recurrence.records().forget),
        "rnn": recurrence.rnn_path(n, state["scale"]),
    }
    return {name: float(np.log10(path[0])) for name, path in paths.items()}


def drawn(rng: np.random.Generator) -> State:
    """Any length and any scale that the controls reach."""
    range = recurrence.records().range
    return {"tokens": int(rng.integers(range.tokens[0], range.tokens[1] + 1)), "scale": float(rng.uniform(*range.scale))}
