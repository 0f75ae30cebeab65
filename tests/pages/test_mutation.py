"""The pages under other inputs: what the ledger says depends on an input changes with it, and nothing else does.

Two runs change many inputs each. An entry may change if it read one of the fields changed (or, through a stored result,
a whole file of theirs); a number, table, figure or simulator that read one must, unless KEPT says why it needn't.
Words and claims may well stay: they are chosen by numbers, and their own tests flip each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from own_data import everything

from figures.kit import strict_yaml

ROOT = Path(__file__).resolve().parents[2]
PRINTED = ("number", "formula", "table", "figure", "simulator", "listing")

# Another seed, d_k, sentence, number of heads, model; then another corpus, layer, card.
FIRST: dict[str, Any] = {
    "matrix.yml:content.seed": 272,
    "hand_example.yml:query": [2, 3],
    "draws.yml:rotated-pair.seed": 1,
    "scaling.yml:argument.d_k": 64,
    "phrases.yml:example": "o gato subiu no telhado",
    "multihead.yml:parameters.heads": [1, 2, 4],
    "models.yml:8B.layers": 40,
    "recurrence.yml:factor": 0.8,
    "rope.yml:base": 500_000,
    "gpt2.yml:width": 1536,
    "soft_dictionary.yml:asked": "maçã",
}
SECOND: dict[str, Any] = {
    "scaling.yml:argument.gap": 10,
    "hand_example.yml:tokens.praça.value": [0.8, 0.1],
    "scaling.yml:experiment.seed": 2,
    "bpe.yml:corpus": ["hoje o cão sentou no telhado."],  # added to what is there
    "multihead.yml:parameters.d": 32,
    "models.yml:8B.kv_heads": 4,
    "cache_simulator.yml:opens.requests": 32,
    "recurrence.yml:forget": 0.9,
    "masks.yml:drawn.window": 3,
    "accelerators.yml:H100.memory": 96e9,
    "embedding.yml:E": None,  # every number doubled
}

COUNTED = "counts numbers, whatever they are"
BESIDE = "computed together with what does change"
WEIGHTS = "weights come before values are looked at"
CHECKED = "read to see that the new word is in the phrase"
SAME_CUT = "the longer corpus teaches merges that cut this as before"

# field -> {id, or function and a star -> why what read the field may keep its value}
KEPT: dict[str, dict[str, str]] = {
    "hand_example.yml:query": {
        "hand_example.dimension_count.*": COUNTED,
        "hand_example.dimensions.*": COUNTED,
        "hand_example.root.*": COUNTED,
        "multihead.columns_become_heads.*": COUNTED,
        "multihead.token_count.*": COUNTED,
        "multihead.example_d.*": COUNTED,
        "multihead.example_h.*": COUNTED,
        "multihead.one_head_h.*": COUNTED,
        "multihead.one_head_root.*": COUNTED,
        "multihead.second_head_weight.*": "head 2 has a query of its own",
        "hand_example.weight_sum.*": "weights sum to 1, whatever the query",
    },
    "hand_example.yml:tokens.praça.value": {
        "hand_example.total.*": WEIGHTS,
        "hand_example.weight_sum.*": WEIGHTS,
        "connections.arcs.*": WEIGHTS,
        "connections.two_layers.*": WEIGHTS,
        "chapter.scaled.*": WEIGHTS,
        "chapter.weights.*": WEIGHTS,
        "multihead.second_head_weight.*": WEIGHTS,
        "multihead.columns_become_heads.*": COUNTED,
        "multihead.token_count.*": COUNTED,
        "multihead.example_d.*": COUNTED,
        "multihead.example_h.*": COUNTED,
        "multihead.one_head_h.*": COUNTED,
        "multihead.one_head_root.*": COUNTED,
        "multihead.causal_output.*": "the mask hides the changed token",
    },
    "phrases.yml:example": {
        "bpe.case_word_pieces('bird'):chips": CHECKED,
        "bpe.merge_count.*": CHECKED,
        "bpe.new_word_piece_count.*": CHECKED,
        "bpe.piece_count('english'):count": CHECKED,
        "embedding.width.*": CHECKED,
        "masks.first_position.*": "positions are counted from 1",
        "masks.first_prediction.*": "the phrase goes on differently after its second token only",
        "running_example.width.*": "numbers of a row, whatever the rows",
    },
    "multihead.yml:parameters.heads": {"multihead.parameters.*": "the number of heads changes no count: the slide's own point"},
    "models.yml:8B.layers": {
        "kv_cache.weights.*": "the nominal size goes by the name, not by the layers",
        "kv_cache.latent_share.*": "a share of one model's cache: its layers cancel",
    },
    "bpe.yml:corpus": {
        "bpe.merge_count.*": "as many as bpe.yml asks for",
        "bpe.added_by_roof.*": SAME_CUT,
        "bpe.ids.*": SAME_CUT,
        "embedding.width.*": SAME_CUT,
        "masks.sees_and_predicts.*": SAME_CUT,
        "bpe.new_word_piece_count.*": SAME_CUT,
        "bpe.piece_count():count": SAME_CUT,
        "bpe.piece_count('english'):count": SAME_CUT,
        "bpe.case_word_pieces.*": SAME_CUT,
        "embedding.X_shape.*": SAME_CUT,
        "masks.first_position.*": SAME_CUT,
        "masks.first_prediction.*": SAME_CUT,
        "running_example.shape_of.*": SAME_CUT,
        "running_example.tokens_count.*": SAME_CUT,
        "running_example.width.*": SAME_CUT,
    },
    "embedding.yml:E": {
        "embedding.vocabulary.*": COUNTED,
        "embedding.width.*": COUNTED,
        "embedding.positions.*": COUNTED,
        "embedding.X_shape.*": COUNTED,
        "running_example.shape_of.*": COUNTED,
        "running_example.width.*": COUNTED,
        "running_example.d_k.*": COUNTED,
        "running_example.head_count.*": COUNTED,
        "running_example.picked.*": "which columns are picked, whatever they hold",
        "running_example.projections.*": "which columns are picked, whatever they hold",
    },
    "scaling.yml:experiment.seed": {"scaling.largest_d_k.*": "named by scaling.yml's table, beside what is drawn"},
    "models.yml:8B.kv_heads": {
        "kv_cache.weights.*": BESIDE,
        "kv_cache.sharing.*": "the commonest number of the three models, which stays",
        "kv_cache.latent_share.*": "the latent against every head with a key of its own, not against those that share one",
    },
    "cache_simulator.yml:opens.requests": {"kv_cache.weights.*": BESIDE},
    "accelerators.yml:H100.memory": {"kv_cache.weights.*": BESIDE},
}


@cache
def changes() -> list[dict[str, Any]]:
    read = {name: strict_yaml.parse((ROOT / "data" / f"{name}.yml").read_text(encoding="utf-8"), name) for name in ("bpe", "embedding")}
    second = dict(SECOND)
    second["bpe.yml:corpus"] = read["bpe"]["corpus"] + SECOND["bpe.yml:corpus"]
    second["embedding.yml:E"] = [[2 * number for number in row] for row in read["embedding"]["E"]]
    return [FIRST, second]


@pytest.fixture(scope="module")
def runs() -> list[dict[str, Any]]:
    """What the pages show as they are, and under each set of changes."""
    everything()
    command = [sys.executable, str(ROOT / "tests" / "helpers" / "shown.py")]
    noted = os.environ | {"CLAIMS": "note"}  # other inputs may well make a sentence false
    done = subprocess.run(command, input=json.dumps(changes()), cwd=ROOT, env=noted, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def by_id(run: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["id"]: entry for entry in run["entries"]}


def fields(entry: dict[str, Any], change: dict[str, Any]) -> list[str]:
    """The changed fields that an entry read; a file of which it tells no field counts as read whole."""
    told = {field.partition(":")[0] for field in entry["fields"]}
    whole = set(entry["data"]) - told
    return [place for place in change if place in entry["fields"] or place.partition(":")[0] in whole]


def is_kept(entry: dict[str, Any], place: str) -> bool:
    return any(name in (entry["id"], f"{entry['function']}.*") for name in KEPT.get(place, {}))


def same(before: dict[str, Any], after: dict[str, Any] | None) -> bool:
    return after is not None and before["value"] == after["value"]


def pairs(runs: list[dict[str, Any]], n: int) -> Iterator[tuple[dict[str, Any], dict[str, Any] | None]]:
    """(entry, the same entry under the changes or None); a call whose argument is itself computed may give way to another."""
    after = by_id(runs[n])
    functions = {entry["function"] for entry in runs[n]["entries"]}
    for id, entry in by_id(runs[0]).items():
        if id in after or entry["function"] not in functions:
            yield entry, after.get(id)


def test_nothing_raises(runs: list[dict[str, Any]]) -> None:
    assert [run["errors"] for run in runs] == [{}, {}, {}]


@pytest.mark.parametrize("n", [1, 2])
def test_what_read_no_changed_input_stays(runs: list[dict[str, Any]], n: int) -> None:
    change = changes()[n - 1]
    moved = {before["id"]: before["fields"] for before, after in pairs(runs, n) if not fields(before, change) and not same(before, after)}
    assert moved == {}


@pytest.mark.parametrize("n", [1, 2])
def test_what_read_a_changed_input_changes(runs: list[dict[str, Any]], n: int) -> None:
    change = changes()[n - 1]
    stuck: dict[str, list[str]] = {}
    for before, after in pairs(runs, n):
        read = [place for place in fields(before, change) if place in before["fields"]]
        if read and before["what"] in PRINTED and same(before, after) and not all(is_kept(before, place) for place in read):
            stuck[before["id"]] = [place for place in read if not is_kept(before, place)]
    assert stuck == {}


@pytest.mark.parametrize("n", [1, 2])
def test_every_change_shows(runs: list[dict[str, Any]], n: int) -> None:
    """No input is one that no page shows."""
    read = {place for before, after in pairs(runs, n) for place in fields(before, changes()[n - 1]) if not same(before, after)}
    assert sorted(changes()[n - 1].keys() - read) == []


def test_what_is_said_to_stay_does_stay(runs: list[dict[str, Any]]) -> None:
    """An exception that nothing needs any more is taken out."""
    needed = set()
    for n, change in enumerate(changes(), 1):
        for before, after in pairs(runs, n):
            if before["what"] in PRINTED and same(before, after):
                needed |= {(place, name) for place in fields(before, change) for name in (before["id"], f"{before['function']}.*")}
    assert sorted((place, name) for place, names in KEPT.items() for name in names if (place, name) not in needed) == []
