"""What every page has for who uses no mouse: the text of a page to read as its `<main>`, and the script slides/theme/page.mjs.

`inline(html)` is pure beside reading slides/theme/ and the words, and leaves a finished page as it is.
"""

from __future__ import annotations

import re

from figures.kit.words import Words
from page.inject import with_parts, without
from page.modules import THEME, bundle
from page.theme_css import DECK

WORDS = Words("page")
STYLE = """[data-scrolls]:focus-visible { outline: 3px solid var(--stress); outline-offset: 2px; }
.page-heard { position: absolute; top: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.page-skip { position: absolute; left: var(--edge); top: 0; padding: 0.4em 0.8em; background: var(--ground); color: var(--ink); }
.page-skip:not(:focus) { width: 1px; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
main:focus { outline: none; }
@media print { .page-heard, .page-skip { display: none; } }
"""
_BEFORE = re.compile(r'<body\b[^>]*>\s*(?:<header id="title-block-header".*?</header>\s*)?(?:<nav id="TOC".*?</nav>\s*)?', re.DOTALL)


def inline(html: str) -> str:
    """The page with the script, and with its text as `<main>` unless it is a deck or has one."""
    html = without(html, "page")
    if not DECK.search(html) and "<main" not in html:
        html = _with_main(html)
    return with_parts(html, "page", bundle(THEME, "page.mjs"), STYLE, WORDS.named("said"))


def _with_main(html: str) -> str:
    """What follows title and table of contents is the page's text."""
    before = _BEFORE.search(html)
    if not before:
        return html
    text, closing, rest = html[before.end() :].rpartition("</body>")
    return f'{html[: before.end()]}<main id="main">\n{text}</main>\n{closing}{rest}'
