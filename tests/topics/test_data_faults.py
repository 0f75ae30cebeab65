"""Each data file, as an instructor might break it: the error says which file, where in it, and what is wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from figures import (
    backward,
    bpe,
    chapter,
    cost_experiment,
    embedding,
    hand_example,
    kv_cache,
    lab,
    masks,
    multihead,
    pieces,
    position,
    random_draws,
    real_model,
    recurrence,
    rope,
    running_example,
    scaling_experiment,
    score_matrix,
    simulators,
    soft_dictionary,
)
from figures.kit import data, files, readings
from figures.kit.errors import DataError
from figures.lab import inputs

FOLDER = files.folder()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A copy of data/ that may be spoilt; what is remembered of either is forgotten before and after."""
    copied = tmp_path / "data"
    shutil.copytree(FOLDER, copied)
    monkeypatch.setattr(files, "folder", lambda: copied)
    remembered = (data.forget, embedding.tables.cache_clear, bpe.merges.cache_clear)
    for forget in remembered:
        forget()
    yield copied
    for forget in remembered:
        forget()


FAULTS: list[tuple[Callable[[], Any], str, str, str, str, str]] = [
    # what reads it, file, what is replaced, by what, where the error says it is, what it says
    (backward.records, "backward", "factor: 100", "factor: 0", "factor", ">= 1"),
    (bpe.toy, "bpe", "quoted: [0, 1]", "quoted: [0, 8]", "", "the corpus has 8"),
    (bpe.toy, "bpe", "[o, ␣no,", "[o, o,", "", "twice in `vocabulary`"),
    (bpe.toy, "bpe", "word: telhado}", "word: janela}", "cases[0]", "janela"),
    (bpe.toy, "bpe", "merges: 41", "merges: 0", "merges", ">= 1"),
    (bpe.merges, "bpe", "new_word: subiu", "new_word: lontra", "new_word", "“lontra” is no word of the phrase “o gato subiu no”"),
    (bpe.merges, "bpe", "␣muro, ␣sentou", "␣lontra, ␣sentou", "vocabulary[8]", "makes “␣lontra”"),
    (bpe.merges, "bpe", "merges: 41", "merges: 20", "vocabulary[4]", "none of the 20 merges"),
    (bpe.added_by_roof, "bpe", "text: o gato subiu no telhado.", "text: um telhado.", "cases[0].text", "doesn't start with the phrase"),
    (embedding.sizes, "gpt2", "heads: 12", "heads: 7", "", "7 heads can't share a width of 768"),
    (lab.sections.records, "lab", "hours: 2", "hours: -3", "hours", "> 0"),
    (inputs.records, "lab_inputs", "scaling_d_k: 32", "scaling_d_k: 0", "scaling_d_k", ">= 1"),
    (inputs.records, "lab_inputs", "layer: {d: 64, heads: 8", "layer: {d: 64, heads: 7", "grouped.layer", "must divide"),
    (inputs.records, "lab_inputs", "[true, true, true, true, false, false]", "[true, true]", "masks", "a true and a false"),
    (inputs.records, "lab_inputs", "steps: 300", "steps: -1", "teach.steps", ">= 1"),
    (kv_cache.controls, "cache_simulator", "context: 32768", "context: 32769", "", "doesn't offer"),
    (kv_cache.controls, "cache_simulator", "bits: [4, 8, 16, 32]", "bits: []", "bits", "nothing stands here"),
    (kv_cache.controls, "cache_simulator", "accelerator: H100", "accelerator: H300", "opens.accelerator", "has no record 'H300'"),
    (chapter.queries, "chapter", "token: sentei", "token: lontra", "queries", "no query for sentei"),
    (chapter.model.records, "chapter", "step: 3", "step: 8", "", "step 8 of 7"),
    (cost_experiment.layer, "cost", "repeats: 3", "repeats: 0", "repeats", ">= 1"),
    (random_draws.records, "draws", "X: [6, 16]", "X: [6, -16]", "arrays", ">= 1"),
    (hand_example.example, "hand_example", "asking: banco", "asking: igreja", "", "igreja"),
    (hand_example.example, "hand_example", "{name: praça,", "{name: sentei,", "tokens[2]", "twice"),
    (hand_example.example, "hand_example", "query: [1, 2]", "query: [1, 2000]", "query[1]", "<= 20"),
    (hand_example.example, "hand_example", "query: [1, 2]", "query: [1, 2, 3]", "query", "length 2"),
    (hand_example.example, "hand_example", "token: praça, value", "token: igreja, value", "", "igreja"),
    (hand_example.example, "hand_example", "{id: zero, query: [0, 0]}", "{id: zero}", "experiments[2]", "an experiment changes"),
    (hand_example.example, "hand_example", "{id: zero, query: [0, 0]}", "{id: zero, query: [1, 0]}", "", "all zeros"),
    (hand_example.example, "hand_example", "{id: query, query: [1, 0]}", "{id: other, query: [1, 0]}", "", "an experiment `query`"),
    (hand_example.example, "hand_example", "{id: query, query: [1, 0]}", "{id: query, query: [1, 2]}", "", "changes nothing"),
    (hand_example.example, "hand_example", "token: praça, value: [0, 1]", "token: praça, value: [1, 0]", "", "changes nothing"),
    (hand_example.example, "hand_example", "query: [1, 2]", "query: [0, 0]", "", "changes nothing"),
    (masks.records, "masks", "real: 3", "real: 6", "drawn", "can't be real"),
    (masks.records, "masks", "documents: [0, 0, 0, 1, 1]", "documents: [0]", "drawn", "document of 1 token"),
    (masks.records, "masks", "id: causal", "id: causa", "schemes[0].id", "causa"),
    (masks.records, "masks", "tokens: 5", "tokens: 5000", "drawn.tokens", "<= 32"),
    (score_matrix.records, "matrix", "shared: 0.4", "shared: 1.4", "content.shared", "<= 1"),
    (kv_cache.models, "models", "kv_heads: 8", "kv_heads: 64", "[0]", "must divide"),
    (kv_cache.models, "models", "layers: 32", "layers: 0", "[0].layers", ">= 1"),
    (kv_cache.models, "models", "parameters:", "parameters: .nan #", "[0].parameters", "NaN"),
    (multihead.example, "multihead", "    praça: {q: [0, 2]", "    lua: {q: [0, 2]", "example.second_head", "praça"),
    (multihead.model.records, "multihead", "[W_Q, W_K, W_V, W_O]", "[W_Q, W_K, W_V]", "parameters", "must be W_Q"),
    (multihead.model.records, "multihead", "shape: [B, n, d]", "shape: [B, n, x]", "steps[0].shape", "regex"),
    (
        embedding.ids,
        "embedding",
        "  - [0, -0.5, 0, 0.5]\n  - [0.5, -0.5, 0, 0]\n  - [0, 0.5, -0.5, 0]\n  - [0, 0, 0.5, -0.5]\n",
        "",
        "P",
        "positions for the 5 tokens",
    ),
    (scaling_experiment.records, "scaling", "keys: 16", "keys: 1000000", "experiment", "Expected `int` <= 16"),
    (cost_experiment.layer, "cost", "n: 4096", "n: 100000", "", "more than a classroom"),
    (pieces.phrases, "phrases", "example: o gato subiu no", "example: gato", "", "two words"),
    (pieces.phrases, "phrases", "english: the cat climbed the", 'english: " "', "english", "nothing stands here"),
    (position.records, "position", "  homem:", "  lobo:", "", "no row for “homem”"),
    (position.records, "position", "[3, 0, 5, 1, 2, 4]", "[3, 0, 5, 1, 2, 2]", "lab", "once"),
    (recurrence.records, "recurrence", "tokens: [8, 256]", "tokens: [8, 257]", "", "too few for 257 tokens"),
    (recurrence.records, "recurrence", "scale: [0.5, 1.2]", "scale: [1.2, 0.5]", "range", "least stands first"),
    (recurrence.records, "recurrence", "opening: {tokens: 64", "opening: {tokens: 6", "", "`opening` lies outside"),
    (rope.records, "rope", "base: 10000", "base: 0", "base", ">= 1"),
    (rope.records, "rope", "[[3, 1], [10, 8], [1000", "[[3, 1], [10, 7], [1000", "", "here they lie 2, 3 apart"),
    (rope.records, "rope", "  positions: [[3, 1], [10, 8]]", "  positions: [[3, 1], [10, 9]]", "", "`clock.positions` must be"),
    (rope.records, "rope", "offsets: [1, 3]", "offsets: [2, 3]", "", "others than that of `positions`"),
    (running_example.records, "running_example", "query: [4, 2]", "query: [5, 2]", "heads[0]", "4 columns"),
    (running_example.records, "running_example", "query: [4, 2]", "query: [4]", "heads[0]", "equally long"),
    (scaling_experiment.records, "scaling", "rows: 200", "rows: 0", "rows", ">= 1"),
    (simulators.bpe, "simulators", "longest: 80", "longest: 20", "bpe.longest", "a reader may write 20"),
    (simulators.banco, "simulators", "{min: -4, max: 4, step: 0.1}", "{min: -4, max: 1, step: 0.1}", "banco.vectors", "opens with 2"),
    (simulators.banco, "simulators", "{min: -4, max: 4, step: 0.1}", "{min: 4, max: -4, step: 0.1}", "banco.vectors", "must be below"),
    (simulators.matrix, "simulators", "dk: {min: 1, max: 128, step: 1}", "dk: {min: 1, max: 200, step: 1}", "matrix.dk.max", "draws 128"),
    (simulators.gradient, "simulators", "tokens_step: 1", "tokens_step: 0", "gradient.tokens_step", ">= 1"),
    (real_model.recorded, "smollm2_recorded", 'date: "2026-11-30"', "date: ontem", "recorded.machine", "no date"),
    (real_model.recorded, "smollm2_recorded", "previous_layer: 16", "previous_layer: 160", "recorded", "30 layers"),
    (soft_dictionary.records, "soft_dictionary", "asked: pera", "asked: uva", "", "uva"),
]


