"""Which weights are read, and what is said of those that can't be: the variable, the path, the remedy."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import tiny_llama
import torch
from hypothesis import given
from hypothesis import strategies as st

from figures import byte_pairs
from figures.kit import data, slow
from figures.kit.errors import DataError
from figures.model import hugging_face, llama, weights
from figures.model.llama import NONE, VARIABLE, Tokenizer

TOY = Tokenizer(
    ids={piece: i for i, piece in enumerate(tiny_llama.PIECES)},
    ranks={("t", "h"): 0, ("th", "e"): 1, ("Ġ", "the"): 2, ("a", "t"): 3},
    digits_apart=True,
)


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    return [tiny_llama.PIECES[id] for id in llama.encode(tokenizer, text)]


# The tokenizer


def test_encode_by_hand():
    assert pieces(TOY, "the that") == ["the", "Ġ", "th", "at"]
    assert pieces(TOY, "at the") == ["at", "Ġthe"]


def test_digits_stand_apart_or_not():
    assert byte_pairs.words("in 2017", digits_apart=True) == ["in", " ", "2", "0", "1", "7"]
    assert byte_pairs.words("in 2017") == ["in", " 2017"]


@given(st.text())
def test_encode_loses_nothing(text: str):
    """Round trip: the pieces, put together and read as bytes, are the text."""
    letters = {letter: byte for byte, letter in enumerate(byte_pairs.alphabet())}
    assert bytes(letters[letter] for letter in "".join(pieces(TOY, text))).decode() == text


def test_byte_letters_are_gpt2s():
    letters = byte_pairs.alphabet()
    assert len(set(letters)) == 256
    assert (letters[ord(" ")], letters[ord("\n")], letters[ord("a")], letters[0xC3]) == ("Ġ", "Ċ", "a", "Ã")


# Which weights


def test_the_variable_names_other_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tiny_llama.to_gguf(tmp_path / "other-model.gguf", tiny_llama.tensors())
    monkeypatch.setenv(VARIABLE, str(file))
    found = weights.chosen()
    assert found is not None
    assert (found.name, found.path, found.size) == ("other-model", str(file), file.stat().st_size)
    assert weights.file_name(found) == "other-model"


def test_none_asks_for_the_recorded_measurement(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, NONE)
    assert weights.chosen() is None


def test_the_default_weights_are_a_file_in_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Named as the lecture names them; none where the file, the package or its folder is missing."""
    monkeypatch.delenv(VARIABLE, raising=False)
    (tmp_path / "carrier").mkdir()
    (tmp_path / "carrier" / "__init__.py").write_text("")
    (tmp_path / "no_folder.py").write_text("")
    file = tiny_llama.to_gguf(tmp_path / "carrier" / "tiny.gguf", tiny_llama.tensors())
    monkeypatch.syspath_prepend(tmp_path)
    given = weights.default()

    def chosen_from(package: str, file: str) -> weights.Weights | None:
        monkeypatch.setattr(weights, "default", lambda: data.changed(given, package=package, file=file))
        return weights.chosen()

    found = chosen_from("carrier", "tiny.gguf")
    assert found is not None and (found.name, found.path) == (given.name, str(file))
    absent = (("carrier", "absent.gguf"), ("no_folder", "tiny.gguf"), ("a_package_that_is_nowhere", "tiny.gguf"))
    assert [chosen_from(*names) for names in absent] == [None] * 3


def test_a_file_that_changed_is_another_key(tmp_path: Path):
    """The stored result belongs to the very bytes: path, size and time are in the arguments, so in the key."""
    from figures.model import smollm2  # noqa: F401   registers the slow function

    folder = tiny_llama.to_folder(tmp_path / "tiny", tiny_llama.tensors())
    before = weights.identify(folder)
    assert weights.identify(folder) == before
    os.utime(folder / "model.safetensors", ns=(1, before.modified + 1))
    after = weights.identify(folder)
    assert slow.key("smollm2.measure", (before,)) != slow.key("smollm2.measure", (after,))


# Safetensors


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float32])
def test_half_precision_is_read_as_float32(tmp_path: Path, kind: torch.dtype):
    tensor = torch.tensor([[1.5, -2.0], [0.25, 3.0]], dtype=kind)
    name = {torch.float16: "F16", torch.bfloat16: "BF16", torch.float32: "F32"}[kind]
    body = tensor.view(torch.uint8).numpy().tobytes()
    header = json.dumps({"x": {"dtype": name, "shape": [2, 2], "data_offsets": [0, len(body)]}}).encode()
    file = tmp_path / "x.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header + body)
    ((found, read),) = hugging_face.safetensors(file)
    assert found == "x"
    assert read.dtype == torch.float32
    assert torch.equal(read, tensor.float())


# What a file says, and what holds where it says nothing


@pytest.mark.parametrize(("said", "base"), [(None, 10000.0), (500.0, 500.0)])
def test_the_base_of_rope_that_a_gguf_says(tmp_path: Path, said: float | None, base: float):
    file = tiny_llama.to_gguf(tmp_path / "x.gguf", tiny_llama.tensors(), base=said)
    assert weights.read(weights.identify(file)).config.rope_base == base


