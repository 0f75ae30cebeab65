"""The KV cache: what a token leaves behind, how many bytes that is, and whether it fits beside the weights.

Read `records` and `arithmetic` first; `size`, `settings`, `heads` and `drawing` are what slides show of them. GB is 10⁹,
KiB 2¹⁰.
"""

from figures.kv_cache.arithmetic import *
from figures.kv_cache.drawing import *
from figures.kv_cache.heads import *
from figures.kv_cache.records import *
from figures.kv_cache.settings import *
from figures.kv_cache.size import *
from figures.kv_cache.sketches import *
from figures.kv_cache.units import *
