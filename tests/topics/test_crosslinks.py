"""Links between slides, chapter and lab: every one has a target, each section has its own, and none leads where nothing is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from a_copy import copied, run
from base.html_tree import Element, parse
from base.slides import slides
from engine import inline_code
from loaded import with_records

from figures import crosslinks, lab
from figures.kit import data, files, project, qmd
from figures.kit.errors import DataError
from figures.kit.files import Place

HERE = {"slides": "from_slide", "chapter": "from_chapter", "lab": "from_lab"}
CALL = re.compile(r'`\{python\} crosslinks\.(from_\w+)\("([\w-]+)"\)`')
LINK = re.compile(r"\]\(([^)#]*)#([\w-]+)\)")


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(project, "variables", lambda: {"site": "example.org/curso/"})
    return "https://example.org/curso/slides/"


def named(kind: crosslinks.Kind) -> set[str]:
    """The sections of a document that the records name."""
    return {id for subject in crosslinks.records().subjects for id in getattr(subject, kind)}


def hide(monkeypatch: pytest.MonkeyPatch, *kinds: crosslinks.Kind) -> None:
    """A project that has no document of these kinds."""
    gone = {files.ROOT / getattr(crosslinks.records().documents, kind) for kind in kinds}
    kept = [file for file in project.documents() if file not in gone]
    monkeypatch.setattr(project, "documents", lambda: kept)


@pytest.mark.parametrize("kind", crosslinks.KINDS)
def test_each_section_that_the_records_name_has_its_own_links_and_no_other_has_any(kind: crosslinks.Kind):
    document = crosslinks.document(kind)
    if document is None:
        pytest.skip("this project has no such document")
    calls = [
        (context.heading.id if context.heading else "", *call)
        for line, context in qmd.contexts(qmd.body(document))
        for call in CALL.findall(line.text)
    ]
    assert calls == [(id, HERE[kind], id) for id, _, _ in calls]
    assert sorted(id for id, _, _ in calls) == sorted(named(kind))


@pytest.mark.pages
def test_every_link_between_the_pages_ends_at_a_section(deck_file: Path, chapter_file: Path, lab_file: Path):
    trees = {file.name: parse(file.read_text(encoding="utf-8")) for file in (deck_file, chapter_file, lab_file)}
    ids = {name: {element.attributes.get("id") for element in tree.all()} for name, tree in trees.items()}
    links = {
        (name, place, element.attributes["href"])
        for name, tree in trees.items()
        for place, element in slides(tree)
        if isinstance(element, Element) and element.tag == "a" and ".html#" in element.attributes.get("href", "")
    }
    for name, place, href in links:
        page, _, id = href.partition("#")
        assert id in ids[page], f"{name}, {place}, leads to {href}"
    # Both ways: a section that another leads to leads back.
    pairs = {(name, place, *href.split("#")) for name, place, href in links}
    assert {(there, id, name, place) for name, place, there, id in pairs} == pairs
    assert len(pairs) > 40


@pytest.mark.pages
def test_a_number_in_a_link_is_the_one_that_readers_see(chapter_file: Path, lab_file: Path):
    heads = {e.attributes["id"]: e.text for e in parse(lab_file.read_text(encoding="utf-8")).all("h2") if "id" in e.attributes}
    links = parse(chapter_file.read_text(encoding="utf-8")).all("a")
    told = [e for e in links if e.attributes.get("href", "").startswith("laboratorio.html#")]
    assert told
    for link in told:
        assert heads[link.attributes["href"].partition("#")[2]].startswith(f"{link.text.removeprefix('seção ')} · ")


def test_without_a_document_nothing_leads_to_it(monkeypatch: pytest.MonkeyPatch):
    assert "laboratorio.html#sec-todas" in crosslinks.from_slide("sec-formas").text
    hide(monkeypatch, "chapter")
    assert "query-key-value" not in crosslinks.from_slide("sec-formas").text
    assert "laboratorio.html#sec-todas" in crosslinks.from_slide("sec-formas").text
    assert crosslinks.from_slide("sec-qkv") == crosslinks.NOTHING  # only the chapter treats that
    hide(monkeypatch, "chapter", "lab")
    assert crosslinks.from_slide("sec-formas") == crosslinks.NOTHING
    shown = inline_code.inline_value({"text/markdown": crosslinks.NOTHING.text}, Place("a.qmd", 1))
    assert shown.startswith("<!--") and shown.endswith("-->") and shown.count("--") == 2, (
        "an engine has something to write, and a reader sees nothing"
    )


def test_without_a_site_only_a_page_has_links(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(project, "variables", lambda: {"site": None})
    told = crosslinks.from_lab("sec-ordem").text
    assert 'unless-format="html"' not in told and ".for-paper" not in told
    assert LINK.findall(told) == [("atencao.html", "sec-posicao"), ("atencao.html", "sec-rope")]


def test_on_a_site_the_notebook_and_paper_have_them_too(published: str):
    told = crosslinks.from_lab("sec-ordem").text
    page, print_out, others = told.split("content-visible")[1:]
    assert [address for address, _ in LINK.findall(page)] == ["atencao.html"] * 2
    assert 'unless-format="html"' in others
    for part in (print_out, others):
        assert [address for address, _ in LINK.findall(part)] == [f"{published}atencao.html"] * 2


def test_an_id_that_no_document_has_is_refused_by_name(monkeypatch: pytest.MonkeyPatch):
    given = crosslinks.records()
    subject = data.changed(given.subjects[0], chapter=("sec-nenhuma",))
    with_records(monkeypatch, "crosslinks", data.changed(given, subjects=(subject,)))
    with pytest.raises(DataError, match=r"data/crosslinks.yml, sec-nenhuma: slides/query-key-value.qmd has no section with this id"):
        crosslinks.from_slide(subject.slides[0])
    with pytest.raises(DataError, match=r"slides/atencao.qmd, sec-mascara: links are asked for of a section that isn't here"):
        crosslinks.from_slide("sec-mascara")
    assert crosslinks.from_slide("sec-mascaras") == crosslinks.NOTHING, "a slide of no subject, as after another one was taken out"
    unnumbered = data.changed(given.subjects[0], lab=("sec-fim",))
    with_records(monkeypatch, "crosslinks", data.changed(given, subjects=(unnumbered,)))
    with pytest.raises(DataError, match=r"sec-fim: it is none of the lab's numbered sections"):
        crosslinks.from_slide(unnumbered.slides[0])


def test_sections_of_the_lab_are_numbered_as_its_records_are():
    titles = crosslinks.headings(crosslinks.document("lab") or Path())
    for id, title in titles.items():
        if crosslinks.NUMBERED in title:
            assert crosslinks.number("lab", id, titles) == lab.section(title.split('"')[1]).value


@pytest.mark.slow
def test_a_published_fork_without_a_chapter(tmp_path: Path):
    folder = copied(tmp_path)
    for name, old, new in (
        ("_variables.yml", 'site: ""', "site: https://example.org/curso"),
        ("_quarto.yml", "    - /slides/**/*.qmd", "#"),
        ("_quarto.yml", "    - slides/query-key-value.qmd\n", ""),
    ):
        file = folder / name
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    done = run(folder, "build", "lab", ENGINE="embedded")
    assert done.returncode == 0, done.stderr
    cells = json.loads((folder / "_output" / "slides" / "laboratorio.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    assert "](https://example.org/curso/slides/atencao.html#sec-rope)" in text
    assert "query-key-value" not in text


def test_a_slide_s_links_open_beside_the_lecture_and_stand_within_a_line():
    shown = crosslinks.from_slide("sec-formas").text
    assert shown.count("){target=_blank}") == len(LINK.findall(shown)) == 2
    assert "\n[capítulo](query-key-value.html#sec-formas)" in shown and " · laboratório: [seção 2](" in shown


def test_on_a_page_to_read_links_open_in_place_and_begin_a_sentence():
    shown = crosslinks.from_lab("sec-ordem").text
    assert "target" not in shown and "\nNos slides: [" in shown