RENAMED: list[tuple[Callable[[], Any], str, str, str, str, str]] = [
    # what reads it, file, what is replaced, by what, the file and the key that still ask for the old name
    (kv_cache.controls, "models", "id: 70B", "id: 71B", "cache_simulator", "tries[2].model"),
    (kv_cache.controls, "schemes", "id: MHA", "id: MHAA", "cache_simulator", "tries[0].scheme"),
    (kv_cache.controls, "accelerators", "id: H100", "id: H101", "cache_simulator", "opens.accelerator"),
    (lambda: random_draws.drawn(rope.records().draw), "draws", "id: rotated-pair", "id: other", "rope", "draw"),
    (bpe.merges, "phrases", "example: o gato subiu no", "example: o gato pulou no", "bpe", "new_word"),
]


@pytest.mark.parametrize(("read", "file", "old", "new", "asking", "key"), RENAMED, ids=[fault[3] for fault in RENAMED])
def test_what_another_file_asks_for_is_told_there(folder: Path, read: Any, file: str, old: str, new: str, asking: str, key: str) -> None:
    """An instructor who renames a record learns which line of which file still has the old name."""
    path = folder / f"{file}.yml"
    readings.note(f"{file}.yml")
    assert old in path.read_text(encoding="utf-8"), "the file no longer holds what this test spoils"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read()
    told = caught.value
    assert (told.file, told.key) == (f"data/{asking}.yml", key) and told.line


