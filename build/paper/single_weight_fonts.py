"""Replaces a page's variable fonts by one font for each weight: Chromium draws a variable font's letters as Type 3 in a PDF.

Only paper needs this; on the screen one variable font is smaller.
"""

from __future__ import annotations

import base64
import io
import re

from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

WEIGHTS = (400, 600)  # those that the theme's rules ask for
RULE = re.compile(r'(?P<start>@font-face\{[^}]*?font-weight:)\d+ \d+(?P<middle>;[^}]*?base64,)(?P<data>[^"]+)(?P<end>"[^}]*\})')


def still(html: str) -> str:
    """The page with each rule of a variable font replaced by one rule for each weight."""
    return RULE.sub(lambda rule: "\n".join(_rule(rule, weight) for weight in WEIGHTS), html)


def instance(data: bytes, weight: int, named: bool = False) -> bytes:
    """The variable font cut to one weight, the same bytes each time; `named` after it, for who chooses fonts by their names."""
    with TTFont(io.BytesIO(data), recalcTimestamp=False) as font:
        instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True, updateFontNames=named)
        out = io.BytesIO()
        font.save(out)
    return out.getvalue()


def _rule(rule: re.Match[str], weight: int) -> str:
    data = base64.b64encode(instance(base64.b64decode(rule["data"]), weight)).decode()
    return f"{rule['start']}{weight}{rule['middle']}{data}{rule['end']}"
