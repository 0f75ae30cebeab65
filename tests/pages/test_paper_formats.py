"""The deck in the formats without HTML: every slide, number, table and picture, by the embedded engine."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import poppler
import pytest
from base.progress import Progress
from engine import embedded
from engine.document import executed, opened
from proof import output_check

from figures.kit import deck, ledger, shown
from figures.kit.words import Words

pypdf = pytest.importorskip("pypdf")
ROOT = Path(__file__).resolve().parents[2]
SIGNS = {"descida": "−×", "atencao": "−×⁻⁴␣①⊙√"}
NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
needs_tex = pytest.mark.skipif(shutil.which("lualatex") is None, reason="no lualatex on the PATH: no PDF by LaTeX is tried")


@dataclass(frozen=True)
class Made:
    """The deck, run once for every format of paper, and what it has shown."""

    document: Any
    shown: list[output_check.Shown]

    def file(self, format: str, **edition: bool) -> bytes:
        maker = embedded.FORMATS[format]
        content: bytes = maker.render(replace(self.document, edition=edition), self.document.settings(format, maker.OPTIONS))
        return content


@pytest.fixture(scope="module", params=["descida", pytest.param("atencao", marks=pytest.mark.slow)])
def made(request: pytest.FixtureRequest) -> Iterator[Made]:
    file = ROOT / "slides" / f"{request.param}.qmd"
    ledger.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUARTO_DOCUMENT_PATH", str(file.parent))
        patch.setenv("QUARTO_DOCUMENT_FILE", file.name)
        document = executed(opened(file), False, Progress(io.StringIO()), ["typst", "pdf", "docx"])
        yield Made(document, [output_check.Shown(**entry) for entry in shown.listed(ledger.entries())])


@pytest.fixture(scope="module")
def latex(made: Made) -> bytes:
    return made.file("pdf", notes=True)


@pytest.fixture(scope="module")
def word(made: Made) -> bytes:
    return made.file("docx", notes=True)


@needs_tex
def test_a_pdf_by_latex_holds_all_that_was_shown_with_every_glyph(made: Made, latex: bytes):
    output_check.check(Path("d.pdf"), latex, made.shown)
    assert poppler.complaints(latex) == ""
    text = text_of(latex)
    assert all(sign in text for sign in SIGNS[made.document.path.stem])


@needs_tex
def test_it_has_title_language_outline_and_the_theme_s_fonts(made: Made, latex: bytes):
    pdf = pypdf.PdfReader(io.BytesIO(latex))
    acts = [act.name for act in deck.acts()]
    assert pdf.metadata.title == str(made.document.layers[1]["title"].value)
    assert pdf.trailer["/Root"]["/Lang"] == "pt-BR"
    titles = [item.title for item in flat(pdf.outline)]
    assert [title for title in titles if title in acts] == acts
    assert len(titles) == (len(acts) or 1) + len(deck.slides()[1:])  # without acts the title opens the list
    fonts = {str(font.get_object()["/BaseFont"]) for page in pdf.pages for font in page["/Resources"].get("/Font", {}).values()}
    assert {name.partition("+")[2].partition("-")[0] for name in fonts} <= {"FiraSans", "FiraCode", "STIXTwoMath"}


@needs_tex
def test_it_says_the_numbers_of_the_one_by_typst(made: Made, latex: bytes):
    pytest.importorskip("typst")
    by_typst, by_latex = (text_of(file) for file in (made.file("typst", notes=True), latex))
    assert set(NUMBER.findall(by_typst)) - set(NUMBER.findall(by_latex)) == set()


@needs_tex
def test_the_roles_keep_their_colours_in_words_and_formulas(made: Made, tmp_path: Path):
    from engine.convert import convert

    settings = made.document.settings("pdf", embedded.FORMATS["pdf"].OPTIONS)
    said = {"lang": "pt"} | ({"lecture": {"roles": []}} if made.document.path.stem == "descida" else {})
    text = convert(made.document.lines, said, "latex", "--extract-media=media", folder=tmp_path, filters=settings.get("filters"))
    if made.document.path.stem == "descida":
        assert "\\rolequery" not in text and "\\mathcolor" not in text  # this lecture names no role
    else:
        assert "\\rolequery{" in text and "\\mathcolor{query}{Q}" in text and "W_{\\mathcolor{key}{K}}" in text
        assert "d_k" in text and "d_{\\mathcolor" not in text


def test_word_holds_all_that_was_shown(made: Made, word: bytes):
    output_check.check(Path("d.docx"), word, made.shown)
    body = zipfile.ZipFile(io.BytesIO(word)).read("word/document.xml").decode()
    text = re.sub(r"</w:t></w:r><w:r><w:t[^>]*>", "", body)
    numbers = [int(n) for n in re.findall(r">slide (\d+)</w:t>", text)]
    assert numbers == list(range(2, len(deck.slides()) + 1))
    styles = {"Notes"} if made.document.path.stem == "descida" else {"query", "key", "value", "Question", "Notes"}
    assert styles <= set(re.findall(r'<w:[pr]Style w:val="(\w+)"', body))


def test_word_gets_the_same_bytes_twice(made: Made, word: bytes):
    assert made.file("docx", notes=True) == word


def test_unless_notes_are_asked_for_there_are_none(made: Made, word: bytes):
    """Nor does Quarto ask, whose paper goes to the folder that students get."""
    notes = [
        zipfile.ZipFile(io.BytesIO(file)).read("word/document.xml").decode().count(Words("handout")("notes"))
        for file in (word, made.file("docx"))
    ]
    assert notes[0] > len(deck.slides()) / 2 and notes[1] == 0


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)


def flat(outline: list[Any]) -> Iterator[Any]:
    for item in outline:
        yield from flat(item) if isinstance(item, list) else [item]
