"""Why scores are divided by √d_k: the argument on variances, and the lab's measurement with and without it.

Read `model` first. `numbers` and `drawing` are what slides show of it, `claims` the sentences that hang on it.
"""

from figures.scaling.claims import *
from figures.scaling.drawing import *
from figures.scaling.model import *
from figures.scaling.numbers import *
