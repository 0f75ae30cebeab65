"""The sentences of the first acts, and how pieces of text are written on a slide: the space as ␣, a chip for each piece.

Everywhere in the code a piece holds the real space, so that pieces put together give the text back.
Does not cut anything: `bpe` and `tokens` do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from figures.kit import data
from figures.kit.formats import Format
from figures.kit.markup import Markup, escaped, joined

SPACE = "␣"
TOKENS, LETTERS = 8, 60  # of the example phrase, what the slides hold: a table has one row for each token, another all its characters


class Phrases(data.Record):
    """The phrase that runs through the lecture, its English sister, a longer sentence in both languages, and words for claims."""

    example: str
    english: str
    long_english: str
    long_portuguese: str
    common_english: tuple[str, ...]
    common_portuguese: tuple[str, ...]
    rare_english: tuple[str, ...]

    def faults(self) -> Iterator[str]:
        if len(self.example.split()) < 2:
            yield f"the example phrase “{self.example}” needs two words or more"
        if len(self.example.split()) > TOKENS or len(self.example) > LETTERS:
            has = f"{len(self.example.split())} words and {len(self.example)} characters"
            yield f"`example` has {has}, and the slides hold {TOKENS} and {LETTERS}: shorten “{self.example}”"


def phrases() -> Phrases:
    """The records, as `data/phrases.yml` has them."""
    return data.load("phrases", Phrases)


def example() -> str:
    """The lecture's phrase."""
    return phrases().example


def visible(piece: str) -> str:
    """A piece as readers see it.

    >>> visible(" gato")
    '␣gato'
    """
    return piece.replace(" ", SPACE)


def spaced(pieces: Iterable[str]) -> str:
    """Pieces in a row.

    >>> spaced(["o", " gato"])
    'o ␣gato'
    """
    return " ".join(visible(piece) for piece in pieces)


def chip(piece: str) -> Markup:
    """One piece as a chip.

    >>> chip(" gato").markdown
    '[␣gato]{.token}'
    """
    return Markup(visible(piece), f"[{escaped(visible(piece))}]{{.token}}")


def chips() -> Format:
    """Pieces as chips.

    >>> chips()(["o", " gato"]).markdown
    '[o]{.token} [␣gato]{.token}'
    """
    return Format("chips", lambda pieces: joined(map(chip, pieces), " "))


def bracketed() -> Format:
    """Ids as a list; a piece without an id is "–".

    >>> bracketed()([0, None])
    '[0, –]'
    """
    return Format("ids", lambda ids: "[" + ", ".join("–" if id is None else f"{id}" for id in ids) + "]")
