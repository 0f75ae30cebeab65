"""One query, three keys: the example worked by hand, every number of it under a slider."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures import hand_example
from figures.hand_example import Experiment
from figures.kit import data
from figures.kit.json_values import json_value
from figures.kit.simulator import Range, Simulator, State, WholeRange, listed, simulator, words


class Settings(data.Record):
    """How far the sliders go: every number of a vector, and the d_k of the divisor."""

    vectors: Range
    dk: WholeRange


def settings() -> Settings:
    """The settings of this simulator, as `data/simulators.yml` has them."""
    return data.load("simulators", Settings, "banco")


@simulator
def banco() -> Simulator:
    """The example worked by hand, every number of it under a slider."""
    example, ranges = hand_example.example(), settings()
    ranges.vectors.must_reach((*example.query, *example.keys.flat, *example.values.flat), "banco.vectors")
    ranges.dk.must_reach([len(example.query)], "banco.dk")
    opening = json_value({"q": example.query, "keys": example.keys, "values": example.values, "dk": len(example.query)})
    first, second = example.meaning
    texts = words("banco", count=hand_example.key_count(), asking=example.asking, first=first, second=second)
    return Simulator(
        name="banco",
        data={
            "tokens": example.names,
            "meaning": example.meaning,
            "undecided": example.undecided_within,
            "vectors": ranges.vectors,
            "dk": ranges.dk,
        },
        opening=opening,
        run=steps,
        draw=drawn,
        words=texts | hand_example.words_of_the_simulator() | {"undecided": hand_example.undecided()},
        picture=hand_example.opening_state,
        series=("query", "key", "value", "output"),
        tried=tuple(after(experiment, opening) for experiment in example.experiments),
    )


def after(experiment: Experiment, opening: State) -> State:
    """The opening state with the one change of an experiment."""
    names = hand_example.example().names
    values = [experiment.value if name == experiment.token else value for name, value in zip(names, opening["values"])]
    return listed(**{**opening, "q": experiment.query or opening["q"], "values": values})


def steps(state: State) -> dict[str, Any]:
    """The four steps, and which of the two meanings the output has: None where it is undecided."""
    example = hand_example.example()
    made = hand_example.steps(state["q"], np.array(state["keys"]), np.array(state["values"]), state["dk"])
    sense = hand_example.sense(made.output, example.meaning, example.undecided_within)
    return listed(
        scores=made.products,
        scaled=made.scaled,
        exponentials=made.exponentials,
        total=made.total,
        weights=made.weights,
        parts=made.contributions,
        output=made.output,
        sense=None if sense is None else example.meaning.index(sense),
    )


def drawn(rng: np.random.Generator) -> State:
    """Any vectors and any divisor that the sliders reach."""
    n = len(hand_example.example().tokens)
    dk = int(rng.integers(settings().dk.min, settings().dk.max + 1))
    return {"q": numbers_of((2,), rng), "keys": numbers_of((n, 2), rng), "values": numbers_of((n, 2), rng), "dk": dk}


def numbers_of(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Numbers that the sliders reach, in a shape, rounded: lists of lists."""
    range = settings().vectors
    return json_value(rng.uniform(range.min, range.max, shape).round(3))
