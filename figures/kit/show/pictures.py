"""Pictures: a drawn figure with the text that stands for it, on the page as SVG, in the ledger by its data."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from figures.kit import ledger
from figures.kit.jupyter import by_hand
from figures.kit.marks import FENCE, css_name
from figures.kit.origin import Origin
from figures.kit.show.svg import svg_text, texts_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """A drawn figure with the text that stands for it; `caption` is shown below it."""

    figure: Figure
    alt: str
    caption: str = ""
    origin: Origin | None = None

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
        inline = self.svg().replace("<svg ", f'<svg role="img" aria-label="{_attribute(self.alt)}" ', 1)
        content = {**_drawn(self.figure), "texts": texts_of(inline), "caption": self.caption}
        n = ledger.add("figure", content, self.alt, self.origin) if self.origin else 0
        marked = f' n="{n}"' if n else ""
        paper = base64.b64encode(self.svg(text_as_text=False).encode()).decode()
        caption = f"\n{self.caption}\n" if self.caption else ""
        return (
            f"\n:::: {{.figure .figure-{name}{marked}}}\n"
            f'::: {{.content-visible unless-format="typst"}}\n{FENCE}{{=html}}\n{inline}\n{FENCE}\n:::\n'
            f'::: {{.content-visible when-format="typst"}}\n'
            f'![](data:image/svg+xml;base64,{paper}){{fig-alt="{_attribute(self.alt)}"}}\n:::\n{caption}::::\n'
        )


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace("\n", " ")


def _drawn(drawing: Figure) -> dict[str, Any]:
    """A figure by its data: the points of its lines, the values of its images and meshes, the sizes of its bars."""
    axes = [
        {
            "lines": [line.get_xydata() for line in ax.get_lines()],
            "images": [image.get_array() for image in ax.get_images()],
            "meshes": [mesh.get_array() for mesh in ax.collections if mesh.get_array() is not None],
            "patches": [patch.get_path().vertices for patch in ax.patches],
        }
        for ax in drawing.axes
    ]
    return {"size": drawing.get_size_inches() * 72, "axes": axes}
