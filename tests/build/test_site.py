"""What is published: a students' site without a trace of notes and solutions, an instructor's with both, and nothing of others deleted."""

from __future__ import annotations

import html
import io
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from base import commit
from base.html_tree import parse
from page import solutions
from publishing import edition, folder, front, links, publish, stamp
from rendering import first

from figures.kit import project, qmd
from figures.kit.entry import Ledger
from figures.kit.errors import Faults, Problem

ROOT = Path(__file__).resolve().parents[2]
NOTES = re.compile(r"^(:{3,}) \{\.notes\}\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
PICTURE = b"\x89PNG"
PROSE = re.compile(r"[^\W\d_][\w ,;:–-]{24,}[^\W_]")  # a run of words without marks, formulas or numbers between them


def sentences(document: Path) -> list[str]:
    """A run of words of each sentence of a document's notes, as its source writes them."""
    text = "\n".join(line.text for line in qmd.body(document, ROOT))
    said = (one for _, notes in NOTES.findall(text) for one in re.split(r"(?<=[.?!])\s", " ".join(notes.split())))
    return [run[0] for one in said if (run := PROSE.search(re.sub(r"`[^`]*`|\{\{<.*?>\}\}", "|", one)))]


def words(file: Path) -> str:
    """All that a file says, in one line: of a page its source, tags aside, what scripts hold included."""
    text = file.read_text(encoding="utf-8")
    if file.suffix in (".ipynb", ".json"):
        text = "\n".join(one for one in strings(json.loads(text)))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split())


def strings(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list) and all(isinstance(one, str) for one in content):
        yield "".join(content)  # the lines of a cell
    elif isinstance(content, (list, dict)):
        for one in content.values() if isinstance(content, dict) else content:
            yield from strings(one)


@pytest.fixture(scope="module")
def made(page_of: Callable[[Path], Path]) -> list[publish.Made]:
    """Every document of the project, rendered once for the session."""
    pages = [(page_of(document), project.formats(document)) for document in project.documents()]
    return [publish.Made(page, {front.NOTEBOOK: page.with_suffix(".ipynb")} if "ipynb" in formats else {}) for page, formats in pages]


