"""The example worked by hand: "sentei · banco · praça" in two dimensions, its four steps, and the sense that comes out.

Read `model` first: the records and the four steps. `numbers`, `words`, `tables` and `drawing` are what slides show of
them, `claims` the sentences that hang on them.
"""

from figures.hand_example.claims import *
from figures.hand_example.drawing import *
from figures.hand_example.model import *
from figures.hand_example.numbers import *
from figures.hand_example.tables import *
from figures.hand_example.words import *
