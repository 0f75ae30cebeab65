"""Slide 31: the bytes of S, the growth of the work, two ways to the same output, and how a measurement says where it was made."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from published import published, same_text

from figures import attention, cost, cost_experiment
from figures.cost_experiment import Timing
from figures.kit import machine, measurement, slow
from figures.kit.machine import Machine
from figures.kit.words import Words

WORDS = Words("cost")
THERE = Machine(processor="Processor X × 4", threads=1, system="Linux", python="3.11", torch="2.13.0", date="2026-11-30")
TIMED = Timing(naive_ms=216.4, fused_ms=77.2, difference=1e-7, machine=THERE)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, str]]:
    """The slide's words for a measurement: its speed and its exactness."""

    def of(**changes: float) -> tuple[str, str]:
        monkeypatch.setattr(cost_experiment, "timing", lambda: msgspec.structs.replace(TIMED, **changes))
        return cost.speed().text, cost.exactness().text

    return of


def layer(heads: int, n: int) -> cost_experiment.Layer:
    return msgspec.structs.replace(cost_experiment.layer(), heads=heads, n=n)


# By hand, and against tensors


def test_score_bytes_by_hand():
    assert cost.score_bytes(layer(8, 4096)) == 8 * 4096**2 * 4 == 512 * 2**20


@given(st.integers(1, 4), st.integers(1, 40))
def test_score_bytes_are_what_the_tensor_holds(heads: int, n: int):
    Q = torch.zeros(heads, n, 3)
    assert cost.score_bytes(layer(heads, n)) == (Q @ Q.transpose(1, 2)).untyped_storage().nbytes()


@given(st.integers(1, 10**5))
def test_twice_the_tokens_four_times_the_work(n: int):
    assert cost.products(layer(8, n), 3) == 2 * 8 * 9 * layer(8, n).head_dim
    assert cost.products(layer(8, n), 2 * n) == 4 * cost.products(layer(8, n), n)


def test_both_versions_are_attention():
    random = np.random.default_rng(0)
    Q, K, V = random.standard_normal((3, 2, 7, 4))
    expected = attention.attention(Q, K, V)
    for version in (cost_experiment.naive, cost_experiment.fused):
        np.testing.assert_allclose(version(*map(torch.from_numpy, (Q, K, V))).numpy(), expected, atol=1e-12)


# Published


def test_slide_31():
    assert same_text(cost.score_size(), published("deck", 31, "S"))
    assert same_text(cost.n(), published("deck", 31, "n"))
    assert same_text(cost.per_doubling(), published("deck", 31, "per_doubling"))


def test_times_are_of_another_machine(told: Callable[..., tuple[str, str]]):
    """The source's ms are its hardware's: ours are measured, shown with their processor; what carries over is the order."""
    naive, fused = published("deck", 31, "naive_ms"), published("deck", 31, "fused_ms")
    assert told(naive_ms=naive, fused_ms=fused) == told()
    assert naive > fused


def test_a_small_layer_is_timed(monkeypatch: pytest.MonkeyPatch):
    small = layer(2, 256)
    monkeypatch.setattr(cost_experiment, "layer", lambda: small)
    timing: Timing = slow.registry["cost_experiment.timing"].function()
    assert 0 < timing.naive_ms < 10_000
    assert 0 < timing.fused_ms < 10_000
    assert timing.difference < cost.ROUNDING
    assert timing.machine.threads == 1


@pytest.mark.slow
def test_the_fused_kernel_wins_where_the_slide_says():
    assert cost_experiment.timing().fused_ms < cost_experiment.timing().naive_ms


# Words that flip


def test_speed_flips_where_a_draw_is_no_gain(told: Callable[..., tuple[str, str]]):
    took = {"naive": "216\u00a0ms", "fused": "77\u00a0ms"}
    assert told()[0] == WORDS("speed.faster", **took)
    for fused in (TIMED.naive_ms, TIMED.naive_ms + 0.01):
        assert told(fused_ms=fused)[0] == WORDS("speed.slower", **took | {"fused": took["naive"]})


