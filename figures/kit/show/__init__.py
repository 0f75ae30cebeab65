"""What a page shows: raw values become Markdown here, and only here.

The decorators turn a function that returns raw values into one that a slide can call: `@number` (a value and its format),
`@word` (a word that numbers choose), `@table`, `@figure`, `@listing`, `@block`. What they return remembers its raw value and
the function that made it. Writes no file.
Where a person runs the cell in Jupyter, no page is made: values show as plain Markdown there, pictures as SVG.
"""

from figures.kit.jupyter import by_hand
from figures.kit.show.behind import matrix_table, numbered
from figures.kit.show.decorators import block, figure, listing, number, table, word
from figures.kit.show.pictures import Picture
from figures.kit.show.tables import Cell, Column, Table
from figures.kit.show.values import Formula, Listing, Markdown, Shown

__all__ = [
    "Cell",
    "Column",
    "Formula",
    "Listing",
    "Markdown",
    "Picture",
    "Shown",
    "Table",
    "block",
    "by_hand",
    "figure",
    "listing",
    "matrix_table",
    "number",
    "numbered",
    "table",
    "word",
]
