"""Finishes a page, the same for both engines, by a list of passes, each from HTML to HTML.

`finish(html, page, document)` is pure and leaves a finished page as it is. It reads data/theme.yml, the settings of the
document and the font packages, and writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from figures.kit import language, lecture
from figures.kit.theme import THEME
from page import cards, deck_scripts, landmarks, simulators, speech, title_notes
from page.checks import check
from page.fonts import font_faces
from page.formula_colours import colour_roles
from page.inject import with_head
from page.theme_css import theme_css

STYLE = re.compile(r'<style id="theme-tokens">.*?</style>\n?', re.DOTALL)


def without_theme(html: str) -> str:
    """The page without the style that `with_theme` puts in."""
    return STYLE.sub("", html)


def with_theme(html: str, document: Path | None = None) -> str:
    """The page with the theme's variables, and the fonts of the characters that it shows, as its last style."""
    return with_head(html, f'<style id="theme-tokens">\n{theme_css(html, document)}\n{font_faces(html)}\n</style>\n')


def passes(page: Path, document: Path | None) -> tuple[Callable[[str], str], ...]:
    """What is done to a page that is made of this document, in order."""
    roles = lecture.of(document).shown_roles if document else THEME.roles
    return (
        without_theme,
        title_notes.move,  # what is said over the title slide goes into it
        landmarks.inline,  # what any page has for who uses no mouse
        lambda html: deck_scripts.inline(html, document),  # what a deck needs while it is shown
        cards.inline,  # marks of the ledger inside formulas; the script of its cards, whose button stands among the deck's tools
        lambda html: colour_roles(html, roles),  # the letters of the roles in formulas
        lambda html: speech.say(html, page.name),  # formulas, pictures and titles in words
        simulators.inline,  # the simulators' script and style
    )


def finish(html: str, page: Path, document: Path | None = None) -> str:
    """The page after every pass, checked, in the looks of its document; a Problem if it isn't fit to show."""
    with language.speaking(language.of_page(html)):
        for change in passes(page, document):
            html = change(html)
        check(html, page)
        return with_theme(html, document)
