"""The lab's ten checkpoints: for each, what is right and what every known mistake gives, all from figures/.

What is right comes from the very functions that the deck's "Laboratório, seção k" numbers come from. A module holds the
checkpoints of a section or of sections alike; `verdicts` tells which belong to which section, and judges an answer. With a
seed the same functions are tried on other numbers, which no notebook has seen: that is how a folder of notebooks is graded.
"""

from figures.lab.checks.caching import cache as cache
from figures.lab.checks.cost import bill as bill, longest as longest, score_bytes as score_bytes
from figures.lab.checks.grouping import grouped as grouped, grouped_count as grouped_count, heads as heads
from figures.lab.checks.masking import as_mask as as_mask, masks as masks
from figures.lab.checks.position import order as order
from figures.lab.checks.scores import all_queries as all_queries, dictionary as dictionary, scaling as scaling
from figures.lab.checks.teaching import teach as teach
from figures.lab.checks.verdicts import PARTS as PARTS, checked as checked, parts_of as parts_of
from figures.lab.checks.way_back import way_back as way_back
