"""A page that needs nothing beside itself: style sheets, scripts and pictures are put inside it.

Refuses what would be fetched. Knows no format: the deck and the chapter are both built from these pieces.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from urllib.parse import unquote

from engine.document import Document
from engine.settings import Settings
from figures.kit import files
from figures.kit.errors import Problem

PICTURE = re.compile(r'(?P<before><(?:img|section|source|video|audio)\b[^>]*?\s(?:data-)?(?:src|background-image)=")(?P<url>[^"]*)(?=")')
CSS_URL = re.compile(r"url\(\s*(?P<quote>[\"']?)(?P<url>[^\"')]+)(?P=quote)\s*\)")
CSS_IMPORT = re.compile(r"@import\b")
SCRIPT_SRC = re.compile(r'<script\b(?P<type>[^>]*?)\ssrc="(?P<url>[^"]+)"(?P<rest>[^>]*)>\s*</script>')
LISTING = re.compile(r'<div class="sourceCode"([^>]*)><pre class="([^"]*?) cell-code">')
FETCHED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\s(?:data-)?(?:src|background-image)=\"(?!data:)[^\"]+\""
    r"|<link\b[^>]*\shref=\"(?!data:)[^\"]+\"|<object\b[^>]*\sdata=\"(?!data:)[^\"]+\""
)


def whole(title: str, body: str, head: str, settings: Settings, document: Document) -> str:
    """The page around a body, with the files that the settings add to head and body."""
    header, footer = (_included(settings, key) for key in ("include-in-header", "include-after-body"))
    html = f"""<!DOCTYPE html>
<html lang="{escape(settings.get("lang", "en"))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<title>{title}</title>
{head}
{header}
</head>
<body>
{body}
{footer}
</body>
</html>
"""
    fetched = FETCHED.search(re.sub(r"(<script\b[^>]*>).*?</script>", r"\1</script>", html, flags=re.DOTALL))
    if fetched:
        raise Problem(document.place.file, f"the page would fetch {fetched[0]}", "Name a file of the project instead.")
    return html


def style(file: Path) -> str:
    """A style sheet as an element, the files that it names inside it."""
    css = _text(file, "style sheet")
    if CSS_IMPORT.search(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        raise Problem(file, "the style sheet imports another", "List both under `css:`.")
    css = CSS_URL.sub(lambda match: f'url("{data_uri(match["url"], file.parent, file)}")', css)
    return f"<style>\n{css.strip()}\n</style>"


def script(file: Path, type: str = "text/javascript") -> str:
    """A script as an element; one of type `module` keeps its names to itself."""
    return f'<script type="{type}">\n{script_text(_text(file, "script"))}\n</script>'


def script_text(code: str) -> str:
    """Code that HTML can hold: what would end or hide the element is written with an escape."""
    return re.sub(r"<(/script|!--)", lambda match: f"\\x3C{match[1]}", code.strip(), flags=re.IGNORECASE)


def with_pictures(html: str, document: Document) -> str:
    """The pictures that a document's HTML names, inside it; one that isn't there is told at the line that names it."""
    return _with_pictures(html, document.path.parent, document.place_of)


def _with_pictures(html: str, folder: Path, where: Callable[[str], object]) -> str:
    return PICTURE.sub(lambda match: match["before"] + data_uri(match["url"], folder, where(match["url"])), html)


def data_uri(url: str, folder: Path, where: object) -> str:
    """`data:` of a file; what is `data:` already, or a place in the page, stays as it is."""
    if url.startswith(("data:", "#")) or re.fullmatch(r"rgba?\(.*|.*gradient\(.*", url):
        return url
    if re.match(r"(?:[a-z]+:)?//", url):
        raise Problem(where, f"{url} would be fetched from the network", "Keep the file in the project.")
    file = folder / unquote(url.split("?")[0].split("#")[0])
    if not file.is_file():
        raise Problem(where, f"there is no file {files.shown(file)}", "Correct its path.")
    return files.data_uri(file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")


def code_class_on_div(html: str) -> str:
    """A cell's listing as Quarto has it: the class `cell-code` on the outer element, not on `<pre>`."""
    return LISTING.sub(r'<div class="sourceCode cell-code"\1><pre class="\2">', html)


def _included(settings: Settings, key: str) -> str:
    """The HTML files that a setting lists, the scripts and pictures that they name inside them."""
    files = [Path(name) for name in settings.get(key, [])]
    return "\n".join(_with_scripts(_with_pictures(_text(file, key), file.parent, lambda url, file=file: file), file) for file in files)


def _with_scripts(html: str, file: Path) -> str:
    def inside(match: re.Match[str]) -> str:
        code = script_text(_text(file.parent / match["url"], "script"))
        return f"<script{match['type']}{match['rest']}>\n{code}\n</script>"

    return SCRIPT_SRC.sub(inside, html)


def _text(file: Path, what: str) -> str:
    if not file.is_file():
        raise Problem(file, f"there is no such {what}", "Correct its path.")
    return file.read_text(encoding="utf-8")
