"""What a page says, sentence by sentence: each with the slide it stands on, what it is, and the calls that it shows or rests on.

A paragraph is cut into sentences, a table into rows, a listing into lines. A picture gives its words and its labels, a simulator
all texts that its page may show. What the ledger says was measured is left out of the words, of a picture its numerals alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from base.html_tree import SILENT, SPOKEN, Element, Text, parse
from base.slides import slides

from figures.kit.entry import Entry, Ledger, Table
from figures.kit.ledger import IN_PAGE
from proof.ledger_file import mark_of
from proof.source_numbers import TITLE

MEASURED = "⟨measured⟩"
KNOWN_LATER = ("measured", "recorded")  # the kinds of entries whose words differ from machine to machine
ALSO_SHOWN = ("label", "value", "placeholder")  # attributes of a control that are words
INLINE = frozenset(re.findall(r"\w+", "a abbr annotation b br code del em i kbd mark math q s small span strong sub sup u var wbr"))
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
CELLS = frozenset(["td", "th"])
_NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")
_HEADING = re.compile(r"#+ .*\{#([^\s}]+)[^}]*\}\s*$")
_MARKUP = re.compile(r"\{[#.][^}]*\}|<[^>]*>|\]\([^)]*\)")  # of Markdown: attributes, tags, addresses
_END = re.compile(r"(?<=[.!?…])[”\"»)]*\s+(?=[“\"«(¿¡]*[A-ZÀ-ÖØ-Þ$])")


class Sentence(NamedTuple):
    """A sentence, a row or a line: its slide, its kind ("text", "note", "alt", …), its words, the calls in it, the claims on it."""

    slide: str
    kind: str
    words: str
    calls: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


@dataclass
class _Block:
    """What is being read until the next block begins: its words, and the entries with the place at which each begins."""

    slide: str = ""
    kind: str = ""
    text: str = ""
    marks: list[tuple[int, Entry]] = field(default_factory=list)


def of_page(html: str, ledger: Ledger, masked: bool = True) -> list[Sentence]:
    """Every sentence of a page in its order; unless it is `masked`, with what was measured."""
    return list(_Reader(ledger.entries, masked).read(parse(IN_PAGE.sub("", html))))


def of_notebook(notebook: str, page: Sequence[Sentence]) -> list[Sentence]:
    """The lines of a notebook that its page, which is not masked, has nowhere; each under the last heading that has an id."""
    there, here = "".join(_letters(one.words) for one in page), TITLE
    alone = []
    for cell in json.loads(notebook)["cells"]:
        code = cell["cell_type"] != "markdown"
        for line in "".join(cell["source"]).split("\n"):
            if not code and (heading := _HEADING.match(line)):
                here = heading[1]
            if (letters := _letters(line if code else _MARKUP.sub("", line))) and letters not in there:
                alone.append(Sentence(here, "notebook", _plain(line, code)))
    return alone


def _letters(text: str) -> str:
    """The letters and digits of a text: what pandoc makes of quotes and dashes aside."""
    return "".join(letter for letter in text if letter.isalnum())


class _Reader:
    def __init__(self, entries: Sequence[Entry], masked: bool) -> None:
        self.masked = masked
        self.entries = {entry.n: entry for entry in entries}
        self.block = _Block()
        self.told: set[str] = set()  # texts of simulators
        self.whole: list[Entry] = []  # tables, pictures and simulators that wait for their first words

    def read(self, page: Element) -> Iterator[Sentence]:
        places = {id(node): slide for slide, node in slides(page, first=TITLE)}
        yield from self._below(page, places, "text")
        yield from self._flush()

    def _below(self, element: Element, places: Mapping[int, str], kind: str) -> Iterator[Sentence]:
        for node in element.children:
            slide = places[id(node)] or TITLE
            if isinstance(node, Text):
                self._add(slide, kind, node.text)
            elif node.tag == "script" and "sim-params" in node.classes:
                yield from self._flush()
                yield from self._simulator(slide, "".join(one.text for one in node.children if isinstance(one, Text)))
            elif node.tag in SILENT or node.tag in ("head", "nav") or "figure-values" in node.classes:
                continue  # what a figure draws, as a table beside it, says nothing that its picture doesn't
            elif node.tag == "svg":
                yield from self._flush()
                yield from self._picture(slide, node)
            elif node.tag == "math":
                self._formula(slide, kind, node)
            elif node.tag in INLINE:
                self._spoken(slide, kind, node)
                self._mark(slide, kind, node)
                yield from self._inside(node, places, kind)
            else:
                yield from self._element(slide, kind, node, places)

    def _element(self, slide: str, kind: str, node: Element, places: Mapping[int, str]) -> Iterator[Sentence]:
        """A block: what stood before it ends, and what stands in it ends with it; a table's cell ends only with its row."""
        if node.tag in CELLS:
            if self.block.text.strip():
                self.block.text += " | "
            self._cell(slide, node)
            yield from self._below(node, places, "table")
            return
        yield from self._flush()
        if n := mark_of(node):
            self.whole.append(self.entries[n])
        for words in _attributes(node):
            yield Sentence(slide, "alt", _plain(words))
        yield from self._below(node, places, _kind(node, kind))
        yield from self._flush()

    def _inside(self, node: Element, places: Mapping[int, str], kind: str) -> Iterator[Sentence]:
        """What stands in an inline element; where it was measured, nothing of it."""
        if not self._measured(node):
            yield from self._below(node, places, kind)

    def _measured(self, node: Element) -> bool:
        """Whether this mark is of something measured: an entry of its own, or a cell of a table."""
        if not self.masked:
            return False
        entry = self.entries.get(mark_of(node))
        cell = node.attributes.get("data-n", "").split("-")[1:]
        if entry and isinstance(entry, Table) and len(cell) == 2:
            raw = entry.value.rows[int(cell[0]) - 1][int(cell[1]) - 1]
            return getattr(raw, "kind", entry.kind) in KNOWN_LATER
        return entry is not None and entry.kind in KNOWN_LATER

    def _cell(self, slide: str, node: Element) -> None:
        if not self.block.text:
            self.block.slide, self.block.kind = slide, "table"
        self._mark(slide, "table", node)

    def _add(self, slide: str, kind: str, text: str) -> None:
        if not self.block.text.strip():
            self.block.slide, self.block.kind = slide, kind
        self.block.text += text

    def _mark(self, slide: str, kind: str, node: Element) -> None:
        """Note the call that an element shows; where it was measured the words say so instead of its own."""
        n = mark_of(node)
        if not n:
            return
        if "-" not in node.attributes["data-n"]:
            self.block.marks.append((len(self.block.text.rstrip() if "claim" in node.classes else self.block.text), self.entries[n]))
        if self._measured(node) and "claim" not in node.classes:
            self._add(slide, kind, MEASURED)

    def _formula(self, slide: str, kind: str, node: Element) -> None:
        """A formula as TeX, which pandoc keeps beside it."""
        written = next((one.children[0] for one in node.all("annotation")), None)
        tex = written.text if isinstance(written, Text) else node.text
        at = 0
        for one in node.all():
            if entry := self.entries.get(mark_of(one)):
                self.block.marks.append((len(self.block.text) + 1, entry))
                shown = f"\\text{{{entry.text}}}"
                if self._measured(one) and (start := tex.find(shown, at)) >= 0:
                    tex, at = tex[:start] + MEASURED + tex[start + len(shown) :], start + len(MEASURED)
        self._add(slide, kind, f"${tex}$")

    def _spoken(self, slide: str, kind: str, node: Element) -> None:
        for words in _attributes(node):
            self._add(slide, kind, f"[{words}]")

    def _picture(self, slide: str, svg: Element) -> Iterator[Sentence]:
        """Its words for who can't see it, then its labels."""
        calls = tuple(entry.call for entry in self.whole)
        measured = self.masked and any(entry.kind in KNOWN_LATER for entry in self.whole)
        self.whole = []
        labels = [_plain("".join(part.text for part in one.walk() if isinstance(part, Text))) for one in svg.all("text")]
        texts = [("alt", words) for words in _attributes(svg)] + [("picture", " | ".join(filter(None, labels)))] * any(labels)
        for kind, words in texts:
            shown = _NUMERAL.sub(MEASURED, words) if measured else words
            if kind == "picture":
                yield Sentence(slide, kind, shown)
            else:
                yield from _sentences(slide, kind, shown, [(0, call) for call in calls], [])

    def _simulator(self, slide: str, content: str) -> Iterator[Sentence]:
        """Its texts; what all simulators of a page share is told with the first."""
        for name, words in _texts(json.loads(content)):
            line = f"{name}: {_plain(words)}"
            if line not in self.told:
                self.told.add(line)
                yield Sentence(slide, "simulator", line)

    def _flush(self) -> Iterator[Sentence]:
        """The block that ends here, cut into sentences."""
        block, self.block = self.block, _Block()
        if not block.text.strip() and not block.marks:
            return
        marks = [(0, entry) for entry in self.whole] + block.marks
        self.whole = []
        calls = [(at, entry.call) for at, entry in marks if entry.what != "claim"]
        claims = [(at, entry.call) for at, entry in marks if entry.what == "claim"]
        yield from _sentences(block.slide or TITLE, block.kind or "text", block.text, calls, claims)


