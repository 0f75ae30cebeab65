"""The lab: what it gives its students, what is right, what its text and the deck say of it."""

from figures.lab.sections import (
    code as code,
)
from figures.lab.sections import (
    first_column as first_column,
)
from figures.lab.sections import (
    heading as heading,
)
from figures.lab.sections import (
    hours as hours,
)
from figures.lab.sections import (
    notebook as notebook,
)
from figures.lab.sections import (
    qr as qr,
)
from figures.lab.sections import (
    records as records,
)
from figures.lab.sections import (
    second_column as second_column,
)
from figures.lab.sections import (
    section as section,
)
from figures.lab.sections import (
    section_count as section_count,
)
