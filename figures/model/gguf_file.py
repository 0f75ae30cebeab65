"""A model read from a GGUF file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from figures.model.llama import RESCALED, Config, Layer, Model, refuse_biases, tokenizer_of, unusable

if TYPE_CHECKING:
    import torch

# How texts are cut before any merge, by the name that GGUF gives it: digits one at a time, or as they come.
DIGITS_APART = {"smollm": True, "gpt-2": False}
_GGUF_NAMES = ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")


def read_gguf(path: Path) -> Model:
    """The model in a GGUF file, dequantised to float32; a DataError where the file holds another kind."""
    import gguf
    import torch

    reader = gguf.GGUFReader(path)

    def said(key: str, *otherwise: Any) -> Any:
        field = reader.get_field(key)
        if field is None and not otherwise:
            raise unusable(path, f"the file does not say {key}")
        return field.contents() if field else otherwise[0]

    if said("general.architecture") != "llama":
        raise unusable(path, f"its architecture is {said('general.architecture')}, not llama")
    raw = {tensor.name: tensor for tensor in reader.tensors}
    if "rope_freqs.weight" in raw:
        raise unusable(path, RESCALED)
    refuse_biases(path, raw)

    def tensor(name: str) -> torch.Tensor:
        if name not in raw:
            raise unusable(path, f"the tensor {name} is missing")
        return torch.from_numpy(gguf.dequantize(raw[name].data, raw[name].tensor_type).astype("float32", copy=True))

    heads = said("llama.attention.head_count")
    config = Config(
        layers=said("llama.block_count"),
        heads=heads,
        kv_heads=said("llama.attention.head_count_kv", heads),
        head_dim=said("llama.attention.key_length", said("llama.embedding_length") // heads),
        rope_base=said("llama.rope.freq_base", 10000.0),
        epsilon=said("llama.attention.layer_norm_rms_epsilon"),
    )
    pre = said("tokenizer.ggml.pre", "")
    if said("tokenizer.ggml.model") != "gpt2" or pre not in DIGITS_APART:
        raise unusable(path, f"its tokenizer ({said('tokenizer.ggml.model')}, {pre}) is none of {', '.join(DIGITS_APART)}")
    embedding = tensor("token_embd.weight")
    return Model(
        config=config,
        tokenizer=tokenizer_of(said("tokenizer.ggml.tokens"), said("tokenizer.ggml.merges"), DIGITS_APART[pre]),
        embedding=embedding,
        layers=tuple(Layer(*(tensor(f"blk.{i}.{name}.weight") for name in _GGUF_NAMES)) for i in range(config.layers)),
        norm=tensor("output_norm.weight"),
        output=tensor("output.weight") if "output.weight" in raw else embedding,
    )