def test_exactness_flips_at_the_limit_of_rounding(told: Callable[..., tuple[str, str]]):
    assert told(difference=1.2e-7)[1] == WORDS("exact")
    for difference, text in ((1e-3, "1\u00a0×\u00a010⁻³"), (cost.ROUNDING, "1\u00a0×\u00a010⁻⁵")):
        assert told(difference=difference)[1] == WORDS("inexact", difference=text)
    assert not cost.fused_is_exact.check(cost.ROUNDING).holds  # type: ignore[attr-defined]


# How a measurement is told


def test_a_measurement_names_its_machine():
    assert measurement.in_words(THERE) == "medido em 30 de nov. de 2026: Processor X × 4, tempo de CPU de uma thread, torch 2.13.0"
    many = msgspec.structs.replace(THERE, threads=2)
    assert (
        measurement.in_words(many, recorded=True)
        == "medição registrada em 30 de nov. de 2026: Processor X × 4, tempo de CPU de 2 threads, torch 2.13.0"
    )


def test_a_measurement_is_noted_for_the_ledger():
    known = measurement.noted(3.5, THERE, recorded=True)
    assert (known.value, known.kind) == (3.5, "recorded")
    for part in ("Processor X", "torch 2.13.0", "2026-11-30"):
        assert part in known.note
    assert measurement.noted(3.5, THERE).kind == "measured"


def test_milliseconds():
    texts = {2.31: "2,3", 9.94: "9,9", 9.95: "10", 23.6: "24", 1326: "1326"}
    assert {ms: measurement.milliseconds()(ms) for ms in texts} == {ms: f"{text}\u00a0ms" for ms, text in texts.items()}


def test_one_thread_is_given_back():
    before = torch.get_num_threads()
    with machine.one_thread():
        assert torch.get_num_threads() == 1
        assert machine.here().threads == 1
    assert torch.get_num_threads() == before


def test_a_reproducible_build_sets_the_day(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert machine.today().isoformat() == "1970-01-01"


@pytest.mark.parametrize("length", [1, 10, 4096])
def test_work_that_is_not_quadratic_at_one_length_is_not(length: int):
    found = cost.work_is_quadratic.check(lambda layer, n: n**2 + (n == length))  # type: ignore[attr-defined]
    assert not found.holds and found.values[f"n = {length}"] == 4 * length**2 / (length**2 + 1)


# On the limit itself


@pytest.mark.parametrize(("changes", "told"), [({}, False), ({"heads": 2001}, True), ({"n": 1001}, True), ({"bytes_per_number": 5}, True)])
def test_a_layer_whose_scores_just_fit_is_timed(changes: dict[str, int], told: bool):
    """2000 heads of 1000² scores of 4 bytes are 8 GB."""
    full = msgspec.structs.replace(cost_experiment.layer(), heads=2000, n=1000, bytes_per_number=4)
    assert any("more than a classroom" in fault for fault in msgspec.structs.replace(full, **changes).faults()) == told


# What is measured


def test_the_difference_is_the_largest_of_any_number(monkeypatch: pytest.MonkeyPatch):
    def one_off(*given: torch.Tensor) -> torch.Tensor:
        output = cost_experiment.naive(*given).clone()
        output[0, 3, 1] += 2
        return output

    small = layer(2, 8)
    monkeypatch.setattr(cost_experiment, "layer", lambda: small)
    monkeypatch.setattr(cost_experiment, "fused", one_off)
    assert slow.registry["cost_experiment.timing"].function().difference == pytest.approx(2, rel=1e-5)


def test_the_middle_one_of_the_times_in_milliseconds(monkeypatch: pytest.MonkeyPatch):
    clock = iter([0.0, 0.25, 10.0, 14.0, 20.0, 20.5, *[30.0, 31.0] * 3])  # ¼ s, 4 s, ½ s; then the fused version's
    small = msgspec.structs.replace(layer(2, 8), repeats=3)
    monkeypatch.setattr(cost_experiment, "layer", lambda: small)
    monkeypatch.setattr(cost_experiment.time, "thread_time", lambda: next(clock))
    timing = slow.registry["cost_experiment.timing"].function()
    assert (timing.naive_ms, timing.fused_ms) == (500, 1000)
