"""Multi-head attention is a reshape: shapes, parameters, and the two-head example line by line.

Read `model` first; `layer_sizes`, `two_heads` and `drawing` are what slides show of it.
"""

from figures.multihead.drawing import opening_state as opening_state
from figures.multihead.layer_sizes import (
    d as d,
    head_list as head_list,
    matrix_count as matrix_count,
    parameters as parameters,
    same_for_every_h as same_for_every_h,
    shapes as shapes,
    shapes_hold as shapes_hold,
)
from figures.multihead.model import (
    example as example,
    head_count as head_count,
    merge as merge,
    parameter_count as parameter_count,
    split as split,
)
from figures.multihead.two_heads import (
    causal_output as causal_output,
    causal_verdict as causal_verdict,
    equal_keys_weight as equal_keys_weight,
    example_d as example_d,
    example_h as example_h,
    first_output as first_output,
    first_sees_itself_alone as first_sees_itself_alone,
    first_token as first_token,
    lost_to_the_mask as lost_to_the_mask,
    one_head_h as one_head_h,
    one_head_root as one_head_root,
    one_head_weights as one_head_weights,
    one_row_points_at_less as one_row_points_at_less,
    second_head_looks_at as second_head_looks_at,
    second_head_weight as second_head_weight,
    token_count as token_count,
)
