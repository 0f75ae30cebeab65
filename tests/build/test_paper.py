"""The deck on paper: a page a slide, with its words, tags, language, fonts and bookmarks; and what stops it loses nothing."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import dom
import matterhorn
import pytest
from base import browser, fit
from base.html_tree import Element, Text, around, parse
from base.progress import Progress
from engine import embedded
from environment import find_browser
from paper import slides_pdf
from paper.slides_pdf import Bookmark, Slide, outline
from proof.written import elements

from figures.kit import deck
from figures.kit.errors import Problem
from figures.kit.project import document

pypdf = pytest.importorskip("pypdf")
ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
MEGABYTES = 3
QUIET = Progress(io.StringIO())
SLIDES = [Slide("title-slide", "Aula"), Slide("a", "Um"), Slide("b", "Dois"), Slide("c", "Três")]


def letters(text: str) -> str:
    """What of a text survives any way of setting it: `letters("√𝑑ₖ = 2")` -> "dk2"."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", text))


def seen(node: Element) -> str:
    """The letters of an element, the TeX that stands behind a formula left out."""
    return "".join(
        letters(child.text) if isinstance(child, Text) else seen(child) for child in node.children if not of_tag(child, "annotation")
    )


def of_tag(child: Element | Text, tag: str) -> bool:
    return isinstance(child, Element) and child.tag == tag


def title_of(section: Element) -> str:
    return seen(next(node for tag in ("h1", "h2") for node in section.all(tag)))


# ---- the deck itself ----


