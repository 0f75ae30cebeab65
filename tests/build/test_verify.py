"""A page that somebody holds: what its commit computes is the same, what was changed by hand is found, what can't be read is named."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from base.commit import Commit
from proof import builds, page_text, verify
from publishing import edition, stamp

from figures.kit.entry import Ledger, Number
from figures.kit.errors import Faults, Problem
from figures.kit.ledger import parsed

ROOT = Path(__file__).resolve().parents[2]
META = '<meta name="commit" content="abc1234">\n</head>'


@pytest.fixture
def held(deck_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The deck as somebody downloaded it, and in the place of the build of its commit what it says of itself now."""
    page = tmp_path / deck_file.name
    page.write_text(deck_file.read_text(encoding="utf-8").replace("</head>", META, 1), encoding="utf-8")
    computed = verify.opened(page)
    monkeypatch.setattr(builds, "known", lambda commit, _: commit in ("abc1234", "def5678"))
    monkeypatch.setattr(builds, "whole", lambda commit, *_: {computed[0].page: computed} if commit == "abc1234" else {})
    return page


def quiet(_: str) -> None: ...


def changed(page: Path, old: str, new: str) -> None:
    text = page.read_text(encoding="utf-8")
    assert old in text
    page.write_text(text.replace(old, new, 1), encoding="utf-8")


def a_number(page: Path) -> tuple[str, Number]:
    """The first number that stands in the text of the page: how it is written there, and its entry."""
    text, entries = page.read_text(encoding="utf-8"), {entry.n: entry for entry in verify.opened(page)[0].entries}
    for found in re.finditer(r'<span[^>]*data-n="(\d+)"[^>]*>([^<>]+)</span>', text):
        if isinstance(entry := entries[int(found[1])], Number) and entry.text == found[2]:
            return found[0], entry
    raise AssertionError("no number")


@pytest.mark.pages
def test_an_untouched_page_is_the_same_in_every_entry(held):
    """Under the name that a second download gets, too."""
    held = held.rename(held.with_stem(f"{held.stem} (1)"))
    lines = verify.run(held, "", ROOT, quiet).splitlines()
    assert len(lines) == len(verify.opened(held)[0].entries) + 1
    assert all(line.startswith("same ") for line in lines[:-1]) and "at abc1234" in lines[-1]


@pytest.mark.pages
def test_a_page_whose_text_was_edited_is_found(held):
    written, entry = a_number(held)
    changed(held, written, written.replace(f">{entry.text}<", ">123456<"))
    with pytest.raises(Faults, match="differs.*" + re.escape(entry.id) + ".*the page shows “123456”"):
        verify.run(held, "", ROOT, quiet)


EDITS = {  # of a page, by hand: what is written over what, and what the verdict says of it
    "words between numbers": (r"<p>([^<>&]{30,})</p>", r"<p>\1 Ou talvez não.</p>", "Ou talvez não.*the commit says “"),
    "an item that hides": (r"<li>([^<>&]{30,})</li>", r'<li style="display:none">\1</li>', "li with style=display:none"),
    "an item that is gone": (r"<li>([^<>&]{30,})</li>", "", r"\(nothing\)"),
    "a picture put there": (r"</h2>", r'</h2><img src="data:image/png;base64,AAAA">', "img, "),
    "a heading": (r"<h2>([^<>]+)</h2>", r"<h2>\1 (não)</h2>", r"\(não\)"),
    "a note": (r"(<aside class=\"notes\">\s*<p>)", r"\1Não é assim. ", "Não é assim"),
    "a letter of a formula": (r"<mi>([a-z])</mi>", "<mi>ж</mi>", "ж"),
    "a number in a formula": (r"(<mtext[^>]* data-n=\"\d+\"[^>]*>)[^<>]+(</mtext>)", r"\g<1>9876\2", "the page shows “9876”"),
    "where a link leads": (r"(<a href=\")[^\"#]+\.html", r"\1https://example.org/x", "a link to https://example.org/x"),
    "what a picture is called": (r"aria-label=\"([^\"]{40,})\"", r'aria-label="Outra coisa"', "Outra coisa"),
    "how a picture is drawn": (r"(<svg[^>]*aria-label.*?<path d=\"M ?)[\d.]+", r"\g<1>999", "a picture, "),
    "a label in a picture": (r"(<text[^>]*>)[^<>]+(</text>)", r"\g<1>99\2", "99"),
    "what a simulator computes with": (r"(class=\"sim-params\">.*?)(\d)", r"\g<1>9\2", "the data of a simulator"),
    "a script that writes": (r"</body>", "<script>document.title = 1</script></body>", "script .*may change what the page shows"),
    "a style that writes": (r"</head>", "<style>p::after{content:'99'}</style></head>", "style .*may change what the page shows"),
}


