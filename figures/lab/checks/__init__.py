"""The lab's ten checkpoints: for each, what is right and what every known mistake gives, all from figures/.

What is right comes from the very functions that the deck's "Laboratório, seção k" numbers come from. A module holds the
checkpoints of a section or of sections alike; `verdicts` tells which belong to which section, and judges an answer. With a
seed the same functions are tried on other numbers, which no notebook has seen: that is how a folder of notebooks is graded.
"""

from figures.lab.checks.caching import *
from figures.lab.checks.cost import *
from figures.lab.checks.grouping import *
from figures.lab.checks.masking import *
from figures.lab.checks.position import *
from figures.lab.checks.scores import *
from figures.lab.checks.teaching import *
from figures.lab.checks.verdicts import *
from figures.lab.checks.way_back import *
