"""The running example: "o gato subiu no" through one head, from X to its new vectors.

Read `model` first; `sizes`, `norm`, `queries`, `weights` and `drawing` are what the chapter shows of it.
"""

from figures.running_example.drawing import *
from figures.running_example.model import *
from figures.running_example.norm import *
from figures.running_example.queries import *
from figures.running_example.sizes import *
from figures.running_example.weights import *
