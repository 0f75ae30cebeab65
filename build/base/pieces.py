"""A deck cut at its slides: what stands before them, each slide, what stands behind; any other page is one piece.

What is done to a slide alone can then be looked up for those that are as they were (base/pack.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from base import pack

SLIDES = '<div class="slides">'
_EDGE = re.compile(r"<section\b|</section>")
_NEXT = re.compile(r"\s*<section\b")


def pieces(html: str) -> list[str]:
    """The pieces of a page, which make it again when joined; slides that stand below each other are one piece.

    >>> pieces('a<div class="slides"><section>b</section> <section>c</section></div>d')
    ['a<div class="slides">', '<section>b</section> ', '<section>c</section>', '</div>d']
    """
    cuts, depth = [0], 0
    start = html.find(SLIDES)
    for edge in _EDGE.finditer(html, start) if start >= 0 else ():
        if depth == 0 and edge[0] != "</section>":
            cuts.append(edge.start())
        depth += 1 if edge[0] != "</section>" else -1
        if depth == 0 and not _NEXT.match(html, edge.end()):
            cuts.append(edge.end())
            break
    return [html[begin:end] for begin, end in zip(cuts, [*cuts[1:], len(html)])]


def changed(html: str, name: str, made_from: list[str], change: Callable[[str], str]) -> str:
    """The page with a change made to each piece by itself; `made_from` is what the change depends on beside the piece."""
    return "".join(pack.once(name, [*made_from, piece], lambda piece=piece: change(piece)) for piece in pieces(html))
