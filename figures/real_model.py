"""What a real model showed: its cache against the formula, its tokens with and without it, two of its habits.

The measurement is made by smollm2.py on the weights at hand; without any, the one recorded in data/ is shown, as such.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from figures import kv_cache
from figures.kit import data, heat_map, style
from figures.kit.arrays import Array
from figures.kit.formats import NBSP, count, fixed, spelled, times
from figures.kit.ledger import Known
from figures.kit.measurement import in_words, milliseconds, noted
from figures.kit.show import Picture, figure, matrix_table, number, word
from figures.kit.words import Words
from figures.model import smollm2
from figures.model import weights as weights_on_disk
from figures.model.smollm2 import Measurement, Rows
from figures.pieces import visible
from figures.roles import KEY, QUERY

_words = Words("real_model")

# A first token is a sink from this many equal shares on; a head is a previous-token head from this mean weight on.
SINK = 2
ATTENDS = 0.5


def measurement() -> Measurement:
    """The measurement of the weights at hand, or the recorded one."""
    at_hand = weights_on_disk.chosen()
    return smollm2.measure(at_hand) if at_hand else recorded()


def recorded() -> Measurement:
    """The measurement in data/smollm2_recorded.yml."""
    return data.load("smollm2_recorded", Measurement, "recorded")


def is_recorded() -> bool:
    """Whether no weights are at hand, so that the recorded measurement is shown."""
    return weights_on_disk.chosen() is None


def notice() -> str | None:
    """What a build should say: that the recorded measurement is shown, and how to have one's own; None otherwise."""
    if not is_recorded():
        return None
    date = recorded().machine.date
    return f"the real model's slide shows the measurement recorded on {date}: {weights_on_disk.why_none()}"


def _noted(value: Any) -> Known:
    """A value of the measurement, with its hardware, versions and date."""
    return noted(value, measurement().machine, is_recorded())


# The model


@word
def name() -> Known:
    """The model that was measured."""
    return _noted(measurement().model)


@word
def file() -> Known:
    """The weights that were measured, as their file is called, and what that name says of them."""
    return _noted(_file(measurement().weights))


def _file(name: str) -> str:
    """What a file's name says, in words: weights trained to follow instructions, numbers of so many bits."""
    bits = re.search(r"(?<![A-Za-z])(?:I?Q|B?F)(\d+)", name)
    said = [_words("file.instruct")] * ("instruct" in name.lower()) + ([_words("file.bits", bits=bits[1])] if bits else [])
    return _words("file.told", name=name, said=", ".join(said)) if said else name


@number(count())
def layers() -> Known:
    """Layers of the model."""
    return _noted(measurement().layers)


@number(count())
def heads() -> Known:
    """Query heads of a layer."""
    return _noted(measurement().heads)


@number(count())
def kv_heads() -> Known:
    """Heads of keys and values of a layer."""
    return _noted(measurement().kv_heads)


@number(count())
def head_dim() -> Known:
    """Numbers in a key of one head."""
    return _noted(measurement().head_dim)


@word
def scheme() -> str:
    """Who shares keys and values in this model."""
    return _scheme(measurement().heads, measurement().kv_heads)


def _scheme(heads: int, kv_heads: int) -> str:
    return "MHA" if kv_heads == heads else "MQA" if kv_heads == 1 else "GQA"


# Its cache


def predicted(of: Measurement) -> float:
    """The formula's bytes for each token: 2 · layers · kv_heads · head_dim · bytes of a number."""
    return kv_cache.KEY_AND_VALUE * of.layers * of.kv_heads * of.head_dim * of.bytes_per_number


@number(count())
def bytes_per_number() -> Known:
    """Bytes of one float32."""
    return _noted(measurement().bytes_per_number)


@number(count())
def bytes_per_token() -> Known:
    """Bytes that the cache's tensors hold a token."""
    return _noted(measurement().bytes_per_token)


@word
def agreement() -> Known:
    """Whether the tensors hold what the formula says, in words."""
    return _noted(_agreement(measurement()))


def _agreement(of: Measurement) -> str:
    same = of.bytes_per_token == predicted(of)
    return _words("agreement.same") if same else _words("agreement.other", predicted=count()(predicted(of)))


@number(times(1))
def with_every_head() -> float:
    """How much larger the cache would be if every head kept its own K and V."""
    return measurement().heads / measurement().kv_heads


# Its tokens


@number(count())
def new_tokens() -> Known:
    """Tokens written greedily."""
    return _noted(measurement().new_tokens)


@word
def same_tokens() -> Known:
    """Whether both ways write the same tokens, or where they part."""
    return _noted(_same_tokens(measurement()))


def _same_tokens(of: Measurement) -> str:
    if of.agreeing == of.new_tokens:
        return _words("tokens.same")
    return _words("tokens.part", agreeing=count()(of.agreeing))


@word
def without_cache() -> Known:
    """Time of a step without the cache, first and last."""
    return _noted(_span(measurement()))


def _span(of: Measurement) -> str:
    first, last = milliseconds()(of.without_first_ms), milliseconds()(of.without_last_ms)
    return _words("span.one", time=last) if first == last else _words("span.two", first=_bare(first), last=last)


