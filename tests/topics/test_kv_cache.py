"""The KV cache's bytes: by hand, against tensors that hold them, as laws, and as published; the words that flip."""

from __future__ import annotations

import re

import msgspec
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from loaded import changed_models, with_records
from published import published, same_text

from figures import (
    kv_cache,
)
from figures.kit import data, formats
from figures.kit.errors import DataError
from figures.kit.formats import binary_bytes, count, kibi
from figures.kit.words import Words
from figures.kv_cache.arithmetic import Demand, Step
from figures.kv_cache.records import Model
from figures.model import smollm2

LATENT = kv_cache.schemes().latent
KEEPS = ("all", "groups", "one", "latent")


def a_model(layers: int = 2, heads: int = 8, kv_heads: int = 2, head_dim: int = 16, parameters: float = 1e9) -> Model:
    return Model(id="x", name="X", parameters=parameters, layers=layers, heads=heads, kv_heads=kv_heads, head_dim=head_dim, source="a test")


MODELS = st.builds(
    lambda layers, kv_heads, group, head_dim: a_model(layers, kv_heads * group, kv_heads, head_dim),
    st.integers(1, 6), st.integers(1, 4), st.integers(1, 4), st.integers(1, 32),
)  # fmt: skip


# By hand


def test_kept_by_hand():
    model = a_model(layers=2, heads=8, kv_heads=2, head_dim=16)
    assert [kv_cache.arithmetic.kept(model, keeps, LATENT) for keeps in KEEPS] == [
        2 * 2 * 8 * 16,
        2 * 2 * 2 * 16,
        2 * 2 * 16,
        2 * (512 + 64),
    ]


def test_llama_by_hand():
    assert kv_cache.arithmetic.kept(kv_cache.records.example(), "groups", LATENT) == 65536
    assert kv_cache.arithmetic.cache_bytes(65536, 2, 131072) == 16 * 1024**3


def test_passes_by_counting():
    for n in range(8):
        assert kv_cache.arithmetic.passes(n, cached=False) == sum(range(1, n + 1))
        assert kv_cache.arithmetic.passes(n, cached=True) == n


def test_every_card_and_model_has_a_source():
    for record in (*kv_cache.models(), *kv_cache.accelerators(), *kv_cache.schemes().schemes, LATENT):
        assert "20" in record.source or "http" in record.source


def test_the_latent_against_its_own_heads_and_against_the_models():
    assert kv_cache.latent_share().value == (512 + 64) / (2 * 128 * 128) and kv_cache.latent_share().text == "~1/57"
    assert kv_cache.latent_share("8B").value == (512 + 64) / (2 * 32 * 128) and kv_cache.latent_share("8B").text == "~1/14"


# Against real tensors


@given(MODELS, st.integers(1, 5), st.integers(1, 9), st.sampled_from([torch.float16, torch.float32]))
def test_the_formula_is_what_a_cache_holds(model: Model, prompt: int, steps: int, kind: torch.dtype):
    """A cache filled as a model fills it: a prompt at once, then token by token."""
    cache = smollm2.Cache(model.layers)
    for new in (prompt, *[1] * steps):
        for layer in range(model.layers):
            tensor = torch.zeros(model.kv_heads, new, model.head_dim, dtype=kind)
            cache.extended(layer, tensor, tensor.clone())
    expected = kv_cache.arithmetic.cache_bytes(kv_cache.arithmetic.kept(model, "groups", LATENT), kind.itemsize, prompt + steps)
    assert cache.tokens == prompt + steps
    assert cache.bytes() == expected


# Laws


