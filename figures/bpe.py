"""Byte-pair encoding on a toy corpus: learn merges by counting neighbours, then cut any text by replaying them.

Symbols here are characters, not bytes, so a text may hold characters that the corpus never had; `tokens` has GPT-2's
real, byte-level encoder. Source: Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units", 2016.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from figures.byte_pairs import Pair, Symbols, fuse
from figures.kit import data, readings, style
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError
from figures.kit.formats import count, joined, spelled
from figures.kit.show import Cell, Column, Picture, Table, figure, number, table, word
from figures.kit.words import Words
from figures.pieces import SPACE, bracketed, chips, example, spaced, visible

# A word with the space before it, a sign, or a space left over. Merges never cross these borders.
WORDS = re.compile(r" ?\w+|[^\w\s]|\s")
CHIPS = (1152, 90)  # width and height that the simulator's picture has for its chips
ROWS, NAMED = 8, 4  # what the table of merges holds: rows, and merges named in one
_words = Words("bpe")


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
    return data.load("bpe", Toy)


def words(text: str) -> list[Symbols]:
    """The words of `text` as single characters: `words("o gato.")` -> [("o",), (" ", "g", "a", "t", "o"), (".",)]"""
    return [tuple(found) for found in WORDS.findall(text)]


def pair_counts(texts: Iterable[Symbols]) -> dict[Pair, int]:
    """How often each pair of neighbours stands in the words, in order of first sight: {("g", "a"): 2, …}"""
    counts: dict[Pair, int] = {}
    for symbols in texts:
        for pair in zip(symbols, symbols[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def commonest(counts: dict[Pair, int]) -> Pair:
    """The pair to fuse next: the highest count, and of equals the one seen first."""
    return max(counts, key=lambda pair: counts[pair])


def learn(corpus: Sequence[str], merges: int) -> tuple[Merge, ...]:
    """Up to `merges` merges: count, fuse the commonest, write it down, again. `learn(["to to"], 1)` fuses t+o, seen twice."""
    texts = [symbols for sentence in corpus for symbols in words(sentence)]
    learnt: list[Merge] = []
    while len(learnt) < merges and (counts := pair_counts(texts)):
        pair = commonest(counts)
        learnt.append(Merge(len(learnt) + 1, pair, counts[pair]))
        texts = [fuse(symbols, pair) for symbols in texts]
    return tuple(learnt)


def cut(text: str, merges: Iterable[Merge]) -> Symbols:
    """The pieces of `text`: each word's characters, with the merges replayed in order. Together they are the text."""
    return tuple(piece for symbols in words(text) for piece in replay(symbols, merges))


def replay(symbols: Symbols, merges: Iterable[Merge]) -> Symbols:
    """One word after every merge: `replay((" ", "n", "o"), merges)` -> (" no",)"""
    for merge in merges:
        symbols = fuse(symbols, merge.pair)
    return symbols


def touching(text: str, merges: Iterable[Merge]) -> list[Merge]:
    """The merges that change the pieces of `text`, in order."""
    texts, found = words(text), []
    for merge in merges:
        after = [fuse(symbols, merge.pair) for symbols in texts]
        if after != texts:
            found.append(merge)
        texts = after
    return found


def steps(text: str, merges: Sequence[Merge]) -> tuple[Step, ...]:
    """What happens to `text`: its characters, then one step for each run of consecutive merges that change it."""
    found = [Step((), cut(text, ()))]
    for _, run in groupby(enumerate(touching(text, merges)), key=lambda seen: seen[1].number - seen[0]):
        together = tuple(merge for _, merge in run)
        found.append(Step(together, cut(text, merges[: together[-1].number])))
    return tuple(found)


def joined_steps(found: Sequence[Step], most: int) -> tuple[Step, ...]:
    """The same way in at most `most` steps, the start included: neighbours with the fewest merges become one."""
    start, *runs = found
    while len(runs) > max(1, most - 1):
        at = min(range(len(runs) - 1), key=lambda i: len(runs[i].merges) + len(runs[i + 1].merges))
        runs[at : at + 2] = [Step(runs[at].merges + runs[at + 1].merges, runs[at + 1].pieces)]
    return (start, *runs)


