"""The chapter "Query, Key, Value": its place in the course, its two scripts as run, and the chain of the example by hand.

The numbers of its sections are hand_example's, running_example's, shapes' and scaling's; here stands only what the
chapter alone says of them.
"""

from figures.chapter.claims import looks_at_the_verb as looks_at_the_verb, survives_the_mask as survives_the_mask
from figures.chapter.course import (
    neighbours as neighbours,
    page as page,
    step as step,
    step_after as step_after,
    step_before as step_before,
    steps as steps,
)
from figures.chapter.drawing import chain as chain
from figures.chapter.matrices import by_hand as by_hand, chain_of as chain_of, product as product, scaled as scaled, weights as weights
from figures.chapter.scripts import script as script, script_lines as script_lines