@given(MODELS)
def test_fewer_heads_keep_less(model: Model):
    every, groups, one = (kv_cache.arithmetic.kept(model, keeps, LATENT) for keeps in ("all", "groups", "one"))
    assert every == groups * (model.heads // model.kv_heads) == one * model.heads


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_cache_grows_in_proportion(tokens: int, sequences: int):
    assert kv_cache.arithmetic.cache_bytes(3, 2, tokens, sequences) == tokens * sequences * kv_cache.arithmetic.cache_bytes(3, 2, 1)


@given(st.floats(0, 1e12), st.floats(0, 1e12), st.floats(0, 1e12))
def test_fits_exactly_where_nothing_is_missing(weights: float, cache: float, memory: float):
    assert Demand(weights, cache, memory).fits == (memory - weights - cache >= 0)


@given(st.integers(0, 500))
def test_the_passes_formulas_count(n: int):
    for how, cached in (("without", False), ("with", True)):
        formula = kv_cache.passes_formula(how).value.strip("$").replace("n(", "n*(")
        assert eval(formula, {"n": n}) == kv_cache.arithmetic.passes(n, cached)


def test_symbols_of_the_table_are_true_of_every_model():
    for model in kv_cache.models():
        for scheme in kv_cache.schemes().schemes:
            if scheme.cache:
                told = eval(scheme.cache, {"h": model.heads, "g": model.kv_heads})
                assert kv_cache.arithmetic.kept(model, scheme.keeps, LATENT) / kv_cache.arithmetic.kept(model, "all", LATENT) == told


# Published


def test_slide_27():
    assert kv_cache.passes_formula("without").value == f"${published('deck', 27, 'passes_without')}$"
    assert kv_cache.passes_formula("with").value == f"${published('deck', 27, 'with')}$"


def test_each_column_of_the_factors_has_its_own_heading():
    headings = [column.heading for column in kv_cache.factors().columns]
    assert len(set(headings)) == 3 and not any("{" in heading for heading in headings)
    assert [kv_cache.records.example().name in heading for heading in headings] == [False, False, True]


def test_slide_28():
    factors = [row[2] for row in kv_cache.factors().texts()]
    names = ("k_and_v", "layers", "kv_heads", "head_dim", "bytes", "per_token", "one_user")
    expected = [
        published("deck", 28, "k_and_v"), published("deck", 28, "layers"), published("deck", 28, "kv_heads"),
        published("deck", 28, "head_dim"), published("deck", 28, "bytes"), published("deck", 28, "per_token"),
        published("deck", 28, "one_user"),
    ]  # fmt: skip
    for name, shown, value in zip(names, factors, expected, strict=True):
        assert same_text(shown, value), name
    whats = [row[1] for row in kv_cache.factors().texts()]
    assert f"({published('deck', 28, 'bits')} bits)" in whats[4]
    assert published("deck", 28, "context") in whats[6].replace("\u00a0", " ")
    assert same_text(kv_cache.size.per_token(), factors[5])
    assert same_text(kv_cache.size.one_user(), factors[6])


def test_slide_29():
    opens = published("deck", 29, "opens")
    assert kv_cache.setting().text == f"{opens['model']}, {opens['scheme']}, {opens['context']}, {opens['requests']} requisições"
    assert same_text(kv_cache.cache(), f"{published('deck', 29, 'cache_gb')} GB")
    assert same_text(kv_cache.weights(), f"{published('deck', 29, 'weights_gb')} GB")
    assert same_text(kv_cache.cache("every-head"), f"{published('deck', 29, 'mha_gb')} GB")
    assert same_text(kv_cache.cache("longer"), f"{published('deck', 29, 'at_128k_gb')} GB")
    assert kv_cache.context("longer").text == "128k"
    assert kv_cache.growth("every-head").text == f"cresce {published('deck', 29, 'factor')}×"
    assert same_text(kv_cache.weights("large"), published("deck", 29, "70B"))
    assert same_text(kv_cache.weights("largest"), published("deck", 29, "405B"))
    assert same_text(kv_cache.memory(), f"{published('deck', 29, 'card_gb')} GB")
    assert [kv_cache.fits(state).text for state in ("opening", "every-head", "longer")] == ["cabe", "não cabe", "não cabe"]
    assert kv_cache.again("longer", "every-head").text == "outra vez"
    assert kv_cache.weights_fit("large", "largest").text == "já não cabem"
    assert (kv_cache.scheme_of().text, kv_cache.scheme_of("every-head").text) == ("GQA", "MHA")
    assert kv_cache.bits().value == published("deck", 28, "bits")


def test_slide_30():
    table = kv_cache.sharing()
    rows = {row[0]: [cell.replace("$", "") for cell in row] for row in table.texts()}
    for name, entry in (
        ("MHA", published("deck", 30, "MHA")), ("MQA", published("deck", 30, "MQA")),
        ("GQA", published("deck", 30, "GQA")), ("MLA", published("deck", 30, "MLA")),
    ):  # fmt: skip
        assert same_text(rows[name][1], entry["heads"])
        assert same_text(rows[name][2], entry["cache"])
    assert table.columns[-1].heading == str(published("deck", 30, "year"))


def test_latent_share_unrounded():
    mla = kv_cache.records.scheme_named("MLA")
    assert 1 / kv_cache.arithmetic.share(mla, LATENT) == pytest.approx(56.9, abs=0.05)
    other = msgspec.structs.replace(LATENT, kv_latent=1024)
    assert kv_cache.units.one_in()(kv_cache.arithmetic.share(mla, other)) == "~1/30"


# Words that flip


def test_the_verdict_flips_with_the_card(monkeypatch: pytest.MonkeyPatch):
    small = kv_cache.state()
    monkeypatch.setattr(kv_cache.records, "state", lambda experiment="opening": msgspec.structs.replace(small, accelerator="RTX 4090"))
    assert kv_cache.fits().text == "não cabe"


def test_growth_and_again_flip(monkeypatch: pytest.MonkeyPatch):
    opening = kv_cache.state()
    states = {"opening": opening} | {name: msgspec.structs.replace(opening, requests=n) for name, n in (("half", 4), ("more", 13))}
    monkeypatch.setattr(kv_cache.records, "state", lambda experiment="opening": states[experiment])
    assert kv_cache.growth("more").text == "cresce 1,6×"
    assert kv_cache.growth("half").text == "cai para 50% do que era"
    assert kv_cache.growth("opening").text == "não muda"
    assert kv_cache.again("half", "opening").text == "em vez dos 34,4\xa0GB de antes"


def test_one_request_and_one_user_are_singular(monkeypatch: pytest.MonkeyPatch):
    given = kv_cache.controls()
    assert [row[1] for row in kv_cache.factors().texts()][-1].endswith(", um usuário")
    assert "com 8 requisições: retas" in kv_cache.opening_state().alt
    other = data.changed(given, opens=data.changed(given.opens, requests=1), users=3)
    with_records(monkeypatch, "cache_simulator", other)
    assert kv_cache.setting().text == "8B, GQA, 32k, uma requisição"
    assert "com uma requisição: retas" in kv_cache.opening_state().alt
    assert [row[1] for row in kv_cache.factors().texts()][-1].endswith(", 3 usuários")
    assert same_text(kv_cache.size.one_user(), "48 GiB")


@pytest.mark.parametrize(("bits", "size", "per_token"), [(4, "0,5", "32 KiB"), (8, "1", "64 KiB"), (32, "4", "256 KiB")])
def test_a_number_may_take_less_than_a_byte(monkeypatch: pytest.MonkeyPatch, bits: int, size: str, per_token: str):
    given = kv_cache.controls()
    other = data.changed(given, opens=data.changed(given.opens, bits=bits))
    with_records(monkeypatch, "cache_simulator", other)
    rows = kv_cache.factors().texts()
    assert rows[4][1] == f"bytes por número ({bits} bits)" and rows[4][2] == size
    assert same_text(rows[5][2], per_token) and same_text(kv_cache.size.per_token(), per_token)


def test_weights_fit_flips():
    assert kv_cache.weights_fit("opening").text == "ainda cabem"
    assert kv_cache.weights_fit("opening", "large").text == "só os do 8B ainda cabem"
    assert kv_cache.weights_fit("large", "largest").text == "já não cabem"


def test_a_larger_card_holds_some_of_what_the_notes_try(monkeypatch: pytest.MonkeyPatch):
    """An H200 has 141 GB: the weights of 70B fit, those of 405B don't."""
    given = kv_cache.controls()
    with_records(monkeypatch, "cache_simulator", data.changed(given, opens=data.changed(given.opens, accelerator="H200")))
    assert kv_cache.weights_fit("large", "largest").text == "só os do 70B ainda cabem"


def test_weights_that_just_fill_the_card_still_fit(monkeypatch: pytest.MonkeyPatch):
    with_records(monkeypatch, "models", changed_models(parameters=40e9))
    assert kv_cache.weights().value == kv_cache.memory().value == 80e9
    assert kv_cache.weights_fit("opening").text == "ainda cabem"
    with_records(monkeypatch, "models", changed_models(parameters=40e9 + 1))
    assert kv_cache.weights_fit("opening").text == "já não cabem"


def test_the_bottleneck_flips(monkeypatch):
    assert kv_cache.bottleneck().text == Words("kv_cache")("memory_bound")
    for computing in (1, 2):
        monkeypatch.setattr(kv_cache.settings, "step", lambda state, computing=computing: Step(moving=1, computing=computing))
        assert kv_cache.bottleneck().text == Words("kv_cache")("compute_bound")


def test_step_by_hand():
    step = kv_cache.arithmetic.step(kv_cache.state())
    assert step.moving == pytest.approx((16e9 + 34.36e9) / 3.35e12, rel=1e-3)
    assert step.computing == pytest.approx(8 * (2 * 8e9 + 4 * 32 * 32 * 128 * 32768) / 989e12)


def test_typical_groups_follow_the_models():
    assert kv_cache.heads.typical_groups((a_model(kv_heads=4), a_model(kv_heads=4), a_model(kv_heads=2))) == 4


# Shown


def test_opening_state_shows_its_numbers():
    picture = kv_cache.opening_state()
    drawn = " ".join(re.findall(r">([^<]+)</text>", picture.svg()))
    for text in ("34,4 GB", "16 GB", "80 GB", "29,6 GB", "cabe", "8B, GQA, 32k, 8 requisições"):
        assert text in drawn.replace("\u00a0", " "), text
        assert text in picture.alt.replace("\u00a0", " "), text
    assert "MHA 137" in picture.alt


def test_what_does_not_fit_is_drawn_too(monkeypatch: pytest.MonkeyPatch):
    for experiment in ("every-head", "longer", "large", "largest"):
        there = kv_cache.state(experiment)
        with monkeypatch.context() as patch:
            patch.setattr(kv_cache.records, "state", lambda experiment="opening", there=there: there)
            assert "faltam" in kv_cache.opening_state().alt


def test_gigabytes_keep_three_digits():
    assert [kv_cache.units.gigabytes()(size) for size in (34.36e9, 16e9, 137.4e9, 99.97e9)] == [
        "34,4\u00a0GB",
        "16\u00a0GB",
        "137\u00a0GB",
        "100\u00a0GB",
    ]
    assert (kibi()(32768), count()(131072), binary_bytes()(131072)) == ("32k", "131\u00a0072", "128\u00a0KiB")


def test_an_unknown_name_is_told():
    with pytest.raises(DataError, match="Known: 8B, 70B, 405B"):
        kv_cache.records.model_named("13B")
    with pytest.raises(DataError, match="every-head"):
        kv_cache.state("nothing")


# Claims


@pytest.mark.parametrize(("more", "holds"), [(-1, True), (0, False)])
def test_a_cache_as_large_as_the_weights_does_not_outweigh_them(monkeypatch: pytest.MonkeyPatch, more: int, holds: bool):
    """65 536 numbers a token, 131 072 tokens, 64 requests, at the same bits."""
    model = data.changed(kv_cache.records.example(), parameters=65536 * 131072 * 64 + more)
    with_records(monkeypatch, "models", tuple(data.changed(model, id=other.id) for other in kv_cache.models()))
    assert kv_cache.cache_outweighs_weights.check().holds == holds  # type: ignore[attr-defined]


def test_one_model_that_shares_nothing_makes_the_claim_false(monkeypatch: pytest.MonkeyPatch):
    for models in ((a_model(), a_model(kv_heads=8)), (a_model(kv_heads=8), a_model()), (a_model(), a_model(kv_heads=1))):
        with monkeypatch.context() as patch:
            with_records(patch, "models", models)
            assert not kv_cache.sharing_shrinks.check().holds  # type: ignore[attr-defined]


@pytest.mark.parametrize(("more", "holds"), [(-1, True), (0, False), (1, False)])
def test_a_latent_as_large_as_what_it_stands_for_shrinks_nothing(monkeypatch: pytest.MonkeyPatch, more: int, holds: bool):
    whole = 2 * LATENT.heads * LATENT.head_dim
    other = data.changed(kv_cache.schemes(), latent=data.changed(LATENT, kv_latent=whole - LATENT.rope_dim + more))
    with_records(monkeypatch, "schemes", other)
    assert kv_cache.sharing_shrinks.check().holds == holds  # type: ignore[attr-defined]


def test_what_the_loop_counts_by_hand():
    told = kv_cache.passes_add_up.check().values  # type: ignore[attr-defined]
    assert told["counted"] == {1: (1, 1), 2: (3, 2), 7: (28, 7), 100: (5050, 100)}


def test_a_card_that_is_just_full_still_fits() -> None:
    assert kv_cache.arithmetic.Demand(weights=3.0, cache=2.0, memory=5.0).fits and kv_cache.arithmetic.Demand(3.0, 2.0, 5.0).spare == 0
    assert not kv_cache.arithmetic.Demand(weights=3.0, cache=2.1, memory=5.0).fits
    assert kv_cache.arithmetic.passes(4, cached=False) == 10 and kv_cache.arithmetic.passes(4, cached=True) == 4
    assert kv_cache.arithmetic.step(kv_cache.state()).moving == pytest.approx((16e9 + 34_359_738_368) / 3.35e12)
    layer = 4 * 32 * 32 * 128 * 32768
    assert kv_cache.arithmetic.step(kv_cache.state()).computing == pytest.approx(8 * (2 * 8e9 + layer) / 989e12)
    assert kv_cache.heads.typical_groups(kv_cache.models()) == 8


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (99.9e9, "99,9 GB"),
        (99.95e9, "100 GB"),
        (16e9, "16 GB"),
        (34.36e9, "34,4 GB"),
        (-34.36e9, "−34,4 GB"),
        (137.4e9, "137 GB"),
        (-137.4e9, "−137 GB"),
    ],
)
def test_gigabytes_turn_to_three_digits(value: float, text: str) -> None:
    assert kv_cache.units.gigabytes()(value).replace(formats.NBSP, " ").replace("\u202f", " ") == text
