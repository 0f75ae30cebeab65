"""The site's own pages: the first, the one for an address that isn't there, the list of addresses for search engines. Pure."""

from __future__ import annotations

import html as entities
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from base.commit import Commit
from page.finish import with_theme
from page.inject import with_head

from figures.kit import project
from figures.kit.errors import Problem
from figures.kit.style import SIZES
from figures.kit.words import Words
from publishing import stamp

STYLE = Path(__file__).resolve().parents[2] / "slides" / "theme" / "site.css"
NOTEBOOK, SLIDES, HANDOUT, NUMBERS, SOLUTIONS, LEDGER = "notebook", "slides", "handout", "numbers", "solutions", "ledger"
_words = Words("site")


@dataclass(frozen=True)
class Listed:
    """A document as the first page lists it: its page, and the files beside it by their kinds; paths are those of the site."""

    title: str
    language: str
    is_deck: bool
    picture: str
    page: str
    beside: Mapping[str, str]


def checked(address: str) -> str:
    """The site's address, as `_variables.yml` has it; a Problem for one that no browser could open."""
    parts = urlsplit(address)
    strange = any(sign.isspace() or sign in "<>\"'`" for sign in address)
    if address and (strange or parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment):
        what = f"{address!r} is no address that pages could have"
        raise Problem(f"{project.VARIABLES}, site", what, "Write for example https://name.github.io/course, or leave it empty")
    return address


def index(listed: Sequence[Listed], commit: Commit | None) -> str:
    """The first page: every document with its picture, its formats and what it was built of."""
    lines = "\n".join(_card(one) for one in listed)
    course, institution = (str(project.variables().get(key) or "") for key in ("course", "institution"))
    about = f"<p>{entities.escape(institution)}</p>\n" if institution else ""
    built = f"<footer><p>{entities.escape(stamp.sentence(commit))}</p></footer>"
    return _page(course or _words("title"), f"{about}<ul>\n{lines}\n</ul>\n{built}")


def not_found(address: str) -> str:
    """The page that a server shows for an address that isn't there: its link holds from any depth, where the address is known."""
    home = f"{urlsplit(address).path}/" if address else "index.html"
    said = f'<p>{entities.escape(_words("gone"))} <a href="{entities.escape(home)}">{entities.escape(_words("home"))}</a></p>'
    return _page(_words("missing"), said)


def sitemap(address: str, pages: Sequence[str], commit: Commit | None) -> str:
    """The addresses of the site's pages, each with the day of the commit."""
    day = f"<lastmod>{commit.day}</lastmod>" if commit else ""
    lines = "\n".join(f"<url><loc>{entities.escape(f'{address}/{quote(page)}')}</loc>{day}</url>" for page in pages)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}\n</urlset>\n'


def social(html: str, title: str, picture: str, address: str) -> str:
    """The page with what a message that links to it shows: its title, and its picture where the site has an address."""
    tags = [("og:title", title), ("og:type", "website")]
    if address:
        tags += [("og:image", f"{address}/{quote(picture)}"), ("og:image:alt", title)]
    written = "".join(f'<meta property="{name}" content="{entities.escape(content)}">\n' for name, content in tags)
    return with_head(html, written)


def _card(one: Listed) -> str:
    page = quote(one.page)
    kind = entities.escape(_words("deck" if one.is_deck else "text"))
    links = "".join(f' <a href="{quote(file)}">{entities.escape(_words(f"kinds.{kind}"))}</a>' for kind, file in one.beside.items())
    picture = f'<img src="{quote(one.picture)}" alt="" width="{SIZES.width}" height="{SIZES.height}">'
    head = f'<a href="{page}">{picture}<span lang="{entities.escape(one.language)}">{entities.escape(one.title)}</span></a>'
    return f'<li>{head}\n<p><a href="{page}">{kind}</a>{links}</p></li>'


def _page(title: str, body: str) -> str:
    style = STYLE.read_text(encoding="utf-8")
    return with_theme(
        f'<!DOCTYPE html>\n<html lang="{project.language()}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1.0">\n<title>{entities.escape(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n<h1>{entities.escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )
