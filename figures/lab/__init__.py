"""The lab: what it gives its students, what is right, what its text and the deck say of it.

Read `sections` first, then `inputs` (what students are given), `checks` (what is right) and `student` (what their notebook
imports); `prose` is what the lab's own text says, `generation` and `training` run the models of its last two sections.
"""

from figures.lab.sections import *
