"""Byte-pair encoding on a toy corpus: learn merges by counting neighbours, then cut any text by replaying them.

Symbols here are characters, not bytes, so a text may hold characters that the corpus never had; `tokens` has GPT-2's
real, byte-level encoder. Source: Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units", 2016.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from figures.byte_pairs import Pair, Symbols, fuse
from figures.kit import data, readings
from figures.kit.errors import DataError
from figures.pieces import SPACE, example

# A word with the space before it, a sign, or a space left over. Merges never cross these borders.
WORDS = re.compile(r" ?\w+|[^\w\s]|\s")


ROWS = 8  # of pairs, that the opening picture has room for


class Case(data.Record):
    """Another text to cut, and the word in it that the speaker points at."""

    id: str
    text: str
    word: str

    def faults(self) -> Iterator[str]:
        if self.word not in self.text:
            yield f"the text doesn't hold the word “{self.word}”"


class Toy(data.Record):
    """`data/bpe.yml`: what the toy tokeniser learns from, and the vocabulary that the toy model keeps."""

    merges: data.Positive
    corpus: tuple[str, ...]
    quoted: tuple[data.Natural, ...]
    new_word: str
    vocabulary: tuple[str, ...]
    cases: tuple[Case, ...]
    pairs_shown: data.Positive

    def faults(self) -> Iterator[str]:
        if self.pairs_shown > ROWS:
            yield f"`pairs_shown` is {self.pairs_shown}, and the picture has room for {ROWS}"
        if max(self.quoted) >= len(self.corpus):
            yield f"`quoted` names sentence {max(self.quoted)}, and the corpus has {len(self.corpus)}, counted from 0"
        if len(set(self.vocabulary)) != len(self.vocabulary):
            yield "a piece stands twice in `vocabulary`"


class Merge(NamedTuple):
    """The n-th merge, counted from 1: its pair, and how often the pair stood in the corpus just before."""

    number: int
    pair: Pair
    times: int

    @property
    def piece(self) -> str:
        return self.pair[0] + self.pair[1]


class Step(NamedTuple):
    """A stretch of merges that follow each other and all change the text, and the text's pieces after the last."""

    merges: tuple[Merge, ...]
    pieces: Symbols


def toy() -> Toy:
    """The records, as `data/bpe.yml` has them."""
    return data.load("bpe", Toy)


def words(text: str) -> list[Symbols]:
    """The words of `text` as single characters, each with the space before it.

    >>> words("o gato.")
    [('o',), (' ', 'g', 'a', 't', 'o'), ('.',)]
    """
    return [tuple(word) for word in WORDS.findall(text)]


