"""What reading in parallel rests on: a state waits for the one before it, a row of attention for none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from figures import attention as layer
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.recurrence import model

Attend = Callable[[Array, Array, Array], Array]


def _read() -> tuple[Array, Array]:
    """What the drawn RNN of the opening run passes through: its states (n, 8), which stand for queries and keys, and its inputs (n, 1)."""
    drawn, run = model.records(), model.records().opening
    inputs = np.array(drawn.u[: run.tokens])
    return model.states(np.array(drawn.W), np.array(drawn.w), inputs, run.scale)[1:], inputs[:, None]


@claim
def states_wait_and_rows_do_not(attend: Attend = layer.attention) -> Check:
    """Attention computed a row at a time, the last row first, is attention; the RNN's last state moves with the one before it."""
    h, u = _read()
    whole = attend(h, h, u)
    rows = np.concatenate([attend(h[t : t + 1], h, u) for t in reversed(range(len(h)))])[::-1]
    drawn = model.records()
    alone = model.states(np.array(drawn.W), np.array(drawn.w), u[-1], drawn.opening.scale)[-1]
    values = {"row by row": float(np.abs(whole - rows).max()), "the state, after another one": float(np.abs(h[-1] - alone).max())}
    return Check(values["row by row"] < 1e-12 and values["the state, after another one"] > 1e-3, values)


@claim
def one_weight_passes_the_gradient(attend: Attend = layer.attention) -> Check:
    """How much the last output moves with the first value is its one weight of attention, however many positions lie between."""
    h, u = _read()
    nudged = u.copy()
    nudged[0] += 1
    passed = float((attend(h, h, nudged) - attend(h, h, u))[-1, 0])
    weight = float(layer.weights(h, h)[-1, 0])
    return Check(weight > 0 and abs(passed - weight) < 1e-12, {"passed": passed, "weight": weight})
