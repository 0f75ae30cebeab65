"""The whole n × n matrix of attention over a sentence, under four score functions.

Read `model` first; `heads` and `drawing` are what slides show of it.
"""

from figures.score_matrix.drawing import opening_state as opening_state, words_of_the_simulator as words_of_the_simulator
from figures.score_matrix.heads import (
    found_in_models as found_in_models,
    found_names as found_names,
    hardening as hardening,
    heads_score_as_told as heads_score_as_told,
    mask_hides_what_is_ahead as mask_hides_what_is_ahead,
    row_sum as row_sum,
    rows_sum_to_one as rows_sum_to_one,
)
from figures.score_matrix.model import State as State, records as records, undivided as undivided, vectors as vectors, weights as weights
