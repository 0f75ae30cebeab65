"""The table of merges."""

from __future__ import annotations

from collections.abc import Iterable

from figures.bpe import model
from figures.bpe.model import Merge, joined_steps, steps
from figures.kit.formats import count
from figures.kit.show import Cell, Column, Table, table
from figures.kit.words import Words
from figures.pieces import chips, example, visible

_words = Words("bpe")


ROWS, NAMED = 8, 4  # what the table of merges holds: rows, and merges named in one


@table
def merge_table() -> Table:
    """The example phrase after each run of merges that changes it; a row of a long phrase takes several runs."""
    merged, made, many = _words.list("merge_table.headings")
    rows = [
        (merge_names(step.merges) or _words("merge_table.start"), chips()(step.pieces), Cell(len(step.pieces), count()))
        for step in joined_steps(steps(example(), model.merges()), ROWS)
    ]
    return Table([Column(merged), Column(made), Column(many, count())], rows)


def merge_names(run: Iterable[Merge]) -> str:
    """The merges of a run, each by its number and its pair, those in the middle of a long run left out."""
    names = [_words("merge", number=merge.number, left=visible(merge.pair[0]), right=visible(merge.pair[1])) for merge in run]
    return " · ".join(names if len(names) <= NAMED else [*names[: NAMED - 2], _words("left_out"), names[-1]])
