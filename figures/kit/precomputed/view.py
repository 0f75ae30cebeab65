"""What the function of a simulator returned for one state, sorted into its parts, as the page keeps it and as paper shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from figures.kit import ledger
from figures.kit.json_values import json_text
from figures.kit.marks import mark
from figures.kit.markup import Markup, markdown
from figures.kit.origin import Origin
from figures.kit.precomputed.kept import Kept
from figures.kit.show import Picture, Shown, Table
from figures.kit.show.svg import svg_text
from figures.kit.theme import THEME

ROOM = (780, 506)  # pixels that a picture has beside the controls on a slide, width and height

KINDS: dict[str, Any] = {"picture": Picture, "table": Table, "sentence": (str, Shown)}
REMEDY = "Return a Picture, a Table, a sentence, or several of them in a tuple"
_ESCAPED = re.compile(r"\\\W")  # a character of a text
_MARKDOWN = re.compile(r"[*`\\]|\](?=[({])")  # what pandoc would read, and the page's script does not


class Unfit(Exception):
    """A result that can't be shown: what is wrong with it, and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what, self.remedy = what, remedy


@dataclass(frozen=True)
class View:
    """One state's parts, of which at least one is there."""

    picture: Picture | None = None
    table: Table | None = None
    sentence: str = ""

    def kept(self, name: str) -> Kept:
        """The parts as texts; `name` keeps the picture's ids apart from those of others."""
        return Kept(
            words=self.picture.said if self.picture else "",
            svg=svg_text(self.picture.figure, name, text_as_text=True) if self.picture else "",
            table=json_text(self.table.plain()) if self.table else "",
            sentence=self.sentence,
        )

    def faults(self) -> Iterator[tuple[str, str]]:
        """What no page could show, each with its remedy."""
        if self.picture and not self.picture.alt.strip():
            yield "its picture has no words for who can't see it", "Give them: Picture(figure, alt)"
        if self.picture and any(size > room for size, room in zip(self._size(), ROOM)):
            size = "{:g} × {:g}".format(*self._size())
            yield f"its picture is {size} pixels large", f"Draw it on {ROOM[0]} × {ROOM[1]} or less: the controls stand beside it"
        headings = [column.heading for column in self.table.columns] if self.table else []
        cells = [cell for row in self.table.texts() for cell in row] if self.table else []
        for text in [self.sentence, *headings, *cells]:
            if _MARKDOWN.search(_ESCAPED.sub("", markdown(text)) if isinstance(text, Markup) else text):
                yield f"it says “{text}”, with Markdown in it", "Write plain words; a formula between dollars takes _k, ^x and √{x}"

    def _size(self) -> tuple[float, float]:
        """The width and height of the picture in pixels of the slide."""
        width, height = self.picture.figure.get_size_inches() * 72 if self.picture else (0, 0)
        return round(width), round(height)

    def result(self) -> dict[str, Any]:
        """What the ledger keeps of it."""
        texts = self.table.texts() if self.table else None
        return {"picture": self.picture.said if self.picture else None, "table": texts, "sentence": self.sentence}

    def on_paper(self, chosen: str, origin: Origin) -> str:
        """The chosen state in words, the sentence and the table beside the picture, each marked in the ledger."""

        def said(text: str, part: str) -> str:
            return f"\n{mark(text, ledger.add('word', text, text, replace(origin, part=part), 'text'))}\n" if text else ""

        part = replace(origin, part="picture")
        picture = replace(self.picture, origin=part, values=())._repr_markdown_() if self.picture else ""  # its table stands beside it
        table = replace(self.table, origin=replace(origin, part="table"))._repr_markdown_() if self.table else ""
        beside = said(chosen, "controls") + said(self.sentence, "sentence") + table
        if not picture:
            return beside
        share = round(100 * self._size()[0] / (THEME.sizes.width - 2 * THEME.sizes.margin))
        columns = ((100 - share, beside), (share, picture))
        return "\n::::: {.columns}\n" + "".join(map(_column, *zip(*columns))) + ":::::\n"


def _column(width: int, content: str) -> str:
    return f':::: {{.column width="{width}%"}}\n{content}\n::::\n\n'


def sorted_parts(returned: Any) -> View:
    """The parts of what a function returned: one of them, or several in a tuple; an Unfit for what no page can show.

    >>> sorted_parts("a sentence").sentence
    'a sentence'
    """
    fields: dict[str, Any] = {}
    for part in returned if isinstance(returned, tuple) else (returned,):
        name = next((name for name, kind in KINDS.items() if isinstance(part, kind)), None)
        if name is None:
            raise Unfit(f"it returns {type(part).__name__}", REMEDY)
        if name in fields:
            raise Unfit(f"it returns more than one {name}", REMEDY)
        fields[name] = part.text if isinstance(part, Shown) else part
    view = View(**fields)
    for what, remedy in view.faults():
        raise Unfit(what, remedy)
    return view