def _kind(node: Element, outer: str) -> str:
    """What the words in a block are."""
    if node.tag == "aside" and "notes" in node.classes:
        return "note"
    if outer == "note":
        return outer
    if node.tag == "table":
        return "table"
    return "code" if node.tag == "pre" else "title" if node.tag in HEADINGS else outer


def _attributes(node: Element) -> list[str]:
    """What an element says to people without showing it."""
    names = (*SPOKEN, *(ALSO_SHOWN if node.tag in ("button", "input", "option", "track") else ()))
    return [node.attributes[name] for name in dict.fromkeys(names) if node.attributes.get(name)]


def _sentences(slide: str, kind: str, text: str, calls: Sequence[tuple[int, str]], claims: Sequence[tuple[int, str]]) -> Iterator[Sentence]:
    """A block cut at its sentences; code at its lines. What is called between two sentences belongs to the one before."""
    cuts = re.finditer(r"\n", text) if kind == "code" else _END.finditer(text)
    ends = [*(cut.end() for cut in cuts), len(text)]
    start = 0
    for n, end in enumerate(ends):
        last, words = n == len(ends) - 1, _plain(text[start:end], code=kind == "code")
        own = tuple(call for at, call in calls if start <= at < end or last and at >= end)
        borne = tuple(call for at, call in claims if (start < at or n == 0) and at <= len(text[:end].rstrip()) or last and at >= end)
        if words or own or borne:
            yield Sentence(slide, kind, words, own, borne)
        start = end


def _plain(text: str, code: bool = False) -> str:
    """On one line; of code its indentation stays."""
    text = text.replace("\u00ad", "")
    return text.rstrip().replace("\t", "    ") if code else " ".join(text.split())


LONG = 40  # characters of a text that stands on a line of its own
# States to check, colours, drawn lines, addresses, which nobody reads; and formulas in words, which follow from the words' own.
SKIPPED = ("golden", "looks", "lines", "source", "kind", "said")


def _texts(content: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text among a simulator's parameters under its key; a list of short texts is one, and so is a table."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key not in SKIPPED:
                yield from _texts(value, f"{name}.{key}" if name else key)
    elif isinstance(content, list) and content and all(isinstance(one, str) and len(one) < LONG for one in content):
        yield name, " | ".join(content)
    elif isinstance(content, list):
        for n, value in enumerate(content):
            yield from _texts(value, f"{name}[{n}]")
    elif isinstance(content, str) and content.startswith('{"caption":'):
        table = json.loads(content)
        rows = [[heading for heading, _ in table["columns"]], *([text for text, _ in row] for row in table["rows"])]
        yield name, " / ".join(" | ".join(row) for row in rows)
    elif isinstance(content, str) and content.strip():
        yield name, content
