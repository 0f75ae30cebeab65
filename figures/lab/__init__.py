"""The lab: what it gives its students, what is right, what its text and the deck say of it.

Read `sections` first, then `inputs` (what students are given), `checks` (what is right) and `student` (what their notebook
imports); `prose` is what the lab's own text says, `generation` and `training` run the models of its last two sections.
"""

from figures.lab.sections import (
    code as code,
    first_column as first_column,
    heading as heading,
    hours as hours,
    notebook as notebook,
    qr as qr,
    records as records,
    second_column as second_column,
    section as section,
    section_count as section_count,
)
