"""Which characters the theme's fonts can draw, so that a text that no page could show is refused where it is written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import regex

from figures.kit import files, packages, strict_yaml

_EMOJI = regex.compile(r"\p{Emoji_Presentation}|\p{So}\uFE0F")  # a notebook has the system's
COMMON = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180))))  # Latin letters: in any font of text


def faults(text: str, emoji: bool = False) -> Iterator[tuple[str, str]]:
    """The first character that no font of the theme draws, with the remedy; `emoji` may stand where a system draws them itself."""
    for sign in _EMOJI.sub("", text) if emoji else text:
        if sign not in COMMON and not sign.isspace() and ord(sign) not in drawable():
            what = f"no font of data/theme.yml draws “{sign}” (U+{ord(sign):04X})"
            yield what, "Write it with other characters, or name a font that has it"
            return


@cache
def drawable() -> frozenset[int]:
    """The code points of all faces of the theme."""
    return frozenset[int]().union(*(code_points(path) for path in _files() if path.is_file()))


@cache
def code_points(font: Path) -> frozenset[int]:
    """Those that a file of a font draws."""
    from fontTools.ttLib import TTFont

    with TTFont(font, lazy=True) as opened:
        return frozenset(opened.getBestCmap())


def _files() -> Iterator[Path]:
    """The files of the theme's faces; whether they are there `style` checks."""
    fonts = strict_yaml.read(files.lines_of(files.folder() / "theme.yml")).value["fonts"]
    for font in (font for font in fonts.values() if isinstance(font, dict) and "faces" in font):
        for face in font["faces"]:
            name, _, rest = face["file"].partition("/")
            folder = packages.folder(name) if font.get("package") else None
            yield folder / rest if folder else files.folder() / face["file"]
