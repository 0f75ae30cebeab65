"""Byte-level BPE as GPT-2 does it: how text is cut into words, how bytes are spelt, how learnt merges are replayed.

Holds no vocabulary: tokens.py has GPT-2's, weights.py that of a model's file. Source: Radford et al., "Language Models
are Unsupervised Multitask Learners", 2019, section 2.2, and the encoder.py published with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import regex

Pair = tuple[str, str]
Symbols = tuple[str, ...]

# English contractions, letters, digits, signs, each with the space before it; then spaces. Merges stay inside a match.
WORDS = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
DIGIT_OR_REST = regex.compile(r"\p{N}|\P{N}+")


@cache
def alphabet() -> tuple[str, ...]:
    """The character that stands for each byte: printable ones themselves, the rest from U+0100 on.

    >>> alphabet()[ord("a")]
    'a'
    >>> alphabet()[ord(" ")]
    'Ġ'
    """
    printable = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    others = [byte for byte in range(256) if byte not in printable]
    return tuple(chr(byte if byte in printable else 256 + others.index(byte)) for byte in range(256))


def words(text: str, digits_apart: bool = False) -> list[str]:
    """The words that merges stay within, each with the space before it; with `digits_apart`, digits are words of their own.

    >>> words("in 2017")
    ['in', ' 2017']
    >>> words("in 2017", digits_apart=True)
    ['in', ' ', '2', '0', '1', '7']
    """
    parts = DIGIT_OR_REST.findall(text) if digits_apart else [text]
    return [word for part in parts for word in WORDS.findall(part)]


def spelt(word: str) -> Symbols:
    """A word as one symbol for each byte.

    >>> spelt(" é")
    ('Ġ', 'Ã', '©')
    """
    return tuple(alphabet()[byte] for byte in word.encode())


def text_of(piece: str) -> str:
    """What a piece spells, a cut character as "�".

    >>> text_of("ĠÃ©")
    ' é'
    """
    return bytes(alphabet().index(symbol) for symbol in piece).decode(errors="replace")


def fuse(symbols: Symbols, pair: Pair) -> Symbols:
    """`pair` becomes one symbol wherever it stands, left to right.

    >>> fuse(("t", "o", "t"), ("t", "o"))
    ('to', 't')
    """
    fused: list[str] = []
    at = 0
    while at < len(symbols):
        fits = symbols[at : at + 2] == pair
        fused.append(symbols[at] + symbols[at + 1] if fits else symbols[at])
        at += 2 if fits else 1
    return tuple(fused)


def merge(symbols: Symbols, ranks: Mapping[Pair, int]) -> Symbols:
    """Fuses the pair that was learnt first until no pair has a rank.

    >>> merge(("t", "h", "e"), {("t", "h"): 0, ("th", "e"): 1})
    ('the',)
    """
    while len(symbols) > 1:
        best = min(zip(symbols, symbols[1:]), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        symbols = fuse(symbols, best)
    return symbols
