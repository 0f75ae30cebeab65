"""Multi-head attention is a reshape: shapes, parameters, and the two-head example line by line.

Read `model` first; `layer_sizes`, `two_heads` and `drawing` are what slides show of it.
"""

from figures.multihead.drawing import *
from figures.multihead.layer_sizes import *
from figures.multihead.model import *
from figures.multihead.two_heads import *
