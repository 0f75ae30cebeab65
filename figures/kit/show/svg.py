"""A matplotlib figure as SVG: the same bytes each time, and ids that no other figure of the page has."""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from figures.kit.marks import css_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PLACES = re.compile(r'(?<= )(?:d|x|y)="[^"]*"')  # attributes that hold nothing but places on the picture
_NOTHING = re.compile(r'<!--.*?-->\n?| transform="rotate\(-?0 [^"]*"', re.DOTALL)  # a remark, a turn by no angle
_FAMILY = re.compile(r"(?<= style=\")([^\"]*?)(font-family: ([^;\"]*)(?:; )?)")


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
    return _with_family_once(_shortened(re.sub(r"\n\s+", "\n", text))).strip()


def texts_of(svg: str) -> list[str]:
    """The texts that an SVG shows.

    >>> texts_of("<text>10<tspan>−3</tspan></text>")
    ['10−3']
    """
    return [html.unescape(re.sub(r"<[^>]*>", "", text)).strip() for text in re.findall(r"<text\b[^>]*>(.*?)</text>", svg, re.DOTALL)]


def _shortened(svg: str) -> str:
    """An SVG without remarks, its places to a hundredth of a pixel, as far as no eye can tell.

    >>> _shortened('<path d="M 1.23456 2 \\nL 3 4 \\nz\\n"/><text x="1.23456">1.23456</text>')
    '<path d="M1.23 2L3 4z"/><text x="1.23">1.23456</text>'
    """

    def place(written: re.Match[str]) -> str:
        rounded = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", written[0])
        return re.sub(r"\s*(?<![=e])([MLCQzHV])\s*", r"\1", rounded)

    return _PLACES.sub(place, _NOTHING.sub("", svg))


def _with_family_once(svg: str) -> str:
    """The SVG whose most common family of letters is said once, for all texts that name none."""
    families = Counter(named[3] for named in _FAMILY.finditer(svg))
    if not families:
        return svg
    ((common, _),) = families.most_common(1)
    bare = _FAMILY.sub(lambda named: named[1] if named[3] == common else named[0], svg)
    return bare.replace("<svg ", f'<svg font-family="{common}" ', 1)
