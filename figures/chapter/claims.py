"""The chapter's sentences on the running example whose truth hangs on numbers."""

from __future__ import annotations

import numpy as np

from figures import running_example
from figures.kit.claims import Check, claim


@claim
def looks_at_the_verb(share: float | None = None) -> Check:
    """That the last token of the running example spends more than half of its attention on the verb."""
    on_the_verb = running_example.on_the_verb().value if share is None else share
    return Check(on_the_verb > 0.5, {"share": on_the_verb})


@claim
def survives_the_mask() -> Check:
    """That the causal mask leaves the last row of weights as it is."""
    free, masked = (running_example.run(causal=causal).weights[-1] for causal in (False, True))
    change = float(np.abs(free - masked).max())
    return Check(change < 1e-12, {"largest change": change})