def pair_counts(texts: Iterable[Symbols]) -> dict[Pair, int]:
    """How often each pair of neighbours stands in the words, in order of first sight.

    >>> pair_counts([("t", "o", "t", "o")])
    {('t', 'o'): 2, ('o', 't'): 1}
    """
    counts: dict[Pair, int] = {}
    for symbols in texts:
        for pair in zip(symbols, symbols[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def commonest(counts: dict[Pair, int]) -> Pair:
    """The pair to fuse next: the highest count, and of equals the one seen first."""
    return max(counts, key=lambda pair: counts[pair])


def learn(corpus: Sequence[str], merges: int) -> tuple[Merge, ...]:
    """Up to `merges` merges: count, fuse the commonest, write it down, again.

    >>> learn(["to to"], 1)
    (Merge(number=1, pair=('t', 'o'), times=2),)
    """
    texts = [symbols for sentence in corpus for symbols in words(sentence)]
    learnt: list[Merge] = []
    while len(learnt) < merges and (counts := pair_counts(texts)):
        pair = commonest(counts)
        learnt.append(Merge(len(learnt) + 1, pair, counts[pair]))
        texts = [fuse(symbols, pair) for symbols in texts]
    return tuple(learnt)


def cut(text: str, merges: Iterable[Merge]) -> Symbols:
    """The pieces of `text`: each word's characters, with the merges replayed in order. Together they are the text.

    >>> cut("to to", learn(["to to"], 1))
    ('to', ' ', 'to')
    """
    return tuple(piece for symbols in words(text) for piece in replay(symbols, merges))


def replay(symbols: Symbols, merges: Iterable[Merge]) -> Symbols:
    """One word after every merge.

    >>> replay((" ", "t", "o"), learn(["to to"], 2))
    (' to',)
    """
    for merge in merges:
        symbols = fuse(symbols, merge.pair)
    return symbols


def touching(text: str, merges: Iterable[Merge]) -> list[Merge]:
    """The merges that change the pieces of `text`, in order."""
    texts, changing = words(text), []
    for merge in merges:
        after = [fuse(symbols, merge.pair) for symbols in texts]
        if after != texts:
            changing.append(merge)
        texts = after
    return changing


def steps(text: str, merges: Sequence[Merge]) -> tuple[Step, ...]:
    """What happens to `text`: its characters, then one step for each run of consecutive merges that change it."""
    steps = [Step((), cut(text, ()))]
    for _, run in groupby(enumerate(touching(text, merges)), key=lambda seen: seen[1].number - seen[0]):
        together = tuple(merge for _, merge in run)
        steps.append(Step(together, cut(text, merges[: together[-1].number])))
    return tuple(steps)


def joined_steps(steps: Sequence[Step], most: int) -> tuple[Step, ...]:
    """The same steps in at most `most`, the start included: neighbours with the fewest merges become one."""
    start, *runs = steps
    while len(runs) > max(1, most - 1):
        at = min(range(len(runs) - 1), key=lambda i: len(runs[i].merges) + len(runs[i + 1].merges))
        runs[at : at + 2] = [Step(runs[at].merges + runs[at + 1].merges, runs[at + 1].pieces)]
    return (start, *runs)


def origins(piece: str, corpus: Sequence[str], merges: Sequence[Merge]) -> tuple[str, ...]:
    """The words of the corpus that taught `piece`, spaces aside.

    >>> origins("iu", ["dormiu e fugiu"], learn(["dormiu e fugiu"], 1))
    ('dormiu', 'fugiu')
    """
    made = next((merge.number for merge in merges if merge.piece == piece), 0)  # 0: a character, known from the start
    taught = ["".join(symbols).strip() for sentence in corpus for symbols in words(sentence) if piece in replay(symbols, merges[:made])]
    return tuple(dict.fromkeys(taught))


def to_ids(pieces: Iterable[str], vocabulary: Sequence[str]) -> tuple[int | None, ...]:
    """The id of each piece, its place in `vocabulary`; None for one that is not in it.

    >>> to_ids(["o", " g"], ["o", " no"])
    (0, None)
    """
    places = {piece: id for id, piece in enumerate(vocabulary)}
    return tuple(places.get(piece) for piece in pieces)


@readings.remembered
def merges() -> tuple[Merge, ...]:
    """The merges that the toy corpus teaches: one or more."""
    learnt = learn(toy().corpus, toy().merges)
    if not learnt:
        raise DataError("data/bpe.yml", "corpus", "no two characters stand side by side in a word", "Write longer words")
    _check_words(toy(), {merge.piece for merge in learnt} | set("".join(toy().corpus)))
    return learnt


def _check_words(toy: Toy, taught: set[str]) -> None:
    """A DataError for a new word that the phrase lacks, and for a piece of the vocabulary that the corpus doesn't teach."""
    if toy.new_word not in re.findall(r"\w+", example()):
        remedy = "Name a word of the phrase that the corpus never has, or write the phrase with it, in data/phrases.yml"
        raise data.fault("bpe", "new_word", f"“{toy.new_word}” is no word of the phrase “{example()}”", remedy)
    for n, piece in enumerate(toy.vocabulary):
        if piece.replace(SPACE, " ") not in taught:
            remedy = "Take it out, with its row of E in data/embedding.yml, or let the corpus teach it: more `merges`, or more of its words"
            raise data.fault("bpe", f"vocabulary[{n}]", f"none of the {toy.merges} merges of this corpus makes “{piece}”", remedy)


def vocabulary() -> tuple[str, ...]:
    """The toy model's pieces in order of id, with the real space."""
    return tuple(piece.replace(SPACE, " ") for piece in toy().vocabulary)


def case(id: str) -> Case:
    """One of the simulator's other texts.

    >>> case("bird").word
    'pássaro'
    """
    return data.one(toy().cases, lambda case: case.id, id, "data/bpe.yml")


def text_of(id: str) -> str:
    """The text of a case, or the example phrase where no case is named."""
    return case(id).text if id else example()
