"""Byte-pair encoding on a toy corpus, merge by merge.

Read `model` first; `numbers`, `unseen`, `other_texts`, `tables` and `drawing` are what slides show of it.
"""

from figures.bpe.drawing import opening_state as opening_state
from figures.bpe.model import (
    cut as cut,
    merges as merges,
    pair_counts as pair_counts,
    replay as replay,
    to_ids as to_ids,
    touching as touching,
    toy as toy,
    vocabulary as vocabulary,
    words as words,
)
from figures.bpe.numbers import (
    character_count as character_count,
    id_list as id_list,
    ids as ids,
    merge_count as merge_count,
    piece_count as piece_count,
    pieces as pieces,
    quoted_sentences as quoted_sentences,
    sentence_count as sentence_count,
    start_count as start_count,
    touching_share as touching_share,
    vocabulary_count as vocabulary_count,
)
from figures.bpe.other_texts import (
    added_by_roof as added_by_roof,
    case_text as case_text,
    case_word as case_word,
    case_word_grain as case_word_grain,
    case_word_ids as case_word_ids,
    case_word_pieces as case_word_pieces,
)
from figures.bpe.tables import merge_table as merge_table
from figures.bpe.unseen import (
    new_word as new_word,
    new_word_in_corpus as new_word_in_corpus,
    new_word_is_made_of_known_pieces as new_word_is_made_of_known_pieces,
    new_word_origins as new_word_origins,
    new_word_piece_count as new_word_piece_count,
    new_word_was_seen as new_word_was_seen,
)
