"""The handout: every slide with what the deck shows and says there, number by number; tagged, in the theme's fonts, by both engines."""

from __future__ import annotations

import io
import json
import re
import shutil
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import dom
import matterhorn
import poppler
import pytest
from a_copy import copied, run_quarto
from base.html_tree import Element
from base.progress import Progress
from engine import embedded, handout
from engine.document import executed, opened
from proof import ledger_file, paper_numbers
from proof.written import elements

from figures.kit import deck, ledger
from figures.kit.errors import Problem
from figures.kit.project import document
from figures.kit.words import Words

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("typst")
ROOT = Path(__file__).resolve().parents[2]
SOURCE = document("revealjs")
THEME = ROOT / "slides" / "theme"
QUIET = Progress(io.StringIO())
WORDS = Words("ledger")
APPENDIX = WORDS("appendix.title")
MARKS = re.compile(r"\{\.[^}]*\}|[\s\[\]$`\\_{}*]")


def plain(text: str) -> str:
    """A text without spaces and without Markdown's marks: `plain("[␣g]{.token} 5 × 10⁻⁴")` -> "␣g5×10-4"."""
    return MARKS.sub("", unicodedata.normalize("NFKC", text)).replace("−", "-")


@pytest.fixture(scope="module")
def written(deck_file: Path) -> bytes:
    """The handout, made after the deck, so that both show the same measurements."""
    source = opened(SOURCE)
    ledger.clear()
    return handout.render(executed(source, False, QUIET), source.settings("typst", handout.OPTIONS))


@pytest.fixture(scope="module")
def pdf(written: bytes) -> Any:
    return pypdf.PdfReader(io.BytesIO(written))


@pytest.fixture(scope="module")
def slides(pdf: Any) -> list[str]:
    return by_slide(parts(pdf)[0])


def parts(pdf: Any) -> tuple[str, str]:
    """The text of the slides and that of the section after them."""
    whole = "\n".join(page.extract_text() for page in pdf.pages).replace("\u200b", "")  # where a long name may break
    whole = whole.replace("-\n-", "-")  # Portuguese writes a hyphen again on the next line
    text, _, appendix = whole.partition(f"\n{APPENDIX}\n")
    return text, appendix


def by_slide(text: str) -> list[str]:
    """The text of each slide, the title slide's first; a slide starts at its title, a line that ends in "slide 7"."""
    starts = [0, *(match.start() for match in re.finditer(r"^.* slide \d+$", text, re.MULTILINE))]
    return [plain(text[start:end]) for start, end in zip(starts, [*starts[1:], len(text)])]


@pytest.fixture(scope="module")
def sections(deck_file: Path) -> list[Element]:
    return [node for node in dom.slides(deck_file.read_text(encoding="utf-8")).all("section") if "id" in node.attributes]


