"""The theme for Word: `.cache/office/reference.docx`, pandoc's own with the styles that `office.lua` names."""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from html import escape
from pathlib import Path

from base import atomic_write
from base.pandoc import pandoc

from figures.kit.theme import THEME

FILE = Path(".cache", "office", "reference.docx")
STYLES = "word/styles.xml"
DOCUMENT = "word/document.xml"
PAGE = b'<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1361" w:right="1247" w:bottom="1247" w:left="1247"/>'  # A4
EPOCH = (1980, 1, 1, 0, 0, 0)


def ready(root: Path) -> Path:
    """The file, made again where the theme or pandoc has changed."""
    made = reference()
    file = root / FILE
    if not file.is_file() or file.read_bytes() != made:
        atomic_write.write(file, made)
    return file


def reference() -> bytes:
    """The reference document, the same bytes each time."""
    plain = subprocess.run([pandoc(), "--print-default-data-file=reference.docx"], capture_output=True, check=True).stdout
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for item in given.infolist():
            content = given.read(item)
            if item.filename == STYLES:
                content = _in_ink(content.decode()).replace("</w:styles>", "".join(styles()) + "</w:styles>").encode()
            if item.filename == DOCUMENT:
                content = content.replace(b"</w:sectPr>", PAGE + b"</w:sectPr>")
            made.writestr(zipfile.ZipInfo(item.filename, EPOCH), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _in_ink(styles: str) -> str:
    """Pandoc's styles with headings in the theme's ink and code in its font, as large as the text around it."""
    mono = escape(THEME.fonts.mono.family)
    styles = re.sub(r'<w:color w:val="0F4761"[^>]*/>', f'<w:color w:val="{THEME.colours.light.ink[1:]}"/>', styles)
    code = f'<w:rFonts w:ascii="{mono}" w:hAnsi="{mono}"/>'
    return re.sub(r'<w:rFonts w:ascii="Consolas"[^>]*/>\s*<w:sz [^>]*/>', code, styles)


def styles() -> list[str]:
    """The styles as XML: characters of a role, a token, the best of a table; paragraphs of notes, questions and boxes."""
    light, mono = THEME.colours.light, escape(THEME.fonts.mono.family)
    lines = {"solid": "single", "dashed": "dash", "dotted": "dotted", "dash-dotted": "dotDash"}
    wash, question = (f'<w:shd w:val="clear" w:fill="{colour[1:]}"/>' for colour in (light.wash, light.stress_wash))
    edge = f'<w:pBdr><w:left w:val="single" w:sz="12" w:space="8" w:color="{light.rule[1:]}"/></w:pBdr><w:ind w:left="340"/>'
    return [
        *(
            _style("character", role.name, letters=_letters(role.light.ink, "<w:b/>", f'<w:u w:val="{lines[role.line]}"/>'))
            for role in THEME.roles
        ),
        _style("character", "best", letters=_letters(light.stress, "<w:b/>")),
        _style("character", "token", letters=_letters(light.ink, f'<w:rFonts w:ascii="{mono}" w:hAnsi="{mono}"/>', wash)),
        _style("character", "smalltext", letters=_letters(light.soft, "", _size(9))),
        _style("paragraph", "Notes", edge, _size(9)),
        _style("paragraph", "Question", question, "<w:b/>"),
        _style("paragraph", "Wash", wash),
        _style("paragraph", "Source Code", f'{wash}<w:wordWrap w:val="off"/>', _size(9)),
        _style("paragraph", "Small Print", "", _letters(light.soft, "", _size(9))),
        _style("paragraph", "Slide Number", '<w:keepNext/><w:spacing w:before="0" w:after="60"/>', _letters(light.soft, "", _size(8))),
    ]


def _letters(colour: str, before: str = "", after: str = "") -> str:
    """What letters look like, in the order that Word's schema asks for: font and weight, colour, size, line, shade."""
    return f'{before}<w:color w:val="{colour[1:]}"/>{after}'


def _size(points: int) -> str:
    return f'<w:sz w:val="{2 * points}"/>'


def _style(type: str, name: str, shape: str = "", letters: str = "") -> str:
    above = '<w:basedOn w:val="BodyText"/>' if type == "paragraph" else ""
    paragraph = f"<w:pPr>{shape}</w:pPr>" if shape else ""
    return (
        f'<w:style w:type="{type}" w:customStyle="1" w:styleId="{name.replace(" ", "")}"><w:name w:val="{name}"/>{above}'
        f"{paragraph}<w:rPr>{letters}</w:rPr></w:style>"
    )
