"""The simulators' models, run in a real browser, against the Python functions that they mirror."""

from __future__ import annotations

import json
import math
import os
import secrets
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from sim_page import NAMES, ORIGIN, SIM, serve

from figures import simulators
from figures.kit import formats
from figures.kit.json_values import script_json
from figures.kit.simulator import Simulator
from figures.kit.simulator import golden as golden_settings
from figures.kv_cache import units

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STATES = 300
# Drawn anew in each run; SIM_SEED=… repeats one.
SEED = int(os.environ.get("SIM_SEED") or secrets.randbits(32))

# JSON in, JSON out: many times faster than the driver's own way with large values.
RUN = "(text) => { const [data, states] = JSON.parse(text); return JSON.stringify(states.map((state) => model.run(data, state))); }"
AGREE = "(text) => golden.agreeing(model.run, JSON.parse(text))"


@cache
def made(name: str) -> Simulator:
    simulator: Simulator = getattr(simulators, name)()
    return simulator


@cache
def params(name: str) -> dict[str, Any]:
    return made(name).params()


def load(browser: Browser, name: str, changed: dict[str, str] | None = None) -> Page:
    """A page with the model of the simulator `name` as `model`, some files `changed`."""
    context = browser.new_context()
    serve(context, changed=changed)
    page = context.new_page()
    page.goto(ORIGIN)
    page.evaluate(f"async () => {{ window.model = await import('/{name}/model.mjs'); window.golden = await import('/kit/golden.mjs'); }}")
    return page


@pytest.fixture(scope="module")
def page_of(browser: Browser) -> Iterator[Any]:
    """A page with a simulator's model; kept for the next test unless a file is changed."""
    kept: dict[str, Page] = {}

    def open(name: str, changed: dict[str, str] | None = None) -> Page:
        if changed:
            return load(browser, name, changed)
        if name not in kept:
            kept[name] = load(browser, name)
        return kept[name]

    yield open
    for page in kept.values():
        page.context.close()


