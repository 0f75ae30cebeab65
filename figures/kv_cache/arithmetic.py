"""What a token leaves behind, how many bytes that is, and whether it fits beside the weights: pure computing.

Numbers of bytes are raw; weights are counted by the nominal size in the model's name.
"""

from __future__ import annotations

from typing import NamedTuple

from figures.kv_cache import records
from figures.kv_cache.records import Latent, Model, Scheme, State

KEY_AND_VALUE = 2


def passes(n: int, cached: bool) -> int:
    """Token passes to write n tokens: without a cache the whole prefix goes through at each step, with one a single token.

    >>> passes(4, cached=False), passes(4, cached=True)
    (10, 4)
    """
    return n if cached else n * (n + 1) // 2


def kept(model: Model, keeps: str, latent: Latent) -> int:
    """Numbers that one token leaves in the cache, all layers: 2 · layers · kv_heads · head_dim, or the latent's of each layer."""
    if keeps == "latent":
        return model.layers * (latent.kv_latent + latent.rope_dim)
    kv_heads = {"all": model.heads, "groups": model.kv_heads, "one": 1}[keeps]
    return KEY_AND_VALUE * model.layers * kv_heads * model.head_dim


def cache_bytes(kept: int, bytes_per_number: float, tokens: int, sequences: int = 1) -> float:
    """Bytes of the cache, from the numbers that a token leaves in it.

    >>> cache_bytes(65536, 2, 131072)
    17179869184
    """
    return kept * bytes_per_number * tokens * sequences


def share(scheme: Scheme, latent: Latent) -> float:
    """The cache of a latent over that of the heads that it stands for, kept whole; 1 for any other scheme."""
    if scheme.keeps == "latent":
        return (latent.kv_latent + latent.rope_dim) / (KEY_AND_VALUE * latent.heads * latent.head_dim)
    return 1.0


class Demand(NamedTuple):
    """Bytes that a state needs, and those that the card has."""

    weights: float
    cache: float
    memory: float

    @property
    def spare(self) -> float:
        """What is left; negative where it doesn't fit."""
        return self.memory - self.weights - self.cache

    @property
    def fits(self) -> bool:
        return self.spare >= 0


def demand(model: Model, keeps: str, latent: Latent, context: int, requests: int, bits: int, memory: float) -> Demand:
    """Bytes of weights and cache, and of the card, for so many tokens per request, requests at once and bits per number."""
    size = bits / 8
    return Demand(model.parameters * size, cache_bytes(kept(model, keeps, latent), size, context, requests), memory)


def demanded(state: State) -> Demand:
    """The demand of a state, its ids looked up."""
    latent, card = records.schemes().latent, records.accelerator_named(state.accelerator)
    return demand(
        records.model_named(state.model),
        records.scheme_named(state.scheme).keeps,
        latent,
        state.context,
        state.requests,
        state.bits,
        card.memory,
    )


class Step(NamedTuple):
    """Seconds that one decoding step of a state takes at best: to move its bytes, to compute its products."""

    moving: float
    computing: float


def step(state: State) -> Step:
    """The seconds of one token per request: to read weights and cache once, and to multiply.

    Each weight costs 2 operations; each number of each query costs 4 for every token of the context, 2 with its key, 2 with its value.
    """
    needs, card, size = demanded(state), records.accelerator_named(state.accelerator), records.model_named(state.model)
    attention = 4 * size.layers * size.heads * size.head_dim * state.context
    return Step((needs.weights + needs.cache) / card.bandwidth, state.requests * (2 * size.parameters + attention) / card.flops)
