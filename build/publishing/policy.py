"""A page's own content security policy: its inline scripts by their digests, styles and pictures of its own, nothing from elsewhere.

The policy stands in the page, so that it holds wherever the page is put, and whatever a server adds can only narrow it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256

from base.html_tree import parse

DATA = ("application/json", "application/ld+json")  # script elements that no browser runs
_CHARSET = re.compile(r'<meta charset="[^"]*"\s*/?>\n?')
_HEAD = re.compile(r"<head\b[^>]*>\n?")
# The speaker's window is written by a script, from a text of its own with a script in it; it inherits the page's policy.
_WRITTEN = re.compile(r"<script>(\\n(?:[^\\]|\\.)*?)<\\/script>", re.DOTALL)
_HEXADECIMAL = re.compile(r"\\x([0-9A-Fa-f]{2})")
RULES = (
    "default-src 'none'",
    "style-src 'unsafe-inline'",  # styles stand in attributes, which digests don't reach
    "img-src 'self' data:",
    "font-src data:",
    "media-src data:",
    "base-uri 'none'",
    "form-action 'none'",
)


def with_policy(html: str) -> str:
    """The finished page with its policy, before anything that it would load."""
    sources = " ".join(f"'{digest}'" for digest in sorted({digest_of(script) for script in scripts(html)})) or "'none'"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join((*RULES, f"script-src {sources}"))}">\n'
    after = _CHARSET.search(html) or _HEAD.search(html)
    return html[: after.end()] + meta + html[after.end() :] if after else html


def scripts(html: str) -> Iterator[str]:
    """The text of each script that a browser runs, in the page and in the window that it opens."""
    for element in parse(html).all("script"):
        if element.attributes.get("type", "") in DATA:
            continue
        text = html[element.inside : element.close]
        yield text
        yield from (_unescaped(written) for written in _WRITTEN.findall(text))


def digest_of(script: str) -> str:
    """A script as a policy names it.

    >>> digest_of("doSomething();")
    'sha256-RFWPLDbv2BY+rCkDzsE+0fr8ylGr2R2faWMhq4lfEQc='
    """
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def _unescaped(literal: str) -> str:
    """What a string of JavaScript between double quotes says."""
    plain = _HEXADECIMAL.sub(r"\\u00\1", literal).replace("\\'", "'")
    said: str = json.loads(f'"{plain}"')
    return said
