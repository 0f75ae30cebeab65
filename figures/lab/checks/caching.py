"""The checkpoint of section 9: the cache of a real model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from figures.kit.arrays import Array
from figures.kit.checkpoints import Output, Part, Probe, Unfit
from figures.kit.words import Words
from figures.lab import generation, inputs
from figures.lab.checks.draws import Draws

_words = Words("checkpoints")
WIDTH = 16  # ids a row has room for
NONE = -1  # stands where a row has no id


def cache(seed: int | None = None) -> tuple[Part, ...]:
    """The bytes that each token takes in a model's cache, and which ids a step with a cache runs."""
    draws = Draws(seed)
    model, moments = generation.sizes(), inputs.records().cache
    models = [(model.layers, model.kv_heads, model.head_dim, model.bytes_per_number)] if seed is None else []
    for b in (2, 1):
        kv_heads, layers = draws.sizes(2, 5, 30)
        models.append((3 * layers, kv_heads, draws.one_of([128, 192, 256]), b))
    steps = [(list(moments.prompt), list(written)) for written in moments.written] if seed is None else []
    for prompt, written in zip(draws.sizes(3, 1, 6), (0, 1, 4)):
        ids = draws.order(40)
        steps.append((ids[:prompt], ids[prompt : prompt + written]))
    return (
        Part(
            "bytes_por_token",
            ("L", "h_kv", "d_h", "b"),
            (Output("bytes_por_token", lambda L, h_kv, d_h, b: 2 * L * h_kv * d_h * b, KEPT, equal=1e-9),),
            tuple(Probe(sizes) for sizes in models),
            alone=("L", "h_kv", "d_h", "b"),
        ),
        Part(
            "entrada",
            ("prompt", "novos"),
            (Output("entrada", _row(fed), FED, read=as_row, explains=explained, wanted=_words("expected.ids"), equal=1e-9),),
            tuple(Probe(step) for step in steps),
        ),
    )


KEPT: dict[str, Callable[..., Any]] = {
    "forgot_values": lambda L, h_kv, d_h, b: L * h_kv * d_h * b,
    "forgot_layers": lambda L, h_kv, d_h, b: 2 * h_kv * d_h * b,
    "forgot_kv_heads": lambda L, h_kv, d_h, b: 2 * L * d_h * b,
    "forgot_width": lambda L, h_kv, d_h, b: 2 * L * h_kv * b,
    "forgot_bytes": lambda L, h_kv, d_h, b: 2 * L * h_kv * d_h,
    "bits": lambda L, h_kv, d_h, b: 16 * L * h_kv * d_h * b,
    "queries_too": lambda L, h_kv, d_h, b: 3 * L * h_kv * d_h * b,
    "twice": lambda L, h_kv, d_h, b: 4 * L * h_kv * d_h * b,
    "width_squared": lambda L, h_kv, d_h, b: 2 * L * h_kv * d_h**2 * b,
    "heads_squared": lambda L, h_kv, d_h, b: 2 * L * h_kv**2 * d_h * b,
    "layers_squared": lambda L, h_kv, d_h, b: 2 * L**2 * h_kv * d_h * b,
    "squared_for_two": lambda L, h_kv, d_h, b: (L * h_kv * d_h * b) ** 2,
}


def fed(prompt: list[int], written: list[int]) -> list[int]:
    """What a step runs when the cache holds all before: the prompt at first, then the last token alone."""
    return written[-1:] or prompt


def padded(ids: list[int]) -> Array:
    """Ids as a row that is filled up.

    >>> padded([5, 6])[:3].tolist()
    [5, 6, -1]
    """
    return np.array([*ids, *[NONE] * (WIDTH - len(ids))])


def as_row(value: Array, right: Array) -> Array:
    """Ids as a row that is filled up; Unfit for what is no list of ids."""
    if value.ndim != 1 or len(value) > WIDTH or (value != np.round(value)).any():
        raise Unfit(_words("unfit.ids"))
    return padded([int(id) for id in value])


def _row(feed: Callable[[list[int], list[int]], list[int]]) -> Callable[[list[int], list[int]], Array]:
    return lambda prompt, novos: padded(feed(prompt, novos))


FED: dict[str, Callable[..., Any]] = {
    "whole_prefix": _row(lambda prompt, new: prompt + new),
    "all_written": _row(lambda prompt, new: new or prompt),
    "last_of_prompt": _row(lambda prompt, new: (prompt + new)[-1:]),
    "prompt_always": _row(lambda prompt, new: prompt),
    "prompt_and_last": _row(lambda prompt, new: prompt + new[-1:]),
    "first_written": _row(lambda prompt, new: new[:1] or prompt),
    "one_before_last": _row(lambda prompt, new: new[-2:-1] or prompt),
    "last_two": _row(lambda prompt, new: new[-2:] or prompt),
    "all_but_last": _row(lambda prompt, new: new[:-1] or prompt),
    "first_of_prompt": _row(lambda prompt, new: new[-1:] or prompt[:1]),
    "end_of_prompt": _row(lambda prompt, new: new[-1:] or prompt[-1:]),
    "reversed_prompt": _row(lambda prompt, new: new[-1:] or prompt[::-1]),
    "prompt_without_first": _row(lambda prompt, new: new[-1:] or prompt[1:]),
    "prompt_without_last": _row(lambda prompt, new: new[-1:] or prompt[:-1]),
}


def explained(answer: Array, right: Array) -> tuple[str, Mapping[str, Any]] | None:
    """Whether too many ids are fed, too few, or others."""
    many, wanted = int((answer != NONE).sum()), int((right != NONE).sum())
    return ("more_ids" if many > wanted else "fewer_ids" if many < wanted else "other_ids"), {}
