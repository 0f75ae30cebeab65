"""Byte-pair encoding on a toy corpus, merge by merge.

Read `model` first; `numbers`, `unseen`, `other_texts`, `tables` and `drawing` are what slides show of it.
"""

from figures.bpe.drawing import *
from figures.bpe.model import *
from figures.bpe.numbers import *
from figures.bpe.other_texts import *
from figures.bpe.tables import *
from figures.bpe.unseen import *
