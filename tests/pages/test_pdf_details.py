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
BY_LATEX = [no_tex, pytest.mark.slow]  # three runs of it; test_paper_formats.py has one PDF by LaTeX in `make test`
ROW = {"n": 1, "id": "a", "shown": "0,62", "what": "", "value": "", "call": "a.b()", "place": "a.py:1", "kind": "fato [1]"}
ADDRESS = "https://arxiv.org/abs/1706.03762"
LIST = {
    "title": "Fim",
    "opening": "Lista.",
    "headings": ["lido", "valor", "código", "origem"],
    "slide": "slide {number}",
    "notes_title": "Fontes",
    "notes": [f"Vaswani et al., 2017, {ADDRESS}; lido em 2026.", f"Também {ADDRESS}."],
    "entries": [
        ROW,
        ROW | {"n": 2, "call": "gradient_descent.crossing_a_valley(condition=10,share=0.9,momentum=0)", "kind": "calculado"},
        ROW | {"n": 3, "kind": "fato [2]"},
    ],
}

LINES = "\n\n".join(f"Linha {n}." for n in range(4))
PICTURE = f'![]({ROOT}/slides/imagens/slide.png){{fig-alt="Um slide, “assim”" pixels="1100"}}'
PARTS = "\n\n".join(f"## Parte {n} {{#p{n}}}\n\n{LINES}\n\n{PICTURE}" for n in range(6))
# Headings with a table below, at every height of a page.
TABLES = "\n\n".join(
    "\n\n".join([*(f"Linha {line} de {n}." for line in range(n % 11)), f"## Tabela {n} {{#t{n}}}", "Antes dela:"])
    + f"\n\n| Coluna {n} | Outra |\n|---|---|\n"
    + "| a | b |\n" * 7
    for n in range(40)
)
TEXT = f"""## Um $\\sqrt{{d_k}}$, $O(n^2)$ e $h_{{kv}}$ aqui {{#um}}

[0,62]{{.n n="1"}} [0,63]{{.n n="2"}} [0,64]{{.n n="3"}}

{PARTS}

{TABLES}

```{{.ledger-appendix}}
{json.dumps(LIST)}
```
"""


@pytest.fixture(scope="module", params=["typst", pytest.param("pdf", marks=BY_LATEX)])
def pdf(request: pytest.FixtureRequest) -> bytes:
    """A page with all of it but the list of numbers, with the project's looks."""
    return made(request.param)


@pytest.fixture(scope="module", params=["typst", pytest.param("pdf", marks=BY_LATEX)])
def listed(request: pytest.FixtureRequest) -> bytes:
    """The list of its numbers."""
    return made(request.param, numbers=True)


def made(format: str, **edition: bool) -> bytes:
    page = opened(ROOT / "slides" / "query-key-value.qmd")
    page = replace(page, edition=edition, lines=[Line(line, Place("a.qmd", n)) for n, line in enumerate(TEXT.split("\n"), 1)])
    content: bytes = embedded.FORMATS[format].render(page, page.settings(format, embedded.FORMATS[format].OPTIONS))
    return content


def read(pdf: bytes) -> Any:
    return pypdf.PdfReader(io.BytesIO(pdf))


def test_a_formula_in_a_heading_is_in_words_in_the_outline(pdf: bytes) -> None:
    assert [item.title for item in read(pdf).outline][:2] == ["Um raiz quadrada de d k, O de n ao quadrado e h índice k v aqui", "Parte 0"]


def test_the_addresses_of_sources_are_links(listed: bytes) -> None:
    links = [link.get_object() for page in read(listed).pages for link in page.get("/Annots", [])]
    assert [str(link["/A"]["/URI"]) for link in links if "/URI" in link.get("/A", {})] == [ADDRESS, ADDRESS]


def test_poppler_has_nothing_to_say_where_a_picture_opens_a_page(pdf: bytes) -> None:
    assert poppler.complaints(pdf) == ""
    assert len(read(pdf).pages) > 3


def test_no_page_begins_with_the_head_of_a_table_that_comes_later(pdf: bytes) -> None:
    """A table that goes on in the next page repeats its head there; that of a later one has no business above a heading."""
    pages = [[line.strip() for line in page.extract_text().splitlines()] for page in read(pdf).pages]
    assert len(pages) > 12
    assert [page[0] for page in pages if page[0].startswith("Coluna") and page.count(page[0]) > 1] == []


def test_a_long_name_stays_in_its_column(listed: bytes) -> None:
    words = poppler.words(listed)
    (beside,) = [word for word in words if word.text == "calculado"]
    call = [word for word in words if abs(word.top - beside.top) < 3 and word.left < beside.left]
    assert max(word.right for word in call) < beside.left
