"""Multi-head, line by line: the listing on the two-head example."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import attention, hand_example, multihead_code
from figures import multihead as two_heads
from figures.kit.json_values import json_value
from figures.kit.simulator import Simulator, State, simulator, switches, words
from figures.simulators.banco import numbers_of, settings

OPENING = {"line": 1, "causal": False, "oneHead": False, "equalKeys": False}


@simulator
def multihead() -> Simulator:
    """The multi-head listing on the two-head example, run a line at a time."""
    Q, K, V = two_heads.example()
    by_hand = hand_example.example()
    done = {**OPENING, "line": len(multihead_code.lines())}
    return Simulator(
        name="multihead",
        data={
            "lines": multihead_code.lines(),
            "tokens": by_hand.names,
            "asking": by_hand.asking,
            "heads": two_heads.head_count(),
            "Q": Q,
            "K": K,
            "V": V,
            "vectors": settings().vectors,
        },
        opening=OPENING,
        run=made,
        draw=drawn,
        words=words("multihead", one=two_heads.one_head_h()),
        picture=two_heads.opening_state,
        on_paper=done,
        tried=tuple({**done, name: True} for name, value in OPENING.items() if isinstance(value, bool)),
    )


def made(state: State) -> dict[str, Any]:
    """What each line of the listing makes."""
    Q, K, V = (np.array(state.get(name, array)) for name, array in zip("QKV", two_heads.example()))
    keys = np.broadcast_to(K[0], K.shape) if state["equalKeys"] else K
    heads = 1 if state["oneHead"] else two_heads.head_count()
    steps = multihead_code.run(Q, keys, V, heads, attention.causal(len(Q)) if state["causal"] else None)
    return {"made": [json_value(step.made) for step in steps]}


def drawn(rng: np.random.Generator) -> State:
    """Any numbers that the sliders of the example reach, in its shapes, and any switches."""
    tensors = {name: numbers_of(array.shape, rng) for name, array in zip("QKV", two_heads.example())}
    toggled = switches(OPENING, rng)
    return {"line": int(rng.integers(len(multihead_code.lines()) + 1)), **toggled, **tensors}
