"""Byte-pair encoding on the toy corpus: by hand, against a second way of doing it, and by law."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loaded import with_records
from published import published

from figures import (
    bpe,
    byte_pairs,
    pieces,
)
from figures.kit import data
from figures.kit.style import SIZES
from figures.pieces import spaced, visible

LETTERS = st.text("ab c.", max_size=20)


def text_of(shown) -> str:
    """Pieces as the source types them."""
    return spaced(shown.value)


# By hand


def test_words_keep_the_space_before_them_and_signs_stand_alone():
    assert ["".join(symbols) for symbols in bpe.words("o gato, no  chão.")] == ["o", " gato", ",", " no", " ", " chão", "."]


def test_fuse_goes_left_to_right_and_never_overlaps():
    assert byte_pairs.fuse(("a", "a", "a"), ("a", "a")) == ("aa", "a")
    assert byte_pairs.fuse(("t", "o", "t"), ("t", "o")) == ("to", "t")


def test_a_corpus_small_enough_to_learn_by_hand():
    """a+b stands in all three words, ␣+ab then in two; ␣ab+a is left."""
    learnt = bpe.model.learn(["ab aba ab"], 3)
    assert [(merge.number, merge.pair, merge.times) for merge in learnt] == [
        (1, ("a", "b"), 3),
        (2, (" ", "ab"), 2),
        (3, (" ab", "a"), 1),
    ]


def test_learning_stops_where_no_pair_is_left():
    assert len(bpe.model.learn(["ab"], 10)) == 1
    assert bpe.model.learn([], 10) == ()


def test_a_character_was_taught_by_every_word_that_holds_it_fused_or_not():
    learnt = bpe.model.learn(["ab b"], 1)
    assert [merge.piece for merge in learnt] == ["ab"]
    assert bpe.model.origins("b", ["ab b"], learnt) == ("ab", "b") and bpe.model.origins("ab", ["ab b"], learnt) == ("ab",)


# Against a second way: merges applied by rank instead of in order, counts by Counter


@given(LETTERS)
def test_replaying_in_order_is_fusing_the_best_rank_first(text):
    learnt = bpe.model.learn([text, "ab cab.", "abc abc"], 12)
    ranks: dict[tuple[str, str], int] = {}
    for merge in learnt:
        ranks.setdefault(merge.pair, merge.number)
    if len({merge.piece for merge in learnt}) < len(learnt):
        return  # the same piece made in two ways: then the order of things may matter

    def by_rank(symbols):
        while known := [pair for pair in zip(symbols, symbols[1:]) if pair in ranks]:
            symbols = byte_pairs.fuse(symbols, min(known, key=ranks.__getitem__))
        return symbols

    assert bpe.cut(text, learnt) == tuple(piece for symbols in bpe.words(text) for piece in by_rank(symbols))


@given(st.lists(LETTERS, max_size=4))
def test_counts_are_those_of_a_counter(texts):
    symbols = [found for text in texts for found in bpe.words(text)]
    expected = Counter(pair for word in symbols for pair in zip(word, word[1:]))
    assert bpe.pair_counts(symbols) == expected
    assert list(bpe.pair_counts(symbols)) == list(expected)  # in order of first sight


# Laws


@given(st.text(max_size=40))
def test_pieces_together_are_the_text(text):
    assert "".join(bpe.cut(text, bpe.merges())) == text


@given(st.lists(LETTERS, min_size=1, max_size=4), st.integers(1, 15))
def test_each_merge_is_the_commonest_pair_just_before(corpus, many):
    learnt = bpe.model.learn(corpus, many)
    for merge in learnt:
        before = [bpe.replay(symbols, learnt[: merge.number - 1]) for text in corpus for symbols in bpe.words(text)]
        counts = bpe.pair_counts(before)
        assert counts[merge.pair] == merge.times == max(counts.values())
        equals = [pair for pair, times in counts.items() if times == merge.times]
        assert equals[0] == merge.pair


@given(st.text("ogatsubin. ", max_size=25), st.integers(0, 41))
def test_a_merge_never_makes_more_pieces_and_never_crosses_a_word(text, many):
    pieces = bpe.cut(text, bpe.merges()[:many])
    assert len(pieces) >= len(bpe.cut(text, bpe.merges()[: many + 1]))
    assert all(" " not in piece[1:] for piece in pieces)


@given(st.text("ogatsubin ", max_size=25))
def test_steps_start_with_characters_and_end_with_the_pieces(text):
    steps = bpe.model.steps(text, bpe.merges())
    assert steps[0] == bpe.model.Step((), bpe.cut(text, ()))
    assert steps[-1].pieces == bpe.cut(text, bpe.merges())
    told = [merge for step in steps for merge in step.merges]
    assert told == bpe.touching(text, bpe.merges())


@given(st.text("ogatsubin ", max_size=25), st.integers(2, 12))
def test_joined_steps_lead_the_same_way_in_fewer_rows(text, most):
    steps = bpe.model.steps(text, bpe.merges())
    joined = bpe.model.joined_steps(steps, most)
    assert len(joined) == min(len(steps), most) and (joined[0], joined[-1].pieces) == (steps[0], steps[-1].pieces)
    assert [merge for step in joined for merge in step.merges] == bpe.touching(text, bpe.merges())
    assert {step.pieces for step in joined} <= {step.pieces for step in steps}


def test_neighbours_with_the_fewest_merges_share_a_row():
    one, two, three = bpe.merges()[0], bpe.merges()[1:3], bpe.merges()[3:6]
    steps = tuple(bpe.model.Step(tuple(run), (str(n),)) for n, run in enumerate(((), three, (one,), two)))
    assert bpe.model.joined_steps(steps, 3) == (steps[0], steps[1], bpe.model.Step((one, *two), ("3",)))
    assert bpe.model.joined_steps(steps, 4) == steps and len(bpe.model.joined_steps(steps, 1)) == 2
    steps = tuple(bpe.model.Step(tuple(run), (str(n),)) for n, run in enumerate(((), two, (one,), three)))
    assert bpe.model.joined_steps(steps, 3) == (steps[0], bpe.model.Step((*two, one), ("2",)), steps[3])


def test_of_a_long_run_of_merges_the_first_and_the_last_are_named():
    run = [bpe.model.Merge(n, (" ", letter), 1) for n, letter in enumerate("abcde", 1)]
    assert bpe.tables.merge_names(run[:4]) == "1 ␣+a · 2 ␣+b · 3 ␣+c · 4 ␣+d"
    assert bpe.tables.merge_names(run) == "1 ␣+a · 2 ␣+b · … · 5 ␣+e"


def test_a_long_phrase_names_few_merges_and_each_id_once(monkeypatch):
    with_records(monkeypatch, "phrases", data.changed(pieces.phrases(), example="o gato subiu no telhado e o gato no sofá"))
    table = bpe.merge_table().texts()
    assert len(table) == bpe.tables.ROWS and table[-1][2] == str(bpe.piece_count().value)
    assert max(row[0].count(" · ") for row in table) == bpe.tables.NAMED - 1 and any(" · … · " in row[0] for row in table)
    assert bpe.id_list().text.split(", ").count("␣gato = 2") == 1


# What the source publishes


def test_slide_7_table():
    merged = published("deck", 7, "merges")
    after = published("deck", 7, "pieces_after")
    strings = published("deck", 7, "strings")
    table = bpe.merge_table()
    assert [row[0] for row in table.texts()] == [
        "início: caracteres",
        *(" · ".join(f"{n} {merged[n]}" for n in run) for run in ((1, 2, 3, 4), (8, 9, 10), (13,), (40, 41))),
    ]
    assert [spaced(step.pieces) for step in bpe.model.steps(pieces.example(), bpe.merges())] == list(strings.values())
    assert [row[2] for row in table.texts()] == [str(many) for many in after.values()]
    assert [row[1] for row in table.texts()] == list(strings.values())
    assert {
        merge.number: f"{visible(merge.pair[0])}+{visible(merge.pair[1])}" for merge in bpe.merges() if merge.number in merged
    } == merged


def test_slide_7_corpus():
    assert bpe.sentence_count().value == published("deck", 7, "corpus", "sentences")
    assert bpe.character_count().value == published("deck", 7, "corpus", "characters")
    assert bpe.merge_count().value == published("deck", 7, "corpus", "merges")
    assert published("deck", 7, "corpus", "contains_subiu") is False
    assert bpe.new_word_in_corpus().text == "não está nele"


def test_slide_7_vocabulary():
    assert bpe.vocabulary_count().value == published("deck", 7, "toy", "tokens")
    assert list(bpe.ids().value) == published("deck", 7, "toy", "ids")
    assert bpe.ids().text == "[0, 2, 4, 5, 1]"
    id_of = published("deck", 7, "toy", "id_of")
    assert bpe.id_list().text == ", ".join(f"{piece} = {id}" for piece, id in id_of.items())


def test_slide_7_notes():
    some = published("deck", 7, "in_notes", "merges_that_touch_the_phrase")
    all = published("deck", 7, "in_notes", "of")
    assert bpe.touching_share().text == f"só {some} das {all} fusões"
    assert bpe.new_word_piece_count().text == "dois"
    assert bpe.new_word_origins().text == "␣sub (de subir) e iu (de dormiu, fugiu)"


def test_slide_8():
    assert bpe.start_count().value == published("deck", 8, "characters")
    assert bpe.piece_count().value == published("deck", 8, "pieces")
    assert list(bpe.ids().value) == published("deck", 8, "ids")
    assert bpe.piece_count("english").value == published("deck", 8, "english_pieces")
    assert text_of(bpe.case_word_pieces("bird")) == published("deck", 8, "passaro", "pieces")
    assert text_of(bpe.added_by_roof()) == "␣telhado ."
    assert bpe.added_by_roof().text.markdown == "[␣telhado]{.token} e [.]{.token}"


def test_slide_8_letters_without_an_id():
    """The source says that none of them has one; the final o is a token of its own, id 0, and the notes say so."""
    assert published("deck", 8, "passaro", "without_id") == "all"
    ids = bpe.to_ids(bpe.case_word_pieces("bird").value, bpe.vocabulary())
    assert [id is None for id in ids] == [True] * 7 + [False] and ids[-1] == 0
    assert bpe.case_word_ids("bird").text == "só há id para “o” entre os 12 tokens"


# Words that depend on numbers, and inputs that flip each


def test_the_new_word_in_a_corpus_that_has_it():
    corpus = ("o gato subiu.",)
    assert (bpe.new_word_in_corpus(corpus).text, bpe.new_word_in_corpus().text) == ("está nele", "não está nele")
    assert (bpe.new_word_was_seen(corpus).text, bpe.new_word_was_seen().text) == ("já esteve", "nunca esteve")


def test_a_longer_word_around_it_is_another_word():
    assert bpe.new_word_in_corpus(("subiua",)).text == "não está nele"


def test_only_is_said_of_less_than_half():
    assert bpe.touching_share(of=4).text == "4 das 4 fusões"
    assert bpe.touching_share(text="z").text == "só 0 das 41 fusões"


@pytest.mark.parametrize(
    ("case", "ids", "grain"),
    [
        ("roof", "com id entre os 12 tokens", "em pedaços"),
        ("bird", "só há id para “o” entre os 12 tokens", "letra a letra"),
        ("english", "sem id entre os 12 tokens", "em pedaços"),
    ],
)
def test_the_word_pointed_at(case, ids, grain):
    assert bpe.case_word_ids(case).text == ids
    assert bpe.case_word_grain(case).text == grain


def test_every_word_of_the_toy_vocabulary_is_a_piece_that_the_corpus_teaches():
    made = {merge.piece for merge in bpe.merges()} | set("".join(bpe.toy().corpus))
    assert set(bpe.vocabulary()) <= made


# The picture says in words what it draws


def test_chips_of_a_long_phrase_are_smaller_and_stay_inside(monkeypatch):
    phrase = "uma professora subiu devagar matérias novas para as turmas"
    with_records(monkeypatch, "phrases", data.changed(pieces.phrases(), example=phrase))
    (axes,) = bpe.opening_state().figure.axes
    chips = [patch for patch in axes.patches if patch.get_height() < 62 and patch.get_y() > 308 + 10]
    assert len(chips) == len(phrase) and len({round(chip.get_y()) for chip in chips}) == 2
    assert max(chip.get_x() + chip.get_width() for chip in chips) <= 1152
    sizes = {text.get_fontsize() for text in axes.texts if text.get_text() in ("p", "␣")}
    assert min(sizes) >= SIZES.figure_small


def test_chips_stand_in_a_row_by_hand():
    """At 34 pixels a letter takes 20.4 and a box's edges 46; at half of that its letters a half, its edges a quarter."""
    one, three = bpe.drawing.laid_out(("o", " no"), 34)
    assert one == ("o", 0, 1, pytest.approx(20.4 + 46)) and three == (" no", 0, pytest.approx(1 + 66.4 + 10), pytest.approx(61.2 + 46))
    assert bpe.drawing.laid_out(("o", " no"), 17)[1] == (" no", 0, pytest.approx(1 + 10.2 + 11.5 + 5), pytest.approx(30.6 + 11.5))