@pytest.mark.parametrize(("read", "file", "old", "new", "where", "what"), FAULTS, ids=[f"{fault[1]}-{fault[3]}" for fault in FAULTS])
def test_a_spoilt_file_is_told(folder: Path, read: Callable[[], Any], file: str, old: str, new: str, where: str, what: str) -> None:
    path = folder / f"{file}.yml"
    text = path.read_text(encoding="utf-8")
    readings.note(f"{file}.yml")
    assert old in text, "the file no longer holds what this test spoils"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read()
    told = caught.value
    assert told.file == f"data/{file}.yml"
    assert where in told.key and what in told.what
    assert told.remedy


def test_a_file_without_a_record_is_told(folder: Path) -> None:
    (folder / "models.yml").write_text("[]\n")
    with pytest.raises(DataError, match=r"data/models\.yml: nothing stands here"):
        kv_cache.models()


def test_a_corpus_without_a_pair_is_told(folder: Path) -> None:
    text = (folder / "bpe.yml").read_text(encoding="utf-8")
    before, _, rest = text.partition("corpus:")
    (folder / "bpe.yml").write_text(f"{before}corpus: [o, e]\nquoted:{rest.partition('quoted:')[2]}", encoding="utf-8")
    with pytest.raises(DataError, match=r"data/bpe.yml, corpus: no two characters"):
        bpe.merges()


def test_every_file_as_it_is_has_no_fault(folder: Path) -> None:
    for read in {fault[0] for fault in FAULTS}:
        read()


def test_a_word_of_characters_alone_was_taught_by_the_words_that_hold_them() -> None:
    assert bpe.model.origins("o", ["o gato", "um"], ()) == ("o", "gato")
