"""How far a gradient travels back in time: a plain RNN, the path through an LSTM's cell, and attention.

Read `model` first; `paths`, `claims` and `drawing` are what slides show of it.
"""

from figures.recurrence.claims import *
from figures.recurrence.drawing import *
from figures.recurrence.model import *
from figures.recurrence.paths import *