@pytest.mark.pages
def test_whatever_was_edited_by_hand_is_found(held):
    """All edits at once, each further down the page than the one before, and each told in a line of its own."""
    text = held.read_text(encoding="utf-8")
    at, tried = text.index('<div class="slides">'), []
    for what, (old, new, _) in EDITS.items():
        at = at if "/" not in old[:3] else 0
        found = re.compile(old, re.DOTALL).search(text, at)
        if not found:
            continue  # a lecture need not have everything
        tried.append(what)
        put = found.expand(new)
        text, at = text[: found.start()] + put + text[found.end() :], found.start() + len(put)
    held.write_text(text, encoding="utf-8")
    with pytest.raises(Faults) as told:
        verify.run(held, "", ROOT, quiet)
    lines = str(told.value).splitlines()
    assert len(tried) > len(EDITS) / 2
    assert [what for what in tried if not any(re.search(f"differs.*{EDITS[what][2]}", line) for line in lines)] == []


@pytest.mark.pages
def test_each_edition_of_a_page_is_the_same(held):
    html = held.read_text(encoding="utf-8")
    for made in (edition.for_students(html, held), edition.for_the_instructor(html)):
        held.write_text(made, encoding="utf-8")
        assert " same" in verify.run(held, "", ROOT, quiet).splitlines()[-1]


def test_what_was_measured_may_differ_between_two_pages_and_nothing_else():
    pages = [
        f'<section id="a"><p>Leva <span data-n="1">{first}</span> s, e <span data-n="2">{second}</span>.</p>'
        f'<aside class="notes"><p>{note}</p></aside><img alt="{alt}"></section>'
        for first, second, note, alt in (("2", "3", "Dizer.", "um"), ("9", "3", "Calar.", "um"), ("2", "4", "Dizer.", "dois"))
    ]
    here, measured, other = (page_text.paragraphs(page, {1}, False) for page in pages)
    assert list(page_text.differences(here, measured)) == []
    assert list(page_text.differences(here, other)) == [("a", "Leva … s, e 3.", "Leva … s, e 4."), ("a", "um", "dois")]
    whole = [page_text.paragraphs(page, {1}) for page in pages[:2]]
    assert list(page_text.differences(*whole)) == [("a", "Dizer.", "Calar.")]


@pytest.mark.pages
def test_a_number_of_a_pdf_that_is_not_the_page_s_is_found(held, tmp_path):
    typst = pytest.importorskip("typst")
    _, entry = a_number(held)
    source, pdf = tmp_path / "a.typ", tmp_path / f"{held.stem}-apostila.pdf"
    for shown, fault in ((entry.text, ""), ("987654", "differs .*“987654”"), (f"{entry.text} " * 99, "stands oftener")):
        source.write_text(f"Mostra {shown}.", encoding="utf-8")
        pdf.write_bytes(stamp.pdf(typst.compile(str(source)), Commit("abc1234", "2026-01-02", True)))
        if not fault:
            assert verify.run(pdf, "", ROOT, quiet).splitlines()[-1] == f"{held.name} at abc1234: 1 same, 0 not computable here"
            continue
        with pytest.raises(Faults, match=fault):
            verify.run(pdf, "", ROOT, quiet)
    pdf.write_bytes(stamp.pdf(pdf.read_bytes(), Commit("abc1234", "2026-01-02", False)))
    with pytest.raises(Problem, match="does not name the commit"):
        verify.run(pdf, "", ROOT, quiet)
    pdf.write_bytes(pdf.read_bytes()[:200])
    with pytest.raises(Problem, match="can't be read as a PDF"):
        verify.run(pdf, "", ROOT, quiet)
    shutil.copy(pdf, other := tmp_path / "thesis.pdf")
    other.write_bytes(typst.compile(str(source)))
    with pytest.raises(Problem, match="is not named after a document"):
        verify.run(other, "abc1234", ROOT, quiet)


