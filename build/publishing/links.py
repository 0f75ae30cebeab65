"""Every link of a site's pages to the site itself ends at a file, and where it names a place, at an element of that page."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import unquote, urlsplit

from base.html_tree import parse

from figures.kit.errors import Faults

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def check(contents: Mapping[str, str | bytes], address: str) -> None:
    """Raises Faults that name page and link; silent for a site whose links are all alive."""
    if dead := list(_dead(contents, address)):
        raise Faults("make site", dead, "Publish what it names (list the document in `_quarto.yml`), or take the link out")


def _dead(contents: Mapping[str, str | bytes], address: str) -> Iterator[str]:
    pages = {name: text for name, text in contents.items() if name.endswith(".html") and isinstance(text, str)}

    @cache
    def ids(name: str) -> frozenset[str]:
        return frozenset(element.attributes.get("id", "") for element in parse(pages[name]).all())

    for name, text in pages.items():
        for link in parse(text).all("a"):
            href = link.attributes.get("href", "")
            if (target := target_of(href, name, address)) is None:
                continue
            file, place = target
            if file not in contents:
                yield f"{name}: the link {href} leads to {file}, which the site has not"
            elif place and file in pages and place.lstrip("/") not in ids(file):
                yield f"{name}: the link {href} names a place that {file} has not"


def target_of(href: str, page: str, address: str = "") -> tuple[str, str] | None:
    """The file of the site that a link on a page leads to, and the id there; None for a link that leads elsewhere.

    >>> target_of("../b.html#part", "slides/a.html")
    ('b.html', 'part')
    >>> target_of("https://example.org/c/", "a.html", "https://example.org/c"), target_of("mailto:a@b.org", "a.html")
    (('index.html', ''), None)
    >>> target_of("/c/s/b.html", "404.html", "https://example.org/c"), target_of("/d/", "404.html", "https://example.org/c")
    (('s/b.html', ''), None)
    """
    if address and href.startswith("/") and not href.startswith("//"):
        href = urlsplit(address)._replace(path="").geturl() + href
    inside = address and (href == address or href.startswith(f"{address}/"))
    if not href or (_ELSEWHERE.match(href) and not inside):
        return None
    parts = urlsplit(href.removeprefix(address).lstrip("/") if inside else href)
    path, here = unquote(parts.path), "" if inside else posixpath.dirname(page)
    file = posixpath.normpath(posixpath.join(here, path)) if path else "." if inside else page
    is_folder = file == "." or path.endswith("/")
    return posixpath.normpath(f"{file}/index.html") if is_folder else file, unquote(parts.fragment)
