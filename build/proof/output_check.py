"""What a page has shown, looked for in the file that was written: texts, tables, pictures with their words, no lost glyph.

Reads HTML, PDF and Word documents; of a notebook only what must not be there. Knows no engine: it is given the file.
"""

from __future__ import annotations

import html
import io
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures.kit.errors import Problem

MOST = 6  # of the missing things, named
UNRESOLVED = re.compile(r"\?var:\S+|\?meta:\S+|\{python\}")
MARKS = re.compile(r"\{[.#][^}]*\}|[\s\u200b-\u200d\u00ad\ufe00-\ufe0f\[\]$`\\_{}*^]")
ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-"})
HIDDEN = re.compile(r"<(script|style|template|title)\b.*?</\1>", re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """A thing that a page has shown: its sort, its call, what a reader sees of it."""

    what: str
    id: str
    texts: list[str]


@dataclass(frozen=True)
class Written:
    """What a file holds: its text, the words of its pictures, how many tables (None where a format marks none), lost glyphs."""

    text: str
    pictures: list[str]
    tables: int | None = None
    lost: int = 0


def check(output: Path, content: bytes, shown: Sequence[Shown]) -> None:
    """A Problem that names what was shown and is not in the file, or what must not be in any."""
    reader = READERS.get(output.suffix)
    if reader is None:
        return
    written = reader(content)
    kept = output.suffix != ".ipynb"  # whose numbers come when it is run
    faults = [*(_missing(written, shown) if kept else ()), *_unfit(written)]
    if faults:
        more = f" and {len(faults) - MOST} more" if len(faults) > MOST else ""
        raise Problem(output.name, "; ".join(faults[:MOST]) + more, "Nothing of it is left in place; the last good output is.")


def _missing(written: Written, shown: Sequence[Shown]) -> Iterator[str]:
    text, pictures = plain(written.text), Counter(map(plain, written.pictures))
    wanted: Counter[str] = Counter()
    for thing in shown:
        for said in thing.texts:
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


def _unfit(written: Written) -> Iterator[str]:
    if "\ufffd" in written.text:
        at = written.text.index("\ufffd")
        yield f"a character is lost at “{' '.join(written.text[max(0, at - 20) : at + 20].split())}”"
    if written.lost:
        yield f"{written.lost} characters have no glyph in their font"
    yield from (f"{found} was not replaced" for found in dict.fromkeys(UNRESOLVED.findall(written.text)))


def plain(text: str) -> str:
    """A text without spaces and Markdown's marks.

    >>> plain("[5 × 10⁻⁴]{.n}")
    '5×10-4'
    """
    return MARKS.sub("", unicodedata.normalize("NFKC", text).translate(ALIKE)).translate(ALIKE)


def _page(content: bytes) -> Written:
    page = HIDDEN.sub(" ", content.decode("utf-8"))
    drawn = re.findall(r'<svg\b[^>]*\baria-label="([^"]*)"', page) + re.findall(r'<img\b[^>]*\balt="([^"]+)"', page)
    return Written(
        html.unescape(re.sub(r"<[^>]*>", "", page)), [html.unescape(words) for words in drawn], len(re.findall(r"<table\b", page))
    )


def _notebook(content: bytes) -> Written:
    return Written(content.decode("utf-8").replace("\\ufffd", "\ufffd"), [])


def _word(content: bytes) -> Written:
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        body = parts.read("word/document.xml").decode("utf-8")
    texts = re.findall(r"<(?:w|m):t\b[^>]*>([^<]*)</(?:w|m):t>", body)
    drawn = re.findall(r'<wp:docPr\b[^>]*\bdescr="([^"]*)"', body)
    return Written(html.unescape("".join(texts)), [html.unescape(words) for words in drawn], len(re.findall(r"<w:tbl>", body)))


def _pdf(content: bytes) -> Written:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(content))
    pictures: list[str] = []
    lost = 0
    for page in reader.pages:
        alone, glyphless = _drawn(page, reader)
        pictures += alone
        lost += glyphless
    root: Any = reader.trailer["/Root"]
    tree: Any = root.get("/StructTreeRoot")
    kinds: Counter[str] = Counter()
    for element in _elements(tree) if tree else ():
        kinds[str(element["/S"])] += 1
        if element["/S"] == "/Figure":
            pictures.append(str(element.get("/Alt", "")))
    text = "\n".join(page.extract_text() for page in reader.pages)
    return Written(text, pictures, kinds["/Table"] if tree else None, lost)


def _drawn(page: Any, reader: Any) -> tuple[list[str], int]:
    """What the pictures of a page say outside the document's structure, and how many glyphs are the one for “none”."""
    from pypdf.generic import ContentStream

    fonts: Any = page.get("/Resources", {}).get("/Font", {})
    wide = {name for name in fonts if fonts[name].get("/Encoding") == "/Identity-H"}
    words: list[str] = []
    lost, font = 0, ""
    contents = page.get_contents()
    for operands, operator in ContentStream(contents, reader).operations if contents is not None else ():
        if operator == b"Tf":
            font = operands[0]
        elif operator == b"BDC" and isinstance(operands[1], dict) and "/Alt" in operands[1]:
            words.append(str(operands[1]["/Alt"]))
        elif operator in (b"Tj", b"TJ", b"'") and font in wide:
            pieces = operands[0] if operator == b"TJ" else operands[-1:]
            lost += sum(_none(piece.original_bytes) for piece in pieces if hasattr(piece, "original_bytes"))
    return words, lost


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


READERS = {".html": _page, ".ipynb": _notebook, ".docx": _word, ".pdf": _pdf}
