"""The simulator's other texts, and the word in each that the speaker points at."""

from __future__ import annotations

from figures.bpe import model
from figures.bpe.model import cut
from figures.byte_pairs import Symbols
from figures.kit import data
from figures.kit.formats import Format, count, joined
from figures.kit.show import number, word
from figures.kit.words import Words
from figures.pieces import chip, chips, example, visible

_words = Words("bpe")


def chips_in_prose() -> Format:
    """Pieces as chips, listed as a sentence lists them; a word where there is none.

    >>> chips_in_prose()((" telhado", ".")), chips_in_prose()(())
    ('␣telhado e .', 'nada')
    """
    return Format("chips in prose", lambda pieces: joined(map(chip, pieces), _words("and")) if pieces else _words("nothing"))


@number(chips_in_prose())
def added_by_roof() -> Symbols:
    """What the longer phrase adds to the example's pieces."""
    if not model.case("roof").text.startswith(example()):
        place = next(n for n, case in enumerate(model.toy().cases) if case.id == "roof")
        raise data.fault("bpe", f"cases[{place}].text", f"it doesn't start with the phrase “{example()}”", "Write the phrase and go on")
    return cut(model.case("roof").text, model.merges())[len(cut(example(), model.merges())) :]


@word
def case_text(id: str) -> str:
    """One of the other texts."""
    return model.case(id).text


@word
def case_word(id: str) -> str:
    """The word that the speaker points at.

    >>> case_word("bird")
    pássaro
    """
    return model.case(id).word


@number(chips())
def case_word_pieces(id: str) -> Symbols:
    """The pieces of that word, its space included."""
    return cut(" " + model.case(id).word, model.merges())


@word
def case_word_grain(id: str) -> str:
    """How finely that word is cut: letter by letter when no piece is longer than a character, else in pieces."""
    return _words("by_letters" if all(len(piece) == 1 for piece in case_word_pieces(id).value) else "by_pieces")


@word
def case_word_ids(id: str) -> str:
    """Which of its pieces the toy vocabulary holds."""
    inside = [piece for piece in dict.fromkeys(case_word_pieces(id).value) if piece in model.vocabulary()]
    outside = [piece for piece in case_word_pieces(id).value if piece not in model.vocabulary()]
    key = "all_have_ids" if not outside else "some_have_ids" if inside else "none_has_id"
    return _words(
        key,
        pieces=joined((_words("quoted", text=visible(piece)) for piece in inside), _words("and")) if inside else "",
        tokens=count()(len(model.vocabulary())),
    )