def of_heads(heads: int, kv_heads: int, head_dim: int) -> dict[str, torch.Tensor]:
    """The tensors of a model with these heads."""
    rows = {"q_proj": heads * head_dim, "k_proj": kv_heads * head_dim, "v_proj": kv_heads * head_dim}
    return {
        name: torch.ones(rows[part], tiny_llama.WIDTH) if (part := name.split(".")[-2]) in rows else tensor
        for name, tensor in tiny_llama.tensors().items()
    }


def test_heads_as_a_config_says_them(tmp_path: Path):
    """Where it tells no pairs of keys and values, each head has its own; where it tells no `head_dim`, heads share the width out."""
    whole = tiny_llama.to_folder(tmp_path / "whole", of_heads(4, 4, 8), num_key_value_heads=None)
    wide = tiny_llama.to_folder(tmp_path / "wide", of_heads(4, 2, 6), head_dim=6)
    told = [weights.read(weights.identify(folder)).config for folder in (whole, wide)]
    assert [(config.heads, config.kv_heads, config.head_dim) for config in told] == [(4, 4, 8), (4, 2, 6)]


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"rope_theta": None}, "rope_base", 10000.0),
        ({"rope_theta": None, "rope_parameters": {"rope_type": "default", "rope_theta": 500}}, "rope_base", 500.0),
        ({"rope_theta": 700}, "rope_base", 700.0),
    ],
)
def test_what_a_config_says(tmp_path: Path, changes: dict[str, object], field: str, value: float):
    folder = tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors(), **changes)
    assert getattr(weights.read(weights.identify(folder)).config, field) == value


def test_a_gguf_and_a_folder_say_the_same(tmp_path: Path):
    raw = tiny_llama.tensors()
    made = (tiny_llama.to_folder(tmp_path / "x", raw), tiny_llama.to_gguf(tmp_path / "x.gguf", raw))
    folder, file = (weights.read(weights.identify(path)) for path in made)
    assert data.changed(file.config, epsilon=1e-5) == folder.config and file.config.epsilon == pytest.approx(1e-5)
    assert folder.tokenizer == file.tokenizer
    assert all(torch.equal(a, b) for ours, theirs in zip(folder.layers, file.layers, strict=True) for a, b in zip(ours, theirs))


def test_byte_level_alone_cuts_as_gpt2_does(tmp_path: Path):
    folder = tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors())
    said = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    for steps, digits_apart in (({"type": "ByteLevel"}, False), (said["pre_tokenizer"], True)):
        (folder / "tokenizer.json").write_text(json.dumps(said | {"pre_tokenizer": steps}), encoding="utf-8")
        assert weights.read(weights.identify(folder)).tokenizer.digits_apart == digits_apart


def test_without_an_output_layer_the_embedding_is_used_again(tmp_path: Path):
    raw = tiny_llama.tensors()
    del raw["lm_head.weight"]
    for made in (tiny_llama.to_folder(tmp_path / "x", raw), tiny_llama.to_gguf(tmp_path / "x.gguf", raw)):
        assert torch.equal(weights.read(weights.identify(made)).output, raw["model.embed_tokens.weight"])


# What can't be used


def complaint(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        weights.read(weights.identify(path))
    assert VARIABLE in str(caught.value)
    assert "Point ATENCAO_WEIGHTS at a GGUF file" in str(caught.value)
    return str(caught.value)


def test_nothing_there(tmp_path: Path):
    assert "no such file or folder" in complaint(tmp_path / "absent.gguf")


def test_another_kind_of_file(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("not weights")
    assert "not a GGUF file" in complaint(tmp_path / "notes.txt")


def test_a_broken_gguf(tmp_path: Path):
    (tmp_path / "broken.gguf").write_bytes(b"GGUF, or so it says")
    assert "it can't be read" in complaint(tmp_path / "broken.gguf")
    whole = tiny_llama.to_gguf(tmp_path / "whole.gguf", tiny_llama.tensors()).read_bytes()
    (tmp_path / "cut.gguf").write_bytes(whole[: len(whole) // 2])
    assert "it can't be read" in complaint(tmp_path / "cut.gguf")


def test_a_broken_folder(tmp_path: Path):
    folder = tiny_llama.to_folder(tmp_path / "tiny", tiny_llama.tensors())
    (folder / "config.json").write_text('{"model_type": "llama"}')
    assert "num_attention_heads" in complaint(folder)
    (folder / "config.json").write_text("not JSON")
    assert "JSONDecodeError" in complaint(folder)


@pytest.mark.parametrize("changes", [{"num_attention_heads": 0}, {"num_hidden_layers": "two"}, {"rope_parameters": [1]}])
def test_a_config_of_another_form(tmp_path: Path, changes: dict[str, object]):
    assert "broken or of another form" in complaint(tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors(), **changes))


def test_a_tensor_of_another_shape_than_its_bytes(tmp_path: Path):
    folder = tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors())
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes().replace(b"[32, 32]", b"[32, 33]", 1))
    assert "broken or of another form" in complaint(folder)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"num_attention_heads": 2, "head_dim": 8}, "W_Q of layer 0 has 32 rows, which are not 2 heads of 8"),
        ({"num_key_value_heads": 4}, "W_K of layer 0 has 16 rows, which are not 4 heads of 8"),
    ],
)
def test_tensors_of_other_heads_than_the_config_s(tmp_path: Path, changes: dict[str, object], what: str):
    assert what in complaint(tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors(), **changes))


