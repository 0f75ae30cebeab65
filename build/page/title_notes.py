"""Gives the title slide its speaker notes: YAML can't hold computed text, so the source writes them on the next slide.

`::: {.notes}` around `::: {.title-slide-notes}` becomes an `<aside class="notes">` that this moves into the title slide.
"""

from __future__ import annotations

from base.html_tree import parse
from base.pieces import pieces

NOTES = "title-slide-notes"


def move(html: str) -> str:
    """The page with the title slide's notes where they belong; without such notes or title slide, the page as it is."""
    if NOTES not in html:
        return html
    cut = pieces(html)
    there, here = (next((n for n, piece in enumerate(cut) if text in piece), -1) for text in (f'class="{NOTES}', 'id="title-slide"'))
    title = next((section for section in parse(cut[here]).all("section") if section.attributes.get("id") == "title-slide"), None)
    notes = next(parse(cut[there]).all("div", NOTES), None)
    aside = notes.parent if notes else None
    if here < 0 or here == there or not title or not notes or not aside or aside.tag != "aside":
        return html
    slide = cut[there]
    moved = f'<aside class="notes">{slide[notes.inside : notes.close].rstrip()}\n</aside>\n'
    cut[there] = slide[: aside.start].rstrip(" \t") + slide[aside.end + slide.startswith("\n", aside.end) :]
    cut[here] = cut[here][: title.close] + moved + cut[here][title.close :]
    return "".join(cut)
