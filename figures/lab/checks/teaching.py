"""The checkpoint of section 10: a head that learns."""

from __future__ import annotations

import numpy as np

from figures.kit.checkpoints import Part
from figures.lab import inputs, training


def teach() -> tuple[Part, ...]:
    """How a student reads the weight on the token before, and the weights of the head that the student trained."""
    A, n = inputs.masked_weights(), inputs.records().teach.tokens
    steps = np.diagonal(A, offset=-1)
    return (
        Part(
            "no_anterior",
            np.array(training.previous_weight(A)),
            {
                "on_itself": np.array(np.diagonal(A).mean()),
                "on_next": np.array(np.diagonal(A, offset=1).mean()),
                "on_first": np.array(A[1:, 0].mean()),
                "summed": np.array(steps.sum()),
                "over_n": np.array(steps.sum() / len(A)),
                "largest": np.array(A.max(axis=-1).mean()),
            },
            call=lambda function: function(A.copy()),
            takes="`no_anterior(A)`, com A de n × n",
            equal=1e-6,
        ),
        Part("A", np.zeros((n, n)), judged=training.judged),  # the shape alone counts
    )
