"""A page as a tree of elements and texts, each with the offset at which it begins: the one walker of HTML.

Does *not* change a page: who does cuts its text at these offsets, so that the rest stays byte for byte.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
SILENT = ("script", "style", "template", "annotation")  # elements whose text nobody gets to read
SAID_AGAIN = ("math", "td", "th")  # whose `aria-label` says in words what they show
SPOKEN = ("alt", "aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "label")  # attributes for people


@dataclass(eq=False)
class Text:
    """A run of text between two tags, its entities as characters."""

    text: str
    parent: Element | None = None
    start: int = 0


@dataclass(eq=False)
class Element:
    """An element; `html[start:end]` is all of it, `html[inside:close]` what stands between its tags."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | Text] = field(default_factory=list)
    parent: Element | None = None
    start: int = 0
    inside: int = 0
    close: int = 0
    end: int = 0

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        """All text below, silent elements left out, with single spaces.

        >>> parse("<p>a<b>b</b></p>").text
        'a b'
        """
        parts = [node.text for node in self.walk() if isinstance(node, Text) and not within(node, *SILENT)]
        return " ".join(" ".join(parts).split())

    def walk(self) -> Iterator[Element | Text]:
        """Every element and text below, in the order of the page."""
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node, Element):
                waiting += node.children[::-1]

    def all(self, tag: str = "", cls: str = "") -> Iterator[Element]:
        """Every element below, in order, with this tag and class."""
        for node in self.walk():
            if isinstance(node, Element) and (not tag or node.tag == tag) and (not cls or cls in node.classes):
                yield node

    def __str__(self) -> str:
        attributes = "".join(f' {key}="{value}"' for key, value in sorted(self.attributes.items()))
        return f"<{self.tag}{attributes}>"


def around(node: Element | Text) -> Iterator[Element]:
    """The elements that a node stands in, itself first if it is one, outwards."""
    here = node if isinstance(node, Element) else node.parent
    while here:
        yield here
        here = here.parent


def within(node: Element | Text, *tags: str) -> bool:
    """Whether a node is, or stands in, an element with one of these tags."""
    return any(element.tag in tags for element in around(node))


def spoken(element: Element) -> list[str]:
    """The texts of an element's attributes that are read to people; a formula's own words, or a cell's, say again what it shows.

    >>> spoken(next(parse('<img alt="a cat" id="a">').all("img")))
    ['a cat']
    """
    if element.tag in SAID_AGAIN:
        return []
    return [element.attributes[name] for name in SPOKEN if element.attributes.get(name)]


@functools.lru_cache(maxsize=1)
def parse(html: str, strict: bool = False) -> Element:
    """The page's tree, under an element of no tag. `strict` raises a ValueError for a tag that closes another, or none.

    Whoever asks next for the same text is given the same tree, so that a page is read anew only where a pass has changed it.
    """
    builder = _Builder(html, strict)
    builder.feed(html)
    builder.close()
    if strict and builder.here.parent:
        raise ValueError(f"{builder.here} is never closed")
    return builder.root


class _Builder(HTMLParser):
    def __init__(self, html: str, strict: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.here = Element("", end=len(html), close=len(html))
        self._html, self._strict = html, strict
        self._lines = [0, *(end.end() for end in re.finditer("\n", html))]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start = self._offset()
        inside = start + len(self.get_starttag_text() or "")
        element = Element(tag, {name: value or "" for name, value in attrs}, [], self.here, start, inside, inside, inside)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        above = self.here
        self.handle_starttag(tag, attrs)
        self.here = above

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or not self._strict and not within(self.here, tag):
            return
        while self.here.tag != tag:
            if self._strict:
                raise ValueError(f"</{tag}> closes {self.here} at {self.getpos()}")
            self._leave(self._offset())
        self._leave(self._html.find(">", self._offset()) + 1)

    def _leave(self, end: int) -> None:
        self.here.close, self.here.end = self._offset(), end
        self.here = self.here.parent or self.root

    def handle_data(self, data: str) -> None:
        self.here.children.append(Text(data, self.here, self._offset()))

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column


def replaced(html: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The page with each piece from start to end replaced by a text; the pieces come in order.

    >>> replaced("abcd", [(0, 1, "A"), (2, 3, "")])
    'Abd'
    """
    made, done = "", 0
    for start, end, text in changes:
        made, done = made + html[done:start] + text, end
    return made + html[done:]


def with_class(tag: str, name: str) -> str:
    """An opening tag, or its attributes alone, with one class more.

    >>> with_class('<img src="a">', "b")
    '<img src="a" class="b">'
    """
    if ' class="' in tag:
        return re.sub(r' class="([^"]*)"', lambda match: f' class="{f"{match[1]} {name}".strip()}"', tag, count=1)
    return re.sub(r"\s*(/?>|$)", rf' class="{name}"\1', tag, count=1)


def place(html: str, offset: int) -> tuple[int, int]:
    r"""(line, column) of an offset, both counted from 1.

    >>> place("a\nbc", 3)
    (2, 2)
    """
    return html.count("\n", 0, offset) + 1, offset - html.rfind("\n", 0, offset)
