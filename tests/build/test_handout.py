"""On paper to read: every slide with what the deck shows there, with notes for who teaches alone, and the list of its numbers in a file
of its own; tagged, in the theme's fonts, by both engines.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import dom
import matterhorn
import paper_words
import poppler
import pytest
from a_copy import copied, run_quarto
from base.html_tree import Element
from base.progress import Progress
from engine import embedded, handout, papers
from engine.document import executed, opened
from engine.papers import HANDOUT, INSTRUCTOR, NUMBERS, STUDENTS
from proof import ledger_file, paper_numbers, pdf_text, sentences
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
HANDOUT_FILE = embedded.output(opened(SOURCE), "typst")
MARKS = re.compile(r"\{\.[^}]*\}|[\s\[\]$`\\_{}*]")


def plain(text: str) -> str:
    """A text without spaces and without Markdown's marks: `plain("[␣g]{.token} 5 × 10⁻⁴")` -> "␣g5×10-4"."""
    return MARKS.sub("", unicodedata.normalize("NFKC", text)).replace("−", "-")


@pytest.fixture(scope="module")
def written(deck_file: Path) -> dict[tuple[str, str], bytes]:
    """All paper of the deck, made of one execution after the deck, so that all show the same measurements."""
    source = opened(SOURCE)
    ledger.clear()
    ready, settings = executed(source, False, QUIET, ["typst"]), source.settings("typst", handout.OPTIONS)
    made = papers.of(source, embedded.output(source, "typst"))
    return {(paper.kind, paper.reader): handout.render(replace(ready, edition=paper.edition), settings) for paper in made}


@pytest.fixture(scope="module")
def pdfs(written: dict[tuple[str, str], bytes]) -> dict[tuple[str, str], Any]:
    return {paper: pypdf.PdfReader(io.BytesIO(content)) for paper, content in written.items()}


@pytest.fixture(scope="module")
def pdf(pdfs: dict[tuple[str, str], Any]) -> Any:
    """The students' handout."""
    return pdfs[HANDOUT, STUDENTS]


@pytest.fixture(scope="module")
def slides(pdfs: dict[tuple[str, str], Any]) -> list[str]:
    """What the handout for who teaches says of each slide."""
    return by_slide(whole(pdfs[HANDOUT, INSTRUCTOR]))


def whole(pdf: Any) -> str:
    """The text of all pages."""
    text = "\n".join(page.extract_text() for page in pdf.pages).replace("\u200b", "")  # where a long name may break
    return text.replace("-\n-", "-")  # Portuguese writes a hyphen again on the next line


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


@pytest.mark.parametrize("kind", [HANDOUT, NUMBERS])
def test_it_keeps_the_points_of_pdf_ua_that_a_program_can_check(pdfs: dict[tuple[str, str], Any], kind: str):
    assert {point: found for point, found in matterhorn.faults(pdfs[kind, STUDENTS]).items() if found} == {}


@pytest.mark.parametrize("reader", [STUDENTS, INSTRUCTOR])
def test_it_says_what_the_approved_deck_says_and_nothing_else(written: dict[tuple[str, str], bytes], deck_file: Path, reader: str) -> None:
    """So it needs no approved file of its own: see paper_words.py."""
    deck_says = sentences.of_page(deck_file.read_text("utf-8"), ledger_file.read(deck_file.with_suffix(".ledger.json")), masked=False)
    said = [one for one in deck_says if one.kind != "note" or reader == INSTRUCTOR]
    text = "\n".join(pdf_text.texts(written[HANDOUT, reader]))
    own = [Words("handout")("slide"), Words("handout")("notes"), *(act.name for act in deck.acts())]
    assert (paper_words.lacking(text, said), paper_words.strange(text, said, own)) == ([], [])


def test_what_holds_notes_goes_where_nothing_is_published_from():
    places = {(paper.kind, paper.reader): paper.file.relative_to(ROOT).as_posix() for paper in papers.of(opened(SOURCE), HANDOUT_FILE)}
    name, listed = HANDOUT_FILE.name, f"{SOURCE.stem}-{Words('handout')('numbers')}.pdf"
    assert places == {
        (HANDOUT, STUDENTS): f"_output/slides/{name}",
        (NUMBERS, STUDENTS): f"_output/slides/{listed}",
        (HANDOUT, INSTRUCTOR): f"_teaching/{name}",
        (NUMBERS, INSTRUCTOR): f"_teaching/{listed}",
    }


