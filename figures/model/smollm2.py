"""A real language model, small enough to run while the deck is built: Llama's forward pass, with and without a KV cache.

One sequence at a time, float32, attention written out so that its weights can be seen. Layers and heads count from 0.
Reads weights through weights.py; shows nothing (real_model.py does). Source of the architecture: Touvron et al.,
"LLaMA: Open and Efficient Foundation Language Models", 2023.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from figures.kit import data, machine
from figures.kit.slow import slow
from figures.model import llama, weights
from figures.model.llama import Config, Layer, Model
from figures.model.weights import Weights

if TYPE_CHECKING:
    import torch

# A step's time is the median of this many at either end: a prefix that grows shows, a hiccup doesn't.
EDGE = 10


Rows = tuple[tuple[float, ...], ...]  # row t of a map holds the weights of token t on tokens 1 to t


class Measurement(data.Record):
    """What one run measured, times in ms of processor time a step; `agreeing` counts the leading tokens that both ways share."""

    model: str
    weights: str
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    bytes_per_number: int
    bytes_per_token: int
    prompt_tokens: int
    new_tokens: int
    agreeing: int
    without_first_ms: float
    without_last_ms: float
    with_ms: float
    previous_layer: int
    previous_head: int
    previous_weight: float
    first_token: float
    equal_share: float
    shown: tuple[str, ...]  # the leading tokens that both maps are of
    previous_map: Rows
    first_layer: int
    first_head: int
    first_weight: float
    first_map: Rows
    machine: machine.Machine

    def faults(self) -> Iterator[str]:
        for layer, head in ((self.previous_layer, self.previous_head), (self.first_layer, self.first_head)):
            if not (0 <= layer < self.layers and 0 <= head < self.heads):
                yield f"no head {head} in layer {layer}: {self.layers} layers of {self.heads} heads, from 0"
        for name in ("previous_map", "first_map"):
            if [len(row) for row in getattr(self, name)] != [*range(1, len(self.shown) + 1)]:
                yield f"`{name}` needs a row for each of the {len(self.shown)} tokens shown, each a weight longer than the one before"
        if not 0 <= self.agreeing <= self.new_tokens:
            yield f"{self.agreeing} of {self.new_tokens} tokens can't agree"
        for name in ("previous_weight", "first_token", "equal_share", "first_weight"):
            if not 0 <= getattr(self, name) <= 1:
                yield f"`{name}` is a share of one"


class Cache:
    """The keys and values of every token so far, one (kv_heads, tokens, head_dim) tensor of each a layer."""

    def __init__(self, layers: int) -> None:
        self.keys: list[torch.Tensor | None] = [None] * layers
        self.values: list[torch.Tensor | None] = [None] * layers

    def extended(self, layer: int, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The layer's keys and values with those of the new tokens after them, kept for the next step."""
        import torch

        past_k, past_v = self.keys[layer], self.values[layer]
        if past_k is not None and past_v is not None:
            k, v = torch.cat([past_k, k], dim=1), torch.cat([past_v, v], dim=1)
        self.keys[layer], self.values[layer] = k, v
        return k, v

    @property
    def tokens(self) -> int:
        return 0 if self.keys[0] is None else self.keys[0].shape[1]

    def bytes(self) -> int:
        """The memory that the tensors really hold."""
        held = [tensor for tensor in (*self.keys, *self.values) if tensor is not None]
        return sum(tensor.untyped_storage().nbytes() for tensor in held)


class Steps(NamedTuple):
    """A greedy continuation: its ids, and the ms of processor time that each took; what else runs counts for nothing."""

    ids: list[int]
    ms: list[float]