@pytest.fixture(scope="module")
def sites(made: list[publish.Made], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The site of each edition."""
    roots = {wanted: tmp_path_factory.mktemp(wanted) for wanted in (edition.STUDENTS, edition.INSTRUCTOR)}
    for wanted, root in roots.items():
        publish.publish(made, ROOT / "_output", wanted, root, lambda pages: [PICTURE] * len(pages))
    return {wanted: root / publish.FOLDER for wanted, root in roots.items()}


def texts_of(site: Path) -> dict[str, str]:
    return {
        file.relative_to(site).as_posix(): words(file) for file in site.rglob("*") if file.suffix in (".html", ".json", ".ipynb", ".txt")
    }


@pytest.mark.pages
def test_no_sentence_of_a_note_is_in_the_students_site(sites):
    said = {sentence for document in project.documents() for sentence in sentences(document)}
    students, instructors = texts_of(sites["students"]), " ".join(texts_of(sites["instructor"]).values())
    assert len([one for one in said if one in instructors]) > 0.9 * len(said) > 1
    assert [(one, name) for one in said for name, text in students.items() if one in text] == []


@pytest.mark.pages
def test_no_solution_is_in_the_students_site(sites):
    lab = first("ipynb")
    answers = [sentence for text in solutions.open_answers(lab).values() for sentence in PROSE.findall(text)]
    taught = [" ".join(text.split()) for text in solutions.solutions(lab).values()] + answers
    students = texts_of(sites["students"])
    assert len(taught) > 1
    assert [(one, name) for one in taught for name, text in students.items() if one in text] == []


@pytest.mark.pages
def test_the_students_ledgers_hold_what_is_left_and_fit_their_schema(sites):
    for file in sites["students"].rglob("*.ledger.json"):
        full = json.loads((sites["instructor"] / file.relative_to(sites["students"])).read_text(encoding="utf-8"))["entries"]
        left = msgspec.json.decode(file.read_bytes(), type=Ledger).entries
        assert not any(entry.notes for entry in left)
        assert sorted(entry.id for entry in left) == sorted(entry["id"] for entry in full if not entry["notes"])
        assert len(left) == sum(not entry["notes"] for entry in full) > 0
        page = file.with_name(file.name.replace(".ledger.json", ".html"))
        assert not list(edition.notes(parse(page.read_text(encoding="utf-8"))))
        assert (file.parent / "ledger.schema.json").is_file()


@pytest.mark.pages
def test_each_page_of_the_instructor_says_whose_it_is(sites):
    for site, marks in ((sites["instructor"], 1), (sites["students"], 0)):
        for page in site.rglob("*.html"):
            tree = parse(page.read_text(encoding="utf-8"))
            assert len([one for one in tree.all("p") if one.attributes.get("id") == "edition"]) == marks, page
            assert ("noindex" in page.read_text(encoding="utf-8")) == bool(marks)


@pytest.mark.pages
def test_the_first_page_lists_every_document_with_its_files_and_its_commit(sites, made):
    index = (sites["students"] / "index.html").read_text(encoding="utf-8")
    links = {link.attributes["href"] for link in parse(index).all("a")}
    files = {file.relative_to(ROOT / "_output").as_posix() for one in made for file in (one.page, *one.beside.values())}
    assert files <= links and all((sites["students"] / link).is_file() for link in links)
    assert all((sites["students"] / picture.attributes["src"]).read_bytes() == PICTURE for picture in parse(index).all("img"))
    assert "prefers-color-scheme:dark" in index and "://" not in re.sub(r"<style>.*?</style>", "", index, flags=re.DOTALL)
    assert not (sites["students"] / "sitemap.xml").exists() or project.site()


def test_a_note_s_call_may_stand_on_its_slide_too(tmp_path):
    """Twice in a paragraph, a call is marked with its last number, here the note's: the slide keeps one entry, by that number."""
    entry = {"what": "number", "kind": "computed", "value": 2, "text": "2", "format": "f", "function": "t.two", "arguments": [],
             "file": "a.py", "line": 1, "data": [], "unit": "", "records": [], "fields": [], "seeds": [], "note": ""}  # fmt: skip
    entries = [entry | {"n": n, "id": "t.two():f"} for n in (1, 2)] + [entry | {"n": 3, "id": "t.secret():f", "text": "9"}]
    ledger = json.dumps({"version": edition.ledger_file.VERSION, "repository": "", "words": {}, "entries": entries})
    page = (
        '<html><body><section id="a"><h2>A</h2><span data-n="2">2</span>'
        '<aside class="notes">Dizer <span data-n="2">2</span> e <span data-n="3">9</span></aside></section>'
        f'<script id="ledger" type="application/json">{ledger}</script></body></html>'
    )
    left = edition.for_students(page, tmp_path / "a.html")
    kept = json.loads(edition.ledger_file.ledger(left, tmp_path / "a.html") or "")["entries"]
    assert [(one["n"], one["id"], one["slide"]["id"], one["notes"]) for one in kept] == [(2, "t.two():f", "a", False)]
    assert "secret" not in left and "Dizer" not in left


def test_a_folder_with_files_of_others_is_refused_by_name_and_left_alone(tmp_path):
    site = tmp_path / "_site"
    folder.replace(site, {"index.html": "1", "old/a.html": "1"}, tmp_path)
    (site / "mine").mkdir()
    (site / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(Faults, match=r"_site/mine/thesis.txt: `make site` did not put this file there"):
        folder.replace(site, {"index.html": "2"}, tmp_path)
    assert (site / "mine" / "thesis.txt").read_text() == "years of work" and (site / "index.html").read_text() == "1"
    (site / "mine" / "thesis.txt").unlink()
    folder.replace(site, {"index.html": "2"}, tmp_path)
    assert sorted(path.name for path in site.rglob("*")) == [folder.LIST, "index.html"]


def test_a_folder_that_the_command_never_wrote_is_refused(tmp_path):
    (tmp_path / "_site").mkdir()
    (tmp_path / "_site" / "index.html").write_text("another's")
    with pytest.raises(Faults, match=r"_site/index.html"):
        folder.replace(tmp_path / "_site", {"index.html": "2"}, tmp_path)
    assert (tmp_path / "_site" / "index.html").read_text() == "another's"


@pytest.mark.parametrize(
    ("href", "fault"),
    [
        ("b.html", None),
        ("b.html#part", None),
        ("#here", None),
        ("https://example.org/x", None),
        ("https://a.org/c/s/b.html", None),
        ("gone.html", "has not"),
        ("b.html#gone", "a place"),
        ("#gone", "a place"),
        ("https://a.org/c/gone", "has not"),
        ("../index.html", "has not"),
    ],
)
def test_a_dead_link_is_named(href, fault):
    pages = {"s/a.html": f'<p id="here"><a href="{href}">x</a></p>', "s/b.html": '<h2 id="part">b</h2>'}
    if fault is None:
        links.check(pages, "https://a.org/c")
        return
    with pytest.raises(Faults, match=rf"s/a.html: the link {re.escape(href)}.*{fault}"):
        links.check(pages, "https://a.org/c")


@pytest.mark.parametrize("address", ["https://a.org", "http://localhost:8000/c"])
def test_an_address_is_taken(address):
    assert front.checked(address) == address


@pytest.mark.parametrize(
    "address", ["https://", "ftp://a.org", "https://a b.org", "javascript:alert(1)", "https://a.org/?x", 'https://a.org/"x']
)
def test_what_is_no_address_is_refused(address):
    with pytest.raises(Problem, match="_variables.yml, site: .*is no address"):
        front.checked(address)


def test_where_the_site_has_an_address_machines_are_told():
    built = commit.Commit("abc", "2026-01-02", True)
    listed = front.sitemap("https://a.org/c", ["", "slides/ação.html"], built)
    assert "<loc>https://a.org/c/slides/a%C3%A7%C3%A3o.html</loc><lastmod>2026-01-02</lastmod>" in listed
    card = front.social("<head></head>", 'A "b"', "pictures/a.png", "https://a.org/c")
    assert '<meta property="og:image" content="https://a.org/c/pictures/a.png">' in card and "&quot;b&quot;" in card
    assert 'href="/c/"' in front.not_found("https://a.org/c")


def test_the_page_for_what_is_missing_leads_home_from_any_depth():
    """Its link is whole, from the server's root on: so it is asked for on the site, and not beside the page."""
    links.check({"404.html": front.not_found("https://a.org/c"), "index.html": ""}, "https://a.org/c")
    with pytest.raises(Faults, match=r"404.html: the link /c/ leads to index.html, which the site has not"):
        links.check({"404.html": front.not_found("https://a.org/c")}, "https://a.org/c")


def test_an_edition_is_one_of_two():
    assert edition.chosen("instructor") == "instructor"
    with pytest.raises(Problem, match="EDITION=teacher: 'teacher' is no edition"):
        edition.chosen("teacher")


def test_a_build_names_its_commit(tmp_path):
    assert commit.of(tmp_path) is None
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    (tmp_path / "a").write_text("1")
    when = {"GIT_COMMITTER_DATE": "2024-05-06T12:00:00+00:00"}
    for command in (["init", "-q"], ["add", "a"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True, env={**os.environ, **when})
    name = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=tmp_path, capture_output=True, text=True).stdout.strip()
    assert commit.of(tmp_path) == (name, "2024-05-06", True)
    (tmp_path / "a").write_text("2")
    assert commit.of(tmp_path) == (name, "2024-05-06", False)


def test_a_page_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Problem, match="gone.html: there is no such file to publish"):
        publish.publish([publish.Made(tmp_path / "gone.html")], tmp_path, "students", tmp_path, lambda pages: [])


def test_a_pdf_names_its_commit_and_its_day_and_has_the_same_bytes_again():
    pypdf = pytest.importorskip("pypdf")
    plain, out = pypdf.PdfWriter(), io.BytesIO()
    plain.add_blank_page(100, 100)
    plain.add_metadata({"/Title": "Aula"})
    plain.write(out)
    built = commit.Commit("abc1234", "2026-01-02", True)
    made = stamp.pdf(out.getvalue(), built)
    about = pypdf.PdfReader(io.BytesIO(made)).metadata
    assert (about["/Title"], about["/CreationDate"]) == ("Aula", "D:20260102000000Z") and "abc1234" in about["/Keywords"]
    assert made == stamp.pdf(out.getvalue(), built)


@pytest.mark.pages
def test_a_page_of_other_sources_is_not_published(deck_file, tmp_path):
    publish.check_current([deck_file], ROOT)
    text = deck_file.read_text(encoding="utf-8")
    (old := tmp_path / deck_file.name).write_text(re.sub(r'("data/theme.yml": ?")\w', r"\1x", text), encoding="utf-8")
    with pytest.raises(Faults, match="theme.yml"):
        publish.check_current([old], ROOT)
