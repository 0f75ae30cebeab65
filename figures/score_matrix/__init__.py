"""The whole n × n matrix of attention over a sentence, under four score functions.

Read `model` first; `heads` and `drawing` are what slides show of it.
"""

from figures.score_matrix.drawing import *
from figures.score_matrix.heads import *
from figures.score_matrix.model import *