def forward(model: Model, ids: list[int], cache: Cache | None = None, seen: list[torch.Tensor] | None = None) -> torch.Tensor:
    """The scores of the next token, (vocabulary,), after `ids`; with a cache, `ids` are only the tokens not in it.

    `seen` receives each layer's attention weights, (heads, tokens, all tokens).
    """
    import torch
    from torch.nn.functional import linear, silu

    config = model.config
    cache = Cache(config.layers) if cache is None else cache
    start = cache.tokens
    turn = rotation(config, start, start + len(ids))
    x = model.embedding[torch.tensor(ids)]
    for number, layer in enumerate(model.layers):
        x = x + attend(config, layer, rms_norm(x, layer.attention_norm, config.epsilon), turn, cache, number, seen)
        h = rms_norm(x, layer.mlp_norm, config.epsilon)
        x = x + linear(silu(linear(h, layer.gate)) * linear(h, layer.up), layer.down)
    return linear(rms_norm(x[-1], model.norm, config.epsilon), model.output)


def attend(
    config: Config,
    layer: Layer,
    x: torch.Tensor,
    turn: tuple[torch.Tensor, torch.Tensor],
    cache: Cache,
    number: int,
    seen: list[torch.Tensor] | None,
) -> torch.Tensor:
    """Grouped-query attention of the new tokens over all tokens so far, (tokens, d)."""
    import torch
    from torch.nn.functional import linear

    n, group = len(x), config.heads // config.kv_heads
    q = rotated(linear(x, layer.W_Q).view(n, config.heads, -1).transpose(0, 1), turn)
    k = rotated(linear(x, layer.W_K).view(n, config.kv_heads, -1).transpose(0, 1), turn)
    v = linear(x, layer.W_V).view(n, config.kv_heads, -1).transpose(0, 1)
    k, v = cache.extended(number, k.contiguous(), v.contiguous())
    scores = q @ k.repeat_interleave(group, dim=0).transpose(1, 2) / config.head_dim**0.5
    if n > 1:
        scores = scores + torch.full(scores.shape[1:], -torch.inf).triu(scores.shape[2] - n + 1)
    A = scores.softmax(dim=-1)
    if seen is not None:
        seen.append(A)
    mixed = A @ v.repeat_interleave(group, dim=0)
    return linear(mixed.transpose(0, 1).reshape(n, -1), layer.W_O)


def rms_norm(x: torch.Tensor, gain: torch.Tensor, epsilon: float) -> torch.Tensor:
    """Each row over the root of its mean square, times the gains."""
    import torch

    return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + epsilon) * gain


