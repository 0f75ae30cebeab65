"""The simulators of the slides, bound to Python: `simulators.banco()` in a cell puts one on the page, or any other below.

Each module is one simulator: what it offers, what its model must compute, how its states are drawn.
"""

from figures.simulators.banco import banco as banco
from figures.simulators.bpe import bpe as bpe
from figures.simulators.cache import cache as cache
from figures.simulators.chain import chain as chain
from figures.simulators.gradient import gradient as gradient
from figures.simulators.matrix import matrix as matrix
from figures.simulators.multihead import multihead as multihead
from figures.simulators.running import running as running
