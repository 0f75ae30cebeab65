"""Looking a key up: a dictionary wants an exact match and gives one value, attention gives a weighted mean of all.

Source of the comparison: the lecture that this deck rebuilds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
import numpy as np

from figures import attention
from figures.kit import data, ledger, show
from figures.kit.arrays import Array
from figures.kit.claims import Check, claim
from figures.kit.formats import count
from figures.kit.words import Words

_words = Words("soft_dictionary")


class Entry(data.Record):
    """A key and the value kept under it."""

    key: Annotated[str, msgspec.Meta(pattern=r'^[^"]+$')]  # the slide writes it between quotes
    value: int


class Dictionary(data.Record):
    """The dictionary of the slide, and the key that is asked for."""

    source: str
    name: Annotated[str, msgspec.Meta(pattern=r"^[^\W\d]\w*$")]  # a name of Python's
    asked: str
    entries: tuple[Entry, ...]

    def faults(self) -> Iterator[str]:
        keys = [entry.key for entry in self.entries]
        if len(set(keys)) != len(keys):
            yield "a key stands twice in `entries`"
        if self.asked not in keys:
            yield f"“{self.asked}” is asked for, and the keys are {', '.join(keys)}"


def records() -> Dictionary:
    """The dictionary as `data/soft_dictionary.yml` has it."""
    return data.load("soft_dictionary", Dictionary)


def as_dict() -> dict[str, int]:
    """The slide's dictionary as Python has it."""
    return {entry.key: entry.value for entry in records().entries}


def hard(query: str, entries: Mapping[str, int]) -> int:
    """The value under the very key asked for, or KeyError.

    >>> hard("pera", {"maçã": 3, "pera": 7})
    7
    """
    return entries[query]


def soft(query: Array, keys: Array, values: Array) -> Array:
    """The mean of all values (n, d_v), each weighted by how much its key (n, d) resembles the query (d,).

    Nearly the exact match where one key is much more alike than the others, but it can be differentiated.

    >>> round(float(soft([1, 0], [[9, 0], [0, 9]], [3, 7])), 4)
    3.0005
    """
    mean: Array = attention.softmax(np.asarray(keys) @ np.asarray(query)) @ np.asarray(values)
    return mean


@show.number(count())
def value(key: str) -> Any:
    """What the slide's dictionary keeps under `key`.

    >>> value("maçã")
    3
    """
    return ledger.fact(hard(key, as_dict()), records().source)


@show.listing
def listing() -> show.Listing:
    """The slide's two lines of Python, the look-up run and its result written behind it."""
    dictionary = records()
    pairs = ", ".join(f"{json.dumps(entry.key, ensure_ascii=False)}: {entry.value}" for entry in dictionary.entries)
    asked = json.dumps(dictionary.asked, ensure_ascii=False)
    comment = _words("comment", value=value(dictionary.asked))
    return show.Listing(f"{dictionary.name} = {{{pairs}}}\n{dictionary.name}[{asked}]   # {comment}")


@claim
def only_the_exact_key(lookup: Callable[[str, Mapping[str, int]], int] = hard) -> Check:
    """A dictionary has nothing for a key that is merely alike: the one asked for without its last letter."""
    alike = records().asked[:-1]
    try:
        value: int | None = lookup(alike, as_dict())
    except KeyError:
        value = None
    return Check(value is None, {"key": alike, "found": value})


@claim
def mean_is_smooth(mean: Callable[[Array, Array, Array], Array] = soft) -> Check:
    """Half the change of the question changes the mean by half as much: it can be differentiated."""
    keys, values = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([entry.value for entry in records().entries], float)
    asked, turn = np.array([0.5, 0.5]), np.array([1e-3, -1e-3])
    whole, half = (float(mean(asked + step, keys, values) - mean(asked, keys, values)) for step in (turn, turn / 2))
    return Check(whole != 0 and abs(whole / half - 2) < 1e-3, {"whole step": whole, "half a step": half})