@pytest.fixture(scope="module")
def entries(deck_file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(deck_file.with_suffix(".ledger.json").read_text(encoding="utf-8"))["entries"]
    return found


# ---- the deck's own handout ----


def test_it_keeps_the_points_of_pdf_ua_that_a_program_can_check(pdf: Any):
    assert {point: found for point, found in matterhorn.faults(pdf).items() if found} == {}


def test_each_slide_once_in_order_under_its_number(slides: list[str]):
    assert len(slides) == len(deck.slides())
    for number, text in enumerate(slides[1:], 2):
        assert f"slide{number}" in text[:100]


def test_every_value_that_the_deck_shows_stands_at_its_slide_in_the_same_words(slides: list[str], entries: list[dict[str, Any]]):
    seen: Counter[str] = Counter()
    for entry in entries:
        for text in shown(entry):
            assert plain(text) in slides[entry["slide"]["number"] - 1], f"{entry['id']} shows “{text}” on slide {entry['slide']['number']}"
            seen[entry["what"]] += 1
    assert all(seen[what] for what in ("number", "word", "formula", "table"))


def shown(entry: dict[str, Any]) -> list[str]:
    """What a reader sees of an entry, pictures and checks left out."""
    if entry["what"] == "table":
        return [cell for row in entry["value"]["texts"] for cell in row if "$" not in cell]
    return [entry["text"]] if entry["what"] in ("number", "word", "formula", "listing") else []


def test_every_number_of_it_is_one_that_the_deck_shows_on_that_slide(written: bytes, deck_file: Path):
    html = deck_file.read_text(encoding="utf-8")
    shown = paper_numbers.Shown(
        html, ledger_file.read(deck_file.with_suffix(".ledger.json")).entries, {slide.id for slide in deck.slides()}
    )
    assert paper_numbers.of_file("handout", written, paper_numbers.HANDOUT, shown) == []


def test_every_note_stands_below_its_slide(slides: list[str], sections: list[Element]):
    spoken = 0
    for text, section in zip(slides, sections):
        for paragraph in (node for notes in section.all("aside", "notes") for tag in ("p", "li") for node in notes.all(tag)):
            if not any(paragraph.all("math")):
                assert plain(paragraph.text) in text, section.attributes["id"]
                spoken += 1
    assert spoken >= len(sections) // 3


def test_pictures_are_there_with_the_deck_s_words_for_them(pdf: Any, sections: list[Element]):
    drawn = [svg.attributes["aria-label"] for section in sections for svg in section.all("svg") if "aria-label" in svg.attributes]
    assert [element["/Alt"] for element in elements(pdf) if element["/S"] == "/Figure"] == drawn


def test_poppler_has_nothing_to_say_against_it(written: bytes):
    assert poppler.complaints(written) == ""


def test_all_of_it_is_in_the_deck_s_language_but_code_which_is_in_none(pdf: Any):
    assert {element["/Lang"] for element in elements(pdf) if "/Lang" in element} == {"zxx"}


def test_language_and_tags(pdf: Any, sections: list[Element]):
    root = pdf.trailer["/Root"]
    assert root["/Lang"] == "pt-BR" and root["/MarkInfo"]["/Marked"]
    assert b'pdfuaid:part="1"' in root["/Metadata"].get_data() or b"<pdfuaid:part>1<" in root["/Metadata"].get_data()
    kinds = Counter(element["/S"] for element in elements(pdf))
    assert kinds["/H1"] == len(deck.acts()) + 1 and kinds["/H2"] == len(sections) - 1
    assert kinds["/Table"] == sum(1 for section in sections for _ in shown_tables(section)) + 1
    assert all("/Alt" in element for element in elements(pdf) if element["/S"] == "/Formula")


def shown_tables(section: Element) -> list[Element]:
    """The tables of a slide, those aside that open beside a figure."""
    offered = {id(table) for details in section.all(cls="figure-values") for table in details.all("table")}
    return [table for table in section.all("table") if id(table) not in offered]


def test_bookmarks_by_act(pdf: Any):
    assert [item.title for item in pdf.outline if not isinstance(item, list)] == [*(act.name for act in deck.acts()), APPENDIX]
    assert sum(len(group) for group in pdf.outline if isinstance(group, list)) == len(deck.slides()) - 1


def test_the_last_section_has_a_row_for_each_entry_under_the_slide_that_the_ledger_names(pdf: Any, entries: list[dict[str, Any]]):
    told = plain(parts(pdf)[1])
    notes = plain(WORDS("appendix.notes"))
    end = told.index(notes) if any(entry["note"] for entry in entries) else len(told)
    number, start, last, named = 0, 0, 0, 0
    for entry in sorted(entries, key=lambda entry: entry["slide"]["number"]):
        if entry["slide"]["number"] != number:
            number, start = entry["slide"]["number"], last
        call = plain(entry["id"].removesuffix(f":{entry['format']}") + f"{entry['file']}:{entry['line']}")
        at = told.index(call, start) + len(call)
        last = max(last, at)
        named = told.index(plain(entry["name"]), named) + len(entry["name"])
        assert told.index(call, named) + len(call) >= at, f"{entry['id']} has another short name"
        slide = re.findall(r"slide(\d+)", told[:at])[-1]
        assert slide.startswith(str(entry["slide"]["number"])), f"{entry['id']} stands under slide {slide}"
        kind = "claim" if entry["what"] == "claim" else f"kinds.{entry['kind']}"
        assert told.startswith(plain(WORDS(f"appendix.{kind}")), at), entry["id"]
        if entry["note"]:
            assert plain(entry["note"]) in told[end:]
    assert last < end and len(re.findall(r"figures/[\w/]+\.py:\d+", told)) == len(entries)


def test_a4_small_and_in_the_theme_s_fonts(pdf: Any, written: bytes):
    assert {(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in pdf.pages} == {(595, 842)}
    assert len(written) < 3e6
    fonts = [font.get_object() for page in pdf.pages for font in page["/Resources"].get("/Font", {}).values()]
    assert {font.get("/BaseFont", font["/Subtype"]).partition("+")[2].partition("-")[0] for font in fonts} <= {
        "FiraSans",
        "FiraCode",
        "STIXTwoMath",
    }


# ---- through the engine ----

SMALL = """---
title: Aula
lang: pt-BR
engine: jupyter
format:
  typst:
    include-in-header: slides/theme/handout.typ
    filters: [slides/theme/handout.lua]
    shift-heading-level-by: 0
    pdf-standard: ua-1
---

## Um {#um}

"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "_quarto.yml").write_text("project: {type: default}\n")
    for name in ("data", "slides/theme"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def made(project: Path, text: str) -> bytes:
    (project / "d.qmd").write_text(SMALL + text, encoding="utf-8")
    return embedded.render(project / "d.qmd", ["typst"], QUIET)[0].read_bytes()


def test_the_same_source_gives_the_same_bytes_and_leaves_nothing_behind(project: Path):
    assert made(project, "Um $q$.\n") == made(project, "Um $q$.\n")
    assert not list((project / ".cache").glob("handout-*"))


def test_a_slide_longer_than_a_page_goes_on_and_a_shorter_one_does_not(project: Path):
    slide = "\n\n".join(f"Parágrafo {n}." for n in range(30))
    short = pypdf.PdfReader(io.BytesIO(made(project, f"{slide}\n\n## Dois {{#dois}}\n\n{slide}\n")))
    assert len(short.pages) == 2 and "Dois" in short.pages[1].extract_text()
    long = pypdf.PdfReader(io.BytesIO(made(project, "\n\n".join(f"Parágrafo {n}." for n in range(120)))))
    assert len(long.pages) > 2 and "Parágrafo 119." in long.pages[-1].extract_text()


def test_a_picture_without_words_stops_the_handout(project: Path):
    (project / "a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')
    with pytest.raises(Problem, match="alt text"):
        made(project, "![](a.svg)\n")


PAGE = """---
title: Página
lang: pt-BR
engine: jupyter
format: {html: {theme: none, html-math-method: mathml, code-copy: false}, typst: default}
execute: {echo: false}
---

```{python}
from figures.kit import deck, ledger
from figures.kit.words import Words
```

## Um {#um}

São `{python} deck.act_count()` atos.

```{python}
ledger.page()
```
"""


def test_everything_renders_each_listed_document_with_a_ledger_of_its_own(tmp_path: Path):
    settings = "project: {type: default, output-dir: out, post-render: python build post-render, render: [a.qmd, b.qmd]}\n"
    (tmp_path / "_quarto.yml").write_text(settings)
    for name in ("a", "b"):
        (tmp_path / f"{name}.qmd").write_text(PAGE, encoding="utf-8")
    embedded.everything(tmp_path, QUIET)
    assert {file.name for file in (tmp_path / "out").glob("?.*")} >= {"a.html", "a.pdf", "b.html", "b.pdf"}
    for name in ("a", "b"):
        entries = json.loads((tmp_path / "out" / f"{name}.ledger.json").read_text(encoding="utf-8"))["entries"]
        assert [entry["function"] for entry in entries] == ["deck.act_count"]


@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_quarto_makes_the_same_handout(written: bytes, tmp_path: Path):
    done = run_quarto(copied(tmp_path), "render", SOURCE.relative_to(ROOT).as_posix(), "--to", "typst")
    assert done.returncode == 0, done.stderr
    theirs = pypdf.PdfReader(tmp_path / "_output" / "slides" / f"{SOURCE.stem}-apostila.pdf")
    ours = pypdf.PdfReader(io.BytesIO(written))
    texts = [[*by_slide(parts(pdf)[0]), plain(parts(pdf)[1])] for pdf in (ours, theirs)]
    assert len(texts[0]) == len(deck.slides()) + 1
    for number, (our, their) in enumerate(zip(*texts, strict=True), 1):
        assert Counter(our) == Counter(their), f"slide {number}"
    assert [element.get("/Alt") for element in elements(ours)] == [element.get("/Alt") for element in elements(theirs)]
