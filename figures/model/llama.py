"""What a model of Llama's architecture is made of, whatever file it comes from: its sizes, its matrices, its tokenizer.

Only RMSNorm, RoPE, grouped heads, SwiGLU and a byte-level BPE. RoPE turns neighbouring pairs (0, 1), (2, 3)…
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from figures import byte_pairs
from figures.kit import data
from figures.kit.errors import DataError

if TYPE_CHECKING:
    import torch


class Config(data.Record):
    """The sizes that the forward pass needs; `head_dim` is how many numbers a head has, RoPE's angles fall from 1 to 1/`rope_base`."""

    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    rope_base: float
    epsilon: float


class Layer(NamedTuple):
    """One block; matrices are (out, in)."""

    attention_norm: torch.Tensor
    W_Q: torch.Tensor
    W_K: torch.Tensor
    W_V: torch.Tensor
    W_O: torch.Tensor
    mlp_norm: torch.Tensor
    gate: torch.Tensor
    up: torch.Tensor
    down: torch.Tensor


class Tokenizer(NamedTuple):
    """A byte-level BPE: the id of each piece, the rank of each merge, and whether digits stand apart."""

    ids: Mapping[str, int]
    ranks: Mapping[tuple[str, str], int]
    digits_apart: bool


class Model(NamedTuple):
    """A whole model: embedding and output are (vocabulary, d), norm is (d,)."""

    config: Config
    tokenizer: Tokenizer
    embedding: torch.Tensor
    layers: tuple[Layer, ...]
    norm: torch.Tensor
    output: torch.Tensor


def tokenizer_of(pieces: list[str] | Mapping[str, int], merges: list[Any], digits_apart: bool) -> Tokenizer:
    """Merges are "a b" or ["a", "b"], the earliest first."""
    ids = pieces if isinstance(pieces, Mapping) else {piece: i for i, piece in enumerate(pieces)}
    pairs = [tuple(merge.split(" ")) if isinstance(merge, str) else tuple(merge) for merge in merges]
    return Tokenizer(ids, {(first, second): rank for rank, (first, second) in enumerate(pairs)}, digits_apart)


def encode(tokenizer: Tokenizer, text: str) -> list[int]:
    """The ids of `text`, without any special token."""
    pieces = (byte_pairs.merge(byte_pairs.spelt(word), tokenizer.ranks) for word in byte_pairs.words(text, tokenizer.digits_apart))
    return [tokenizer.ids[piece] for word in pieces for piece in word]


def texts(tokenizer: Tokenizer, ids: Sequence[int]) -> list[str]:
    """What each of these ids spells."""
    names = {id: piece for piece, id in tokenizer.ids.items()}
    return [byte_pairs.text_of(names[id]) for id in ids]


def misfits(model: Model) -> Iterator[str]:
    """Where the tensors are not those of the heads that the file tells."""
    config = model.config
    if config.heads % config.kv_heads:
        yield f"its {config.heads} heads can't share {config.kv_heads} pairs of keys and values"
    for i, layer in enumerate(model.layers):
        for name, heads in (("W_Q", config.heads), ("W_K", config.kv_heads), ("W_V", config.kv_heads)):
            if len(getattr(layer, name)) != heads * config.head_dim:
                yield f"{name} of layer {i} has {len(getattr(layer, name))} rows, which are not {heads} heads of {config.head_dim}"


def refuse_biases(path: Path, names: Iterable[str]) -> None:
    """A DataError if any of these tensors is a bias: the forward pass has none."""
    for name in names:
        if name.endswith(".bias"):
            raise unusable(path, f"its layers add biases ({name}), which this forward pass does not")


VARIABLE = "ATENCAO_WEIGHTS"
NONE = "none"
REMEDY = (
    f"Point {VARIABLE} at a GGUF file or at a folder with config.json, tokenizer.json and *.safetensors of a "
    f"Llama-like model; unset it for the default weights; {VARIABLE}={NONE} shows the recorded measurement"
)
RESCALED = "it rescales RoPE's frequencies, which this forward pass does not"


def unusable(path: Path | str, what: str) -> DataError:
    """The error of a file or folder that can't be used, with what to do."""
    return DataError(VARIABLE, str(path), what, REMEDY)
