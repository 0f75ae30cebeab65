"""Single values and texts on a page: a number or a word, the same in a formula, a block of Markdown, a listing of code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from figures.kit import formats, ledger
from figures.kit.formats import Format
from figures.kit.jupyter import by_hand
from figures.kit.marks import FENCE, mark, mark_in_formula
from figures.kit.markup import Markup, markdown
from figures.kit.origin import Origin

V = TypeVar("V")


@dataclass(frozen=True)
class Shown(Generic[V]):
    """One value as the page shows it: `.value` is raw, `.text` what a reader sees, `.tex` the same inside a formula.

    Displayed on a page it is entered in the ledger and marked with its number there.
    """

    value: V
    format: Format
    origin: Origin

    @property
    def text(self) -> str:
        return self.format(self.value)

    @property
    def tex(self) -> Formula:
        """The value for use between dollar signs."""
        return Formula(self)

    def to(self, format: Format) -> Shown[V]:
        """The same value in another format."""
        return replace(self, format=format)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """As a reader sees it, in plain spaces, so that a docstring's example reads like the page: `0,620`."""
        return self.text.replace(formats.NBSP, " ")

    def _repr_markdown_(self) -> str:
        if by_hand():
            return markdown(self.text)
        what = "word" if self.format.name == "text" else "number"
        return mark(self.text, ledger.add(what, self.value, self.text, self.origin, self.format.name, self.format.unit))


@dataclass(frozen=True)
class Formula:
    """A shown value inside a formula."""

    shown: Shown[Any]

    def __str__(self) -> str:
        return formats.to_tex(self.shown.text)

    def _repr_markdown_(self) -> str:
        shown = self.shown
        if by_hand():
            return str(self)
        n = ledger.add("formula", shown.value, shown.text, shown.origin, shown.format.name, shown.format.unit)
        return mark_in_formula(str(self), n)


@dataclass(frozen=True)
class Markdown:
    """Text that is already Markdown, displayed as it is; what a `@block` function returns is entered in the ledger."""

    text: str
    origin: Origin | None = None

    def __post_init__(self) -> None:
        if isinstance(self.text, Markup):
            object.__setattr__(self, "text", self.text.markdown)

    def __str__(self) -> str:
        return Markup(self.text)

    def _repr_markdown_(self) -> str:
        if not self.origin or by_hand():
            return self.text
        n = ledger.add("text", self.text, self.text.strip(), self.origin)
        return f'\n::: {{.block n="{n}"}}\n{self.text}\n:::\n'


@dataclass(frozen=True)
class Listing:
    """A few lines of code for readers; what they state as their result was computed."""

    text: str
    language: str = "python"
    origin: Origin | None = None

    def _repr_markdown_(self) -> str:
        n = ledger.add("listing", self.text, self.text, self.origin) if self.origin and not by_hand() else 0
        opening, closing = (f'::: {{.listing n="{n}"}}\n', "\n:::") if n else ("", "")
        return f"\n{opening}{FENCE}{self.language}\n{self.text}\n{FENCE}{closing}\n"