def test_the_students_have_no_note_and_no_row_of_what_only_notes_show(pdfs: dict[tuple[str, str], Any], sections: list[Element], entries):
    """Beside what the one for who teaches has of them: a run of words of a note, the calls of a note's entries."""
    read = {paper: plain(whole(pdf)) for paper, pdf in pdfs.items()}
    notes = [note for section in sections for note in section.all("aside", "notes")]
    said = {plain(node.text) for note in notes for node in note.all("p") if not any(node.all("math")) and len(node.text) > 30}
    kept = {one for one in said if one in read[HANDOUT, INSTRUCTOR]}
    assert len(kept) > 0.9 * len(said) > 1
    assert not [one for one in kept if one in read[HANDOUT, STUDENTS]] and plain(Words("handout")("notes")) not in read[HANDOUT, STUDENTS]
    calls = Counter((entry["notes"], plain(entry["id"].removesuffix(f":{entry['format']}"))) for entry in entries)
    secret = {call for hidden, call in calls if hidden and not calls[False, call]}
    assert secret and all(call in read[NUMBERS, INSTRUCTOR] and call not in read[NUMBERS, STUDENTS] for call in secret)
    assert all(call in read[NUMBERS, STUDENTS] for hidden, call in calls if not hidden)


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


def test_every_number_of_it_is_one_that_the_deck_shows_on_that_slide(written: dict[tuple[str, str], bytes], deck_file: Path):
    html = deck_file.read_text(encoding="utf-8")
    shown = paper_numbers.Shown(
        html, ledger_file.read(deck_file.with_suffix(".ledger.json")).entries, {slide.id for slide in deck.slides()}
    )
    for (kind, reader), content in written.items():
        assert paper_numbers.of_file(f"{kind} for {reader}", content, kind, shown) == []


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


def test_poppler_has_nothing_to_say_against_it(written: dict[tuple[str, str], bytes]):
    assert [poppler.complaints(content) for content in written.values()] == [""] * len(written)


def test_all_of_it_is_in_the_deck_s_language_but_code_which_is_in_none(pdf: Any):
    assert {element["/Lang"] for element in elements(pdf) if "/Lang" in element} == {"zxx"}


def test_language_and_tags(pdf: Any, sections: list[Element]):
    root = pdf.trailer["/Root"]
    assert root["/Lang"] == "pt-BR" and root["/MarkInfo"]["/Marked"]
    assert b'pdfuaid:part="1"' in root["/Metadata"].get_data() or b"<pdfuaid:part>1<" in root["/Metadata"].get_data()
    kinds = Counter(element["/S"] for element in elements(pdf))
    assert kinds["/H1"] == len(deck.acts()) and kinds["/H2"] == len(sections) - 1
    assert kinds["/Table"] == sum(1 for section in sections for _ in shown_tables(section))
    assert all("/Alt" in element for element in elements(pdf) if element["/S"] == "/Formula")


def shown_tables(section: Element) -> list[Element]:
    """The tables of a slide, those aside that open beside a figure."""
    offered = {id(table) for details in section.all(cls="figure-values") for table in details.all("table")}
    return [table for table in section.all("table") if id(table) not in offered]


def test_bookmarks_by_act(pdfs: dict[tuple[str, str], Any]):
    pdf, listed = pdfs[HANDOUT, STUDENTS], pdfs[NUMBERS, STUDENTS]
    assert [item.title for item in pdf.outline if not isinstance(item, list)] == [act.name for act in deck.acts()]
    assert [item.title for item in listed.outline] == [APPENDIX]
    assert sum(len(group) for group in pdf.outline if isinstance(group, list)) == len(deck.slides()) - 1


def test_the_list_has_a_row_for_each_entry_under_the_slide_that_the_ledger_names(pdfs, entries: list[dict[str, Any]]):
    head = rf"\d+[^\W\d]+?{plain(APPENDIX)}"  # of a page, with the number at the foot of the one before it
    told = re.sub(head, "", plain(whole(pdfs[NUMBERS, INSTRUCTOR])))
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


def test_every_address_on_paper_is_a_link_that_leads_there(pdfs):
    """No address is left as text; one in two lines is one link."""
    seen = 0
    for pdf in pdfs.values():
        text = re.sub(r"\s", "", whole(pdf))
        live = {str(one["/A"]["/URI"]) for _, one in matterhorn.annotations(pdf) if "/A" in one}
        for address in re.finditer(r"https?://", text):
            assert any(text.startswith(uri, address.start()) for uri in live), text[address.start() :][:80]
            seen += 1
    assert seen


def test_a4_small_and_in_the_theme_s_fonts(pdf: Any, written: dict[tuple[str, str], bytes]):
    assert {(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in pdf.pages} == {(595, 842)}
    assert all(len(content) < 3e6 for content in written.values())
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
def test_quarto_makes_the_same_handout(pdf: Any, tmp_path: Path):
    done = run_quarto(copied(tmp_path), "render", SOURCE.relative_to(ROOT).as_posix(), "--to", "typst")
    assert done.returncode == 0, done.stderr
    theirs = pypdf.PdfReader(tmp_path / "_output" / "slides" / f"{SOURCE.stem}-apostila.pdf")
    texts = [by_slide(whole(one)) for one in (pdf, theirs)]
    assert len(texts[0]) == len(deck.slides())
    for number, (our, their) in enumerate(zip(*texts, strict=True), 1):
        assert Counter(our) == Counter(their), f"slide {number}"
    assert [element.get("/Alt") for element in elements(pdf)] == [element.get("/Alt") for element in elements(theirs)]
