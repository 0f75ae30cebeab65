"""The lab's section 9: the real model writes with its cache fed by the student's function, or the recorded run stands in for it.

torch is imported inside functions. Does not time anything: slide 32 does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from figures import byte_pairs, real_model
from figures.model import llama, smollm2, weights
from figures.model.llama import Model
from figures.model.smollm2 import Measurement

Feed = Callable[[list[int], list[int]], Sequence[int]]


class Run(NamedTuple):
    """What a generation left: the ids written, how many token passes it took, the bytes that its cache holds a token."""

    ids: list[int]
    passes: int
    bytes_per_token: int


def sizes() -> Measurement:
    """The sizes of the model that the section speaks of, from the recorded run: known without any weights."""
    return real_model.recorded()


def generate(model: Model, prompt: list[int], count: int, feed: Feed) -> Run:
    """`count` greedy tokens; before each, `feed(prompt, written)` names the ids that go through the model."""
    import torch

    cache, written, passes = smollm2.Cache(model.config.layers), [], 0  # type: ignore[var-annotated]
    with torch.inference_mode():
        for _ in range(count):
            new = [int(id) for id in feed(list(prompt), list(written))]
            passes += len(new)
            written.append(int(smollm2.forward(model, new, cache).argmax()))
    return Run(written, passes, cache.bytes() // cache.tokens)


def without_cache(model: Model, prompt: list[int], count: int) -> Run:
    """The same tokens with the whole prefix run again at each step; nothing is kept."""
    import torch

    with torch.inference_mode():
        ids = smollm2.without_cache(model, prompt, count).ids
    return Run(ids, passes_without(len(prompt), count), 0)


def passes_without(prompt: int, count: int) -> int:
    """Token passes of `count` steps without a cache.

    >>> passes_without(3, 2)
    7
    """
    return sum(prompt + step for step in range(count))


def passes_with(prompt: int, count: int) -> int:
    """Token passes of `count` steps with one.

    >>> passes_with(3, 2)
    4
    """
    return prompt + count - 1


def at_hand() -> tuple[Model, list[int]] | None:
    """The model and the prompt's ids where weights are at hand, else None."""
    chosen = weights.chosen()
    if chosen is None:
        return None
    model = weights.read(chosen)
    return model, llama.encode(model.tokenizer, weights.default().text)


def text_of(model: Model, ids: Sequence[int]) -> str:
    """Ids as text, by the tokenizer's own pieces."""
    pieces = {id: piece for piece, id in model.tokenizer.ids.items()}
    letters = {letter: byte for byte, letter in enumerate(byte_pairs.alphabet())}
    return bytes(letters.get(letter, ord("?")) for id in ids for letter in pieces[id]).decode("utf-8", errors="replace")
