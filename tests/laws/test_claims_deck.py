"""Every sentence whose truth hangs on numbers carries a check; each check can fail, and one that fails stops the build."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from a_copy import copied, run, run_quarto
from loaded import with_records
from msgspec.structs import replace

from figures import attention, hand_example, kv_cache, multihead, position, rope, scaling, scaling_experiment, score_matrix
from figures.kit import claims, data, deck, qmd
from figures.kit.files import ROOT
from figures.kit.modules import modules, topic

PAGES = tuple(page.name for page in sorted((ROOT / "slides").glob("*.qmd")))
Patch = pytest.MonkeyPatch

# A slide of the deck that makes no claim of its own, and why it needs none.
NO_CLAIM = {
    "title-slide": "a title, and the acts by name",
    "sec-exemplo": "the example's inputs, then a question to the room",
    "sec-quanto-ocupa": "a formula, its factors and what they come to",
    "sec-laboratorio": "the lab's contents",
}
# A slide whose judgements are all words that numbers choose; each has a test that flips it.
WORDS_ALONE = {
    "sec-sim-bpe": "what happens to each phrase is told by computed words",
    "sec-sim-banco": "each experiment's outcome is a computed word",
    "sec-sim-cache": "fits, grows and again are computed words",
    "sec-modelo-real": "what was measured is told by computed words, which differ with the weights",
}


def all_claims() -> dict[str, Any]:
    """Every check of figures/ by name: `{"scaling.argmax_passes_no_gradient": …}`"""
    found = {}
    for module in modules():
        for name, made in vars(module).items():
            if hasattr(made, "check") and getattr(made, "__module__", "") == module.__name__:
                found[f"{topic(made)}.{name}"] = made
    return found


def called(page: Path) -> dict[str, set[str]]:
    """The functions that the inline code of each slide or section calls, by its id."""
    here = deck.TITLE
    by_slide: dict[str, set[str]] = {here: set()}
    for line, context in qmd.contexts(qmd.body(page)):
        here = context.heading.id if context.role == "heading" and context.heading and context.heading.id else here
        by_slide.setdefault(here, set()).update(piece.function for piece in qmd.inline(line.text) if not context.in_cell)
    return by_slide


CLAIMS = all_claims()


# Inputs that make each false


def quadratic(sizes: Any) -> int:
    return int(sizes.n**2)


def with_models(patch: Patch, **changes: int) -> None:
    models = tuple(data.changed(model, **changes) for model in kv_cache.models())
    with_records(patch, "models", models)


def with_second_head(patch: Patch, **rows: Any) -> None:
    given = multihead.model.records()
    second = {name: replace(row, **rows.get(name, {})) for name, row in given.example.second_head.items()}
    changed = replace(given, example=replace(given.example, second_head=second))
    with_records(patch, "multihead", changed)


def unmasked(patch: Patch) -> None:
    patch.setattr(attention, "causal", lambda n: np.zeros((n, n)))


def saturated_at_once() -> scaling_experiment.Measured:
    row = scaling.table_rows()[-1]
    return replace(row, undivided=row.divided)


def alone(patch: Patch) -> None:
    """The word that asks, with no other to read."""
    given = hand_example.example()
    changed = replace(given, tokens=tuple(token for token in given.tokens if token.name == given.asking))
    with_records(patch, "hand_example", changed)


def even_rows(patch: Patch) -> None:
    """The running example with the same weight everywhere."""
    patch.setattr(attention, "softmax", lambda scores: np.full_like(scores, 1 / scores.shape[-1]))


def by_place(query: Any, keys: Any, values: Any) -> Any:
    return np.array([0.5, 0.3, 0.2])


FALSE: dict[str, Callable[[Any, Patch], claims.Check]] = {
    "backward.bracket_nearly_vanishes": lambda check, patch: check(factor=1),
    "backward.rows_sum_to_zero": lambda check, patch: check(tolerance=0.0),
    "bpe.new_word_is_made_of_known_pieces": lambda check, patch: check("xadrez"),
    "chapter.looks_at_the_verb": lambda check, patch: (even_rows(patch), check())[1],
    "chapter.survives_the_mask": lambda check, patch: (
        patch.setattr(attention, "causal", lambda n: attention.additive(np.eye(n) > 0)), check())[1],
    "cost.fused_is_exact": lambda check, patch: check(1e-3),
    "cost.work_is_quadratic": lambda check, patch: check(lambda layer, n: n),
    "embedding.one_row_an_id": lambda check, patch: check(lambda ids, E, P: E[ids] * np.arange(1, len(ids) + 1)[:, None] + P[: len(ids)]),
    "hand_example.asks_announces_and_gives_apart": lambda check, patch: check(
        replace(hand_example.example().tokens[1], key=(1.0, 2.0))
    ),
    "hand_example.leaves_with_a_new_vector": lambda check, patch: (alone(patch), check())[1],
    "hand_example.likeness_decides": lambda check, patch: check(by_place),
    "hand_example.other_input_other_weights": lambda check, patch: check(query=hand_example.example().query),
    "hand_example.places_play_no_part": lambda check, patch: check(by_place),
    "kv_cache.cache_outweighs_weights": lambda check, patch: check(context=4096, requests=1),
    "kv_cache.passes_add_up": lambda check, patch: check(lambda n, cached: n if cached else n * n),
    "kv_cache.sharing_shrinks": lambda check, patch: (with_models(patch, heads=2, kv_heads=2), check())[1],
    "prose.columns_are_independent": lambda check, patch: (
        patch.setattr(attention, "attention", lambda Q, K, V: Q * len(Q)), check())[1],
    "prose.no_parameter_counts_heads": lambda check, patch: (
        patch.setattr("figures.lab.checks.grouped_count", lambda d, heads, groups: heads), check())[1],
    "prose.softmax_of_a_hidden_score": lambda check, patch: (patch.setattr(attention, "softmax", np.ones_like), check())[1],
    "prose.zero_row_still_counts": lambda check, patch: (
        patch.setattr("figures.masks.padding_difference", lambda masked: 0.0), check())[1],
    "masks.documents_leak": lambda check, patch: check(lambda documents: attention.causal(len(documents))),
    "masks.one_example_a_position": lambda check, patch: (unmasked(patch), check())[1],
    "masks.padding_disturbs": lambda check, patch: (
        patch.setattr("figures.masks.measured.padding_difference", lambda masked: 0.25), check())[1],
    "masks.unmasked_sees_its_answer": lambda check, patch: check(lambda n: np.zeros((n, n))),
    "score_matrix.heads_score_as_told": lambda check, patch: (
        patch.setattr(score_matrix.model, "previous_scores", lambda n, d_k, strength: np.eye(n)), check())[1],
    "score_matrix.mask_hides_what_is_ahead": lambda check, patch: check(causal=False),
    "score_matrix.rows_sum_to_one": lambda check, patch: (patch.setattr(attention, "softmax", np.exp), check())[1],
    "multihead.first_sees_itself_alone": lambda check, patch: (unmasked(patch), check())[1],
    "multihead.one_row_points_at_less": lambda check, patch: (
        with_second_head(patch, sentei={"k": (0, 0)}, banco={"q": (2, 0), "k": (0, 0)}, praça={"k": (3, 0)}), check())[1],
    "multihead.same_for_every_h": lambda check, patch: (
        patch.setattr(multihead.model, "parameter_count", lambda d, h, matrices: h), check())[1],
    "multihead.shapes_hold": lambda check, patch: (patch.setattr(multihead.model, "split", lambda X, h: X[:, None]), check())[1],
    "position.shuffles_along": lambda check, patch: (
        patch.setattr(position, "head", lambda X, projections: np.cumsum(X, axis=0)), check())[1],
    "recurrence.attention_is_even": lambda check, patch: check(path=np.array([0.5, 0.25, 0.25])),
    "recurrence.attention_overtakes_the_lstm": lambda check, patch: check(near="far"),
    "recurrence.attention_reaches_further": lambda check, patch: check("opening"),
    "recurrence.decays_exponentially": lambda check, patch: check(near=0.5, far=0.25),
    "recurrence.factor_depends_on_the_state": lambda check, patch: check(path=0.9 ** np.arange(8)),
    "recurrence.gate_helps_and_still_decays": lambda check, patch: check(forget=1.0),
    "recurrence.lstm_has_a_better_constant": lambda check, patch: check(factor=0.8),
    "recurrence.product_can_grow": lambda check, patch: check(largest=1.05),
    "rope.fast_hands_and_slow_ones": lambda check, patch: check(base=2),
    "rope.offset_alone_counts": lambda check, patch: (
        patch.setattr(rope, "score", lambda q, k, query_at, key_at, base: float(query_at * key_at)), check())[1],
    "rope.rescaled_reaches_further": lambda check, patch: check(rescale=lambda speeds, factor: speeds),
    "scaling.argmax_passes_no_gradient": lambda check, patch: check(gap=1.0),
    "scaling.gradient_falls_without_division": lambda check, patch: check(scaling.table_rows()[::-1]),
    "scaling.over_d_k_chooses_nobody": lambda check, patch: check(divisor=1.0),
    "scaling.saturates_without_division": lambda check, patch: check(saturated_at_once()),
    "shapes.parameters_do_not_grow": lambda check, patch: check(quadratic),
    "soft_dictionary.mean_is_smooth": lambda check, patch: check(lambda query, keys, values: values[np.argmax(keys @ query)]),
    "soft_dictionary.only_the_exact_key": lambda check, patch: check(
        lambda key, entries: next(value for name, value in entries.items() if name.startswith(key))
    ),
    "tokens.bytes_as_a_last_resort": lambda check, patch: check("é"),
    "tokens.common_words_stay_whole": lambda check, patch: check(common="subiu"),
    "tokens.fitted_to_english": lambda check, patch: check("long_english", "long_portuguese"),
    "tokens.spaces_go_with_the_next_word": lambda check, patch: check(pieces=("o ", "gato")),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_each_claim_holds_and_some_input_makes_it_false(name: str, monkeypatch: Patch) -> None:
    assert name in FALSE, f"{name} has no input that makes it false: add one to FALSE"
    check = CLAIMS[name].check
    assert check().holds
    found = FALSE[name](check, monkeypatch)
    assert not found.holds and found.values


def off_by_little(patch: Patch) -> None:
    """A way back through the softmax that forgets a millionth."""
    backward_of = attention.softmax_backward
    patch.setattr(attention, "softmax_backward", lambda weights, gradient: backward_of(weights, gradient) + 1e-6)


def given_as_announced() -> Any:
    return replace(hand_example.example().tokens[1], value=(1.0, 1.0))


def out_of_order() -> list[scaling_experiment.Measured]:
    first, second, *rest = scaling.table_rows()
    return [second, first, *rest]


# The same claims, closer to where they turn.
NEARLY: list[tuple[str, Callable[[Any, Patch], claims.Check]]] = [
    ("backward.rows_sum_to_zero", lambda check, patch: (off_by_little(patch), check())[1]),
    ("scaling.gradient_falls_without_division", lambda check, patch: check(out_of_order())),
    ("scaling.argmax_passes_no_gradient", lambda check, patch: check(gap=6.0)),
    ("scaling.over_d_k_chooses_nobody", lambda check, patch: check(divisor=50.0)),
    ("backward.bracket_nearly_vanishes", lambda check, patch: check(factor=5)),
    ("recurrence.gate_helps_and_still_decays", lambda check, patch: check(forget=0.88)),
    ("recurrence.attention_overtakes_the_lstm", lambda check, patch: check(far="opening")),
    (
        "score_matrix.heads_score_as_told",
        lambda check, patch: (patch.setattr(score_matrix.model, "distance_scores", lambda n, d_k, slope: np.zeros((n, n))), check())[1],
    ),
    (
        "score_matrix.heads_score_as_told",
        lambda check, patch: (patch.setattr(score_matrix.model, "content_scores", lambda found, d_k: np.zeros((11, 11))), check())[1],
    ),
    ("recurrence.lstm_has_a_better_constant", lambda check, patch: check(factor=1.0)),
    ("recurrence.decays_exponentially", lambda check, patch: check(near=1e-3, far=1e-8)),
    ("recurrence.decays_exponentially", lambda check, patch: check(near=1e-3, far=1e-16)),
    ("rope.fast_hands_and_slow_ones", lambda check, patch: check(base=2000)),
    ("rope.rescaled_reaches_further", lambda check, patch: check(rescale=lambda speeds, factor: speeds / (factor - 1))),
    ("score_matrix.rows_sum_to_one", lambda check, patch: check(tolerance=-1.0)),
    ("kv_cache.cache_outweighs_weights", lambda check, patch: check(requests=8)),
    ("kv_cache.passes_add_up", lambda check, patch: check(lambda n, cached: n * (n + 1) // 2)),
    ("tokens.common_words_stay_whole", lambda check, patch: check(rare="the")),
    ("tokens.bytes_as_a_last_resort", lambda check, patch: check(encode=lambda letter: [1169])),
    ("bpe.new_word_is_made_of_known_pieces", lambda check, patch: check("gato")),
    (
        "hand_example.asks_announces_and_gives_apart",
        lambda check, patch: check(given_as_announced()),
    ),
    ("soft_dictionary.mean_is_smooth", lambda check, patch: check(lambda query, keys, values: np.sqrt(np.abs(query[0] - 0.5)))),
]


@pytest.mark.parametrize(("name", "other"), NEARLY)
def test_a_claim_turns_where_it_should(name: str, other: Callable[[Any, Patch], claims.Check], monkeypatch: Patch) -> None:
    assert not other(CLAIMS[name].check, monkeypatch).holds


def test_what_a_claim_tells_beside_the_sentence() -> None:
    """The values are those that decide, by hand."""
    told = {name: made.check().values for name, made in CLAIMS.items() if not name.startswith("lab")}
    assert told["recurrence.attention_is_even"] == {"least": 1 / 64, "most": 1 / 64}
    assert CLAIMS["recurrence.attention_is_even"].check(path=np.array([0.5, 0.25])).values == {"least": 0.25, "most": 0.5}
    assert told["recurrence.attention_reaches_further"]["attention"] == 1 / 256
    assert told["recurrence.gate_helps_and_still_decays"]["LSTM far"] == pytest.approx(0.95**256)
    assert told["recurrence.decays_exponentially"]["distance"] == 4
    assert told["scaling.argmax_passes_no_gradient"]["gradient"] == pytest.approx(np.exp(-20), rel=1e-6)
    assert told["scaling.over_d_k_chooses_nobody"]["deviation"] == pytest.approx(128**-0.5)
    assert told["scaling.saturates_without_division"]["gradient"] == told["scaling.gradient_falls_without_division"]["without"][-1]
    assert np.max(told["backward.bracket_nearly_vanishes"]["bracket at the weight"]) == pytest.approx(2.14e-4, rel=1e-2)
    assert 0 < max(told["backward.rows_sum_to_zero"].values()) < 1e-14
    assert told["rope.fast_hands_and_slow_ones"] == {"fastest, one step": 1.0, "slowest, all the way": pytest.approx(1.0)}
    assert told["rope.rescaled_reaches_further"]["before"] == pytest.approx([1000, 100, 10, 1])
    assert told["score_matrix.rows_sum_to_one"]["heads"] == 8 and told["score_matrix.rows_sum_to_one"]["furthest from 1"] < 1e-15
    assert told["score_matrix.mask_hides_what_is_ahead"] == {"before": pytest.approx(0.624, abs=1e-3), "masked": 0.0}
    assert told["masks.documents_leak"]["document"] == 0 and told["masks.documents_leak"]["causal"] == pytest.approx(0.827, abs=1e-3)
    assert told["kv_cache.passes_add_up"]["counted"][7] == (28, 7)
    assert set(told["cost.work_is_quadratic"].values()) == {4.0} and len(told["cost.work_is_quadratic"]) == 3
    assert told["tokens.common_words_stay_whole"] == {"the": 1, "subiu": 2}
    assert told["soft_dictionary.only_the_exact_key"] == {"key": "per", "found": None}
    assert told["soft_dictionary.mean_is_smooth"]["whole step"] == pytest.approx(-0.002, rel=1e-4)
    assert list(told["embedding.one_row_an_id"]["first"]) == [-0.5, -0.5, 0, 1]
    assert list(told["hand_example.leaves_with_a_new_vector"]["value"]) == [0.5, 0.5]
    assert list(told["hand_example.likeness_decides"]["products"]) == [1, 3, 4]


def test_every_claim_stands_beside_a_sentence() -> None:
    made = {name for page in PAGES for names in called(ROOT / "slides" / page).values() for name in names}
    assert sorted(CLAIMS.keys() - made) == []
    assert sorted(FALSE.keys() - CLAIMS.keys()) == []


def test_a_claim_never_stands_alone(monkeypatch: Patch) -> None:
    """Each follows the words that it checks, on the same line."""
    monkeypatch.setenv("QUARTO_DOCUMENT_PATH", str(ROOT / "slides"))
    for page in PAGES:
        monkeypatch.setenv("QUARTO_DOCUMENT_FILE", page)
        told = [(name, text) for name in CLAIMS for _, text in claims.sentences(name)]
        assert [name for name, text in told if len(re.findall(r"\w\w+", text)) < 2] == []


def test_every_slide_has_its_checks() -> None:
    bare = {slide for slide, names in called(deck.source()).items() if not CLAIMS.keys() & names}
    assert bare == NO_CLAIM.keys() | WORDS_ALONE.keys()


def test_a_slide_of_words_alone_shows_some() -> None:
    words = {
        f"{topic(made)}.{name}"
        for module in modules()
        for name, made in vars(module).items()
        if callable(made) and getattr(made, "__wrapped__", None) and getattr(made, "__annotations__", {}).get("return") == "str"
    }
    shown = called(deck.source())
    assert [slide for slide in WORDS_ALONE if not words & shown[slide]] == []


# A claim that fails


PAGE = """---
title: "Uma página"
format:
  revealjs:
    embed-resources: true
---

## Uma página que mente {#sec-mente}

```{python}
from figures import recurrence
```

- Antes, uma frase verdadeira. No texto curto a atenção também vai mais longe. `{python} recurrence.attention_reaches_further("opening")`
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copied(tmp_path_factory.mktemp("project"))
    (folder / "slides" / "atencao.qmd").write_text(PAGE, encoding="utf-8")
    return folder


def told(output: str) -> None:
    for part in ("Uma página que mente", "No texto curto a atenção também vai mais longe.", "LSTM = 0.0375", "attention = 0.0156"):
        assert part in output, output
    assert "uma frase verdadeira" not in output.split("the sentence")[1].split("does not hold")[0]


def test_a_false_sentence_stops_the_embedded_engine(project: Path) -> None:
    done = run(project, "build", "render", "slides/atencao.qmd")
    assert done.returncode == 1 and "slides/atencao.qmd:14" in done.stderr
    told(done.stderr)
    assert not list((project / "_output").rglob("atencao*"))


@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_a_false_sentence_stops_quarto(project: Path) -> None:
    done = run_quarto(project, "render", "slides/atencao.qmd")
    assert done.returncode != 0
    told(done.stderr)
    assert not list((project / "_output").rglob("atencao.html"))
