"""A model read from a local Hugging Face folder, its rows of W_Q and W_K reordered to neighbouring pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from figures.kit.files import read_text
from figures.model.llama import RESCALED, Config, Layer, Model, Tokenizer, refuse_biases, tokenizer_of, unusable

if TYPE_CHECKING:
    import torch

_FOLDER_NAMES = (
    "input_layernorm",
    "self_attn.q_proj",
    "self_attn.k_proj",
    "self_attn.v_proj",
    "self_attn.o_proj",
    "post_attention_layernorm",
    "mlp.gate_proj",
    "mlp.up_proj",
    "mlp.down_proj",
)


def read_folder(path: Path) -> Model:
    """The model in a folder with config.json, tokenizer.json and *.safetensors; a DataError where it holds another kind."""
    said = json.loads(read_text(path / "config.json"))
    if said.get("model_type") != "llama":
        raise unusable(path, f"its model_type is {said.get('model_type')}, not llama")
    rope = said.get("rope_parameters") or {}
    if said.get("rope_scaling") or rope.get("rope_type", "default") != "default":
        raise unusable(path, RESCALED)
    if said.get("hidden_act", "silu") != "silu":
        raise unusable(path, f"its MLP uses {said['hidden_act']}, not silu")
    heads = said["num_attention_heads"]
    config = Config(
        layers=said["num_hidden_layers"],
        heads=heads,
        kv_heads=said.get("num_key_value_heads") or heads,
        head_dim=said.get("head_dim") or said["hidden_size"] // heads,
        rope_base=float(said.get("rope_theta") or rope.get("rope_theta", 10000.0)),
        epsilon=said["rms_norm_eps"],
    )
    raw = {name: tensor for file in sorted(path.glob("*.safetensors")) for name, tensor in safetensors(file)}
    refuse_biases(path, raw)

    def tensor(name: str) -> torch.Tensor:
        if name not in raw:
            raise unusable(path, f"the tensor {name} is missing")
        return raw[name]

    def layer(number: int) -> Layer:
        halves = Layer(*(tensor(f"model.layers.{number}.{name}.weight") for name in _FOLDER_NAMES))
        return halves._replace(W_Q=_paired(halves.W_Q, config.heads), W_K=_paired(halves.W_K, config.kv_heads))

    return Model(
        config=config,
        tokenizer=_folder_tokenizer(path),
        embedding=tensor("model.embed_tokens.weight"),
        layers=tuple(layer(number) for number in range(config.layers)),
        norm=tensor("model.norm.weight"),
        output=raw.get("lm_head.weight", raw["model.embed_tokens.weight"]),
    )


def _folder_tokenizer(path: Path) -> Tokenizer:
    said = json.loads(read_text(path / "tokenizer.json"))
    steps = said.get("pre_tokenizer") or {}
    *before, last = steps.get("pretokenizers", [steps])
    plain = last.get("type") == "ByteLevel" and last.get("use_regex", True) and not last.get("add_prefix_space")
    digits = [step.get("type") == "Digits" and step.get("individual_digits") for step in before]
    if said["model"]["type"] != "BPE" or not plain or digits not in ([], [True]):
        raise unusable(path, f"its tokenizer ({said['model']['type']}, {json.dumps(steps)}) is not GPT-2's byte-level BPE")
    return tokenizer_of(said["model"]["vocab"], said["model"]["merges"], bool(digits))


def _paired(matrix: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of each head from Hugging Face's halves (0, d/2), (1, d/2 + 1)… to neighbouring pairs (0, 1), (2, 3)…"""
    rows, width = matrix.shape
    return matrix.view(heads, 2, rows // heads // 2, width).transpose(1, 2).reshape(rows, width)


def safetensors(file: Path) -> Iterator[tuple[str, torch.Tensor]]:
    """Every tensor of a .safetensors file in float32. Format: 8 bytes of length, a JSON header, the bytes."""
    import torch

    kinds = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    content = bytearray(file.read_bytes())
    start = 8 + int.from_bytes(content[:8], "little")
    for name, entry in json.loads(content[8:start]).items():
        if name == "__metadata__":
            continue
        if entry["dtype"] not in kinds:
            raise unusable(file, f"the tensor {name} is stored as {entry['dtype']}; this reads {', '.join(kinds)}")
        low, high = entry["data_offsets"]
        kind = kinds[entry["dtype"]]
        flat = torch.frombuffer(content, dtype=kind, offset=start + low, count=(high - low) // kind.itemsize)
        yield name, flat.reshape(entry["shape"]).float()
