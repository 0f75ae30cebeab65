"""A language model's weights from disk: a GGUF file or a local Hugging Face folder, as float32 tensors and a tokenizer.

Only models with Llama's architecture (RMSNorm, RoPE, grouped heads, SwiGLU) and a byte-level BPE. Everything is
brought to one form: RoPE turns neighbouring pairs (0, 1), (2, 3)…, so a Hugging Face copy has the rows of W_Q and W_K
reordered. Downloads nothing, runs nothing: the forward pass is in smollm2.py.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from figures import byte_pairs
from figures.kit import data, packages
from figures.kit.errors import DataError
from figures.kit.files import read_text

if TYPE_CHECKING:
    import torch

VARIABLE = "ATENCAO_WEIGHTS"
NONE = "none"
REMEDY = (
    f"Point {VARIABLE} at a GGUF file or at a folder with config.json, tokenizer.json and *.safetensors of a "
    f"Llama-like model; unset it for the default weights; {VARIABLE}={NONE} shows the recorded measurement"
)
RESCALED = "it rescales RoPE's frequencies, which this forward pass does not"
READERS = ("gguf", "torch")
# How texts are cut before any merge, by the name that GGUF gives it: digits one at a time, or as they come.
DIGITS_APART = {"smollm": True, "gpt-2": False}


class Default(data.Record):
    """The weights that the lecture names, and what is measured on any weights: data/smollm2.yml."""

    name: str
    package: str
    file: str
    text: str
    new_tokens: data.Positive
    source: str


class Weights(data.Record):
    """Which weights: a name to show, and the file's identity, so that a stored result belongs to this very file."""

    name: str
    path: str
    size: int
    modified: int


class Config(data.Record):
    """The sizes that the forward pass needs; `head_dim` numbers a head, RoPE's angles fall from 1 to 1/`rope_base`."""

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
    config: Config
    tokenizer: Tokenizer
    embedding: torch.Tensor
    layers: tuple[Layer, ...]
    norm: torch.Tensor
    output: torch.Tensor


def default() -> Default:
    return data.load("smollm2", Default)


def chosen() -> Weights | None:
    """The weights to measure: those of ATENCAO_WEIGHTS, else the default package's, else None."""
    named = os.environ.get(VARIABLE, "").strip()
    if named == NONE:
        return None
    if named:
        return identify(Path(named).expanduser())
    packaged = _packaged()
    return identify(packaged, default().name) if packaged else None


def identify(path: Path, name: str = "") -> Weights:
    """The identity of the weights at `path`; raises DataError, naming the variable and the remedy, if there are none."""
    files = list(_files(path))
    stats = [file.stat() for file in files]
    size, modified = sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)
    found = Weights(name=name, path=str(path), size=size, modified=modified)
    return found if name else msgspec.structs.replace(found, name=file_name(found))


def file_name(weights: Weights) -> str:
    """The file or folder as its maker calls it: "SmolLM2-135M-Instruct.Q4_1"."""
    path = Path(weights.path)
    return path.stem if path.suffix == ".gguf" else path.name


def lacking() -> list[str]:
    """The packages that reading weights needs and this Python doesn't have: `lacking()` -> []"""
    return [package for package in READERS if packages.folder(package) is None]


def why_none() -> str:
    """Why there are no weights to measure, and what to do: none are at hand, or nothing that reads them."""
    packages, file = lacking(), _carried()
    if os.environ.get(VARIABLE, "").strip() == NONE or not packages or not file:
        return f"no weights at hand. {REMEDY}"
    needed = " and ".join(packages)
    remedy = f"Run `make setup`, or `pip install {' '.join(packages)}` with the environment active"
    return f"the weights are there ({file.name}), but not what reads them: the package {needed} is not installed. {remedy}"


