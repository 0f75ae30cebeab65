"""What a finished page must not hold: the network, and the traces of a value that didn't become text."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator
from pathlib import Path

from figures.kit.errors import Problem

_RESOURCE = re.compile(
    r'<(?!a\b)[a-z][\w-]*\b[^>]*?\s(?:src|href|data-src|xlink:href|poster|srcset|data|data-background-(?:image|video|iframe))="'
    r'((?:https?:)?//[^"]*)"',
    re.IGNORECASE,
)
_CSS_RESOURCE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)
_STYLE = re.compile(r"<style\b.*?</style>", re.DOTALL | re.IGNORECASE)
_SCRIPT = re.compile(r"(<(script|template)\b[^>]*>).*?</\2>", re.DOTALL | re.IGNORECASE)
_SOURCE = re.compile(r"<annotation\b.*?</annotation>", re.DOTALL)
_CODE = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SPOKEN = re.compile(r'\s(?:alt|aria-label|title)="([^"]*)"')
_TAG = re.compile(r"<[^>]+>")
_SECTION = re.compile(r"<section\b[^>]*>")
_PART = re.compile(r"<h2\b(?![^>]*\btoc-title\b)")
_HEADING = re.compile(r"<h[12]\b[^>]*>(.*?)</h[12]>", re.DOTALL)

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
    without_scripts = _SCRIPT.sub(r"\1", _COMMENT.sub("", html))
    _check_offline(without_scripts, page)
    for slide, body in slides(_STYLE.sub("", without_scripts)):
        where = f"{page.name}, slide “{slide}”"
        _check_text(visible(body), TRACES, where)
        _check_text(visible(_CODE.sub(" ", body)), CODE_MAY_HOLD, where)


def _check_offline(html: str, page: Path) -> None:
    address = _RESOURCE.search(html) or next((css for style in _STYLE.findall(html) if (css := _CSS_RESOURCE.search(style))), None)
    if address:
        raise Problem(page.name, f"it would load {address[1]} from the network", "Embed the file: the page must open offline")


def _check_text(text: str, traces: dict[str, str], where: str) -> None:
    for pattern, cause in traces.items():
        found = re.search(pattern, text)
        if found:
            around = " ".join(text[max(0, found.start() - 40) : found.end() + 20].split())
            raise Problem(where, f"the text shows `{found[0]}` (“… {around} …”)", f"This is {cause}")


def slides(html: str) -> Iterator[tuple[str, str]]:
    """Title and body of each slide: from one `<section>` to the next; on a page to read, from one `<h2>` to the next."""
    starts = [match.start() for match in _SECTION.finditer(html)] or [0, *(match.start() for match in _PART.finditer(html))]
    for start, end in zip(starts, [*starts[1:], len(html)], strict=True):
        yield title(html[start:end]), html[start:end]


def title(body: str) -> str:
    heading = _HEADING.search(body)
    return " ".join(visible(heading[1]).split()) if heading else "without a title"


def visible(html: str) -> str:
    """What a reader or a screen reader gets of some HTML: text, and the texts that stand for pictures."""
    spoken = " ".join(_SPOKEN.findall(html))
    return entities.unescape(_TAG.sub(" ", _SOURCE.sub("", html)) + " " + spoken)
