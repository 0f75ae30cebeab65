"""The cache in an accelerator: weights and KV cache against a card's memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import kv_cache
from figures.kit.json_values import json_value
from figures.kit.simulator import Simulator, State, simulator, words


@simulator
def cache() -> Simulator:
    """Weights and KV cache against a card's memory."""
    controls = kv_cache.controls()
    return Simulator(
        name="cache",
        data={
            "models": kv_cache.models(),
            "schemes": [{"id": scheme.id, "keeps": scheme.keeps} for scheme in kv_cache.schemes().schemes],
            "latent": kv_cache.schemes().latent,
            "accelerators": [{"id": card.id, "memory": card.memory} for card in kv_cache.accelerators()],
            "context": {"min": min(controls.contexts), "max": max(controls.contexts)},
            "requests": {"min": min(controls.requests), "max": max(controls.requests)},
            "bits": controls.bits,
        },
        opening=json_value(controls.opens),
        run=demand,
        draw=drawn,
        words=words("cache"),
        picture=kv_cache.opening_state,
        series=("weights", "cache"),
        tried=tuple(json_value(kv_cache.state(tried.id)) for tried in controls.tries),
    )


def demand(state: State) -> dict[str, Any]:
    """The bytes that a state needs and what is left of the card's."""
    needs = kv_cache.demanded(kv_cache.State(**state))
    return {**needs._asdict(), "spare": needs.spare, "fits": needs.fits}


def drawn(rng: np.random.Generator) -> State:
    """Any choice of the menus, any length and any number of requests between the least and the most offered."""
    controls = kv_cache.controls()

    def one(records: Any) -> Any:
        return records[rng.integers(len(records))]

    return {
        "model": one(kv_cache.models()).id,
        "scheme": one(kv_cache.schemes().schemes).id,
        "context": int(rng.integers(min(controls.contexts), max(controls.contexts) + 1)),
        "requests": int(rng.integers(min(controls.requests), max(controls.requests) + 1)),
        "bits": one(controls.bits),
        "accelerator": one(kv_cache.accelerators()).id,
    }