def read(weights: Weights) -> Model:
    """The model of these weights, dequantised to float32: about 3 s for the default."""
    path = Path(weights.path)
    if packages := lacking():
        raise _unusable(path, f"reading it needs the package {' and '.join(packages)}: make setup, or pip install them")
    try:
        model = _read_gguf(path) if path.is_file() else _read_folder(path)
    except DataError:
        raise
    except Exception as error:  # no list of what a file of another form may lead to is ever whole
        raise _unusable(path, f"it can't be read, broken or of another form ({type(error).__name__}: {error})") from error
    for what in _misfits(model):
        raise _unusable(path, what)
    return model


def encode(tokenizer: Tokenizer, text: str) -> list[int]:
    """The ids of `text`, special tokens apart: the default's "The cat" -> [504, 2644]."""
    pieces = (byte_pairs.merge(byte_pairs.spelt(word), tokenizer.ranks) for word in byte_pairs.words(text, tokenizer.digits_apart))
    return [tokenizer.ids[piece] for word in pieces for piece in word]


def _packaged() -> Path | None:
    """The default weights' file; None where nothing can read it."""
    return None if lacking() else _carried()


def _carried() -> Path | None:
    """The default weights' file inside its installed package, which is not imported; None where it isn't installed."""
    folder = packages.folder(default().package)
    file = folder / default().file if folder else None
    return file if file and file.is_file() else None


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        if path.suffix != ".gguf":
            raise _unusable(path, "not a GGUF file")
        yield path
    elif path.is_dir():
        tensors = sorted(path.glob("*.safetensors"))
        for file in (path / "config.json", path / "tokenizer.json", *(tensors or [path / "*.safetensors"])):
            if not file.is_file():
                raise _unusable(path, f"{file.name} is missing in this folder")
            yield file
    else:
        raise _unusable(path, "no such file or folder")


def _unusable(path: Path | str, what: str) -> DataError:
    return DataError(VARIABLE, str(path), what, REMEDY)


def _misfits(model: Model) -> Iterator[str]:
    """Where the tensors are not those of the heads that the file tells."""
    told = model.config
    if told.heads % told.kv_heads:
        yield f"its {told.heads} heads can't share {told.kv_heads} pairs of keys and values"
    for i, layer in enumerate(model.layers):
        for name, heads in (("W_Q", told.heads), ("W_K", told.kv_heads), ("W_V", told.kv_heads)):
            if len(getattr(layer, name)) != heads * told.head_dim:
                yield f"{name} of layer {i} has {len(getattr(layer, name))} rows, which are not {heads} heads of {told.head_dim}"


def _refuse_biases(path: Path, names: Iterable[str]) -> None:
    for name in names:
        if name.endswith(".bias"):
            raise _unusable(path, f"its layers add biases ({name}), which this forward pass does not")


# GGUF ------------------------------------------------------------------------------------------------------------

_GGUF_NAMES = ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")


def _read_gguf(path: Path) -> Model:
    import gguf
    import torch

    reader = gguf.GGUFReader(path)

    def said(key: str, *otherwise: Any) -> Any:
        field = reader.get_field(key)
        if field is None and not otherwise:
            raise _unusable(path, f"the file does not say {key}")
        return field.contents() if field else otherwise[0]

    if said("general.architecture") != "llama":
        raise _unusable(path, f"its architecture is {said('general.architecture')}, not llama")
    raw = {tensor.name: tensor for tensor in reader.tensors}
    if "rope_freqs.weight" in raw:
        raise _unusable(path, RESCALED)
    _refuse_biases(path, raw)

    def tensor(name: str) -> torch.Tensor:
        if name not in raw:
            raise _unusable(path, f"the tensor {name} is missing")
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
        raise _unusable(path, f"its tokenizer ({said('tokenizer.ggml.model')}, {pre}) is none of {', '.join(DIGITS_APART)}")
    embedding = tensor("token_embd.weight")
    return Model(
        config=config,
        tokenizer=_tokenizer(said("tokenizer.ggml.tokens"), said("tokenizer.ggml.merges"), DIGITS_APART[pre]),
        embedding=embedding,
        layers=tuple(Layer(*(tensor(f"blk.{i}.{name}.weight") for name in _GGUF_NAMES)) for i in range(config.layers)),
        norm=tensor("output_norm.weight"),
        output=tensor("output.weight") if "output.weight" in raw else embedding,
    )


