"""Makes the page to read from executed Markdown: one HTML file without network, with the elements of Quarto's `theme: none`."""

from __future__ import annotations

import re
from pathlib import Path

from base.html_tree import with_class

from engine import self_contained
from engine.convert import HERE, convert
from engine.document import Document
from engine.settings import NUMBER, PATHS, TEXT, TRUTH, Kind, Settings, only
from figures.kit import language
from figures.kit.words import Words

ECHO = True  # Quarto shows a page's code unless told not to
SUFFIX = ".html"

OPTIONS: dict[str, Kind] = {
    "theme": only("none"),
    "css": PATHS,
    "toc": TRUTH,
    "toc-depth": NUMBER,
    "toc-title": TEXT,
    "anchor-sections": TRUTH,
    "code-copy": TRUTH,
    "code-line-numbers": only(False),
    "highlight-style": TEXT,
    "html-math-method": only("mathml"),
    "embed-resources": TRUTH,
    "output-file": TEXT,
    "format-links": only(False),
    "include-in-header": PATHS,
    "include-after-body": PATHS,
}

HEADING = re.compile(r"<h(?P<level>[2-6])(?P<attributes>(?=[^>]* id=)[^>]*)>")
LISTING = re.compile(
    r'<div class="sourceCode(?P<more>[^"]*)"(?P<rest>[^>]*)><pre class="(?P<classes>[^"]*)">(?P<code>.*?)</pre></div>', re.DOTALL
)
WORDS = Words("quarto")


def render(document: Document, settings: Settings) -> str:
    """The whole page, without what `finish` adds."""
    title, _, body = convert(document.lines, document.head(settings, "lang", "toc-title"), "html5", *_options(settings)).partition("\n")
    body = _as_quarto(body, settings)
    head = "\n".join(self_contained.style(Path(file)) for file in settings.get("css", []))
    return self_contained.whole(
        title,
        self_contained.with_pictures(body, document) + self_contained.script(HERE / "webpage.js", "module"),
        head,
        settings,
        document,
    )


def _options(settings: Settings) -> list[str]:
    options = ["--mathml", f"--template={HERE / 'webpage.template'}"]
    if settings.get("toc"):
        options += ["--toc", f"--toc-depth={settings.get('toc-depth', 3)}"]
    return [*options, "--syntax-highlighting=none"] if settings.get("highlight-style") == "none" else options


def _as_quarto(body: str, settings: Settings) -> str:
    """What Quarto changes in the page after pandoc: anchors, buttons at listings, fluid pictures."""
    body = self_contained.code_class_on_div(body)
    if settings.get("anchor-sections", True):
        body = HEADING.sub(_anchored, body)
    if settings.get("code-copy", True):
        with language.speaking(str(settings.get("lang", "en"))):
            tooltip = WORDS("copy")
        body = LISTING.sub(lambda match: _copyable(match, tooltip), body)
    return re.sub(r"<img\b[^>]*>", _fluid, body)


def _anchored(match: re.Match[str]) -> str:
    """A heading with the class `anchored`; the title of the table of contents gets none."""
    attributes = match["attributes"]
    if 'id="toc-title"' in attributes:
        return match[0]
    return f"<h{match['level']}{with_class(attributes, 'anchored')}>"


def _copyable(match: re.Match[str], tooltip: str) -> str:
    listing = match[0].replace(f'<pre class="{match["classes"]}"', f'<pre class="{match["classes"]} code-with-copy"', 1)
    button = f'<button title="{tooltip}" class="code-copy-button"><i class="bi"></i></button>'
    return f'<div class="code-copy-outer-scaffold">{listing}{button}</div>'


def _fluid(match: re.Match[str]) -> str:
    return with_class(match[0], "img-fluid")