def origins(piece: str, corpus: Sequence[str], merges: Sequence[Merge]) -> tuple[str, ...]:
    """The words of the corpus that taught `piece`, spaces aside: `origins("iu", …)` -> ("dormiu", "fugiu")"""
    made = next((merge.number for merge in merges if merge.piece == piece), 0)  # 0: a character, known from the start
    taught = ["".join(symbols).strip() for sentence in corpus for symbols in words(sentence) if piece in replay(symbols, merges[:made])]
    return tuple(dict.fromkeys(taught))


def to_ids(pieces: Iterable[str], vocabulary: Sequence[str]) -> tuple[int | None, ...]:
    """The id of each piece, its place in `vocabulary`; None for one that is not in it."""
    places = {piece: id for id, piece in enumerate(vocabulary)}
    return tuple(places.get(piece) for piece in pieces)


@readings.remembered
def merges() -> tuple[Merge, ...]:
    """The merges that the toy corpus teaches: one or more."""
    learnt = learn(toy().corpus, toy().merges)
    if not learnt:
        raise DataError("data/bpe.yml", "corpus", "no two characters stand side by side in a word", "Write longer words")
    return learnt


def vocabulary() -> tuple[str, ...]:
    """The toy model's pieces in order of id, with the real space."""
    return tuple(piece.replace(SPACE, " ") for piece in toy().vocabulary)


def case(id: str) -> Case:
    """One of the simulator's other texts: `case("bird").word` -> "pássaro"."""
    return data.one(toy().cases, lambda case: case.id, id, "data/bpe.yml")


@number(count())
def sentence_count() -> int:
    """Sentences of the corpus."""
    return len(toy().corpus)


@number(count())
def character_count() -> int:
    """Different characters in the corpus, the space and the full stop included."""
    return len(set("".join(toy().corpus)))


@number(count())
def merge_count() -> int:
    """Merges learnt."""
    return len(merges())


@number(count())
def start_count() -> int:
    """Characters of the example phrase, where the merges start."""
    return len(cut(example(), ()))


@number(count())
def piece_count(id: str = "") -> int:
    """Pieces after every merge: of the example phrase, or of another case: `piece_count("english")` -> 22."""
    return len(cut(_text(id), merges()))


@number(chips())
def pieces(id: str = "") -> Symbols:
    """The pieces after every merge: of the example phrase, or of another case."""
    return cut(_text(id), merges())


@number(bracketed())
def ids(id: str = "") -> tuple[int | None, ...]:
    """The toy model's ids of those pieces: `ids()` -> [0, 2, 4, 5, 1]."""
    return to_ids(cut(_text(id), merges()), vocabulary())


@number(count())
def vocabulary_count() -> int:
    """Tokens that the toy model keeps."""
    return len(vocabulary())


@word
def id_list() -> str:
    """The ids of the example phrase's pieces, the least first: "o = 0, ␣no = 1, …"."""
    known = sorted({(id, piece) for piece, id in zip(pieces().value, ids().value) if id is not None})
    return ", ".join(_words("id", piece=visible(piece), id=id) for id, piece in known)


@word
def quoted_sentences() -> str:
    """The sentences of the corpus that a slide quotes."""
    return ", ".join(_words("quoted", text=toy().corpus[place]) for place in toy().quoted)


@word
def new_word() -> str:
    """The word of the phrase that the corpus never had."""
    return toy().new_word


@word
def new_word_in_corpus(corpus: tuple[str, ...] | None = None) -> str:
    """Whether the corpus holds the new word: "não está nele"."""
    return _words("in_corpus" if _in_corpus(corpus) else "not_in_corpus")


@word
def new_word_was_seen(corpus: tuple[str, ...] | None = None) -> str:
    """The same, told of the past: "nunca esteve"."""
    return _words("seen" if _in_corpus(corpus) else "never_seen")


@number(spelled())
def new_word_piece_count() -> int:
    """In how many pieces BPE writes the new word, in words."""
    return len(_new_word_pieces())


