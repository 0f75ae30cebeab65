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
from figures.kit import data, files
from figures.kit.errors import DataError

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
    (kv_cache.controls, "cache_simulator", "context: 32768", "context: 32769", "", "doesn't offer"),
    (kv_cache.controls, "cache_simulator", "bits: [4, 8, 16, 32]", "bits: []", "bits", "nothing stands here"),
    (chapter.model.records, "chapter", "step: 3", "step: 8", "", "step 8 of 7"),
    (cost_experiment.layer, "cost", "repeats: 3", "repeats: 0", "repeats", ">= 1"),
    (random_draws.records, "draws", "X: [6, 16]", "X: [6, -16]", "arrays", ">= 1"),
    (hand_example.example, "hand_example", "asking: banco", "asking: igreja", "", "igreja"),
    (hand_example.example, "hand_example", "{name: praça,", "{name: sentei,", "tokens[2]", "twice"),
    (hand_example.example, "hand_example", "query: [1, 2]", "query: [1, 2000]", "query[1]", "<= 20"),
    (hand_example.example, "hand_example", "query: [1, 2]", "query: [1, 2, 3]", "query", "length 2"),
    (hand_example.example, "hand_example", "token: praça, value", "token: igreja, value", "", "igreja"),
    (hand_example.example, "hand_example", "{id: zero, query: [0, 0]}", "{id: zero}", "experiments[2]", "an experiment changes"),
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
    (scaling_experiment.records, "scaling", "keys: 16", "keys: 1000000", "experiment", "more than a classroom"),
    (cost_experiment.layer, "cost", "n: 4096", "n: 100000", "", "more than a classroom"),
    (pieces.phrases, "phrases", "example: o gato subiu no", "example: gato", "", "two words"),
    (pieces.phrases, "phrases", "english: the cat climbed the", 'english: " "', "english", "nothing stands here"),
    (position.records, "position", "  homem:", "  lobo:", "", "no row for “homem”"),
    (position.records, "position", "[3, 0, 5, 1, 2, 4]", "[3, 0, 5, 1, 2, 2]", "lab", "once"),
    (recurrence.records, "recurrence", "tokens: [8, 256]", "tokens: [8, 257]", "", "too few for 257 tokens"),
    (recurrence.records, "recurrence", "scale: [0.5, 1.2]", "scale: [1.2, 0.5]", "range", "least stands first"),
    (recurrence.records, "recurrence", "opening: {tokens: 64", "opening: {tokens: 6", "", "`opening` lies outside"),
    (rope.records, "rope", "base: 10000", "base: 0", "base", ">= 1"),
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


@pytest.mark.parametrize(("read", "file", "old", "new", "where", "what"), FAULTS, ids=[f"{fault[1]}-{fault[3]}" for fault in FAULTS])
def test_a_spoilt_file_is_told(folder: Path, read: Callable[[], Any], file: str, old: str, new: str, where: str, what: str) -> None:
    path = folder / f"{file}.yml"
    text = path.read_text(encoding="utf-8")
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
