"""What a page holds for whom: the students' has no speaker notes and no trace of them in its ledger; the instructor's says what it is.

Both are pure, from HTML to HTML. The marks of the numbers that stay are as they were.
"""

from __future__ import annotations

import html as entities
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from base.html_tree import Element, parse, replaced
from page.inject import with_head
from proof import ledger_file

from figures.kit import project
from figures.kit.entry import AnyEntry, PageLedger
from figures.kit.errors import Problem
from figures.kit.json_values import script_json
from figures.kit.ledger import IN_PAGE, packed, parsed
from figures.kit.words import Words

STUDENTS, INSTRUCTOR = "students", "instructor"
KEY = "edition"
_STYLE = (
    "#edition{position:fixed;z-index:60;top:0;right:0;margin:0;padding:2px 10px;font:600 14px/1.4 var(--font-text);"
    "background:var(--stress);color:var(--ground)}@media print{#edition{position:absolute}}\n"
)
_words = Words("site")


def chosen(asked: str = "") -> str:
    """The edition asked for, else that of `_variables.yml`, else the students'."""
    named = asked or str(project.variables().get(KEY) or STUDENTS)
    if named not in (STUDENTS, INSTRUCTOR):
        where = f"EDITION={named}" if asked else f"{project.VARIABLES}, {KEY}"
        raise Problem(where, f"{named!r} is no edition", f"Write {STUDENTS} or {INSTRUCTOR}")
    return named


def for_students(html: str, page: Path) -> str:
    """The page without its notes, and without the entries that only they show."""
    ledger = ledger_file.ledger(html, page)
    bare = replaced(html, [(note.start, note.end, "") for note in notes(parse(html))])
    if ledger is None:
        return bare
    in_notes = {entry["n"] for entry in json.loads(ledger)["entries"] if entry["notes"]}
    return IN_PAGE.sub(lambda block: _with_entries(block[0], block[1], page, in_notes, bare), bare, count=1)


def notes(page: Element) -> Iterator[Element]:
    """Every speaker note of a page."""
    return page.all("aside", "notes")


def for_the_instructor(html: str) -> str:
    """The page with a mark that says whom it is for, and a word to search engines to leave it alone."""
    said = f'<p id="edition" role="note">{entities.escape(_words("instructor"))}</p>\n'
    if said in html:
        return html
    html = with_head(html, f'<meta name="robots" content="noindex">\n<style id="edition-style">\n{_STYLE}</style>\n')
    body, closing, rest = html.rpartition("</body>")
    return body + said + closing + rest


def _with_entries(block: str, content: str, page: Path, in_notes: set[int], bare: str) -> str:
    """The block of the page's ledger with the entries that stay."""
    ledger = parsed(content, page.name, PageLedger)
    marks = {mark for element in parse(bare).all() if (mark := ledger_file.mark_of(element))}
    kept = list(_kept(ledger.entries, in_notes, marks))
    return block.replace(content, script_json(packed(msgspec.structs.replace(ledger, entries=kept))))


def _kept(entries: Sequence[AnyEntry], in_notes: set[int], marks: set[int]) -> Iterator[AnyEntry]:
    """The entries that stay: of those with one call, as many as stand outside notes, and first those that a mark names.

    A call that is written twice in a paragraph is marked twice with its last number, which may be that of a note.
    """
    left = [entry for entry in entries if entry.n not in in_notes]
    counts = {id: sum(entry.id == id for entry in left) for id in {entry.id for entry in left}}
    chosen: set[int] = set()
    for entry in sorted(entries, key=lambda one: (one.n not in marks, one.n in in_notes, one.n)):
        if counts.get(entry.id, 0):
            counts[entry.id] -= 1
            chosen.add(entry.n)
    return (entry for entry in entries if entry.n in chosen)
