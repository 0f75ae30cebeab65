"""Whether paper says what its page says, and nothing else: so what is approved of the page is approved of the handout.

Sentences are compared by their letters, since a line may end anywhere; a formula parts a sentence, and its letters are italic.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise

from proof.sentences import Sentence

EXPECTED = ("title", "text", "note", "table")
BESIDE = "crosslinks."  # links to other documents, which paper has not
FORMULA = re.compile(r"\$[^$]*\$")
LONG = re.compile(r"[^\W\d_]{4,}")  # words that are looked at: shorter ones a formula may have upright


def lacking(text: str, said: Iterable[Sentence]) -> list[str]:
    """The sentences of the page that the paper lacks, or has with other words."""
    letters = _letters(text)
    expected = (one for one in said if one.kind in EXPECTED and not any(call.startswith(BESIDE) for call in one.calls))
    return [one.words for one in expected if any(part not in letters for part in _parts(one.words))]


def strange(text: str, said: Sequence[Sentence], own: Iterable[str] = ()) -> list[str]:
    """The words of the paper that stand in no sentence of the page, in none of its formulas, and aren't the paper's own."""
    letters = _letters(text)
    known = bytearray(len(letters))
    parts = {part for one in said for part in _parts(one.words)} | {_letters(one) for one in own}
    for part in (part for part in parts if part):
        at = letters.find(part)
        while at >= 0:
            known[at : at + len(part)] = b"\1" * len(part)
            at = letters.find(part, at + 1)
    upright = {word for one in said for formula in FORMULA.findall(one.words) for word in LONG.findall(formula)}
    words = re.findall(r"\S+", text)
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(_letters(word)))
    unsaid = (word for word, (start, end) in zip(words, pairwise(starts)) if not all(known[start:end]))
    return [word for word in unsaid if _is_word(word) and not any(one in word for one in upright)]


def _is_word(text: str) -> bool:
    return any(all(ord(letter) < 0x1D400 for letter in run) for run in LONG.findall(text))


def _parts(words: str) -> list[str]:
    return [_letters(part) for part in re.split(r"\$[^$]*\$|\|", words)]


def _letters(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if letter.isalnum()).casefold()
