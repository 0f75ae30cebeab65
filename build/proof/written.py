"""What a file that was written holds: its text, tables and pictures with their words, and what is lost or blank in it.

Reads HTML, PDF and Word documents; of a notebook only what must not be there.
"""

from __future__ import annotations

import base64
import html
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from proof import blank

SVG = re.compile(r'<svg\b[^>]*\baria-label="([^"]*)"[^>]*>(.*?)</svg>', re.DOTALL)
IMAGE, ALT = re.compile(r"<img\b[^>]*>"), re.compile(r'\balt="([^"]+)"')
HIDDEN = re.compile(r"<(script|style|template|title)\b.*?</\1>", re.DOTALL)


@dataclass(frozen=True)
class Written:
    """What a file holds: its text, the words of its pictures, how many tables (None where a format marks none), what is lost in it."""

    text: str
    pictures: list[str]
    tables: int | None = None
    lost: int = 0
    blank: Sequence[str] = ()  # the words of those pictures in which nothing is drawn


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
    kinds: Counter[str] = Counter()
    for element in elements(reader):
        kinds[str(element["/S"])] += 1
        if element["/S"] == "/Figure":
            pictures.append(str(element.get("/Alt", "")))
            if not any(part in painted for part in _content(element, None)):
                empty.append(pictures[-1])
    text = "\n".join(page.extract_text() for page in reader.pages)
    return Written(text, pictures, kinds["/Table"] if kinds else None, sum(page.lost for page in drawn), empty)


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
    return made


def _none(codes: bytes) -> int:
    return sum(codes[at : at + 2] == b"\0\0" for at in range(0, len(codes), 2))


def elements(reader: Any) -> Iterator[Any]:
    """The elements of a PDF's structure, in the order of reading; none where it has no structure."""
    root: Any = reader.trailer["/Root"]
    return _below(root["/StructTreeRoot"]) if "/StructTreeRoot" in root else iter(())


def _below(node: Any) -> Iterator[Any]:
    node = node.get_object()
    if isinstance(node, list):
        for one in node:
            yield from _below(one)
    elif isinstance(node, dict):
        if "/S" in node:
            yield node
        if "/K" in node:
            yield from _below(node["/K"])


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
