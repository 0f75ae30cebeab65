"""Slide 32: the words that the measurement chooses, what is shown without weights, and what the source publishes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import tiny_llama
from published import published, same_text

from figures import kv_cache, real_model
from figures.model import smollm2, weights
from figures.model.smollm2 import Measurement


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Measurement:
    """No weights at hand: the recorded measurement is shown."""
    monkeypatch.setenv(weights.VARIABLE, weights.NONE)
    return real_model.recorded()


def other(of: Measurement, **changes: object) -> Measurement:
    return msgspec.structs.replace(of, **changes)


# Published: the recorded measurement stands in; test_smollm2.py holds the weights to the same numbers


@pytest.mark.usefixtures("recorded")
def test_slide_32():
    model = published("deck", 32, "model")
    shown = (real_model.layers(), real_model.heads(), real_model.kv_heads(), real_model.head_dim())
    assert [number.value for number in shown] == [model["L"], model["h"], model["h_kv"], model["d_h"]]
    assert same_text(real_model.bytes_per_number(), published("deck", 32, "bytes_per_number"))
    assert same_text(real_model.bytes_per_token(), published("deck", 32, "bytes_per_token"))
    assert real_model.agreement().text == "medido e previsto"
    assert same_text(real_model.with_every_head(), f"{published('deck', 32, 'mha_factor')}×")
    assert same_text(real_model.new_tokens(), published("deck", 32, "tokens"))
    assert published("deck", 32, "same_tokens") is True
    assert real_model.same_tokens().text == "os mesmos tokens com e sem o cache"
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


def test_agreement_flips(recorded: Measurement):
    assert real_model._agreement(other(recorded, bytes_per_token=40000)) == "medido, contra 46\u00a0080 previstos"


def test_same_tokens_flips(recorded: Measurement):
    assert real_model._same_tokens(other(recorded, agreeing=17)) == "os tokens só coincidem até o 17º, com e sem o cache"


def test_the_span_of_times(recorded: Measurement):
    assert real_model._span(other(recorded, without_first_ms=56.2, without_last_ms=90.4)) == "de 56 a 90\u00a0ms"
    assert real_model._span(other(recorded, without_first_ms=56.2, without_last_ms=56.4)) == "56\u00a0ms"


def test_the_growing_prefix_flips(recorded: Measurement):
    assert real_model._prefix(recorded) == "o prefixo só aumenta"
    assert "não" in real_model._prefix(other(recorded, without_last_ms=recorded.without_first_ms))


def test_the_previous_token_head_flips():
    assert real_model._previous_kind(0.78) != real_model._previous_kind(0.3)
    assert real_model._previous_kind(0.3).startswith("Nenhuma")


def test_the_sink_flips(recorded: Measurement):
    assert real_model._sink(recorded) == "um sumidouro de atenção"
    assert real_model._sink(other(recorded, first_token=0.11)) == "nenhum sumidouro de atenção"


def test_who_shares():
    assert [real_model._scheme(9, kv_heads) for kv_heads in (9, 3, 1)] == ["MHA", "GQA", "MQA"]


def test_half_the_weight_and_twice_the_share_are_enough(recorded: Measurement):
    assert real_model._previous_kind(0.5) == real_model._previous_kind(0.78) != real_model._previous_kind(0.499)
    twice = other(recorded, first_token=0.5, equal_share=0.25)
    assert real_model._sink(twice) == "um sumidouro de atenção" != real_model._sink(other(twice, first_token=0.499))


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
    assert real_model.previous_kind().text.startswith("Nenhuma")


def test_build_asks_for_the_weights_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from figures.kit import slow

    calls = slow.registry["smollm2.measure"].calls
    monkeypatch.setenv(weights.VARIABLE, weights.NONE)
    assert calls() == []
    file = tiny_llama.to_gguf(tmp_path / "tiny.gguf", tiny_llama.tensors())
    monkeypatch.setenv(weights.VARIABLE, str(file))
    assert calls() == [(weights.identify(file),)]
    assert weights.default().new_tokens > smollm2.EDGE
