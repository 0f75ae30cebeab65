"""The last hand on a page, the same for both engines: theme, fonts, roles in formulas, and the last checks.

`finish(html, page)` is pure and leaves a finished page as it is. It reads data/theme.yml and the font packages,
and writes nothing.
"""

from __future__ import annotations

import html as entities
import re
from pathlib import Path

from figures.kit.style import FONTS, SIZES, THEME
from page import cards, deck_scripts, simulators
from page.checks import check
from page.fonts import font_faces
from page.formula_colours import colour_roles
from page.title_notes import move as move_title_notes
from page.title_picture import motif

STYLE_ID = "theme-tokens"
_OLD_STYLE = re.compile(rf'<style id="{STYLE_ID}">.*?</style>\n?', re.DOTALL)


def finish(html: str, page: Path) -> str:
    """The page with the theme's variables, its fonts and coloured formulas; a Problem if it isn't fit to show."""
    html = deck_scripts.inline(simulators.inline(colour_roles(cards.inline(move_title_notes(_OLD_STYLE.sub("", html))))))
    check(html, page)
    style = f'<style id="{STYLE_ID}">\n{tokens(html)}\n{font_faces(html)}\n</style>\n'
    head, closing, rest = html.partition("</head>")
    return head + style + closing + rest if closing else style + html


def tokens(html: str) -> str:
    """The theme as CSS variables: `:root{--ground:#FDFCF9;--size-body:27px;…}`"""
    colours = {name.replace("_", "-"): getattr(THEME.colours, name) for name in THEME.colours.__struct_fields__}
    pixels = {name.replace("_", "-"): f"{getattr(SIZES, name)}px" for name in SIZES.__struct_fields__}
    plain = {"width", "height", "margin"}
    sizes = {name if name in plain else f"size-{name}": size for name, size in pixels.items()}
    variables = colours | sizes | font_stacks() | {"motif": motif(), "deck-title": _css_string(title(html))}
    return ":root{" + ";".join(f"--{name}:{value}" for name, value in variables.items()) + "}"


def font_stacks() -> dict[str, str]:
    """A stack for each role: its own family first, then the others, which lend the characters it lacks."""
    families = [f'"{font.family}"' for font in FONTS]
    generic = {"text": "sans-serif", "mono": "monospace", "math": "math"}
    return {
        f"font-{role}": ",".join([own, *(family for family in families if family != own), generic[role]])
        for role, own in zip(("text", "mono", "math"), families, strict=True)
    }


def title(html: str) -> str:
    """The document's title: `title("<title>A &amp; B</title>")` -> "A & B"."""
    found = re.search(r"<title>(.*?)</title>", html, re.DOTALL)
    return " ".join(entities.unescape(found[1]).split()) if found else ""


def _css_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ")
    return f'"{escaped}"'