@word
def new_word_origins() -> str:
    """The new word's pieces and where each was learnt: "␣sub (de subir) e iu (de dormiu, fugiu)"."""
    told = [_words("origin", piece=visible(piece), words=", ".join(origins(piece, toy().corpus, merges()))) for piece in _new_word_pieces()]
    return joined(told, _words("and"))


@word
def touching_share(text: str = "", of: int = 0) -> str:
    """How many merges change the example phrase, with "só" when less than half of them do: "só 10 das 41 fusões"."""
    learnt = merges()[: of or None]
    touched = len(touching(text or example(), learnt))
    return _words("only_some" if touched < len(learnt) / 2 else "some", some=count()(touched), all=count()(len(learnt)))


@number(chips())
def added_by_roof() -> Symbols:
    """What the longer phrase adds to the example's pieces."""
    return cut(case("roof").text, merges())[len(cut(example(), merges())) :]


@word
def case_text(id: str) -> str:
    """One of the other texts: "o pássaro subiu no telhado."."""
    return case(id).text


@word
def case_word(id: str) -> str:
    """The word that the speaker points at: `case_word("bird")` -> "pássaro"."""
    return case(id).word


@number(chips())
def case_word_pieces(id: str) -> Symbols:
    """The pieces of that word, its space included: `case_word_pieces("bird")` -> ␣ p á s s a r o."""
    return cut(" " + case(id).word, merges())


@word
def case_word_grain(id: str) -> str:
    """How finely that word is cut: "letra a letra" when no piece is longer than a character, "em pedaços" otherwise."""
    return _words("by_letters" if all(len(piece) == 1 for piece in case_word_pieces(id).value) else "by_pieces")


@word
def case_word_ids(id: str) -> str:
    """Which of its pieces the toy vocabulary holds: "só o tem id entre os 12 tokens"."""
    inside = [piece for piece in dict.fromkeys(case_word_pieces(id).value) if piece in vocabulary()]
    outside = [piece for piece in case_word_pieces(id).value if piece not in vocabulary()]
    key = "all_have_ids" if not outside else "some_have_ids" if inside else "none_has_id"
    return _words(
        key,
        pieces=joined((_words("quoted", text=visible(piece)) for piece in inside), _words("and")) if inside else "",
        tokens=count()(len(vocabulary())),
    )


@table
def merge_table() -> Table:
    """The example phrase after each run of merges that changes it; of a long phrase, after several runs a row."""
    merged, made, many = _words.list("merge_table.headings")
    rows = [
        (_merge_names(step.merges) or _words("merge_table.start"), chips()(step.pieces), Cell(len(step.pieces), count()))
        for step in joined_steps(steps(example(), merges()), ROWS)
    ]
    return Table([Column(merged), Column(made), Column(many, count())], rows)


@figure
def opening_state() -> Picture:
    """The simulator before the first merge: the phrase as chips, and the commonest pairs of the corpus."""
    counts = pair_counts([symbols for sentence in toy().corpus for symbols in words(sentence)])
    return _state(cut(example(), ()), counts, done=0, all=len(merges()))


def _state(now: Symbols, counts: dict[Pair, int], done: int, all: int) -> Picture:
    """One state of the simulator: where it stands, the phrase's pieces, the commonest pairs with the next one stressed."""
    width, height = 1152, 470
    drawing, axes = style.canvas(width, height, bare=True)
    ranking = sorted(counts.items(), key=lambda entry: -entry[1])[: toy().pairs_shown]
    (left, right), most = ranking[0]
    state = {
        "done": count()(done),
        "all": count()(all),
        "pieces": count()(len(now)),
        "left": visible(left),
        "right": visible(right),
        "made": visible(left + right),
        "count": count()(most),
    }
    style.label(axes, _words("state.merge", **state), (0, height - 20), offset=(0, 0), weight=600, size=style.SIZES.table)
    style.label(axes, _words("state.pieces", **state), (width, height - 20), offset=(0, 0), ha="right", size=style.SIZES.table)
    _draw_chips(axes, now, top=height - 56)
    style.label(axes, _words("state.pairs", **state), (0, height - 162), offset=(0, 0), colour=style.COLOURS.soft)
    _draw_pairs(axes, ranking, top=height - 198)
    style.label(axes, _words("state.next", **state), (width, height - 198), offset=(0, 0), ha="right", colour=style.COLOURS.stress)
    alt = _words("state.alt", shown=spaced(now), ranking=_ranking_in_words(ranking), **state)
    return Picture(drawing, alt)


