"""Checkpoints: a student's answer, tried on probes and judged against what is right and what is known to go wrong.

Read `parts` first, then `calling` (how a student's function is run), `judging` (what its replies are) and `verdict` (how that
shows); `facts` and `errors` put into words what no one foresaw.
"""

from figures.kit.checkpoints.calling import (
    NotMade as NotMade,
    Stopped as Stopped,
    called as called,
    gaps as gaps,
    is_blank as is_blank,
    stopped as stopped,
)
from figures.kit.checkpoints.errors import told as told
from figures.kit.checkpoints.judging import judge as judge, judged as judged, refuse_blank as refuse_blank
from figures.kit.checkpoints.parts import (
    BLANK as BLANK,
    RIGHT as RIGHT,
    UNFIT as UNFIT,
    Finding as Finding,
    Output as Output,
    Part as Part,
    Probe as Probe,
    Rule as Rule,
    Unfit as Unfit,
)
from figures.kit.checkpoints.reading import within as within
from figures.kit.checkpoints.verdict import Verdict as Verdict, of_findings as of_findings, verdict as verdict