def test_a_chip_that_just_fits_stays_in_its_row_and_a_row_in_its_picture(monkeypatch):
    letters = ("o", "o", "o")
    ends = [left + wide for *_, left, wide in bpe.drawing.laid_out(letters, 34)]
    for width, rows in ((ends[2], [0, 0, 0]), (ends[2] - 0.1, [0, 0, 1]), (ends[1] - 0.1, [0, 1, 2])):
        monkeypatch.setattr(bpe.drawing, "CHIPS", (width, 72 * (rows[-1] + 1)))
        placed = bpe.drawing.laid_out(letters, 34)
        assert [row for _, row, *_ in placed] == rows and {left for _, row, left, _ in placed if row} <= {1}
        assert bpe.drawing.fits(letters, 34)
        monkeypatch.setattr(bpe.drawing, "CHIPS", (width, 72 * (rows[-1] + 1) - 0.1))
        assert not bpe.drawing.fits(letters, 34)


def test_opening_state():
    picture = bpe.opening_state()
    drawn = [text.get_text() for text in picture.figure.axes[0].texts]
    assert "fusão 0 de 41" in drawn and "15 pedaços" in drawn
    assert [text for text in drawn if len(text) == 1 and text not in "0123456789"] == [visible(c) for c in pieces.example()]
    first = bpe.merges()[0]
    assert f"{visible(first.pair[0])}+{first.pair[1]} {first.times} vezes" in picture.alt
    assert picture.alt.startswith("Fusão 0 de 41. A frase em 15 pedaços: o ␣ g a t o ␣ s u b i u ␣ n o.")


def test_only_some_means_fewer_than_half() -> None:
    learnt = bpe.merges()
    touched = bpe.touching(pieces.example(), learnt)
    assert [merge.number for merge in touched] == [1, 2, 3, 4, 8, 9, 10, 13, 40, 41]
    assert str(bpe.touching_share(of=8)) == "5 das 8 fusões" and str(bpe.touching_share(of=10)) == "7 das 10 fusões"
    assert str(bpe.touching_share(of=16)) == "8 das 16 fusões" and str(bpe.touching_share(of=17)) == "só 8 das 17 fusões"


@pytest.mark.parametrize(("word", "holds"), [("subiu", True), ("gato", False), ("xis", False)])
def test_only_a_word_that_was_not_learnt_is_made_of_what_was(word, holds):
    assert bpe.new_word_is_made_of_known_pieces.check(word).holds == holds
