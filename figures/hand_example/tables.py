"""The tables of the example worked by hand: its tokens, and the four steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from figures.hand_example import model
from figures.hand_example.model import Example, Pair, Steps, sense, steps_of
from figures.hand_example.numbers import dimensions, zero
from figures.hand_example.words import heaviest
from figures.kit.formats import MINUS, NBSP, Format, fixed, plain, told, vector
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
    rows: list[tuple[Any, ...]] = []
    for i, token in enumerate(example.tokens):
        weight = Cell(steps.weights[i], _share(steps, i) if i == 0 else None, role="best" if token.name == heaviest().value else "")
        product = Cell(steps.products[i], told(_product(example.query, token.key)))
        mixing = Cell(steps.contributions[i], told(_mixing(example, steps, i)))
        rows.append((token.name, product, steps.scaled[i], steps.exponentials[i], weight, mixing))
    rows.append((_words("steps.sum"), None, None, steps.total, Cell(steps.weights.sum(), plain()), Cell(steps.output, vector(fixed(2)))))
    return Table(columns, rows, classes=("sum",))


def _product(query: Pair, key: Pair) -> str:
    """The products that don't vanish and their sum.

    >>> _product((1, 2), (1, 1))
    '1 + 2 = 3'
    """
    terms = [a * b for a, b in zip(query, key) if a * b]
    sum_text = plain()(float(np.dot(query, key)))
    return f"{' + '.join(map(plain(), terms))} = {sum_text}".replace(f"+ {MINUS}", f"{MINUS} ") if len(terms) > 1 else sum_text


def _share(steps: Steps, i: int) -> Format:
    """A weight with the division that gives it: exponential over total, and the quotient."""
    return Format("share", lambda weight: f"{fixed(2)(steps.exponentials[i])} / {fixed(2)(steps.total)} = {fixed(3)(weight)}")


def _mixing(example: Example, steps: Steps, i: int) -> str:
    """Step ④ of one token in full: its weight, its value, and their product."""
    part = vector(zero(fixed(3)))(steps.contributions[i])
    return f"{fixed(3)(steps.weights[i])}{NBSP}{vector(plain())(example.tokens[i].value)} = {part}"
