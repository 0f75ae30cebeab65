"""A piece of text that somebody typed for readers, with its place."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """A piece of one line that readers see, what is computed in it replaced by holes; `column` is that of its first character."""

    file: str
    line: int
    column: int
    text: str
    place: str  # id of the slide, key of the template, name of the function
    display: bool = False  # whether it begins inside a displayed formula
    variables: tuple[str, ...] = ()  # the names of the variables whose values stand in it; those are inputs of the course
    language: str = ""  # that of the document, or of the folder of words; of code the project's
    given: bool = False  # whether it says when the lecture is given, which is no result
