"""A matplotlib figure as SVG: the same bytes each time, and ids that no other figure of the page has."""

from __future__ import annotations

import html
import io
import re
from typing import TYPE_CHECKING, Any

from figures.kit.marks import css_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def svg_text(drawing: Figure, name: str, text_as_text: bool) -> str:
    """The figure as one `<svg>` element, its ids made unique by `name`; letters as text, or as shapes."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    settings: dict[Any, Any] = {"svg.hashsalt": name, "svg.fonttype": "none" if text_as_text else "path"}
    buffer = io.StringIO()
    with matplotlib.rc_context(settings):
        FigureCanvasSVG(drawing).print_svg(buffer, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})  # type: ignore[no-untyped-call]
    text = buffer.getvalue()
    text = text[text.index("<svg ") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*<defs>\s*<style[^>]*>\*\{[^}]*\}</style>\s*</defs>", "", text, count=1)  # it would style the whole page
    text = text.replace("<svg ", '<svg stroke-linejoin="round" stroke-linecap="butt" ', 1)
    text = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', text, count=2)
    prefix = css_name(name)
    named = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    text = re.sub(r' id="([^"]*)"', lambda id: f' id="{prefix}-{id[1]}"' if id[1] in named else "", text)  # the others name nothing
    text = re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", text)
    return re.sub(r"\n\s+", "\n", text).strip()


def texts_of(svg: str) -> list[str]:
    """The texts that an SVG shows.

    >>> texts_of("<text>10<tspan>−3</tspan></text>")
    ['10−3']
    """
    return [html.unescape(re.sub(r"<[^>]*>", "", text)).strip() for text in re.findall(r"<text\b[^>]*>(.*?)</text>", svg, re.DOTALL)]
