"""The word that the corpus never had, and the pieces that it is written with."""

from __future__ import annotations

from figures.bpe import model
from figures.bpe.model import cut, origins, words
from figures.byte_pairs import Symbols
from figures.kit.claims import Check, claim
from figures.kit.formats import joined, spelled
from figures.kit.show import number, word
from figures.kit.words import Words
from figures.pieces import visible

_words = Words("bpe")


@word
def new_word() -> str:
    """The word of the phrase that the corpus never had."""
    return model.toy().new_word


@word
def new_word_in_corpus(corpus: tuple[str, ...] | None = None) -> str:
    """Whether the corpus holds the new word."""
    return _words("in_corpus" if is_in_corpus(corpus) else "not_in_corpus")


@word
def new_word_was_seen(corpus: tuple[str, ...] | None = None) -> str:
    """The same, as a sentence on what the tokeniser has seen."""
    return _words("seen" if is_in_corpus(corpus) else "never_seen")


@number(spelled())
def new_word_piece_count() -> int:
    """In how many pieces BPE writes the new word, in words."""
    return len(new_word_pieces())


@word
def new_word_origins() -> str:
    """The new word's pieces, each with the words of the corpus that taught it."""
    origins_of_pieces = [
        _words("origin", piece=visible(piece), words=", ".join(origins(piece, model.toy().corpus, model.merges())))
        for piece in new_word_pieces()
    ]
    return joined(origins_of_pieces, _words("and"))


@claim
def new_word_is_made_of_known_pieces(word: str | None = None) -> Check:
    """Every piece of the new word was learnt from the corpus, though the word itself is not in it."""
    word = word or model.toy().new_word
    pieces = cut(" " + word, model.merges())
    learnt = {merge.piece for merge in model.merges()} | set("".join(model.toy().corpus))
    return Check(learnt.issuperset(pieces) and f" {word}" not in learnt, {"pieces": pieces})


def is_in_corpus(corpus: tuple[str, ...] | None) -> bool:
    """Whether the new word is a word of the corpus, or of another one."""
    seen = {"".join(symbols).strip() for sentence in corpus or model.toy().corpus for symbols in words(sentence)}
    return model.toy().new_word in seen


def new_word_pieces() -> Symbols:
    """The new word's pieces, its space included."""
    return cut(" " + model.toy().new_word, model.merges())
