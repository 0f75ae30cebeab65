"""The theme's fonts, cut down to the characters of one page and written into it as data: URIs.

The same page gives the same bytes. Raises a Problem for a character that no font of the theme can draw.
"""

from __future__ import annotations

import io
import json
import re
import string
from pathlib import Path

from base import pack, pieces
from base.assets import font_files
from base.html_tree import SILENT, Element, around, parse, within
from base.kept import kept
from fontTools import subset
from fontTools.ttLib import TTFont

from figures.kit.errors import Problem
from figures.kit.files import data_uri
from figures.kit.glyphs import code_points
from figures.kit.math_letters import italic
from figures.kit.style import FONTS
from figures.kit.theme import Face
from page import simulators
from page.checks import slide_that_shows

# What numbers and sentences are written with in any language: always there.
ALWAYS = set(string.printable.strip() + " \u00a0\u202f\u2009−×·→←≈≤≥…–—“”‘’«»°␣√∞")
SPACE_WALLS = 0.08  # how far above the line the walls of ␣ reach, in em
FEATURES = {
    "text": ["kern", "mark", "mkmk", "ccmp", "locl", "lnum", "tnum", "liga"],
    "mono": ["mark", "mkmk", "ccmp", "locl"],
    "math": ["ssty", "flac", "dtls", "mark", "ccmp"],
}
HIDDEN = {*SILENT, "title"}
_INVISIBLE = re.compile(r"[\s\u200b-\u200f\u2060-\u206f\ufe00-\ufe0f\ufeff\u00ad]")


def font_faces(html: str) -> str:
    """The `@font-face` rules of a page."""
    text, letters, written = _characters(html)
    used = text | ALWAYS | simulators.characters(html)
    formulas = {form for letter in letters for form in math_forms(letter)}
    rules = []
    drawn: set[str] = set()
    for use, family, face, path in _faces():
        has = set(map(chr, code_points(path)))
        wanted = (used | written | formulas if use == "math" else used | written) & has
        drawn |= wanted
        rules.append(_rule(family, face, _cut(path, wanted, FEATURES[use])))
    _check_drawn((used | formulas) - drawn, html)
    return "\n".join(rules)


def _characters(html: str) -> tuple[set[str], set[str], set[str]]:
    """The same as `characters` of a page, piece by piece."""
    made = (set[str](), set[str](), set[str]())
    for piece in pieces.pieces(html):
        found = pack.once("characters", [piece], lambda piece=piece: json.dumps([*map(sorted, characters(parse(piece)))]))
        for all_of_it, some in zip(made, json.loads(found)):
            all_of_it.update(some)
    return made


def characters(page: Element) -> tuple[set[str], set[str], set[str]]:
    """The characters that a page shows, those in its formulas, and those that its scripts may write while it is read.

    >>> [sorted(one) for one in characters(parse("<p>a&amp;<math>b</math></p>"))]
    [['&', 'a'], ['b'], []]
    """
    text, formulas, written = set[str](), set[str](), set[str]()
    for node in page.walk():
        if isinstance(node, Element):
            written.update(node.attributes.get("data-words", ""))
        elif node.parent and node.parent.attributes.get("type") == "application/json":
            written.update(node.text)
        elif not any(element.tag in HIDDEN or element.tag == "aside" and "notes" in element.classes for element in around(node)):
            (formulas if within(node, "math") else text).update(node.text)
    return text, formulas, written


def math_forms(letter: str) -> set[str]:
    """A letter of a formula and the italic that browsers draw for it.

    >>> sorted(math_forms("d"))
    ['d', '𝑑']
    """
    return {letter, italic(letter)}


def _faces() -> list[tuple[str, str, Face, Path]]:
    uses = dict(zip((font.family for font in FONTS), ("text", "mono", "math"), strict=True))
    return [(uses[family], family, face, path) for family, face, path in font_files()]


def _cut(path: Path, wanted: set[str], features: list[str]) -> bytes:
    """A font as WOFF2 with only the glyphs that `wanted` needs; the same cut is made once."""
    made_from = [path.read_bytes(), "".join(sorted(wanted)).encode(), " ".join(features).encode(), Path(__file__).read_bytes()]
    return kept("font", made_from, ("fonttools", "brotli"), lambda: _cut_anew(path, wanted, features))


def _cut_anew(path: Path, wanted: set[str], features: list[str]) -> bytes:
    with TTFont(path, lazy=True, recalcTimestamp=False) as font:
        return _smaller(font, wanted, features)


def _smaller(font: TTFont, wanted: set[str], features: list[str]) -> bytes:
    """What is left of a font: the glyphs that `wanted` needs, stretched roots and brackets included."""
    options = subset.Options(layout_features=features, name_IDs=["*"], hinting=False, notdef_outline=True)
    options.drop_tables += ["DSIG", "FFTM", "GDEF"] if "MATH" in font else ["DSIG", "FFTM"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=sorted(map(ord, wanted)))
    cutter.subset(font)
    if "MATH" in font:
        _even_roots(font)
    _deep_spaces(font)
    font.flavor = "woff2"
    out = io.BytesIO()
    font.save(out, reorderTables=True)
    return out.getvalue()


def _even_roots(font: TTFont) -> None:
    """Makes tall roots as wide as the plain one.

    Chromium reserves for every root the width of the widest that the font could need, and leaves the rest as a gap.
    """
    plain = font.getBestCmap().get(ord("√"))
    variants = font["MATH"].table.MathVariants
    tall = variants.VertGlyphCoverage.glyphs if variants and variants.VertGlyphCoverage else []
    if plain not in tall:
        return
    construction = variants.VertGlyphConstruction[tall.index(plain)]
    parts = construction.GlyphAssembly.PartRecords if construction.GlyphAssembly else []
    width = font["hmtx"][plain][0]
    for name in {record.VariantGlyph for record in construction.MathGlyphVariantRecord} | {part.glyph for part in parts}:
        advance, bearing = font["hmtx"][name]
        glyph = font["glyf"][name]
        glyph.coordinates.scale((width / advance, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, round(bearing * width / advance))


def _deep_spaces(font: TTFont) -> None:
    """Raises the walls of ␣ above the line of writing: as Fira Code draws it, the last row takes it for “_”."""
    name = font.getBestCmap().get(ord("␣"))
    if name is None:
        return
    glyph = font["glyf"][name]
    walls = max(y for _, y in glyph.coordinates)
    raised = max(walls, round(SPACE_WALLS * font["head"].unitsPerEm))
    for place, (x, y) in enumerate(glyph.coordinates):
        glyph.coordinates[place] = (x, raised if y == walls else y)
    glyph.recalcBounds(font["glyf"])


def _rule(family: str, face: Face, data: bytes) -> str:
    return (
        f'@font-face{{font-family:"{family}";font-weight:{face.weight};font-style:{face.style};'
        f'font-display:block;src:url("{data_uri(data, "font/woff2")}") format("woff2")}}'
    )


def _check_drawn(missing: set[str], html: str) -> None:
    missing = {letter for letter in missing if not _INVISIBLE.match(letter)} - ALWAYS
    for letter in sorted(missing):
        raise Problem(
            f"slide “{slide_that_shows(html, letter)}”",
            f"no font of the theme draws “{letter}” (U+{ord(letter):04X})",
            "Write it as a formula or with another sign, or add a font to data/theme.yml",
        )
