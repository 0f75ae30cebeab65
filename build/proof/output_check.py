"""What a page has shown, looked for in the file that was written: texts, tables, pictures with their words, no lost glyph.

Reads HTML, PDF and Word documents; of a notebook only what must not be there. Knows no engine: it is given the file.
"""

from __future__ import annotations

import base64
import html
import io
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures.kit.errors import Problem
from proof import blank

MOST = 6  # of the missing things, named
SAID = 60  # characters of what stands for a picture
UNRESOLVED = re.compile(r"\?var:\S+|\?meta:\S+|\{python\}")
LINK = re.compile(r"\[([^][]*)\]\([^()\s]+\)")
MARKS = re.compile(r"\{[.#][^}]*\}|[\s\u200b-\u200d\u00ad\ufe00-\ufe0f\[\]$`\\_{}*^]")
ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"})
SVG = re.compile(r'<svg\b[^>]*\baria-label="([^"]*)"[^>]*>(.*?)</svg>', re.DOTALL)
IMAGE, ALT = re.compile(r"<img\b[^>]*>"), re.compile(r'\balt="([^"]+)"')
HIDDEN = re.compile(r"<(script|style|template|title)\b.*?</\1>", re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """A thing that a page has shown: its sort, its call, what a reader sees of it."""

    what: str
    id: str
    texts: list[str]


@dataclass(frozen=True)
class Written:
    """What a file holds: its text, the words of its pictures, how many tables (None where a format marks none), what is lost in it."""

    text: str
    pictures: list[str]
    tables: int | None = None
    lost: int = 0
    blank: Sequence[str] = ()  # the words of those pictures in which nothing is drawn


def check(output: Path, content: bytes, shown: Sequence[Shown]) -> None:
    """A Problem that names what was shown and is not in the file, or what must not be in any."""
    reader = READERS.get(output.suffix)
    if reader is None:
        return
    written = reader(content)
    kept = output.suffix != ".ipynb"  # whose numbers come when it is run
    faults = [*(_missing(written, shown) if kept else ()), *_blank(written, shown), *_unfit(written)]
    if faults:
        more = f" and {len(faults) - MOST} more" if len(faults) > MOST else ""
        raise Problem(output.name, "; ".join(faults[:MOST]) + more, "Nothing of it is left in place; the last good output is.")


def _missing(written: Written, shown: Sequence[Shown]) -> Iterator[str]:
    text, pictures = plain(written.text), Counter(map(plain, written.pictures))
    wanted: Counter[str] = Counter()
    for thing in shown:
        for said in _pieces(thing):
            key = plain(said)
            wanted[(thing.what == "figure") * "picture:" + key] += 1
            if thing.what == "figure":
                if pictures[key] < wanted[f"picture:{key}"]:
                    yield f"the picture of {thing.id} is not in it"
            elif text.count(key) < wanted[key]:
                yield f"{thing.id} shows “{said}”, which is not in it"
    tables = sum(thing.what == "table" for thing in shown)
    if written.tables is not None and written.tables < tables:
        yield f"it has {written.tables} tables of {tables}"


def _pieces(thing: Shown) -> Iterator[str]:
    """The texts to look for: of a listing each line, since on paper the head of a page may stand between two."""
    for text in thing.texts:
        yield from text.splitlines() if thing.what == "listing" else [text]


def _blank(written: Written, shown: Sequence[Shown]) -> Iterator[str]:
    """Figures in which nothing is drawn; a picture that an author put there may be as empty as they like."""
    drawn = {plain(words) for thing in shown if thing.what == "figure" for words in thing.texts}
    yield from (f"nothing is drawn in the picture “{words[:SAID]}”" for words in written.blank if plain(words) in drawn)


def _unfit(written: Written) -> Iterator[str]:
    if "\ufffd" in written.text:
        at = written.text.index("\ufffd")
        yield f"a character is lost at “{' '.join(written.text[max(0, at - 20) : at + 20].split())}”"
    if written.lost:
        yield f"{written.lost} characters have no glyph in their font"
    yield from (f"{found} was not replaced" for found in dict.fromkeys(UNRESOLVED.findall(written.text)))


def plain(text: str) -> str:
    """A text without spaces and Markdown's marks, a link by its words.

    >>> plain("[5 × 10⁻⁴]{.n}"), plain("[abrir](https://example.org/a)")
    ('5×10-4', 'abrir')
    """
    text = LINK.sub(r"\1", text)
    return MARKS.sub("", unicodedata.normalize("NFKC", text).translate(ALIKE)).translate(ALIKE)


def _page(content: bytes) -> Written:
    page = HIDDEN.sub(" ", content.decode("utf-8"))
    drawn = [(html.unescape(words), blank.svg(inside)) for words, inside in SVG.findall(page)]
    drawn += [(html.unescape(words[1]), _image_is_blank(image)) for image in IMAGE.findall(page) if (words := ALT.search(image))]
    text = html.unescape(re.sub(r"<[^>]*>", "", page))
    return Written(
        text, [words for words, _ in drawn], len(re.findall(r"<table\b", page)), blank=[words for words, is_blank in drawn if is_blank]
    )


def _image_is_blank(tag: str) -> bool:
    """An image without an address, or with a blank one inside the page; one in a file of its own isn't looked at."""
    source = re.search(r'\bsrc="([^"]*)"', tag)
    if source is None or not source[1]:
        return True
    _, inside, data = source[1].partition(";base64,")
    return bool(inside) and blank.picture(base64.b64decode(data))


def _notebook(content: bytes) -> Written:
    return Written(content.decode("utf-8").replace("\\ufffd", "\ufffd"), [])


def _word(content: bytes) -> Written:
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        body = parts.read("word/document.xml").decode("utf-8")
        named = dict(re.findall(r'<Relationship\b[^>]*\bId="([^"]*)"[^>]*\bTarget="(media/[^"]*)"', _relations(parts)))
        media = {id: blank.picture(parts.read(f"word/{target}")) for id, target in named.items()}
    texts = re.findall(r"<(?:w|m):t\b[^>]*>([^<]*)</(?:w|m):t>", body)
    drawn = re.findall(r'<wp:docPr\b[^>]*\bdescr="([^"]*)".*?\br:embed="([^"]*)"', body, re.DOTALL)
    pictures = [(html.unescape(words), media.get(id, True)) for words, id in drawn]
    empty = [words for words, is_blank in pictures if is_blank]
    return Written(html.unescape("".join(texts)), [words for words, _ in pictures], len(re.findall(r"<w:tbl>", body)), blank=empty)


def _relations(parts: zipfile.ZipFile) -> str:
    return parts.read("word/_rels/document.xml.rels").decode("utf-8")


def _pdf(content: bytes) -> Written:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(content))
    drawn = [_drawn(page, reader) for page in reader.pages]
    pictures = [words for page in drawn for words in page.pictures]
    empty = [words for page in drawn for words in page.blank]
    painted = {(_number(page), mark) for page, its in zip(reader.pages, drawn) for mark in its.painted}
    root: Any = reader.trailer["/Root"]
    tree: Any = root.get("/StructTreeRoot")
    kinds: Counter[str] = Counter()
    for element in _elements(tree) if tree else ():
        kinds[str(element["/S"])] += 1
        if element["/S"] == "/Figure":
            pictures.append(str(element.get("/Alt", "")))
            if not any(part in painted for part in _content(element, None)):
                empty.append(pictures[-1])
    text = "\n".join(page.extract_text() for page in reader.pages)
    return Written(text, pictures, kinds["/Table"] if tree else None, sum(page.lost for page in drawn), empty)