def test_heads_that_cannot_share_their_keys_evenly(tmp_path: Path):
    folder = tiny_llama.to_folder(tmp_path / "x", of_heads(4, 3, 8), num_key_value_heads=3)
    assert "its 4 heads can't share 3 pairs of keys and values" in complaint(folder)


def test_values_of_other_heads_than_the_keys(tmp_path: Path):
    raw = tiny_llama.tensors()
    name = "model.layers.1.self_attn.v_proj.weight"
    assert "W_V of layer 1 has 8 rows" in complaint(tiny_llama.to_folder(tmp_path / "x", raw | {name: raw[name][:8]}))


def test_without_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tiny_llama.to_gguf(tmp_path / "x.gguf", tiny_llama.tensors())
    monkeypatch.setattr(weights, "READERS", ("gguf", "a_package_that_is_nowhere"))
    assert "needs the package a_package_that_is_nowhere" in complaint(file)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert weights.chosen() is None


def test_why_there_are_no_weights_to_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Weights that nothing reads are told from weights that aren't there, and from those that nobody wants."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(weights, "READERS", ("gguf", "a_package_that_is_nowhere"))
    installed, file = weights.packages.folder, tmp_path / weights.default().file
    monkeypatch.setattr(weights.packages, "folder", lambda name: tmp_path if name == weights.default().package else installed(name))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()
    assert weights.why_none() == (
        f"the weights are there ({file.name}), but not what reads them: the package a_package_that_is_nowhere is not installed. "
        "Run `make setup`, or `pip install a_package_that_is_nowhere` with the environment active"
    )
    monkeypatch.setenv(VARIABLE, NONE)
    assert weights.why_none() == f"no weights at hand. {llama.REMEDY}"
    monkeypatch.delenv(VARIABLE)
    file.unlink()
    assert weights.why_none() == f"no weights at hand. {llama.REMEDY}"


def test_a_folder_without_tensors(tmp_path: Path):
    folder = tiny_llama.to_folder(tmp_path / "tiny", tiny_llama.tensors())
    (folder / "model.safetensors").unlink()
    assert "*.safetensors is missing" in complaint(folder)


def test_another_architecture(tmp_path: Path):
    assert "not llama" in complaint(tiny_llama.to_gguf(tmp_path / "x.gguf", tiny_llama.tensors(), architecture="gpt2"))
    assert "not llama" in complaint(tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors(), model_type="mistral"))


def test_another_tokenizer(tmp_path: Path):
    assert "none of smollm, gpt-2" in complaint(tiny_llama.to_gguf(tmp_path / "x.gguf", tiny_llama.tensors(), pre="llama-bpe"))


def test_rescaled_rope(tmp_path: Path):
    folder = tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors(), rope_scaling={"rope_type": "llama3", "factor": 8.0})
    assert "rescales RoPE" in complaint(folder)


def test_biases(tmp_path: Path):
    raw = tiny_llama.tensors()
    raw["model.layers.0.self_attn.q_proj.bias"] = torch.zeros(tiny_llama.HEADS * tiny_llama.HEAD_DIM)
    assert "add biases" in complaint(tiny_llama.to_folder(tmp_path / "x", raw))


def test_another_activation(tmp_path: Path):
    assert "not silu" in complaint(tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors(), hidden_act="gelu"))


@pytest.mark.parametrize(
    "steps",
    [
        {"type": "Metaspace"},
        {"type": "ByteLevel", "use_regex": False},
        {"type": "ByteLevel", "add_prefix_space": True},
        {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": False}, {"type": "ByteLevel"}]},
        {"type": "Sequence", "pretokenizers": [{"type": "Split"}, {"type": "ByteLevel"}]},
    ],
)
def test_another_way_to_cut_words(tmp_path: Path, steps: dict[str, object]):
    folder = tiny_llama.to_folder(tmp_path / "x", tiny_llama.tensors())
    said = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    (folder / "tokenizer.json").write_text(json.dumps(said | {"pre_tokenizer": steps}), encoding="utf-8")
    assert "is not GPT-2's byte-level BPE" in complaint(folder)


def test_a_missing_tensor(tmp_path: Path):
    raw = tiny_llama.tensors()
    del raw["model.layers.1.mlp.up_proj.weight"]
    assert "model.layers.1.mlp.up_proj.weight is missing" in complaint(tiny_llama.to_folder(tmp_path / "x", raw))
    raw = tiny_llama.tensors()
    del raw["model.norm.weight"]
    assert "output_norm.weight is missing" in complaint(tiny_llama.to_gguf(tmp_path / "x.gguf", raw))
