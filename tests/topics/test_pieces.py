"""How pieces of text are written on a slide."""

from __future__ import annotations

import re

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from figures import pieces


def test_a_piece_by_hand():
    assert pieces.visible(" gato") == "␣gato"
    assert pieces.spaced(["o", " gato"]) == "o ␣gato"
    assert pieces.chips()(["o", " gato"]).markdown == "[o]{.token} [␣gato]{.token}"
    assert pieces.bracketed()([0, None, 2]) == "[0, –, 2]"


def test_what_markdown_would_read_is_escaped():
    assert pieces.chip("a*b_[c]").markdown == r"[a\*b\_\[c\]]{.token}"


@given(st.text(st.characters(codec="ascii", categories=("L", "N", "P", "S")), min_size=1, max_size=8))
def test_a_chip_holds_the_piece_and_nothing_else(piece):
    inside = pieces.chip(piece).markdown.removeprefix("[").removesuffix("]{.token}")
    assert re.sub(r"\\(.)", r"\1", inside) == piece


def test_the_phrase_is_the_lectures():
    assert pieces.example() == "o gato subiu no"


def faults(example):
    return list(msgspec.structs.replace(pieces.phrases(), example=example).faults())


def test_two_words_make_a_phrase_and_one_does_not():
    assert faults("o gato") == []
    assert faults("gato") == ["the example phrase “gato” needs two words or more"]


def test_a_phrase_has_eight_words_and_sixty_characters_at_the_most():
    words, letters = " ".join("abcdefgh"), f"o {'a' * 58}"
    assert faults(words) == faults(letters) == []
    assert faults(f"{words} i") == [f"`example` has 9 words and 17 characters, and the slides hold 8 and 60: shorten “{words} i”"]
    assert faults(f"{letters}a") == [f"`example` has 2 words and 61 characters, and the slides hold 8 and 60: shorten “{letters}a”"]