def same(actual: Any, expected: Any) -> bool:
    """Equal to 1e-9 relative or 1e-12 absolute, number by number; everything else exactly."""
    if isinstance(expected, bool) or expected is None or isinstance(expected, str):
        return bool(actual == expected)
    if isinstance(expected, dict):
        return isinstance(actual, dict) and actual.keys() == expected.keys() and all(same(actual[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return isinstance(actual, list) and len(actual) == len(expected) and all(map(same, actual, expected))
    return isinstance(actual, (int, float)) and math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_equals_python_on_random_states(name: str, page_of: Any, capsys: pytest.CaptureFixture[str]) -> None:
    simulator = made(name)
    rng = np.random.default_rng([SEED, NAMES.index(name)])
    states = [simulator.draw(rng) for _ in range(STATES)]
    actual = json.loads(page_of(name).evaluate(RUN, script_json([simulator.data, states])))
    wrong = [state for state, given in zip(states, actual) if not same(given, simulator.run(state))]
    with capsys.disabled():
        print(f"\n{name}: {STATES} random states from SIM_SEED={SEED}")
    assert not wrong, f"{len(wrong)} states differ (SIM_SEED={SEED}), the first: {wrong[0]}"


@pytest.mark.parametrize("name", NAMES)
def test_reproduces_the_golden_vectors_that_travel_with_the_page(name: str, page_of: Any) -> None:
    golden = params(name)["golden"]
    assert len(golden) > golden_settings().checked
    assert page_of(name).evaluate(AGREE, script_json(params(name))) == {"equal": len(golden), "total": len(golden)}


# (simulator, file, what stands there, what breaks it)
MUTATIONS = {
    "banco without √d_k": ("banco", "banco/model.mjs", "score / Math.sqrt(dk)", "score"),
    "banco reads values as keys": ("banco", "banco/model.mjs", "keys.map((key) => dot(q, key))", "values.map((key) => dot(q, key))"),
    "banco without the maximum's exponential": ("banco", "kit/tensor.mjs", "e / total", "e"),
    "matrix without √d_k": ("matrix", "matrix/model.mjs", "score / root", "score"),
    "matrix with keys and queries swapped": (
        "matrix",
        "matrix/model.mjs",
        "dot(shortQueries[i], shortKeys[j])",
        "dot(shortQueries[j], shortKeys[i])",
    ),
    "matrix with the mask off by one": ("matrix", "kit/tensor.mjs", "j <= i ?", "j <= i + 1 ?"),
    "matrix with the token after": ("matrix", "matrix/model.mjs", "Math.max(0, i - 1)", "i + 1"),
    "multi-head without √d_k": ("multihead", "multihead/model.mjs", "score / root", "score"),
    "multi-head with keys and queries swapped": ("multihead", "multihead/model.mjs", "times(q, transposed(k))", "times(k, transposed(q))"),
    "multi-head with the mask off by one": ("multihead", "kit/tensor.mjs", "j <= i ?", "j < i + 2 ?"),
    "multi-head with one split for all": ("multihead", "multihead/model.mjs", "row.slice(head * dh, (head + 1) * dh)", "row.slice(0, dh)"),
    "cache with bits for bytes": ("cache", "cache/model.mjs", "values: [bits / BITS_IN_BYTE]", "values: [bits]"),
    "cache without the values": ("cache", "cache/model.mjs", "const KEY_AND_VALUE = 2", "const KEY_AND_VALUE = 1"),
    "cache without the rotated part": ("cache", "cache/model.mjs", "[latent.kv_latent, latent.rope_dim]", "[latent.kv_latent]"),
    "gradient without tanh's slope": ("gradient", "gradient/model.mjs", "(1 - states[t][i] ** 2) * g", "g"),
    "gradient one step short": ("gradient", "gradient/model.mjs", "t > 0", "t > 1"),
    "gradient through W instead of its transpose": ("gradient", "gradient/model.mjs", "const across = transposed(W)", "const across = W"),
    "chain without √d_k": ("chain", "chain/model.mjs", "score / divisor", "score"),
    "chain with keys and queries swapped": ("chain", "chain/model.mjs", "times(Q, transposed(K))", "times(K, transposed(Q))"),
    "running example always divided": (
        "running",
        "running/model.mjs",
        "divide ? Math.sqrt(query.length) : 1",
        "Math.sqrt(query.length)",
    ),
    "running example with the sample's deviation": (
        "running",
        "running/model.mjs",
        "/ row.length);\n  return",
        "/ (row.length - 1));\n  return",
    ),
    "running example that counts itself as ahead": ("running", "running/model.mjs", "row.slice(i + 1)", "row.slice(i)"),
    "BPE with overlapping pairs": ("bpe", "bpe/model.mjs", "if (pair) i++", "if (pair) i += 0"),
    "BPE with the rarest first": ("bpe", "bpe/model.mjs", "b[2] - a[2]", "a[2] - b[2]"),
    "BPE a merge late": ("bpe", "bpe/model.mjs", "merges.slice(0, done)", "merges.slice(0, Math.max(0, done - 1))"),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_broken_model_is_caught(mutation: str, page_of: Any) -> None:
    name, file, stands, broken = MUTATIONS[mutation]
    source = (SIM / file).read_text(encoding="utf-8")
    assert source.count(stands) == 1, f"{file} holds `{stands}` {source.count(stands)} times"
    page = page_of(name, {file: source.replace(stands, broken)})
    counted = page.evaluate(AGREE, script_json(params(name)))
    page.context.close()
    assert counted["equal"] < counted["total"]


def test_every_model_is_broken_at_least_twice() -> None:
    broken = [name for name, *_ in MUTATIONS.values()]
    assert all(broken.count(name) >= 2 for name in NAMES)


FORMATTER = "(await import('/kit/format.mjs')).formatter({ decimal: ',', minus: '−' })"
FORMATS = {
    "fixed(3)": formats.fixed(3),
    "fixed(0)": formats.fixed(0),
    "fixed(2, { trim: true })": formats.fixed(2, trim=True),
    "plain(4)": formats.plain(4),
    "scientific(1)": formats.scientific(1),
    "scientific(3)": formats.scientific(3),
    "gigabytes": units.gigabytes(),
}


@pytest.mark.parametrize("call", FORMATS)
def test_numbers_are_written_as_python_writes_them(call: str, page_of: Any) -> None:
    rng = np.random.default_rng(SEED)
    drawn = rng.choice([-1, 1], 2000) * 10 ** rng.uniform(-12, 14, 2000)
    halves = [n / 8 for n in range(-50, 50)] + [(2 * n + 1) / (2 * 10**d) for n in range(-40, 40) for d in range(5)]
    halves += [1.005, 2.675, 0.5, 1.5, 2.5, 9.995, 99999.5, 0.0]
    values = [float(x) for x in [*drawn, *np.round(drawn, 3), *halves]]
    script = f"async (values) => JSON.parse(values).map({FORMATTER}.{call}).join('|')"
    written = page_of("banco").evaluate(script, script_json(values)).split("|")
    assert written == [FORMATS[call](value) for value in values]


@pytest.mark.parametrize(
    ("call", "value", "format"),
    [
        ("kibi", 32768, formats.kibi()),
        ("kibi", 1000, formats.kibi()),
        ("vector((x) => String(x))", [1, 2], formats.vector(formats.text())),
        ("shape", [2, 3, 4], formats.shape()),
    ],
)
def test_other_forms_are_written_as_python_writes_them(call: str, value: Any, format: Any, page_of: Any) -> None:
    script = f"async (value) => {FORMATTER}.{call}(value)"
    assert page_of("banco").evaluate(script, value) == format(value)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "undefined", "null", "'1'"])
def test_what_is_no_number_is_never_written(value: str, page_of: Any) -> None:
    script = f"async () => {{ try {{ return {FORMATTER}.fixed(2)({value}); }} catch (error) {{ return error.name; }} }}"
    assert page_of("banco").evaluate(script) == "RangeError"


@pytest.mark.parametrize(
    ("typed", "number"),
    [("1,5", 1.5), ("−2", -2), (" +0,25 ", 0.25), ("1e3", 1000), (",5", 0.5), ("3.", 3)]
    + [(junk, None) for junk in ("", " ", "abc", "1e999", "NaN", "--1", "1,2,3", "🙂", "Infinity", "0x10")],
)
def test_typed_numbers_are_understood_or_refused(typed: str, number: float | None, page_of: Any) -> None:
    assert page_of("banco").evaluate("async (typed) => (await import('/kit/format.mjs')).parse(typed)", typed) == number
