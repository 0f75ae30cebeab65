"""The records of the masks: the kinds and how they are drawn, the lab's two draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from figures.kit import data


class Scheme(data.Record):
    """A kind of mask, and who says what it forbids and where it is used: that stands in words."""

    id: Literal["causal", "padding", "sliding", "document"]
    source: str


class Drawn(data.Record):
    """How the four masks are drawn: size of the matrix, real tokens, window, the document of each token."""

    tokens: Annotated[int, msgspec.Meta(ge=1, le=32)]  # cells of a small drawing
    real: data.Positive
    window: data.Positive
    documents: tuple[int, ...]

    def faults(self) -> Iterator[str]:
        if self.real > self.tokens:
            yield f"{self.real} of {self.tokens} tokens can't be real"
        if len(self.documents) != self.tokens:
            yield f"`documents` tells the document of {len(self.documents)} tokens, and there are {self.tokens}"


class Lab(data.Record):
    """The lab's two draws, how many zero rows are appended, and from what difference on a row has changed."""

    last_token: str
    padding: str
    rows_padded: data.Positive
    moved_above: data.Above
    source: str


class Masks(data.Record):
    """`data/masks.yml`: how the phrase goes on, the kinds of mask, how they are drawn, what the lab measures."""

    continuation: str
    schemes: tuple[Scheme, ...]
    drawn: Drawn
    lab: Lab


def records() -> Masks:
    """The records, as `data/masks.yml` has them."""
    return data.load("masks", Masks)
