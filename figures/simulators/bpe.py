"""BPE, merge by merge: a phrase cut by the merges that the toy corpus teaches."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import bpe as toy_bpe
from figures import pieces
from figures.kit import data, readings
from figures.kit.errors import DataError
from figures.kit.simulator import Simulator, State, listed, simulator, words
from figures.kit.words import Words

_words = Words("simulators")


class Settings(data.Record):
    """How many characters a reader's own phrase may have."""

    longest: data.Positive


def settings() -> Settings:
    """The settings of this simulator, as `data/simulators.yml` has them."""
    return data.load("simulators", Settings, "bpe")


@simulator
def bpe() -> Simulator:
    """A phrase cut by the merges that the toy corpus teaches, as far as the reader steps."""
    toy, merges = toy_bpe.toy(), toy_bpe.merges()
    cases = {"example": pieces.example(), **{case.id: case.text for case in toy.cases}}
    if (longest := max(map(len, cases.values()))) > settings().longest:
        what = f"a text of {longest} characters is offered, and a reader may write {settings().longest}"
        raise DataError("data/simulators.yml", "bpe.longest", what, "Raise it")
    names = {"example": _words("bpe.example")} | {case.id: _words("bpe.case", word=case.word) for case in toy.cases}
    return Simulator(
        name="bpe",
        data={
            "corpus": toy.corpus,
            "merges": [merge.pair for merge in merges],
            "most": max(merge.times for merge in merges),
            "vocabulary": toy_bpe.vocabulary(),
            "pairs": toy.pairs_shown,
            "cases": [{"name": names[id], "text": text} for id, text in cases.items()],
            "longest": settings().longest,
        },
        opening={"text": cases["example"], "done": 0},
        run=cut,
        draw=drawn,
        words={key: text for key, text in words("bpe").items() if key not in ("example", "case")},
        picture=toy_bpe.opening_state,
        tried=tuple({"text": text, "done": len(merges)} for text in cases.values()),
    )


def cut(state: State) -> dict[str, Any]:
    """The text's pieces and ids after so many merges, the commonest pairs then, and the merges that change the text."""
    merges = toy_bpe.merges()
    symbols = toy_bpe.cut(state["text"], merges[: state["done"]])
    return listed(
        pieces=symbols,
        ids=toy_bpe.to_ids(symbols, toy_bpe.vocabulary()),
        pairs=commonest_pairs(state["done"]),
        touching=[merge.number for merge in toy_bpe.touching(state["text"], merges)],
    )


@readings.remembered
def commonest_pairs(done: int) -> list[tuple[str, str, int]]:
    """The corpus's commonest pairs after so many merges; of equals, the one seen first."""
    merges = toy_bpe.merges()[:done]
    texts = [toy_bpe.replay(symbols, merges) for sentence in toy_bpe.toy().corpus for symbols in toy_bpe.words(sentence)]
    counts = toy_bpe.pair_counts(texts).items()
    return [(left, right, count) for (left, right), count in sorted(counts, key=lambda entry: -entry[1])[: toy_bpe.toy().pairs_shown]]


def drawn(rng: np.random.Generator) -> State:
    """Words of the corpus and words made of its letters and a few others, with and without spaces and signs."""
    corpus = " ".join(toy_bpe.toy().corpus).split(" ")
    letters = sorted(set("".join(corpus)) | set("áéíxyzÃ,?!_3"))

    def word() -> str:
        made = "".join(rng.choice(letters, rng.integers(1, 8)))
        return str(rng.choice(corpus)) if rng.random() < 0.6 else made

    text = str(rng.choice(["", " ", "  "], p=[0.8, 0.1, 0.1])).join(["", *(word() + " " for _ in range(rng.integers(1, 6)))])
    return {"text": text.rstrip() if rng.random() < 0.8 else text, "done": int(rng.integers(0, len(toy_bpe.merges()) + 1))}
