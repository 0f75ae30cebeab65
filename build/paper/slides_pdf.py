"""Prints the finished deck as a PDF with one page for each slide, through reveal's print view in Chromium.

Vector text, tagged, with the page's language; bookmarks by act. The same page gives the same bytes from the same
browser. Reads the deck and its source, and puts one file in place.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from base import atomic_write, browser, fit
from base.progress import Progress

from figures.kit import deck
from figures.kit.errors import Problem
from figures.kit.files import shown
from paper import artifacts
from paper.single_weight_fonts import still

if TYPE_CHECKING:
    from pypdf import PdfWriter

HERE = Path(__file__).resolve().parent
READY = "document.querySelectorAll('.pdf-page').length"
FORMULA = "\u2062formula "  # before the words of a formula, which Chromium tags as a picture
XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""
BROWSER = (
    "Install Chromium, Google Chrome or Microsoft Edge (on Debian and Ubuntu: apt-get install chromium), "
    "or name one: CHROMIUM=/path/to/browser make pdf. The deck itself is ready; an earlier PDF stays as it is."
)


@dataclass(frozen=True)
class Slide:
    """One slide as printed: its id, its title in plain text, the pages that it takes."""

    id: str
    title: str
    pages: int = 1


@dataclass(frozen=True)
class Bookmark:
    """A line of the outline: its text, its page counted from 0, the lines below it."""

    title: str
    page: int
    below: tuple[Bookmark, ...] = ()


def file_of(page: Path) -> Path:
    """The PDF beside a page: for `deck.html` it is `deck-slides.pdf`."""
    return page.with_name(f"{page.stem}-slides.pdf")


def render(page: Path, document: Path, root: Path, progress: Progress) -> Path:
    """The PDF beside a finished deck that is made of this document: for `deck.html` it is `deck-slides.pdf`."""
    if not page.is_file():
        raise Problem(shown(page, root), "there is no deck to print", "Run `make deck` first.")
    output = file_of(page)
    atomic_write.clean(output)
    progress(f"{output.name} · print view")
    pdf, slides = printed(page)
    atomic_write.write(output, bound(pdf, slides, page.name, [(act.name, act.first) for act in deck.acts(document)]))
    progress.done(shown(output, root))
    return output


def printed(page: Path) -> tuple[bytes, list[Slide]]:
    """What the browser makes of the page's print view, and the slides in it; in a thread of its own, since a caller
    may be driving a browser already.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_printed, page).result()


def _printed(page: Path) -> tuple[bytes, list[Slide]]:
    html = still(page.read_text(encoding="utf-8"))
    with browser.shown(html, page.name, "?print-pdf", "printing needs a browser", "could not print it", BROWSER) as view:
        view.wait_for_function(READY)
        view.evaluate("document.fonts.ready.then(() => undefined)")  # first: a full slide is fitted once its fonts are there
        fit.refuse(fit.seen(view), page.name)
        slides = view.evaluate(f"(FORMULA) => {{{(HERE / 'paper.js').read_text(encoding='utf-8')}}}", FORMULA)
        pdf = view.pdf(prefer_css_page_size=True, print_background=True, tagged=True)
    return pdf, [Slide(**slide) for slide in slides]


def bound(pdf: bytes, slides: Sequence[Slide], name: str, acts: Sequence[tuple[str, str]]) -> bytes:
    """The same pages with bookmarks by act and no trace of when they were made; a Problem unless each slide has one page."""
    from pypdf import PdfWriter
    from pypdf.generic import NameObject, TextStringObject

    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    _check_pages(slides, len(writer.pages), name)
    writer.pdf_header = f"%PDF-{pdf[5:8].decode()}"
    writer.page_mode = "/UseOutlines"
    _mark_artifacts(writer)
    _tag_formulas(writer)
    _name_as_ua(writer)
    for bookmark in outline(slides, acts):
        _add(writer, bookmark)
    info: Any = writer._info
    for key in ("/CreationDate", "/ModDate"):
        info.pop(NameObject(key), None)
    info[NameObject("/Creator")] = TextStringObject("Chromium")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _mark_artifacts(writer: PdfWriter) -> None:
    """What stands outside of the structure is said to."""
    from pypdf.generic import DecodedStreamObject

    for page in writer.pages:
        drawn: Any = page["/Contents"].get_object()
        stream = DecodedStreamObject()
        stream.set_data(artifacts.marked(drawn.get_data()))
        writer._replace_object(page.raw_get("/Contents"), stream.flate_encode())


def _tag_formulas(writer: PdfWriter) -> None:
    """Pictures that are formulas become so, their words without the mark."""
    from pypdf.generic import DictionaryObject, NameObject, TextStringObject

    for element in writer._objects:
        if isinstance(element, DictionaryObject) and str(said := element.get("/Alt", "")).startswith(FORMULA):
            element[NameObject("/S")] = NameObject("/Formula")
            element[NameObject("/Alt")] = TextStringObject(str(said).removeprefix(FORMULA))


def _name_as_ua(writer: PdfWriter) -> None:
    """What PDF/UA asks of the file as a whole, and Chromium leaves out: metadata as XMP, and what its newer tags are."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    root: Any = writer._root_object
    info: Any = writer._info
    title = info.get("/Title", "")
    stream = DecodedStreamObject()
    stream.set_data(XMP.format(title=escape(str(title)), language=escape(str(root.get("/Lang", "")))).encode())
    stream.update({NameObject("/Type"): NameObject("/Metadata"), NameObject("/Subtype"): NameObject("/XML")})
    root[NameObject("/Metadata")] = writer._add_object(stream)
    if "/StructTreeRoot" in root:
        mapped = DictionaryObject({NameObject(f"/{name}"): NameObject("/Span") for name in ("Strong", "Em")})
        root["/StructTreeRoot"].get_object()[NameObject("/RoleMap")] = mapped


def outline(slides: Sequence[Slide], acts: Sequence[tuple[str, str]]) -> list[Bookmark]:
    """The acts, (name, id of the first slide), with their slides below; slides before the first act stand by themselves."""
    names = {first: name for name, first in acts}
    alone: list[Bookmark] = []
    marks: list[Bookmark] = []
    for page, slide in enumerate(slides):
        if slide.id in names:
            marks.append(Bookmark(names[slide.id], page))
        own = Bookmark(slide.title, page)
        if marks:
            marks[-1] = replace(marks[-1], below=(*marks[-1].below, own))
        else:
            alone.append(own)
    return [*alone, *marks]


def _check_pages(slides: Sequence[Slide], pages: int, name: str) -> None:
    if not slides:
        raise Problem(name, "its print view holds no slide", "Render the deck again: make deck")
    for number, slide in enumerate(slides, 1):
        if slide.pages != 1:
            remedy = "Shorten it until it fits the canvas; the browser tests name what overflows."
            raise Problem(f"{name}, slide {number} “{slide.title}”", f"it takes {slide.pages} pages", remedy)
    if pages != len(slides):
        raise Problem(name, f"{len(slides)} slides became {pages} pages", "Look at the page with `?print-pdf` after its address.")


def _add(writer: PdfWriter, mark: Bookmark, parent: Any = None) -> None:
    item = writer.add_outline_item(title=mark.title, page_number=mark.page, parent=parent)
    for below in mark.below:
        _add(writer, below, item)