def _number(page: Any) -> int:
    return int(page.indirect_reference.idnum)


@dataclass
class Drawn:
    """Of a page of a PDF: what its pictures outside the structure say, those that are blank, the marks of the structure
    under which something is painted, and how many glyphs are the one for “none”."""

    pictures: list[str] = field(default_factory=list)
    blank: list[str] = field(default_factory=list)
    painted: set[int] = field(default_factory=set)
    lost: int = 0

    def close(self, mark: Any, is_painted: bool) -> None:
        """Note what a mark says, once all that stands under it was seen."""
        if "/Alt" in mark:
            self.pictures.append(str(mark["/Alt"]))
            self.blank += [] if is_painted else [str(mark["/Alt"])]
        if "/MCID" in mark and is_painted:
            self.painted.add(int(mark["/MCID"]))


def _drawn(page: Any, reader: Any) -> Drawn:
    from pypdf.generic import ContentStream

    resources: Any = page.get("/Resources", {})
    fonts: Any = resources.get("/Font", {})
    wide = {name for name in fonts if fonts[name].get("/Encoding") == "/Identity-H"}
    made, font = Drawn(), ""
    open_marks: list[tuple[Any, bool]] = []  # what each is, and whether something was painted under it
    contents = page.get_contents()
    for operands, operator in ContentStream(contents, reader).operations if contents is not None else ():
        if operator == b"Tf":
            font = operands[0]
        elif operator in (b"BDC", b"BMC"):
            open_marks.append((operands[1] if operator == b"BDC" and isinstance(operands[1], dict) else {}, False))
        elif operator == b"EMC" and open_marks:
            made.close(*open_marks.pop())
        elif open_marks and not all(is_painted for _, is_painted in open_marks) and blank.paints(operator, operands, resources, reader):
            open_marks = [(mark, True) for mark, _ in open_marks]
        if operator in (b"Tj", b"TJ", b"'") and font in wide:
            pieces = operands[0] if operator == b"TJ" else operands[-1:]
            made.lost += sum(_none(piece.original_bytes) for piece in pieces if hasattr(piece, "original_bytes"))
    for mark, is_painted in open_marks:  # LaTeX's, of a picture that ends its page
        made.close(mark, is_painted)
    return made


def _none(codes: bytes) -> int:
    return sum(codes[at : at + 2] == b"\0\0" for at in range(0, len(codes), 2))


def _elements(node: Any) -> Iterator[Any]:
    """The elements of a PDF's structure, depth first."""
    node = node.get_object()
    if isinstance(node, list):
        for one in node:
            yield from _elements(one)
    elif isinstance(node, dict):
        if "/S" in node:
            yield node
        if "/K" in node:
            yield from _elements(node["/K"])


def _content(node: Any, page: Any) -> Iterator[tuple[int, int]]:
    """The marked content that an element of the structure holds: the number of each mark's page, and the mark."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for one in node:
            yield from _content(one, page)
    elif isinstance(node, int):
        yield page.idnum, int(node)
    elif isinstance(node, dict):
        page = node.raw_get("/Pg") if "/Pg" in node else page  # type: ignore[attr-defined]
        if "/MCID" in node:
            yield page.idnum, int(node["/MCID"])
        elif "/K" in node:
            yield from _content(node["/K"], page)


READERS = {".html": _page, ".ipynb": _notebook, ".docx": _word, ".pdf": _pdf}
