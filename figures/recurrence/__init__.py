"""How far a gradient travels back in time: a plain RNN, the path through an LSTM's cell, and attention.

Read `model` first; `paths` and `drawing` are what slides show of it.
"""

from figures.recurrence.drawing import decay as decay, NAMES as NAMES, words_of_paths as words_of_paths, opening_state as opening_state
from figures.recurrence.model import (
    attention_path as attention_path,
    product_path as product_path,
    records as records,
    rnn_path as rnn_path,
)
from figures.recurrence.paths import (
    attention as attention,
    attention_is_even as attention_is_even,
    attention_leads_from as attention_leads_from,
    attention_overtakes_the_lstm as attention_overtakes_the_lstm,
    attention_reaches_further as attention_reaches_further,
    decays_exponentially as decays_exponentially,
    factor as factor,
    factor_depends_on_the_state as factor_depends_on_the_state,
    factor_left as factor_left,
    forget as forget,
    gate_helps_and_still_decays as gate_helps_and_still_decays,
    lstm as lstm,
    lstm_has_a_better_constant as lstm_has_a_better_constant,
    paper as paper,
    paper_year as paper_year,
    product_can_grow as product_can_grow,
    reach as reach,
    rnn as rnn,
    scale as scale,
    tokens as tokens,
)
