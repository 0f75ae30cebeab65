"""What a PDF by Typst and one by LaTeX do alike: formulas in the outline, addresses as links, pictures that end a page."""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import replace
from typing import Any

import poppler
import pytest
from engine import embedded
from engine.document import opened

from figures.kit.files import ROOT, Line, Place

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("typst")
no_tex = pytest.mark.skipif(shutil.which("lualatex") is None, reason="no lualatex on the PATH: no PDF by LaTeX is tried")
BOTH = pytest.mark.parametrize("format", ["typst", pytest.param("pdf", marks=no_tex)])
ROW = {"n": 1, "id": "a", "shown": "0,62", "what": "", "value": "", "call": "a.b()", "place": "a.py:1", "kind": "fato [1]"}
ADDRESS = "https://arxiv.org/abs/1706.03762"
LIST = {
    "title": "Fim",
    "opening": "Lista.",
    "headings": ["lido", "valor", "código", "origem"],
    "slide": "slide {number}",
    "notes_title": "Fontes",
    "notes": [f"Vaswani et al., 2017, {ADDRESS}; lido em 2026.", f"Também {ADDRESS}."],
    "entries": [ROW],
}


def made(text: str, format: str) -> bytes:
    """Some Markdown as a PDF with the project's looks."""
    page = opened(ROOT / "slides" / "query-key-value.qmd")
    page = replace(page, lines=[Line(line, Place("a.qmd", n)) for n, line in enumerate(text.split("\n"), 1)])
    content: bytes = embedded.FORMATS[format].render(page, page.settings(format, embedded.FORMATS[format].OPTIONS))
    return content


def read(pdf: bytes) -> Any:
    return pypdf.PdfReader(io.BytesIO(pdf))


@BOTH
def test_a_formula_in_a_heading_is_plain_text_in_the_outline(format: str) -> None:
    pdf = read(made("## Um $\\sqrt{d_k}$, $O(n^2)$ e $h_{kv}$ aqui {#um}\n\nTexto.\n\n## Dois {#dois}\n", format))
    assert [item.title for item in pdf.outline] == ["Um √d_k, O(n²) e h_kv aqui", "Dois"]


@BOTH
def test_the_addresses_of_sources_are_links(format: str) -> None:
    pdf = read(made(f'## Um {{#um}}\n\n[0,62]{{.n n="1"}}\n\n```{{.ledger-appendix}}\n{json.dumps(LIST)}\n```\n', format))
    links = [link.get_object() for page in pdf.pages for link in page.get("/Annots", [])]
    assert [str(link["/A"]["/URI"]) for link in links if "/URI" in link.get("/A", {})] == [ADDRESS, ADDRESS]


@BOTH
def test_poppler_has_nothing_to_say_where_a_picture_opens_a_page(format: str) -> None:
    lines = "\n\n".join(f"Linha {n}." for n in range(4))
    pictures = '![](slides/imagens/slide.png){fig-alt="Um slide, “assim”" pixels="1100"}'
    text = "\n\n".join(f"## Parte {n} {{#p{n}}}\n\n{lines}\n\n{pictures}" for n in range(6))
    pdf = made(text.replace("(slides/", f"({ROOT}/slides/"), format)
    assert poppler.complaints(pdf) == ""
    assert len(read(pdf).pages) > 3
