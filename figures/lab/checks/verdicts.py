"""The lab's ten checkpoints by section: which parts an answer has, and the verdict on it.

Texts are in data/words/checkpoints.yml; how an answer is judged is in kit/checkpoints.py.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from figures import lab
from figures.kit.checkpoints import UNFIT, Finding, Part, Rule, Verdict, verdict
from figures.kit.formats import count
from figures.kit.words import Words
from figures.lab.checks.caching import cache
from figures.lab.checks.cost import bill
from figures.lab.checks.grouping import heads
from figures.lab.checks.masking import masks
from figures.lab.checks.position import order
from figures.lab.checks.scores import all_queries, dictionary, scaling
from figures.lab.checks.teaching import teach
from figures.lab.checks.way_back import way_back

_words = Words("checkpoints")


def checked(section: object = None, answer: object = ...) -> Verdict:
    """The verdict on an answer to a section, by its number; whatever is handed in, nothing is raised."""
    numbered = parts_of(section)
    if numbered is None:
        which = _words("unfit.section", first=1, last=len(PARTS))
        return Verdict(_words("lab"), ("",), (Finding(UNFIT, which),))
    number, parts = numbered
    return verdict(_words("section", n=count()(number)), parts, answer)


def parts_of(section: object, seed: int | None = None) -> tuple[int, tuple[Part | Rule, ...]] | None:
    """A section's number and parts, None where there is no such section; a seed draws hidden probes.

    >>> parts_of(3)[0]
    3
    """
    if isinstance(section, bool) or not isinstance(section, (int, np.integer)) or not 1 <= section <= len(PARTS):
        return None
    return int(section), PARTS[lab.records().sections[int(section) - 1].id](seed)


PARTS: dict[str, Callable[..., tuple[Part | Rule, ...]]] = {
    "dictionary": dictionary,
    "all-queries": all_queries,
    "scaling": scaling,
    "backward": way_back,
    "masks": masks,
    "order": order,
    "multi-head": heads,
    "bill": bill,
    "cache": cache,
    "teach": teach,
}
