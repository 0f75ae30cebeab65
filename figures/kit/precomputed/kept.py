"""The states of a simulator as a page keeps them: each picture, table and sentence once, and what pictures share once too.

An SVG is cut at its lines, as matplotlib writes it: axes and labels that every state shows stand in the page a single time.
slides/sim/kit/precomputed.mjs puts a state together again and checks it against `digest`.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kept:
    """What a page shows in one state, each part as text and "" where there is none: a picture's SVG with the words that stand
    for it, a table as JSON, a sentence.
    """

    words: str = ""
    svg: str = ""
    table: str = ""
    sentence: str = ""

    def digest(self) -> str:
        """The CRC-32 of all of it, which the page computes again of what it shows."""
        text = "\n".join([self.words, self.svg, self.table, self.sentence])
        return f"{zlib.crc32(text.encode()):08x}"


def stored(states: Sequence[Kept]) -> dict[str, Any]:
    """Each thing once, and the states in order by the numbers of their pictures, tables and sentences.

    >>> found = stored([Kept(sentence="a"), Kept(sentence="b"), Kept(sentence="a")])
    >>> found["sentences"], found["shown"]
    (['a', 'b'], [[0, 0, 0], [0, 0, 1], [0, 0, 0]])
    """
    kept: tuple[dict[Any, int], ...] = ({}, {}, {})
    shown = []
    for state in states:
        parts = ((state.words, state.svg), state.table, state.sentence)
        shown.append([numbers.setdefault(part, len(numbers)) for numbers, part in zip(kept, parts, strict=True)])
    pictures, tables, sentences = map(list, kept)
    lines = _Lines()
    runs = [[words, lines.runs(svg.split("\n"))] for words, svg in pictures]
    return {"lines": lines.all, "pictures": runs, "tables": tables, "sentences": sentences, "shown": shown}


SHORTEST = 4  # lines in a row that are worth looking up: shorter runs cost more than the lines themselves


class _Lines:
    """The lines of all pictures so far, in which those of another are looked for."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self.places: dict[str, list[int]] = {}

    def runs(self, lines: Sequence[str]) -> tuple[int, ...]:
        """Lines as runs of those kept, the first of a run and how many it has, and so on; what is new is kept too."""
        runs: list[int] = []
        at = 0
        while at < len(lines):
            start, length = max(
                ((place, self._alike(place, lines[at:])) for place in self.places.get(lines[at], ())), key=_length, default=(0, 0)
            )
            if length < SHORTEST:
                start, length = self._add(lines[at]), 1
            if runs and start == runs[-2] + runs[-1]:
                runs[-1] += length
            else:
                runs += [start, length]
            at += length
        return tuple(runs)

    def _alike(self, place: int, lines: Sequence[str]) -> int:
        """How many lines from a place on are the same."""
        return next((n for n, line in enumerate(lines) if self.all[place + n : place + n + 1] != [line]), len(lines))

    def _add(self, line: str) -> int:
        self.all.append(line)
        self.places.setdefault(line, []).append(len(self.all) - 1)
        return len(self.all) - 1


def _length(run: tuple[int, int]) -> int:
    return run[1]
