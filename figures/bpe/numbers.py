"""The counts, pieces and ids that slides show of the toy tokeniser."""

from __future__ import annotations

from figures.bpe import model
from figures.bpe.model import cut, text_of, to_ids, touching
from figures.byte_pairs import Symbols
from figures.kit.formats import count
from figures.kit.show import number, word
from figures.kit.words import Words
from figures.pieces import bracketed, chips, example, visible

_words = Words("bpe")


@number(count())
def sentence_count() -> int:
    """Sentences of the corpus."""
    return len(model.toy().corpus)


@number(count())
def character_count() -> int:
    """Different characters in the corpus, the space and the full stop included."""
    return len(set("".join(model.toy().corpus)))


@number(count())
def merge_count() -> int:
    """Merges learnt."""
    return len(model.merges())


@number(count())
def start_count() -> int:
    """Characters of the example phrase, where the merges start."""
    return len(cut(example(), ()))


@number(count())
def piece_count(id: str = "") -> int:
    """Pieces after every merge: of the example phrase, or of another case.

    >>> piece_count("english")
    22
    """
    return len(cut(text_of(id), model.merges()))


@number(chips())
def pieces(id: str = "") -> Symbols:
    """The pieces after every merge: of the example phrase, or of another case."""
    return cut(text_of(id), model.merges())


@number(bracketed())
def ids(id: str = "") -> tuple[int | None, ...]:
    """The toy model's ids of those pieces.

    >>> ids()
    [0, 2, 4, 5, 1]
    """
    return to_ids(cut(text_of(id), model.merges()), model.vocabulary())


@number(count())
def vocabulary_count() -> int:
    """Tokens that the toy model keeps."""
    return len(model.vocabulary())


@word
def id_list() -> str:
    """The ids of the example phrase's pieces, the least first, each with its piece."""
    in_order = sorted({(id, piece) for piece, id in zip(pieces().value, ids().value) if id is not None})
    return ", ".join(_words("id", piece=visible(piece), id=id) for id, piece in in_order)


@word
def quoted_sentences() -> str:
    """The sentences of the corpus that a slide quotes."""
    return ", ".join(_words("quoted", text=model.toy().corpus[place]) for place in model.toy().quoted)


@word
def touching_share(text: str = "", of: int = 0) -> str:
    """How many merges change the example phrase, with another word where less than half of them do."""
    learnt = model.merges()[: of or None]
    touched = len(touching(text or example(), learnt))
    return _words("only_some" if touched < len(learnt) / 2 else "some", some=count()(touched), all=count()(len(learnt)))
