"""The shapes of each step and the parameters of a layer, as slides show them."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures.kit import ledger
from figures.kit.claims import Check, claim
from figures.kit.formats import count, joined, spelled
from figures.kit.markup import Markup
from figures.kit.show import Column, Table, number, table, word
from figures.kit.words import Words
from figures.multihead import model
from figures.multihead.model import evaluated, layer

_words = Words("multihead")


def _counts() -> list[int]:
    layer = model.records().parameters
    return [model.parameter_count(layer.d, h, len(layer.matrices)) for h in layer.heads]


@number(spelled(feminine=True))
def matrix_count() -> int:
    """How many matrices a layer has, in words."""
    return len(model.records().parameters.matrices)


@number(count())
def d() -> Any:
    """Dimensions of the lab's layer."""
    return ledger.fact(model.records().parameters.d, model.records().parameters.source)


@number(count())
def parameters() -> int:
    """Parameters of the lab's layer, biases included."""
    return _counts()[0]


@word
def head_list() -> str:
    """The numbers of heads tried."""
    return joined([count()(h) for h in model.records().parameters.heads], _words("or"))


@claim
def same_for_every_h() -> Check:
    """The number of heads changes no parameter count."""
    return Check(len(set(_counts())) == 1, dict(zip(map(str, model.records().parameters.heads), _counts())))


@claim
def shapes_hold() -> Check:
    """The table's shapes are those of arrays that go through a layer."""
    sizes = {"B": 2, "n": 3, "h": 4, "d": 8}
    names = model.records().parameters.matrices
    matrices, biases = {name: np.eye(sizes["d"]) for name in names}, {name: np.zeros(sizes["d"]) for name in names}
    made = layer(np.zeros((sizes["B"], sizes["n"], sizes["d"])), matrices, biases, sizes["h"])
    stated = [evaluated(step.shape, sizes) for step in model.records().steps]
    return Check(stated == [array.shape for array in made], {"told": stated, "made": [array.shape for array in made]})


@table
def shapes() -> Table:
    """Each step and the shape of what it makes, in symbols."""
    step, form = (Column(heading) for heading in _words.list("table.columns"))
    rows = [[_words(f"table.steps.{row.id}"), Markup("$" + r" \times ".join(row.shape) + "$")] for row in model.records().steps]
    return Table([step, form], rows)
