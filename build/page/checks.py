"""What a finished page must not hold: the network, and the traces of a value that didn't become text."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from base import pack, pieces
from base.html_tree import SILENT, Element, Text, around, parse, spoken
from base.slides import slides, titles

from figures.kit.errors import Problem

LOADED = ("src", "href", "data-src", "xlink:href", "poster", "srcset", "data",
          "data-background-image", "data-background-video", "data-background-iframe")  # fmt: skip
SHOWN, PLAYED = ("img", "source", "video", "audio", "section"), ("src", "data-src", "poster", "data-background-image")
_ADDRESS = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_CSS_ADDRESS = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)

# What it looks like -> how it gets there. Code shown on a slide may hold those of the second list.
TRACES = {
    r"np\.(?:float|int|uint|complex|bool|str)\w*\([^)]*\)": "a numpy value; return it from a function with @number",
    r"\?var:\w*": "an unknown `{{< var … >}}`; add it to _variables.yml",
    r"`?\{python\}": "an inline call that was not executed; write it as `{python} name()` between backquotes",
    r"\{\{<[^>]*>\}\}": "a shortcode that was not executed; check its spelling",
    r"<[\w.]+ object at 0x[0-9a-f]+>": "an object without a display; return it from a function of figures/ that shows it",
}
CODE_MAY_HOLD = {
    r"(?<!\S):{3,}(?!:)": "a div's fence that opens or closes nothing; count the `:::` of the slide",
    r"(?<![\w-])-?nan(?![\w-])": "a number that isn't one; look for 0/0 or an empty mean in the function that made it",
    r"(?<![\w-])None(?![\w-])": "a function that returned nothing; add its `return`",
}


def check(html: str, page: Path) -> None:
    """Raises a Problem that names page, slide and remedy; silent for a page that is fit to show."""
    for piece in pieces.pieces(html):
        beside = json.loads(pack.once("checks", [page.name, piece], lambda piece=piece: json.dumps(_checked(piece, page))))
        for title, address in beside:
            if not (page.parent / unquote(address.partition("?")[0])).is_file():
                raise Problem(f"{page.name}, slide “{title}”", f"there is no file {address}", "Correct its path")


def _checked(html: str, page: Path) -> list[tuple[str, str]]:
    """A piece of a page checked; the files that it names and doesn't hold, each with the title of its slide."""
    tree = parse(html)
    for address in _addresses(tree):
        raise Problem(page.name, f"it would load {address} from the network", "Embed the file: the page must open offline")
    named = titles(tree)
    beside = [(named.get(slide) or "without a title", address) for slide, address in _beside(tree)]
    for slide, shown in texts(tree).items():
        where = f"{page.name}, slide “{named.get(slide) or 'without a title'}”"
        _check_text(" ".join(text for text, _ in shown), TRACES, where)
        _check_text(" ".join(text for text, is_code in shown if not is_code), CODE_MAY_HOLD, where)
    return beside


def _addresses(page: Element) -> Iterator[str]:
    """What a page would ask the network for; a link is only followed by a reader."""
    for element in page.all():
        if element.tag != "a":
            yield from (value for name, value in element.attributes.items() if name in LOADED and _ADDRESS.match(value))
        if element.tag == "style":
            yield from (address for part in element.children if isinstance(part, Text) for address in _CSS_ADDRESS.findall(part.text))


def _beside(tree: Element) -> Iterator[tuple[str, str]]:
    """The pictures, sounds and films that a slide names and that are not inside the page."""
    shown = ((slide, node) for slide, node in slides(tree) if isinstance(node, Element) and node.tag in SHOWN)
    for slide, node in shown:
        for address in filter(None, map(node.attributes.get, PLAYED)):
            if not address.startswith(("data:", "#", "blob:")):
                yield slide, address


def _check_text(text: str, traces: dict[str, str], where: str) -> None:
    for pattern, cause in traces.items():
        trace = re.search(pattern, text)
        if trace:
            piece = " ".join(text[max(0, trace.start() - 40) : trace.end() + 20].split())
            raise Problem(where, f"the text shows `{trace[0]}` (“… {piece} …”)", f"This is {cause}")


def without_values(html: str) -> list[str]:
    """The figures of a page that offer no table of what they draw, as notices with the remedy."""
    return [notice for piece in pieces.pieces(html) if "without-values" in piece for notice in _without_values(piece)]


def _without_values(html: str) -> list[str]:
    named = titles(tree := parse(html))
    return [
        f"slide “{named.get(slide) or 'without a title'}”: {_function(node)} offers no values to who doesn't see it. Give its Picture "
        "`values`, the tables of what it draws, or `values=()` where its words say all."
        for slide, node in slides(tree)
        if isinstance(node, Element) and "without-values" in node.classes
    ]


def _function(figure: Element) -> str:
    return next((name for name in figure.classes if name.startswith("figure-")), "a figure")


def slide_that_shows(html: str, text: str) -> str:
    """The title of the first slide on which this text stands, "?" where none has it."""
    tree = parse(html)
    return next((titles(tree).get(slide, "?") for slide, shown in texts(tree).items() if any(text in one for one, _ in shown)), "?")


def texts(page: Element) -> dict[str, list[tuple[str, bool]]]:
    """What a reader or a screen reader gets of each slide, texts that stand for pictures too, and whether it is code."""
    shown: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for slide, node in slides(page):
        tags = {element.tag for element in around(node)}
        if tags.isdisjoint(SILENT):
            shown[slide] += ((text, "pre" in tags) for text in ([node.text] if isinstance(node, Text) else spoken(node)))
    return shown