def _tokenizer(pieces: list[str] | Mapping[str, int], merges: list[Any], digits_apart: bool) -> Tokenizer:
    """Merges are "a b" or ["a", "b"], the earliest first."""
    ids = pieces if isinstance(pieces, Mapping) else {piece: i for i, piece in enumerate(pieces)}
    pairs = [tuple(merge.split(" ")) if isinstance(merge, str) else tuple(merge) for merge in merges]
    return Tokenizer(ids, {(first, second): rank for rank, (first, second) in enumerate(pairs)}, digits_apart)


# Hugging Face ----------------------------------------------------------------------------------------------------

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


def _read_folder(path: Path) -> Model:
    said = json.loads(read_text(path / "config.json"))
    if said.get("model_type") != "llama":
        raise _unusable(path, f"its model_type is {said.get('model_type')}, not llama")
    rope = said.get("rope_parameters") or {}
    if said.get("rope_scaling") or rope.get("rope_type", "default") != "default":
        raise _unusable(path, RESCALED)
    if said.get("hidden_act", "silu") != "silu":
        raise _unusable(path, f"its MLP uses {said['hidden_act']}, not silu")
    heads = said["num_attention_heads"]
    config = Config(
        layers=said["num_hidden_layers"],
        heads=heads,
        kv_heads=said.get("num_key_value_heads") or heads,
        head_dim=said.get("head_dim") or said["hidden_size"] // heads,
        rope_base=float(said.get("rope_theta") or rope.get("rope_theta", 10000.0)),
        epsilon=said["rms_norm_eps"],
    )
    raw = {name: tensor for file in sorted(path.glob("*.safetensors")) for name, tensor in _safetensors(file)}
    _refuse_biases(path, raw)

    def tensor(name: str) -> torch.Tensor:
        if name not in raw:
            raise _unusable(path, f"the tensor {name} is missing")
        return raw[name]

    def layer(number: int) -> Layer:
        found = Layer(*(tensor(f"model.layers.{number}.{name}.weight") for name in _FOLDER_NAMES))
        return found._replace(W_Q=_paired(found.W_Q, config.heads), W_K=_paired(found.W_K, config.kv_heads))

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
        raise _unusable(path, f"its tokenizer ({said['model']['type']}, {json.dumps(steps)}) is not GPT-2's byte-level BPE")
    return _tokenizer(said["model"]["vocab"], said["model"]["merges"], bool(digits))


def _paired(matrix: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of each head from Hugging Face's halves (0, d/2), (1, d/2 + 1)… to neighbouring pairs (0, 1), (2, 3)…"""
    rows, width = matrix.shape
    return matrix.view(heads, 2, rows // heads // 2, width).transpose(1, 2).reshape(rows, width)


def _safetensors(file: Path) -> Iterator[tuple[str, torch.Tensor]]:
    """Every tensor of a .safetensors file in float32. Format: 8 bytes of length, a JSON header, the bytes."""
    import torch

    kinds = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    content = bytearray(file.read_bytes())
    start = 8 + int.from_bytes(content[:8], "little")
    for name, entry in json.loads(content[8:start]).items():
        if name == "__metadata__":
            continue
        if entry["dtype"] not in kinds:
            raise _unusable(file, f"the tensor {name} is stored as {entry['dtype']}; this reads {', '.join(kinds)}")
        low, high = entry["data_offsets"]
        kind = kinds[entry["dtype"]]
        flat = torch.frombuffer(content, dtype=kind, offset=start + low, count=(high - low) // kind.itemsize)
        yield name, flat.reshape(entry["shape"]).float()
