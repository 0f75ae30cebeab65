"""The example worked by hand: "sentei · banco · praça" in two dimensions, its four steps, and the sense that comes out.

Read `model` first: the records and the four steps. `numbers`, `words`, `tables` and `drawing` are what slides show of
them, `claims` the sentences that hang on them.
"""

from figures.hand_example.claims import (
    asks_announces_and_gives_apart as asks_announces_and_gives_apart,
    leaves_with_a_new_vector as leaves_with_a_new_vector,
    likeness_decides as likeness_decides,
    other_input_other_weights as other_input_other_weights,
    places_play_no_part as places_play_no_part,
)
from figures.hand_example.drawing import opening_state as opening_state, words_of_the_simulator as words_of_the_simulator
from figures.hand_example.model import (
    Experiment as Experiment,
    example as example,
    sense as sense,
    steps as steps,
    undecided as undecided,
    verdict_of as verdict_of,
)
from figures.hand_example.numbers import (
    dimension_count as dimension_count,
    dimensions as dimensions,
    exponential as exponential,
    key_count as key_count,
    output as output,
    query as query,
    root as root,
    scaled as scaled,
    sentence_count as sentence_count,
    step_count as step_count,
    token_count as token_count,
    total as total,
    value as value,
    weight as weight,
    weight_sum as weight_sum,
    zero as zero,
)
from figures.hand_example.tables import example_table as example_table, four_steps as four_steps
from figures.hand_example.words import (
    asking as asking,
    by_token as by_token,
    entered as entered,
    meaning as meaning,
    neighbours as neighbours,
    sentence as sentence,
    tokens as tokens,
    tried_change as tried_change,
    tried_even as tried_even,
    tried_leaves as tried_leaves,
    tried_moves as tried_moves,
    tried_token as tried_token,
    tried_verdict as tried_verdict,
    tried_weights as tried_weights,
    verdict as verdict,
)
