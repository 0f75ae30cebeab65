"""A named style and script put into a page, and taken out again, so that finishing a page twice leaves it as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any


def with_head(html: str, elements: str) -> str:
    """The page with these elements at the end of its head.

    >>> with_head("<head></head>", "<style></style>")
    '<head><style></style></head>'
    """
    head, closing, rest = html.partition("</head>")
    return head + elements + closing + rest if closing else elements + html


def without(html: str, name: str) -> str:
    """The page without the style and the script of this name."""
    return re.sub(rf'<(style|script)\b[^>]*\bid="{name}-(?:style|script)"[^>]*>.*?</\1>\n', "", html, flags=re.DOTALL)


def with_parts(html: str, name: str, script: str, style: str = "", words: Mapping[str, Any] | None = None) -> str:
    """The page with the style at the end of its head, if there is one, and the module at the end of its body.

    `words` are the module's, as JSON in the attribute `data-words` of its element.
    """
    if style:
        html = with_head(html, f'<style id="{name}-style">\n{style}</style>\n')
    attribute = f' data-words="{escape(json.dumps(words, ensure_ascii=False))}"' if words else ""
    element = f'<script type="module" id="{name}-script"{attribute}>\n{script}</script>\n'
    body, closing, rest = html.rpartition("</body>")
    return body + element + closing + rest if closing else html + element
