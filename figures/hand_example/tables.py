"""The tables of the example worked by hand: its tokens, and the four steps."""

from __future__ import annotations

from typing import Any

from figures.hand_example import model
from figures.hand_example.model import Example, Pair, sense, steps_of
from figures.hand_example.numbers import dimensions, zero
from figures.hand_example.words import heaviest
from figures.kit.equations import multiple_of, quotient_of, sum_of
from figures.kit.formats import Format, fixed, plain, vector
from figures.kit.show import Cell, Column, Table, table
from figures.kit.words import Words

_words = Words("hand_example")


@table
def example_table() -> Table:
    """Each token with its key and its value; a value that settles no sense is marked as such."""
    example = model.example()
    columns = (
        Column(_words("example.token")),
        Column(_words("example.key"), vector(plain()), align="left", role="k"),
        Column(_words("example.value"), vector(plain()), align="left", role="v"),
    )
    return Table(columns, [(token.name, token.key, Cell(token.value, _marked(example))) for token in example.tokens])


def _marked(example: Example) -> Format:
    """A value, followed by a word where it settles no sense."""

    def write(value: Pair) -> str:
        text = vector(plain())(value)
        settled = sense(value, example.meaning, example.undecided_within)
        return text if settled else _words("example.undecided", value=text)

    return Format("marked", write)


@table
def four_steps() -> Table:
    """The four steps, one row for each token, and their sums; the first row shows how its weight came about."""
    example, steps = model.example(), steps_of(model.example())
    columns = (
        Column(_words("steps.token")),
        Column(_words("steps.product")),
        Column(_words("steps.scaled", d_k=dimensions()), fixed(2)),
        Column(_words("steps.exponential"), fixed(2)),
        Column(_words("steps.weight"), fixed(3)),
        Column(_words("steps.contribution")),
    )
    share = quotient_of(fixed(2), fixed(3))
    mixing = multiple_of(fixed(3), vector(plain()), vector(zero(fixed(3))))
    rows: list[tuple[Any, ...]] = []
    for i, token in enumerate(example.tokens):
        product = Cell([a * b for a, b in zip(example.query, token.key)], sum_of(plain()))
        role = "best" if token.name == heaviest().value else ""
        weight = Cell([steps.exponentials[i], steps.total], share, role) if i == 0 else Cell(steps.weights[i], role=role)
        mixed = Cell([steps.weights[i], token.value], mixing)
        rows.append((token.name, product, steps.scaled[i], steps.exponentials[i], weight, mixed))
    rows.append((_words("steps.sum"), None, None, steps.total, Cell(steps.weights.sum(), plain()), Cell(steps.output, vector(fixed(2)))))
    return Table(columns, rows, classes=("sum",))