def rotation(config: Config, start: int, stop: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosine and sine of every pair's angle at positions `start` to `stop`, (tokens, head_dim / 2) each."""
    import torch

    speeds = config.rope_base ** (-torch.arange(0, config.head_dim, 2, dtype=torch.float32) / config.head_dim)
    angles = torch.outer(torch.arange(start, stop, dtype=torch.float32), speeds)
    return angles.cos(), angles.sin()


def rotated(x: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Every pair (0, 1), (2, 3)… of `x`, (heads, tokens, head_dim), turned by its token's angle."""
    import torch

    (cos, sin), (even, odd) = turn, (x[..., 0::2], x[..., 1::2])
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def with_cache(model: Model, prompt: list[int], count: int) -> tuple[Steps, Cache]:
    """`count` greedy tokens, each from the last token alone and the cache; the prompt fills it before the first."""
    cache, ids, ms, new = Cache(model.config.layers), [], [], prompt
    for _ in range(count):
        started = time.thread_time()
        ids.append(int(forward(model, new, cache).argmax()))
        ms.append((time.thread_time() - started) * 1000)
        new = ids[-1:]
    return Steps(ids, ms), cache


def without_cache(model: Model, prompt: list[int], count: int) -> Steps:
    """`count` greedy tokens, each from the whole prefix run again."""
    ids: list[int] = []
    ms = []
    for _ in range(count):
        started = time.thread_time()
        ids.append(int(forward(model, prompt + ids).argmax()))
        ms.append((time.thread_time() - started) * 1000)
    return Steps(ids, ms)


def agreeing(first: list[int], second: list[int]) -> int:
    """How many leading tokens two continuations share.

    >>> agreeing([7, 8, 9], [7, 8, 1])
    2
    """
    pairs = list(zip(first, second))
    return next((at for at, (a, b) in enumerate(pairs) if a != b), len(pairs))


def strongest_previous(A: torch.Tensor) -> tuple[int, int, float]:
    """(layer, head, weight) of the head with the largest mean weight on the token before; A is (layers, heads, n, n)."""
    on_previous = A.diagonal(offset=-1, dim1=2, dim2=3).mean(dim=-1)
    layer, head = divmod(int(on_previous.argmax()), A.shape[1])
    return layer, head, float(on_previous[layer, head])


def strongest_first(A: torch.Tensor) -> tuple[int, int, float]:
    """(layer, head, weight) of the head with the largest mean weight on the first token, its own row aside."""
    on_it = A[:, :, 1:, 0].mean(dim=-1)
    layer, head = divmod(int(on_it.argmax()), A.shape[1])
    return layer, head, float(on_it[layer, head])


def map_of(A: torch.Tensor, tokens: int) -> Rows:
    """The weights of the first tokens on themselves and those before, (n, n) to rows of 1, 2, … numbers of two decimals."""
    return tuple(tuple(round(float(weight), 2) for weight in A[t, : t + 1]) for t in range(tokens))


def on_first(A: torch.Tensor) -> float:
    """The mean weight on the first token over all heads and every row but the first."""
    return float(A[:, :, 1:, 0].mean())


def equal_share(n: int) -> float:
    """The same mean if row t gave 1/t to each token it sees.

    >>> round(equal_share(3), 3)
    0.417
    """
    return statistics.fmean(1 / t for t in range(2, n + 1))


@slow("a real model writes with and without its cache (about half a minute)", files=("smollm2.yml",),
      calls=lambda: [(chosen,) for chosen in [weights.chosen()] if chosen])  # fmt: skip
def measure(chosen: Weights) -> Measurement:
    """Everything that slide 32 says, measured on these weights: about 30 s for the default ones on a quiet processor."""
    import torch

    ask = weights.default()
    model = weights.read(chosen)
    prompt = llama.encode(model.tokenizer, ask.text)
    with torch.inference_mode(), machine.one_thread():
        seen: list[torch.Tensor] = []
        forward(model, prompt, seen=seen)
        A = torch.stack(seen)
        cached, cache = with_cache(model, prompt, ask.new_tokens)
        whole = without_cache(model, prompt, ask.new_tokens)
        measured_on = machine.here()
    layer, head, weight = strongest_previous(A)
    first_layer, first_head, first_weight = strongest_first(A)
    config, shown = model.config, min(ask.shown, len(prompt))
    return Measurement(
        model=chosen.name,
        weights=weights.file_name(chosen),
        layers=config.layers,
        heads=config.heads,
        kv_heads=config.kv_heads,
        head_dim=config.head_dim,
        bytes_per_number=model.embedding.element_size(),
        bytes_per_token=cache.bytes() // cache.tokens,
        prompt_tokens=len(prompt),
        new_tokens=ask.new_tokens,
        agreeing=agreeing(cached.ids, whole.ids),
        without_first_ms=statistics.median(whole.ms[:EDGE]),
        without_last_ms=statistics.median(whole.ms[-EDGE:]),
        with_ms=statistics.median(cached.ms[1:]),
        previous_layer=layer,
        previous_head=head,
        previous_weight=weight,
        first_token=on_first(A),
        equal_share=equal_share(len(prompt)),
        shown=tuple(llama.texts(model.tokenizer, prompt[:shown])),
        previous_map=map_of(A[layer, head], shown),
        first_layer=first_layer,
        first_head=first_head,
        first_weight=first_weight,
        first_map=map_of(A[first_layer, first_head], shown),
        machine=measured_on,
    )
