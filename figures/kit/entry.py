"""One entry of a page's ledger, as a typed record: the schema of the ledger's file is made from it, and all who read it read this.

What differs between the kinds of entries is their `value`: a number in full, a table with its cells, what a figure draws.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Meta

from figures.kit.origin import Kind, Known

Version = Literal[1]
VERSION: Version = get_args(Version)[0]
Raw = None | bool | int | float | str | list[Any] | dict[str, Any]  # whatever JSON can hold
IN_NOTES = Meta(description="Whether it stands in the speaker's notes")
Cell = None | bool | int | float | str | list[Any] | Known


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what an entry is made of: its keys are all there, and no others."""


class Argument(Part):
    name: str
    value: Any


class Seed(Part):
    """The seed that a random draw started from, with the data file that names it."""

    file: str
    seed: int


class Slide(Part):
    """A slide of a deck, or a section of a page to read, counted from 1."""

    id: str
    number: int


class Heading(Part):
    """A table's column: the format of its cells, and the unit of their raw values."""

    heading: str
    format: str
    unit: str


class Cells(Part):
    """A table: its raw values row by row, and the same cells as a reader sees them."""

    columns: list[Heading]
    rows: list[list[Cell]]
    texts: list[list[str]]
    caption: str

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.texts) or {*map(len, self.rows), *map(len, self.texts)} - {len(self.columns)}:
            raise ValueError(f"its rows and texts are not {len(self.columns)} cells each")


class Drawing(Part):
    """A figure by its data: what each of its axes draws, the texts it shows, its size in points."""

    size: list[float]
    axes: list[dict[str, list[Any]]]
    texts: list[str]
    caption: str


class State(Part):
    """A simulator as it opens, the result of that, and a digest of all that it offers."""

    opening: dict[str, Any]
    result: dict[str, Any]
    offered: str


class Entry(Part, kw_only=True, tag_field="what", tag=str.lower):
    """One thing that a page shows."""

    n: Annotated[int, Meta(description='Its mark on the page, data-n="7"; row 2, column 3 of table 7 is "7-2-3"')]
    id: Annotated[str, Meta(description="Call and format; equal ids show equal texts on every page, claims aside")]
    kind: Kind
    value: Any
    text: Annotated[str, Meta(description="As shown; of a figure its alternative text, of a claim its sentence")]
    unit: Annotated[str, Meta(description='Of the raw value ("B", "ms"), empty for a pure number')]
    format: Annotated[str, Meta(description="Name of the format that made the text, empty where there is none")]
    function: Annotated[str, Meta(description="Who made it, as slides call it")]
    arguments: Annotated[list[Argument], Meta(description="By name, in the order of the parameters")]
    file: Annotated[str, Meta(description="Where the function is written, from the project's folder on")]
    line: int
    data: Annotated[list[str], Meta(description="Files of data/ that were read on the way")]
    records: Annotated[list[str], Meta(description="Records of them that were picked by name")]
    fields: Annotated[list[str], Meta(description="Fields of them that were read")]
    seeds: list[Seed]
    note: Annotated[str, Meta(description="The source of a fact; hardware, versions and date of a measurement")]
    # Where it stands: known once the page is finished.
    slide: Slide = UNSET  # type: ignore[assignment]
    notes: bool = UNSET  # type: ignore[assignment]
    name: Annotated[str, Meta(description='Its short name, "14.7": the seventh thing made for slide 14')] = UNSET  # type: ignore[assignment]

    @property
    def what(self) -> str:
        """The kind of thing, such as "number" or "table"."""
        return str(self.__struct_config__.tag)

    @property
    def call(self) -> str:
        """The call as it would be typed, without the format: `some_topic.weight('a')`."""
        return self.id.removesuffix(f":{self.format}") if self.format else self.id

    @property
    def sources(self) -> list[Known]:
        """The facts and measurements that it rests on; of a table those of its cells too."""
        return [] if self.kind == "computed" else [Known(self.value, self.kind, self.note)]


class Number(Entry, kw_only=True):
    """A number in the text; its value is raw, with every digit. A vector's is a list."""

    value: Raw


class Word(Entry, kw_only=True):
    """A word or phrase that numbers choose."""

    value: Raw


class Text(Entry, kw_only=True):
    """A block of text, such as a list."""

    value: str


class Formula(Entry, kw_only=True):
    """A number inside a formula."""

    value: Raw


class Listing(Entry, kw_only=True):
    """Lines of code."""

    value: str


class Table(Entry, kw_only=True):
    """A table, each of whose cells is a value of its own."""

    value: Cells

    @property
    def sources(self) -> list[Known]:
        return [*super().sources, *(cell for row in self.value.rows for cell in row if isinstance(cell, Known))]


class Figure(Entry, kw_only=True):
    """A figure, by what it draws."""

    value: Drawing


class Simulator(Entry, kw_only=True):
    """A simulator, by the state in which it opens."""

    value: State


class Claim(Entry, kw_only=True):
    """The check of a sentence; its value holds what decides it, and `"holds": false` where it failed."""

    value: dict[str, Any]

    @property
    def holds(self) -> bool:
        return self.value.get("holds") is not False


AnyEntry = Number | Word | Table | Figure | Simulator | Listing | Text | Formula | Claim


def _placed(kind: type[Entry]) -> type[msgspec.Struct]:
    """The same kind of entry where its place must be known, as in the ledger's file."""
    place = [("slide", Slide), ("notes", Annotated[bool, IN_NOTES])]
    return msgspec.defstruct(kind.__name__, place, bases=(kind,), namespace={"__doc__": kind.__doc__})


if TYPE_CHECKING:
    PlacedEntry: TypeAlias = AnyEntry
else:
    PlacedEntry = reduce(or_, map(_placed, get_args(AnyEntry)))


class PageLedger(Part, kw_only=True):
    """What the last cell leaves in a page: the entries, with the words and the address that their cards need."""

    version: Version
    repository: str = ""
    words: dict[str, Any] = {}
    entries: list[AnyEntry]


class Ledger(Part, kw_only=True):
    """The ledger of a page: all that it shows, in the order in which it was made."""

    version: Annotated[Version, Meta(description="Of this format; another one is refused")]
    page: Annotated[str, Meta(description="File name of the page")]
    entries: list[PlacedEntry]


def schema() -> dict[str, Any]:
    """The JSON Schema of the ledger's file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Ledger)}
