"""data/theme.yml as CSS: what slides/theme/*.css and the simulators' styles name as variables, and the rules of the roles.

`--ground`, `--ink`, …, one for each colour; `--size-body` and the like; `--font-text`; for each role its `--NAME` and
`--NAME-wash`, and on whatever has its class `--role`.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Mapping
from pathlib import Path

from figures.kit.style import FONTS, SIZES
from figures.kit.theme import THEME, Role, Scheme
from page.title_picture import title_picture

DECK = re.compile(r'<div\b[^>]*\bclass="(?:[^"]*\s)?reveal[\s"]')


def theme_css(html: str, document: Path | None = None) -> str:
    """The variables and rules of one page, made of a document: dark where the reader's system is, a deck where its key asks for it."""
    every = colours("light") | sizes() | font_stacks()
    if DECK.search(html):
        picture = title_picture(document) if document else "none"
        rules = [_root(every | {"title-picture": picture, "deck-title": _css_string(title(html))})]
        asked, root = "screen", ":root.dark"
    else:
        rules, asked, root = [_root(every)], "screen and (prefers-color-scheme:dark)", ":root"
    rules.append(f"@media {asked}{{{_root(colours('dark'), root)}}}")
    return "\n".join([*rules, *role_rules(THEME.roles)])


def colours(scheme: Scheme) -> dict[str, str]:
    """The colours of a scheme by the names of their variables, such as "stress-wash"."""
    plain = getattr(THEME.colours, scheme)
    named = {name: getattr(plain, name) for name in plain.__struct_fields__}
    for role in THEME.roles:
        tone = getattr(role, scheme)
        named |= {role.name: tone.ink, f"{role.name}-wash": tone.wash}
    return {name.replace("_", "-"): colour for name, colour in named.items()}


def sizes() -> dict[str, str]:
    """The canvas as `width`, `height` and `margin`, the sizes of text as `size-body` and the like, in pixels."""
    canvas = {"width", "height", "margin"}
    names = {name: name if name in canvas else f"size-{name.replace('_', '-')}" for name in SIZES.__struct_fields__}
    return {names[name]: f"{getattr(SIZES, name)}px" for name in names}


def font_stacks() -> dict[str, str]:
    """A stack for each use: its own family first, then the others, which lend the characters it lacks."""
    families = [f'"{font.family}"' for font in FONTS]
    generic = {"text": "sans-serif", "mono": "monospace", "math": "math"}
    return {
        f"font-{use}": ",".join([own, *(family for family in families if family != own), generic[use]])
        for use, own in zip(("text", "mono", "math"), families, strict=True)
    }


def role_rules(roles: tuple[Role, ...]) -> list[str]:
    """Each role's variables on its class, and one rule for all: colour everywhere, in words also weight and a line."""
    own = [f".{role.css}{{--role:var(--{role.name})}}" for role in roles]
    any_role = f":is({','.join(f'.{role.css}' for role in roles)})"
    # In a table the heading's letter is the second carrier, in a formula the letter itself.
    return [
        *own,
        f"{any_role}{{color:var(--role)}}",
        f"{any_role}:not(mi){{font-weight:600}}",
        f".neutral {any_role}{{color:inherit}}",
    ] * bool(roles)


def title(html: str) -> str:
    """The document's title, its entities as characters; empty where it has none."""
    element = re.search(r"<title>(.*?)</title>", html, re.DOTALL)
    return " ".join(entities.unescape(element[1]).split()) if element else ""


def _root(variables: Mapping[str, str], root: str = ":root") -> str:
    return root + "{" + ";".join(f"--{name}:{value}" for name, value in variables.items()) + "}"


def _css_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ")
    return f'"{escaped}"'