def _draw_chips(axes: Axes, symbols: Symbols, top: float) -> None:
    """One box a piece, side by side from the left edge: large, or as small as one or two rows of them ask."""
    size = next((size for size in range(34, style.SIZES.figure_small, -2) if _fits(symbols, size)), style.SIZES.figure_small)
    height = 62 * size / 34
    for piece, row, left, wide in _laid_out(symbols, size):
        low = top - height - row * _step_down(size)
        box: dict[str, Any] = {"facecolor": style.COLOURS.wash, "edgecolor": style.COLOURS.rule, "clip_on": False}
        axes.add_patch(Rectangle((left, low), wide, height, **box))
        style.centred(axes, visible(piece), (left + wide / 2, low + height / 2), size=size, family=style.MONO)


def _laid_out(symbols: Symbols, size: float) -> list[tuple[str, int, float, float]]:
    """Each piece with its row, its left edge and its width, in chips whose letters are `size` pixels high."""
    found, row, at, gap = [], 0, 1.0, 10 * size / 34
    for piece in symbols:
        wide = 0.6 * size * len(piece) + 46 * (size / 34) ** 2
        if at + wide > CHIPS[0]:
            row, at = row + 1, 1.0
        found.append((piece, row, at, wide))
        at += wide + gap
    return found


def _step_down(size: float) -> float:
    return 72 * size / 34


def _fits(symbols: Symbols, size: float) -> bool:
    return (_laid_out(symbols, size)[-1][1] + 1) * _step_down(size) <= CHIPS[1]


def _draw_pairs(axes: Axes, ranking: Sequence[tuple[Pair, int]], top: float) -> None:
    """The pairs in order, each with a bar as long as its count."""
    step, start = 34, 110
    unit = 560 / max(times for _, times in ranking)
    for row, ((left, right), times) in enumerate(ranking):
        y = top - row * step
        colour = style.COLOURS.stress if row == 0 else style.COLOURS.soft
        name = _words("pair", left=visible(left), right=visible(right))
        style.label(axes, name, (0, y), offset=(0, 0), family=style.MONO, size=style.SIZES.code, colour=colour)
        axes.add_patch(Rectangle((start, y - 9), unit * times, 18, facecolor=colour, linewidth=0))
        style.label(axes, count()(times), (start + unit * times, y), weight=600 if row == 0 else 400, colour=colour)


def _ranking_in_words(ranking: Sequence[tuple[Pair, int]]) -> str:
    return ", ".join(_words("state.count", left=visible(a), right=visible(b), count=times) for (a, b), times in ranking)


def _in_corpus(corpus: tuple[str, ...] | None) -> bool:
    known = {"".join(symbols).strip() for sentence in corpus or toy().corpus for symbols in words(sentence)}
    return toy().new_word in known


def _text(id: str) -> str:
    return case(id).text if id else example()


def _new_word_pieces() -> Symbols:
    return cut(" " + toy().new_word, merges())


def _merge_names(run: Iterable[Merge]) -> str:
    """The merges of a run, those in the middle of a long one left out: "1 ␣+n · 2 ␣n+o · … · 9 d+o"."""
    names = [_words("merge", number=merge.number, left=visible(merge.pair[0]), right=visible(merge.pair[1])) for merge in run]
    return " · ".join(names if len(names) <= NAMED else [*names[: NAMED - 2], _words("left_out"), names[-1]])


@claim
def new_word_is_made_of_known_pieces(word: str | None = None) -> Check:
    """Every piece of the new word was learnt from the corpus, though the word itself is not in it."""
    given = word or toy().new_word
    found = cut(" " + given, merges())
    known = {merge.piece for merge in merges()} | set("".join(toy().corpus))
    return Check(known.issuperset(found) and f" {given}" not in known, {"pieces": found})
