"""Pictures: a drawn figure with the text that stands for it, on the page as SVG, in the ledger by its data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from figures.kit import ledger, paper_picture, targets
from figures.kit.errors import Problem
from figures.kit.files import data_uri
from figures.kit.jupyter import by_hand
from figures.kit.marks import FENCE, css_name
from figures.kit.markup import markdown
from figures.kit.origin import Origin
from figures.kit.show.behind import details
from figures.kit.show.drawn import cut_off, drawn
from figures.kit.show.svg import svg_text, texts_of
from figures.kit.show.tables import Table
from figures.kit.speech import of_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """A drawn figure with the text that stands for it; `caption` is shown below it.

    What the edge of its axes would cut off is refused, unless `cut` says that the picture is to show a part. `values` are the
    tables of what it draws, offered beside it on a page: empty where its words say all that it shows. Where they are left out,
    the build names the picture.
    """

    figure: Figure
    alt: str
    caption: str = ""
    origin: Origin | None = None
    cut: bool = False
    values: Sequence[Table] | None = None

    @property
    def said(self) -> str:
        """The text that stands for it, its signs in words: what a voice says."""
        return of_text(self.alt)

    def svg(self, text_as_text: bool = True) -> str:
        """The figure as one `<svg>` element, the same bytes each time, ids made unique by the figure's name."""
        return svg_text(self.figure, self.origin.name if self.origin else "figure", text_as_text)

    def _repr_svg_(self) -> str | None:
        """For Jupyter alone: letters as shapes on the page's ground, since neither its fonts nor its paper is there."""
        if not by_hand():
            return None
        from figures.kit.style import COLOURS

        return self.svg(text_as_text=False).replace("<svg ", f'<svg style="background:{COLOURS.ground}" ', 1)

    def _repr_markdown_(self) -> str | None:
        if by_hand():
            return None
        name = css_name(self.origin.name) if self.origin else "figure"
        inline = self.svg().replace("<svg ", f'<svg role="img" aria-label="{_attribute(self.said)}" ', 1)
        for what in () if self.cut else cut_off(self.figure):
            remedy = "Give the axis limits that hold its data; where it is to show a part, say `cut=True` of the Picture"
            raise Problem(f"the picture {self.origin.name if self.origin else name}", what, remedy)
        content = {**drawn(self.figure), "texts": texts_of(inline), "caption": self.caption}
        n = ledger.add("figure", content, self.said, self.origin) if self.origin else 0
        marked = f' n="{n}"' if n else ""
        caption = f"\n{markdown(self.caption)}\n" if self.caption else ""
        shown = "".join(self._for(format, inline) for format in targets.formats() or (targets.HTML[0], ""))
        unsaid = " .without-values" if self.values is None and self.origin else ""
        return f"\n:::: {{.figure .figure-{name}{unsaid}{marked}}}\n{shown}{caption}::::\n"

    def _for(self, format: str, inline: str) -> str:
        """What one format shows: a page or notebook the `<svg>` itself, any other a picture of the kind that it can hold."""
        condition = f'when-format="{format}"' if format else f'unless-format="{targets.HTML[0]}"'
        if format in (*targets.HTML, targets.NOTEBOOK):
            offered = details(self.values) if self.values and format != targets.NOTEBOOK else ""
            body = f"{FENCE}{{=html}}\n{inline}{offered}\n{FENCE}"
        else:
            kind = paper_picture.kind(format)
            file = data_uri(paper_picture.drawn(self.figure, kind, self.svg(text_as_text=False)), paper_picture.MIME[kind])
            pixels = self.figure.get_size_inches()[0] * 72
            body = f'![]({file}){{fig-alt="{_attribute(self.said)}" pixels="{pixels:g}"}}'
        return f"::: {{.content-visible {condition}}}\n{body}\n:::\n"


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace("\n", " ")
