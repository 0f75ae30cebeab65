"""The handout has no approved file of its own: its sentences are those of the deck, which is approved, and it has no other."""

from __future__ import annotations

import paper_words
import pytest
from proof.sentences import Sentence

SAID = (
    Sentence("a", "title", "Uma soma"),
    Sentence("a", "text", "O maior peso é 0,62, e $softmax(x)$ nunca o passa.", ("topic.largest()",)),
    Sentence("a", "note", "Espere a resposta."),
    Sentence("a", "picture", "banco | praça"),
    Sentence("a", "text", "capítulo", ("crosslinks.beside('slides')",)),
)
PAPER = "Uma soma slide 2\nO maior peso é 0,62, e softmax(𝑥) nunca o\npassa. Espere a resposta. banco praça"


def test_the_same_words_hold() -> None:
    assert (paper_words.lacking(PAPER, SAID), paper_words.strange(PAPER, SAID, ["slide"])) == ([], [])


@pytest.mark.parametrize(
    ("before", "after", "lacking", "strange"),
    [
        ("nunca o\npassa", "sempre o\npassa", 1, ["sempre"]),
        ("é 0,62", "é 0,26", 1, []),
        ("Espere a resposta.", "", 1, []),
        ("Espere a resposta.", "Espere a resposta. Ela é falsa.", 0, ["falsa."]),
        ("banco praça", "banco praça chave", 0, ["chave"]),
    ],
)
def test_another_word_is_found(before: str, after: str, lacking: int, strange: list[str]) -> None:
    text = PAPER.replace(before, after)
    found = paper_words.strange(text, SAID, ["slide"])
    assert len(paper_words.lacking(text, SAID)) == lacking and {*strange} <= {*found}
