"""Gives the title slide its speaker notes: YAML can't hold computed text, so the source writes them on the next slide.

`::: {.notes}` around `::: {.title-slide-notes}` becomes an `<aside class="notes">` that this moves into the title slide.
"""

from __future__ import annotations

from base.html_tree import parse

NOTES = "title-slide-notes"


def move(html: str) -> str:
    """The page with the title slide's notes where they belong; without such notes or title slide, the page as it is."""
    if NOTES not in html:
        return html
    page = parse(html)
    title = next((section for section in page.all("section") if section.attributes.get("id") == "title-slide"), None)
    notes = next(page.all("div", NOTES), None)
    aside = notes.parent if notes else None
    if not title or not notes or not aside or aside.tag != "aside":
        return html
    written = html[notes.inside : notes.close].rstrip()
    moved = f'<aside class="notes">{written}\n</aside>\n'
    start, end, goal = len(html[: aside.start].rstrip(" \t")), aside.end + html.startswith("\n", aside.end), title.close
    if goal <= start:
        return html[:goal] + moved + html[goal:start] + html[end:]
    return html[:start] + html[end:goal] + moved + html[goal:]
