"""On which slide each part of a page stands; on a page to read, under which heading with an id."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from base.html_tree import Element, Text, within

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "header")


def slides(page: Element, counts: Callable[[str], object] = bool, first: str = "") -> Iterator[tuple[str, Element | Text]]:
    """Every element and text of a page with the id of its slide, in order: the innermost section with an id that counts.

    Outside such sections it is the last heading before it; before any of them, `first`. A table of contents is no place.
    """
    heading = first

    def below(element: Element, section: str) -> Iterator[tuple[str, Element | Text]]:
        nonlocal heading
        for node in element.children:
            if isinstance(node, Text):
                yield section or heading, node
                continue
            id, inner = node.attributes.get("id", ""), section
            if node.tag == "section" and id and counts(id):
                inner = id
            elif node.tag in HEADINGS and id and not section and counts(id) and not within(node, "nav"):
                heading = id
            yield inner or heading, node
            yield from below(node, inner)

    return below(page, "")


def titles(page: Element) -> dict[str, str]:
    """What the first heading of each slide says, by the slide's id."""
    said: dict[str, str] = {}
    for slide, node in slides(page):
        if isinstance(node, Element) and node.tag in HEADINGS[:-1]:
            said.setdefault(slide, node.text)
    return said
