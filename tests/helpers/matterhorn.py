"""The points of the Matterhorn Protocol 1.1 (PDF/UA-1) that a program can check in our files, each under its number.

Does *not* judge what needs a person: whether words say what a picture shows, whether the order is that of reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from proof.written import elements

STANDARD = re.compile(
    r"/(?:Document|Part|Art|Sect|Div|BlockQuote|Caption|TOCI?|Index|NonStruct|Private|P|H[1-6]?|L|LI|Lbl|LBody|Table|TR|TH|TD|THead|TBody|TFoot"
    r"|Span|Quote|Note|Reference|BibEntry|Code|Link|Annot|Ruby|RB|RT|RP|Warichu|WT|WP|Figure|Formula|Form)"
)
TEXT_SHOWN = (b"Tj", b"TJ", b"'", b'"')


def faults(pdf: Any) -> dict[str, list[str]]:
    """What is wrong at each point, nothing where it holds."""
    return {number: list(check(pdf)) for number, check in POINTS.items()}


def untagged_text(pdf: Any) -> Iterator[str]:
    from pypdf.generic import ContentStream

    for number, page in enumerate(pdf.pages, 1):
        depth = 0
        for operands, operator in ContentStream(page.get_contents(), pdf).operations:
            if operator in (b"BDC", b"BMC"):
                depth += 1
            elif operator == b"EMC":
                depth -= 1
            elif operator in TEXT_SHOWN and depth == 0:
                yield f"page {number}: {operands}"


def unmapped_types(pdf: Any) -> Iterator[str]:
    mapped = pdf.trailer["/Root"]["/StructTreeRoot"].get("/RoleMap", {})
    for kind in {str(element["/S"]) for element in elements(pdf)}:
        seen = [kind]
        while not STANDARD.fullmatch(seen[-1]) and seen[-1] in mapped and str(mapped[seen[-1]]) not in seen:
            seen.append(str(mapped[seen[-1]]))
        if not STANDARD.fullmatch(seen[-1]):
            yield kind


def xmp(pdf: Any) -> str:
    metadata = pdf.trailer["/Root"].get("/Metadata")
    return metadata.get_object().get_data().decode("utf-8") if metadata else ""


def without_words(pdf: Any, kind: str) -> Iterator[str]:
    yield from (f"{element}"[:80] for element in elements(pdf) if element["/S"] == kind and not str(element.get("/Alt", "")).strip())


def headings(pdf: Any) -> list[int]:
    kinds = [str(element["/S"]) for element in elements(pdf)]
    return [int(kind[2:]) for kind in kinds if re.fullmatch(r"/H[1-6]", kind)]


def skipped_levels(pdf: Any) -> Iterator[str]:
    levels = headings(pdf)
    yield from (f"H{before} then H{level}" for before, level in zip(levels, levels[1:]) if level > before + 1)


def headers_without_scope(pdf: Any) -> Iterator[str]:
    for element in elements(pdf):
        attributes = element.get("/A", [])
        listed = attributes if isinstance(attributes, list) else [attributes]
        if element["/S"] == "/TH" and not any("/Scope" in one.get_object() or "/Headers" in one.get_object() for one in listed):
            yield f"{element}"[:80]


def annotations(pdf: Any) -> Iterator[tuple[Any, Any]]:
    for page in pdf.pages:
        yield from ((page, one.get_object()) for one in page.get("/Annots", []))


def fonts(pdf: Any) -> Iterator[tuple[str, Any, Any]]:
    for page in pdf.pages:
        for font in page["/Resources"].get_object().get("/Font", {}).get_object().values():
            font = font.get_object()
            inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
            yield str(font.get("/BaseFont", font["/Subtype"])), font, inner.get("/FontDescriptor", {})


def unless(holds: bool, what: str) -> Iterator[str]:
    if not holds:
        yield what


def root(pdf: Any) -> Any:
    return pdf.trailer["/Root"]


POINTS: dict[str, Callable[[Any], Iterator[str]]] = {
    "01-005 text is tagged or an artifact": untagged_text,
    "02-001 types of elements are standard or mapped": unmapped_types,
    "06-001 there is an XMP stream": lambda pdf: unless(bool(xmp(pdf)), "none"),
    "06-002 it names PDF/UA": lambda pdf: unless("<pdfuaid:part>1</pdfuaid:part>" in xmp(pdf), xmp(pdf)[:200]),
    "06-003 it has a title": lambda pdf: unless(bool(re.search(r"<dc:title>.*?<rdf:li[^>]*>[^<]+", xmp(pdf), re.DOTALL)), xmp(pdf)[:200]),
    "07-001 the window shows the title": lambda pdf: unless(bool(root(pdf)["/ViewerPreferences"].get("/DisplayDocTitle")), "it doesn't"),
    "11-006 the document has a language": lambda pdf: unless(bool(root(pdf).get("/Lang")), "none"),
    "13-004 figures have words": lambda pdf: without_words(pdf, "/Figure"),
    "14-002 the first heading is of the first level": lambda pdf: unless(headings(pdf)[:1] == [1], str(headings(pdf)[:3])),
    "14-003 no level is skipped": skipped_levels,
    "15-003 headers of tables say what they head": headers_without_scope,
    "17-002 formulas have words": lambda pdf: without_words(pdf, "/Formula"),
    "26-001 nothing is encrypted": lambda pdf: unless("/Encrypt" not in pdf.trailer, "it is"),
    "28-002 annotations stand in the structure": lambda pdf: (str(one) for _, one in annotations(pdf) if "/StructParent" not in one),
    "28-004 annotations say what they are": lambda pdf: (str(one) for _, one in annotations(pdf) if not one.get("/Contents")),
    "28-008 Tab follows the structure": lambda pdf: (str(one) for page, one in annotations(pdf) if page.get("/Tabs") != "/S"),
    "31-009 fonts are embedded": lambda pdf: (
        name for name, _, held in fonts(pdf) if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(held) and "/CharProcs" not in held
    ),
    "31-027 letters have their characters": lambda pdf: (name for name, font, _ in fonts(pdf) if "/ToUnicode" not in font),
}