@pytest.mark.pages
def test_a_ledger_that_was_edited_is_found(held, tmp_path):
    ledger, _ = verify.opened(held)
    number = next(entry for entry in ledger.entries if isinstance(entry, Number) and entry.kind == "computed")
    for key in ("value", "text"):
        content = msgspec.to_builtins(ledger)
        content["entries"][number.n - 1][key] = 98765 if key == "value" else "98765"
        (file := tmp_path / "a.ledger.json").write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(Faults, match="differs.*" + re.escape(number.id)):
            verify.run(file, "abc1234", ROOT, quiet)


@pytest.mark.pages
def test_a_ledger_that_lost_or_doubled_an_entry_is_found(held, tmp_path):
    content = msgspec.to_builtins(verify.opened(held)[0])
    gone = next(entry for entry in content["entries"] if not entry["notes"])
    for entries, fault in (
        ([entry for entry in content["entries"] if entry["id"] != gone["id"]], "the ledger lacks"),
        ([*content["entries"], gone | {"n": len(content["entries"]) + 1}], "1 of it too many"),
    ):
        (file := tmp_path / "a.ledger.json").write_text(json.dumps(content | {"entries": entries}), encoding="utf-8")
        with pytest.raises(Faults, match=f"differs.*{re.escape(gone['id'])}.*{fault}"):
            verify.run(file, "abc1234", ROOT, quiet)


def test_what_was_measured_is_told_apart():
    kept = {"n": 1, "id": "t.time():f", "kind": "measured", "value": 2.0, "text": "2", "unit": "s", "format": "f", "function": "t.time",
            "arguments": [], "file": "a.py", "line": 1, "data": [], "records": [], "fields": [], "seeds": [], "note": "on a large machine",
            "slide": {"id": "a", "number": 3}, "notes": False, "what": "number"}  # fmt: skip
    old, new, gone = (
        parsed(json.dumps({"version": 1, "page": "a.html", "entries": [kept | other]}), "a", Ledger).entries
        for other in ({}, {"value": 3.0, "text": "3"}, {"id": "t.other():f"})
    )
    assert [one.kind for one in verify.judged(old, old, {})] == [verify.SAME]
    assert [(one.kind, one.why) for one in verify.judged(old, new, {})] == [(verify.ELSEWHERE, "on a large machine")]
    computed = parsed(json.dumps({"version": 1, "page": "a", "entries": [kept | {"kind": "computed"}]}), "a", Ledger).entries
    assert [one.why for one in verify.judged(computed, gone, {})] == ["that commit shows no such thing"]


@pytest.mark.pages
def test_what_can_t_be_verified_is_named(held, tmp_path):
    with pytest.raises(Problem, match="the commit def5678 makes no "):
        verify.run(held, "def5678", ROOT, quiet)
    with pytest.raises(Problem, match="this repository has not the commit 7654321"):
        verify.run(held, "7654321", ROOT, quiet)
    (another := tmp_path / "thesis.html").write_text("<html><head></head><body><p>Vale 0,62.</p></body></html>", encoding="utf-8")
    with pytest.raises(Problem, match="keeps no whole ledger"):
        verify.run(another, "", ROOT, quiet)
    shutil.copy(held, other := tmp_path / "other.html")
    changed(other, META, "</head>")
    with pytest.raises(Problem, match="does not name the commit"):
        verify.run(other, "", ROOT, quiet)
    text = held.read_text(encoding="utf-8")
    other.write_text(text[: text.index('<script id="ledger"') + 3000], encoding="utf-8")
    with pytest.raises(Problem, match="keeps no whole ledger"):
        verify.run(other, "", ROOT, quiet)
    (cut := tmp_path / "a.ledger.json").write_text('{"version": 1, "page": "a.ht', encoding="utf-8")
    with pytest.raises(Problem, match="its ledger is not JSON"):
        verify.run(cut, "", ROOT, quiet)
    with pytest.raises(Problem, match="neither a page nor a ledger"):
        verify.run(tmp_path / "a.docx", "", ROOT, quiet)


def test_a_commit_that_is_not_here_is_named():
    assert builds.known("HEAD", ROOT) and not builds.known("0123456789abcdef", ROOT) and not builds.known("--all", ROOT)
    with pytest.raises(Problem, match="0123456789"):
        builds.check_out("0123456789abcdef0123456789abcdef01234567", ROOT, ROOT / "no-such-folder")
