"""The checkpoint of section 9: the cache of a real model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from figures import real_model
from figures.kit.arrays import Array
from figures.kit.checkpoints import Part, Unfit, is_blank
from figures.kit.words import Words
from figures.lab import generation, inputs

_words = Words("checkpoints")


def cache() -> tuple[Part, ...]:
    """The bytes that each token takes in the real model's cache, and which ids a step with a cache runs."""
    model = generation.sizes()
    size = real_model.predicted(model)
    moments = inputs.records().cache
    steps = [(list(moments.prompt), list(written)) for written in moments.written]
    return (
        Part(
            "bytes_por_token",
            np.array(size),
            {
                "forgot_values": np.array(size / 2),
                "forgot_layers": np.array(size / model.layers),
                "forgot_bytes": np.array(size / model.bytes_per_number),
                "bits": np.array(size * 8),
                "one_kv_head": np.array(size / model.kv_heads),
            },
            call=lambda function: function(model.layers, model.kv_heads, model.head_dim, model.bytes_per_number),
            takes="`bytes_por_token(L, h_kv, d_h, b)`, quatro inteiros",
            equal=1e-9,
        ),
        Part(
            "entrada",
            rows([fed(*step) for step in steps]),
            {
                "whole_prefix": rows([prompt + written for prompt, written in steps]),
                "all_written": rows([written or prompt for prompt, written in steps]),
                "last_of_prompt": rows([(prompt + written)[-1:] for prompt, written in steps]),
                "prompt_always": rows([prompt for prompt, _ in steps]),
                "prompt_and_last": rows([prompt + written[-1:] for prompt, written in steps]),
            },
            call=lambda function: asked(function, steps),
            takes="`entrada(prompt, novos)`, duas listas de ids, a segunda vazia no primeiro passo",
            equal=1e-9,
        ),
    )


def fed(prompt: list[int], written: list[int]) -> list[int]:
    """What a step runs when the cache holds all before: the prompt at first, then the last token alone."""
    return written[-1:] or prompt


WIDTH = 8  # ids a row of `rows` has room for


def rows(lists: Sequence[Sequence[int]]) -> Array:
    """Lists of ids as rows of one array, filled up with −1.

    >>> rows([[5], [6, 7]])[0, :2].tolist()
    [5, -1]
    """
    return np.array([list(ids) + [-1] * (WIDTH - len(ids)) for ids in lists])


def asked(function: Callable[..., Any], steps: Sequence[tuple[list[int], list[int]]]) -> Any:
    """A student's function at each step, as rows; a blank stays one."""
    ids_fed = [function(list(prompt), list(written)) for prompt, written in steps]
    if any(is_blank(ids) for ids in ids_fed):
        return ...
    if not all(isinstance(ids, (list, tuple)) and len(ids) <= WIDTH for ids in ids_fed):
        raise Unfit(_words("unfit.ids"))
    return rows(ids_fed)
