"""Gives the title slide its speaker notes: YAML can't hold computed text, so the source writes them on the next slide.

`::: {.notes}` around `::: {.title-slide-notes}` becomes an `<aside class="notes">` that this moves into the title slide.
"""

from __future__ import annotations

import re

_ASIDE = re.compile(
    r'[ \t]*<aside class="notes">\s*<div class="title-slide-notes">(?P<text>.*?)</div>\s*(?:<style.*?</style>\s*)?</aside>\n?', re.DOTALL
)
_TITLE = re.compile(r'<section id="title-slide".*?(?=</section>)', re.DOTALL)


def move(html: str) -> str:
    """The page with the title slide's notes where they belong; without such notes or title slide, the page as it is."""
    notes = _ASIDE.search(html)
    title = _TITLE.search(html)
    if not notes or not title:
        return html
    without = html[: notes.start()] + html[notes.end() :]
    end = title.end() - (notes.end() - notes.start() if notes.end() <= title.end() else 0)
    return without[:end] + f'<aside class="notes">{notes["text"].rstrip()}\n</aside>\n' + without[end:]
