"""Slide 32: the words that the measurement chooses, what is shown without weights, and what the source publishes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import tiny_llama
from published import published, same_text

from figures import kv_cache, real_model
from figures.kit.words import Words
from figures.model import smollm2, weights
from figures.model.smollm2 import Measurement

WORDS = Words("real_model")


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Measurement:
    """No weights at hand: the recorded measurement is shown."""
    monkeypatch.setenv(weights.VARIABLE, weights.NONE)
    return real_model.recorded()


def other(of: Measurement, **changes: object) -> Measurement:
    return msgspec.structs.replace(of, **changes)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SmolLM2-135M-Instruct.Q4_1", "(versão Instruct, treinada para seguir instruções, pesos guardados em 4 bits)"),
        ("SmolLM2-135M-F16", "(pesos guardados em 16 bits)"),
        ("SmolLM2-135M-instruct", "(versão Instruct, treinada para seguir instruções)"),
        ("SmolLM2-135M", ""),
    ],
)
def test_a_file_is_named_with_what_its_name_says(name: str, said: str):
    assert real_model._file(name) == f"{name} {said}".strip()


# Published: the recorded measurement stands in; test_smollm2.py holds the weights to the same numbers


@pytest.mark.usefixtures("recorded")
def test_slide_32():
    model = published("deck", 32, "model")
    shown = (real_model.layers(), real_model.heads(), real_model.kv_heads(), real_model.head_dim())
    assert [number.value for number in shown] == [model["L"], model["h"], model["h_kv"], model["d_h"]]
    assert same_text(real_model.bytes_per_number(), published("deck", 32, "bytes_per_number"))
    assert same_text(real_model.bytes_per_token(), published("deck", 32, "bytes_per_token"))
    assert real_model.agreement().text == WORDS("agreement.same")
    assert same_text(real_model.with_every_head(), f"{published('deck', 32, 'mha_factor')}×")
    assert same_text(real_model.new_tokens(), published("deck", 32, "tokens"))
    assert published("deck", 32, "same_tokens") is True
    assert real_model.same_tokens().text == WORDS("tokens.same")
    head = published("deck", 32, "previous_token_head")
    assert (real_model.previous_layer().value, real_model.previous_head().value) == (head["layer"], head["head"])
    assert same_text(real_model.previous_weight(), head["weight"])
    first = published("deck", 32, "first_token")
    assert same_text(real_model.first_token(), first["mean"])
    assert same_text(real_model.equal_share(), first["equal_share"])
    assert (real_model.name().text, real_model.scheme().text) == ("SmolLM2-135M", "GQA")


def test_times_are_of_another_machine(recorded: Measurement):
    """The source's ms are its hardware's; ours keep the order that it tells: with the cache faster, without it slower and slower."""
    assert published("deck", 32, "without_ms") == "56 a 90"
    assert published("deck", 32, "with_ms") == "perto de 24"
    assert recorded.with_ms < recorded.without_first_ms < recorded.without_last_ms


def test_the_formula_is_that_of_slide_28(recorded: Measurement):
    """One formula for both slides: the factors of this model in kv_cache's."""
    model = msgspec.structs.replace(
        kv_cache.records.example(), layers=recorded.layers, heads=recorded.heads, kv_heads=recorded.kv_heads, head_dim=recorded.head_dim
    )
    kept = kv_cache.arithmetic.kept(model, "groups", kv_cache.schemes().latent)
    assert real_model.predicted(recorded) == kv_cache.arithmetic.cache_bytes(kept, recorded.bytes_per_number, 1) == 46080


# Words that flip


NEARLY_SINK = {"first_token": 0.499, "equal_share": 0.25}


@pytest.mark.parametrize(
    ("shown", "changes", "text"),
    [
        ("agreement", {"bytes_per_token": 40000}, WORDS("agreement.other", predicted="46\u00a0080")),
        ("same_tokens", {"agreeing": 17}, WORDS("tokens.part", agreeing="17")),
        ("without_cache", {"without_first_ms": 56.2, "without_last_ms": 90.4}, WORDS("span.two", first="56", last="90\u00a0ms")),
        ("without_cache", {"without_first_ms": 56.2, "without_last_ms": 56.4}, WORDS("span.one", time="56\u00a0ms")),
        ("prefix", {}, WORDS("prefix.grows")),
        ("prefix", {"without_first_ms": 56.0, "without_last_ms": 56.0}, WORDS("prefix.no_matter")),
        ("previous_kind", {"previous_weight": 0.5}, WORDS("previous.trained")),
        ("previous_kind", {"previous_weight": 0.499}, WORDS("previous.strongest")),
        ("sink", {}, WORDS("sink.yes")),
        ("sink", {"first_token": 0.11}, WORDS("sink.no")),
        ("sink", NEARLY_SINK | {"first_token": 0.5}, WORDS("sink.yes")),
        ("sink", NEARLY_SINK, WORDS("sink.no")),
        *(("scheme", {"heads": 9, "kv_heads": shared}, name) for shared, name in ((9, "MHA"), (3, "GQA"), (1, "MQA"))),
    ],
)
def test_a_word_follows_the_measurement(
    shown: str, changes: dict[str, float], text: str, recorded: Measurement, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(real_model, "recorded", lambda: other(recorded, **changes))
    assert getattr(real_model, shown)().text == text


def test_a_cache_of_every_head_to_one_decimal(recorded: Measurement, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(real_model, "recorded", lambda: other(recorded, heads=8, kv_heads=3))
    assert same_text(real_model.with_every_head(), "2,7×")


@pytest.mark.usefixtures("recorded")
def test_layers_and_heads_count_from_zero():
    assert str(real_model.first_index()) == "zero"


# With other weights, and with none


def test_without_weights_it_says_recorded(recorded: Measurement):
    assert real_model.where().text.startswith("medição registrada em 30 de nov. de 2026")
    assert recorded.machine.processor in real_model.where().text
    assert real_model.with_cache().origin.kind == "recorded"
    notice = real_model.notice()
    assert notice is not None
    assert weights.VARIABLE in notice
    assert "recorded on 2026-11-30" in notice


def test_other_weights_are_measured_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tiny_llama.to_gguf(tmp_path / "tiny-llama.gguf", tiny_llama.tensors())
    monkeypatch.setenv(weights.VARIABLE, str(file))
    found = real_model.measurement()
    assert (found.model, found.weights, found.agreeing) == ("tiny-llama", "tiny-llama", 80)
    assert found.bytes_per_token == real_model.predicted(found) == 2 * 2 * 2 * 8 * 4
    assert (real_model.name().text, real_model.file().text) == ("tiny-llama", "tiny-llama")
    assert real_model.where().text.startswith("medido em ")
    assert real_model.with_cache().origin.kind == "measured"
    assert found.machine.processor in real_model.with_cache().origin.note
    assert real_model.notice() is None
    assert real_model.previous_kind().text == WORDS("previous.strongest")


def test_build_asks_for_the_weights_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from figures.kit import slow

    calls = slow.registry["smollm2.measure"].calls
    monkeypatch.setenv(weights.VARIABLE, weights.NONE)
    assert calls() == []
    file = tiny_llama.to_gguf(tmp_path / "tiny.gguf", tiny_llama.tensors())
    monkeypatch.setenv(weights.VARIABLE, str(file))
    assert calls() == [(weights.identify(file),)]
    assert weights.default().new_tokens > smollm2.EDGE