@pytest.fixture(scope="module")
def printed(deck_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_browser() is None:
        pytest.fail(slides_pdf.BROWSER)
    copy = tmp_path_factory.mktemp("paper") / deck_file.name
    shutil.copy2(deck_file, copy)
    return slides_pdf.render(copy, document("revealjs"), copy.parent, QUIET)


@pytest.fixture(scope="module")
def pdf(printed: Path) -> Any:
    return pypdf.PdfReader(printed)


@pytest.fixture(scope="module")
def sections(deck_file: Path) -> list[Element]:
    return [node for node in dom.slides(deck_file.read_text(encoding="utf-8")).all("section") if "id" in node.attributes]


@pytest.fixture(scope="module")
def texts(pdf: Any) -> list[str]:
    return [letters(page.extract_text()) for page in pdf.pages]


def test_one_page_a_slide_in_order_with_its_title(sections: list[Element], texts: list[str]):
    assert len(texts) == len(sections) == len(deck.slides())
    for number, (section, text) in enumerate(zip(sections, texts), 1):
        assert text.startswith(title_of(section)), f"page {number} starts “{text[:60]}”, not “{title_of(section)}”"


def test_no_page_is_blank(sections: list[Element], texts: list[str]):
    for number, (section, text) in enumerate(zip(sections[1:], texts[1:]), 2):  # the title slide may hold no more than its title
        assert len(text) > len(title_of(section)) + 40, f"page {number} holds little more than its title"


def test_a_page_shows_every_word_of_its_slide_what_appears_last_included(sections: list[Element], texts: list[str]):
    for section, text in zip(sections, texts):
        spoken = [
            id(node)
            for aside in (*section.all("aside"), *section.all(cls="crosslinks"), *section.all(cls="figure-values"))
            for node in aside.all()
        ]
        for node in (node for tag in ("p", "li", "td", "th") for node in section.all(tag)):
            if id(node) not in spoken and not any(node.all("math")):  # a formula is laid out in another order than it is read
                assert seen(node) in text, f"slide {section.attributes['id']}: “{node.text}”"
    assert any(any(section.all(cls="fragment")) for section in sections)


def test_pages_have_the_canvas_s_shape(pdf: Any):
    assert {(float(page.mediabox.width), float(page.mediabox.height)) for page in pdf.pages} == {(960.0, 540.0)}


def test_it_is_small_and_tells_no_date(deck_file: Path, printed: Path, pdf: Any):
    assert printed.stat().st_size < MEGABYTES * 1e6
    assert pdf.metadata.creation_date is None
    assert pdf.metadata.title == deck_title(deck_file)


def deck_title(page: Path) -> str:
    found = re.search(r"<title>(.*?)</title>", page.read_text(encoding="utf-8"))
    return found[1] if found else ""


def test_language_and_tags(pdf: Any, sections: list[Element]):
    root = pdf.trailer["/Root"]
    assert root["/Lang"] == "pt-BR"
    assert root["/MarkInfo"]["/Marked"]
    kinds = Counter(element["/S"] for element in elements(pdf))
    assert kinds["/H1"] + kinds["/H2"] == len(sections)
    assert kinds["/Table"] == sum(1 for section in sections for _ in shown_tables(section))
    figures = [element for element in elements(pdf) if element["/S"] == "/Figure"]
    drawn = [svg.attributes["aria-label"] for section in sections for svg in section.all("svg") if "aria-label" in svg.attributes]
    assert [figure["/Alt"] for figure in figures] == drawn


def test_it_keeps_the_points_of_pdf_ua_that_a_program_can_check(pdf: Any):
    assert {point: found for point, found in matterhorn.faults(pdf).items() if found} == {}


def shown_tables(section: Element) -> list[Element]:
    """The tables of a slide, those aside that open beside a figure."""
    offered = {id(table) for details in section.all(cls="figure-values") for table in details.all("table")}
    return [table for table in section.all("table") if id(table) not in offered]


def test_letters_are_letters_from_the_theme_s_fonts(pdf: Any):
    fonts = {font["/BaseFont" if "/BaseFont" in font else "/Subtype"] for page in pdf.pages for font in fonts_of(page)}
    families = {name.partition("+")[2].partition("-")[0] for name in fonts}
    assert families <= {"FiraSans", "FiraCode", "STIXTwoMath"}, fonts


def fonts_of(page: Any) -> list[Any]:
    resources = page["/Resources"].get_object()
    return [font.get_object() for font in resources.get("/Font", {}).get_object().values()]


def test_bookmarks_by_act(pdf: Any, sections: list[Element]):
    _, *acts = tops = [item for item in pdf.outline if not isinstance(item, list)]
    assert [item.title for item in acts] == [act.name for act in deck.acts()]
    assert [pdf.get_destination_page_number(item) + 1 for item in tops] == [1, *(deck.position(act.first) for act in deck.acts())]
    below = [item for group in pdf.outline if isinstance(group, list) for item in group]
    assert [pdf.get_destination_page_number(item) for item in below] == list(range(1, len(sections)))
    for item, section in zip(below, sections[1:]):
        assert letters(item.title) == (letters(section.attributes.get("data-title-said", "")) or title_of(section))


def test_formulas_are_tagged_with_their_words(pdf: Any, deck_file: Path):
    tagged = [element["/Alt"] for element in elements(pdf) if element["/S"] == "/Formula"]
    formulas = parse(deck_file.read_text(encoding="utf-8")).all("math")
    said = [math.attributes["aria-label"] for math in formulas if not in_notes(math)]
    assert tagged == said != []


def in_notes(node: Element) -> bool:
    return any("notes" in element.classes for element in around(node))


def test_pages_draw_no_picture_of_text(pdf: Any):
    """Vector everywhere; what is an image is a shade of a heat map, never larger than its few cells need."""
    images = [(number, image.image.size) for number, page in enumerate(pdf.pages, 1) for image in page.images]
    assert all(width * height <= 64 * 64 for _, (width, height) in images), images


# ---- by hand ----


def test_slides_lie_below_their_act():
    marks = outline(SLIDES, [("Início", "a"), ("Fim", "c")])
    assert marks == [
        Bookmark("Aula", 0),
        Bookmark("Início", 1, (Bookmark("Um", 1), Bookmark("Dois", 2))),
        Bookmark("Fim", 3, (Bookmark("Três", 3),)),
    ]


def test_without_acts_every_slide_stands_by_itself():
    assert outline(SLIDES, []) == [Bookmark(slide.title, page) for page, slide in enumerate(SLIDES)]


# ---- what stops it ----

SMALL = """---
title: "Aula"
lang: pt
engine: jupyter
format:
  revealjs: {width: 1280, height: 720, margin: 0, html-math-method: mathml, code-copy: false, auto-stretch: false}
execute: {echo: false}
---

## Um $\\sqrt{d_k}$ e $O(n^2)$ {#um}

Primeiro.

. . .

Depois.

## Dois {#dois}

EXTRA
"""


def small(folder: Path, extra: str) -> Path:
    (folder / "_quarto.yml").write_text("project: {type: default, post-render: python build post-render}\n")
    (folder / "d.qmd").write_text(SMALL.replace("EXTRA", extra), encoding="utf-8")
    embedded.render(folder / "d.qmd", ["revealjs"], QUIET)
    return folder / "d.qmd"


def test_the_same_page_gives_the_same_bytes_and_titles_in_plain_text(tmp_path: Path):
    document = small(tmp_path, "Fim.")
    before = slides_pdf.render(document.with_suffix(".html"), document, tmp_path, QUIET).read_bytes()
    assert slides_pdf.render(document.with_suffix(".html"), document, tmp_path, QUIET).read_bytes() == before
    pdf = pypdf.PdfReader(io.BytesIO(before))
    assert [item.title for item in pdf.outline] == ["Aula", "Um raiz quadrada de d k e O de n ao quadrado", "Dois"]
    assert "Depois." in pdf.pages[1].extract_text()


def test_a_slide_that_is_cut_is_named_by_build_and_print_and_the_last_good_files_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    too_much = "\n\n".join(f"Parágrafo {n}." for n in range(60))
    document = small(tmp_path, "Fim.")
    page, last = document.with_suffix(".html"), document.with_name("d-slides.pdf")
    good = page.read_bytes()
    last.write_bytes(b"good")
    with pytest.raises(Problem, match="slide 3 “Dois”: p “Parágrafo 59.” ends [0-9]+ px below its slide"):
        small(tmp_path, too_much)
    assert page.read_bytes() == good
    monkeypatch.setattr(fit, "check", lambda *_: None)
    small(tmp_path, too_much)
    with pytest.raises(Problem, match="slide 3 “Dois”: p “Parágrafo 59.” ends [0-9]+ px below its slide"):
        slides_pdf.render(page, document, tmp_path, QUIET)
    assert [file.name for file in tmp_path.glob("*.pdf*")] == ["d-slides.pdf"]
    assert last.read_bytes() == b"good"


def test_without_a_browser_the_message_says_how_to_get_one_and_nothing_is_lost(deck_file: Path):
    last = deck_file.with_name(f"{deck_file.stem}-slides.pdf")
    before = last.read_bytes() if last.is_file() else None
    environment = os.environ | {"CHROMIUM": "no-such-browser"}
    done = subprocess.run([sys.executable, BUILD, "pdf"], env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "apt-get install chromium" in done.stderr and "CHROMIUM=" in done.stderr and "Traceback" not in done.stderr
    assert (last.read_bytes() if last.is_file() else None) == before


def test_without_a_deck_the_message_says_so(tmp_path: Path):
    with pytest.raises(Problem, match="make deck"):
        slides_pdf.render(tmp_path / "d.html", tmp_path / "d.qmd", tmp_path, QUIET)


def test_a_browser_that_cannot_print_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    document = small(tmp_path, "Fim.")
    monkeypatch.setattr(browser, "find_browser", lambda: sys.executable)
    with pytest.raises(Problem, match="could not print it"):
        slides_pdf.render(document.with_suffix(".html"), document, tmp_path, QUIET)
