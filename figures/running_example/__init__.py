"""The running example: "o gato subiu no" through one head, from X to its new vectors.

Read `model` first; `sizes`, `norm`, `queries`, `weights` and `drawing` are what the chapter shows of it.
"""

from figures.running_example.drawing import opening_state as opening_state
from figures.running_example.model import chain as chain, pieces as pieces, records as records, run as run, share_ahead as share_ahead
from figures.running_example.norm import centred as centred, normalised as normalised, sigma_by_hand as sigma_by_hand
from figures.running_example.queries import (
    columns_of as columns_of,
    keys_and_values as keys_and_values,
    picked as picked,
    projections as projections,
    q_last as q_last,
    u_last as u_last,
)
from figures.running_example.sizes import (
    d_k as d_k,
    first_token as first_token,
    gpt2_d_k as gpt2_d_k,
    gpt2_width as gpt2_width,
    head_count as head_count,
    last_token as last_token,
    phrase as phrase,
    shape_of as shape_of,
    tokens_count as tokens_count,
    width as width,
)
from figures.running_example.weights import (
    first_row_peak as first_row_peak,
    first_row_peak_token as first_row_peak_token,
    last_row as last_row,
    on_the_verb as on_the_verb,
    output_last as output_last,
    rows_that_look_ahead as rows_that_look_ahead,
    undivided_verdict as undivided_verdict,
    verb_pieces as verb_pieces,
    weights_last as weights_last,
    weights_last_undivided as weights_last_undivided,
)
