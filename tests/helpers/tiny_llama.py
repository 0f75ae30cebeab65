"""A random model of Llama's form, small enough for every test, and its two ways to disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from figures.byte_pairs import alphabet

LAYERS, HEADS, KV_HEADS, HEAD_DIM, WIDTH, HIDDEN = 2, 4, 2, 8, 32, 48
BASE, EPSILON = 10000.0, 1e-5
MERGES = ["t h", "th e", "Ġ the", "a t"]
PIECES = [*alphabet(), *(merge.replace(" ", "") for merge in MERGES)]


def tensors(seed: int = 0) -> dict[str, torch.Tensor]:
    """Weights by their Hugging Face names; nothing is tied, and no gain is 1."""
    random = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=random) / 4

    found = {"model.embed_tokens.weight": draw(len(PIECES), WIDTH), "model.norm.weight": 1 + draw(WIDTH)}
    found["lm_head.weight"] = draw(len(PIECES), WIDTH)
    for i in range(LAYERS):
        layer = f"model.layers.{i}."
        found[layer + "input_layernorm.weight"] = 1 + draw(WIDTH)
        found[layer + "self_attn.q_proj.weight"] = draw(HEADS * HEAD_DIM, WIDTH)
        found[layer + "self_attn.k_proj.weight"] = draw(KV_HEADS * HEAD_DIM, WIDTH)
        found[layer + "self_attn.v_proj.weight"] = draw(KV_HEADS * HEAD_DIM, WIDTH)
        found[layer + "self_attn.o_proj.weight"] = draw(WIDTH, HEADS * HEAD_DIM)
        found[layer + "post_attention_layernorm.weight"] = 1 + draw(WIDTH)
        found[layer + "mlp.gate_proj.weight"] = draw(HIDDEN, WIDTH)
        found[layer + "mlp.up_proj.weight"] = draw(HIDDEN, WIDTH)
        found[layer + "mlp.down_proj.weight"] = draw(WIDTH, HIDDEN)
    return found


def to_folder(folder: Path, weights: dict[str, torch.Tensor], **changes: Any) -> Path:
    """A Hugging Face copy; `changes` override entries of config.json."""
    folder.mkdir(exist_ok=True)
    config = {
        "model_type": "llama", "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS,
        "hidden_size": WIDTH, "rms_norm_eps": EPSILON, "rope_theta": BASE,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config | changes))
    steps = [{"type": "Digits", "individual_digits": True}, {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}]
    tokenizer = {
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "model": {"type": "BPE", "vocab": {piece: i for i, piece in enumerate(PIECES)}, "merges": [m.split(" ") for m in MERGES]},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), encoding="utf-8")
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in weights.items():
        content = tensor.numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(body), len(body) + len(content)]}  # type: ignore[dict-item]
        body += content
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + body)
    return folder


def to_gguf(
    path: Path, weights: dict[str, torch.Tensor], architecture: str = "llama", pre: str = "smollm", base: float | None = BASE
) -> Path:
    """The same model as llama.cpp converts it: W_Q and W_K with their rows in pairs; no `base`, and the file does not say it."""
    import gguf

    names = {
        "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
        "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
        "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    }  # fmt: skip
    whole = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight", "lm_head.weight": "output.weight"}
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(EPSILON)
    if base:
        writer.add_rope_freq_base(base)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(PIECES)
    writer.add_token_merges(MERGES)
    for name, tensor in weights.items():
        if name in whole:
            short = whole[name]
        else:
            _, _, number, middle = name.removesuffix(".weight").split(".", 3)
            short = f"blk.{number}.{names[middle]}.weight"
            for role, heads in (("attn_q", HEADS), ("attn_k", KV_HEADS)):
                if f".{role}." in short:
                    rows, width = tensor.shape
                    tensor = tensor.reshape(heads, 2, rows // heads // 2, width).swapaxes(1, 2).reshape(rows, width)
        writer.add_tensor(short, tensor.contiguous().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