def _bare(time: str) -> str:
    return time.rpartition(NBSP)[0]


@word
def prefix() -> Known:
    """Why: whether the last steps took longer than the first."""
    return _noted(_prefix(measurement()))


def _prefix(of: Measurement) -> str:
    return _words("prefix.grows" if of.without_last_ms > of.without_first_ms else "prefix.no_matter")


@number(milliseconds())
def with_cache() -> Known:
    """Time of a step with the cache."""
    return _noted(measurement().with_ms)


# Two habits


@number(count())
def previous_layer() -> Known:
    """The layer of the head that looks most at the token before, counted from 0."""
    return _noted(measurement().previous_layer)


@number(spelled())
def first_index() -> int:
    """The index of the first layer and head, as the slide counts them."""
    return range(measurement().layers)[0]


@number(count())
def previous_head() -> Known:
    """That head, counted from 0."""
    return _noted(measurement().previous_head)


@number(fixed(2))
def previous_weight() -> Known:
    """Mean weight of that head on the token before."""
    return _noted(measurement().previous_weight)


@word
def previous_kind() -> Known:
    """What the head is: a previous-token head, or only the one that looks there most."""
    return _noted(_previous_kind(measurement().previous_weight))


def _previous_kind(weight: float) -> str:
    return _words("previous.trained" if weight >= ATTENDS else "previous.strongest")


@number(count())
def all_heads() -> int:
    """Heads in all layers."""
    return measurement().layers * measurement().heads


@number(fixed(2))
def first_token() -> Known:
    """Mean weight on the first token, all heads, every row but the first."""
    return _noted(measurement().first_token)


@number(fixed(2))
def equal_share() -> Known:
    """The same mean if every visible token got as much."""
    return _noted(measurement().equal_share)


@word
def sink() -> Known:
    """What the first token is, where it gets at least twice its share: an attention sink."""
    return _noted(_sink(measurement()))


def _sink(of: Measurement) -> str:
    return _words("sink.yes" if of.first_token >= SINK * of.equal_share else "sink.no")


@figure
def two_heads() -> Known:
    """The map of the head that looks most at the token before, and that of the head that looks most at the first."""
    of = measurement()
    width, side = 300, 22 * len(of.shown)
    height = 2 * side + 84
    drawing, page = style.canvas(width, height, bare=True)
    names = [visible(token) for token in of.shown]
    previous = "maps.previous" if of.previous_weight >= ATTENDS else "maps.most_previous"
    first = "maps.first" if of.first_weight >= ATTENDS else "maps.most_first"
    panels = (
        (height - 36, _words(previous, layer=of.previous_layer, head=of.previous_head), of.previous_map),
        (side + 4, _words(first, layer=of.first_layer, head=of.first_head), of.first_map),
    )
    for top, title, rows in panels:
        axes = drawing.add_axes(((width - side - 2) / width, (top - side) / height, side / width, side / height))
        heat_map.draw(axes, triangle(rows), names, (), (QUERY.ink, KEY.ink))
        page.text(width - 2, top + 18, title, weight=600, va="center", ha="right")
    tables = [matrix_table(_words("maps.token"), names, names, triangle(rows), fixed(2), title) for _, title, rows in panels]
    return _noted(Picture(drawing, _maps_alt(of), values=tables))


@word
def previous_head_looks() -> Known:
    """Where the dark band of the upper map lies, in words."""
    return _noted(_words("maps.below_diagonal" if measurement().previous_weight >= ATTENDS else "maps.no_band"))


@word
def first_head_looks() -> Known:
    """Whether the lower map's first column is dark, in words."""
    return _noted(_words("maps.first_column" if measurement().first_weight >= ATTENDS else "maps.no_column"))


def triangle(rows: Rows) -> Array:
    """Rows of 1, 2, … weights as a square, nan where a token sees nothing.

    >>> triangle(((1.0,), (0.75, 0.25))).tolist()
    [[1.0, nan], [0.75, 0.25]]
    """
    square = np.full((len(rows), len(rows)), np.nan)
    for t, row in enumerate(rows):
        square[t, : len(row)] = row
    return square


def _maps_alt(of: Measurement) -> str:
    n, two = len(of.shown), fixed(2)
    before = np.mean([row[-2] for row in of.previous_map[1:]])
    first = np.mean([row[0] for row in of.first_map[1:]])
    places = {"previous": (of.previous_layer, of.previous_head), "first": (of.first_layer, of.first_head)}
    where = {name: _words("maps.where", layer=layer, head=head) for name, (layer, head) in places.items()}
    return _words("maps.alt", n=n, shown="".join(of.shown).strip(), before=two(float(before)), on_first=two(float(first)), **where)


# Where it was measured


@number(count())
def prompt_tokens() -> Known:
    """Tokens of the text."""
    return _noted(measurement().prompt_tokens)


@number(count())
def shown_tokens() -> Known:
    """The leading tokens that the maps show."""
    return _noted(len(measurement().shown))


@word
def where() -> Known:
    """Hardware, version and date, marked as recorded where the measurement isn't this build's own."""
    return _noted(in_words(measurement().machine, is_recorded()))
