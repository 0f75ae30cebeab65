"""The points of the Matterhorn Protocol 1.1 (PDF/UA-1) that a program can check in our files, each under its number.

Does *not* judge what needs a person: whether words say what a picture shows, whether the order is that of reading. Left out of
the protocol's points for programs are those on fonts' inner tables (31-001 to 31-008, 31-010 to 31-026), which need a reader of fonts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from proof.written import elements

STANDARD = re.compile(
    r"/(?:Document|Part|Art|Sect|Div|BlockQuote|Caption|TOCI?|Index|NonStruct|Private|P|H[1-6]?|L|LI|Lbl|LBody|Table|TR|TH|TD|THead|TBody|TFoot"
    r"|Span|Quote|Note|Reference|BibEntry|Code|Link|Annot|Ruby|RB|RT|RP|Warichu|WT|WP|Figure|Formula|Form)"
)
DRAWN = frozenset((b"Tj", b"TJ", b"'", b'"', b"f", b"f*", b"F", b"S", b"s", b"B", b"B*", b"b", b"b*", b"Do", b"sh", b"INLINE IMAGE"))
BELOW = {  # what may stand in what
    "/TR": ("/Table", "/THead", "/TBody", "/TFoot"),
    "/TH": ("/TR",),
    "/TD": ("/TR",),
    "/LI": ("/L",),
    "/LBody": ("/LI",),
    "/TOCI": ("/TOC",),
}
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


def faults(pdf: Any) -> dict[str, list[str]]:
    """What is wrong at each point, nothing where it holds."""
    marks = list(marked(pdf))
    return {number: list(check(pdf)) for number, check in POINTS.items()} | {
        number: [where for kind, where in marks if kind == number] for number in ("01-003", "01-004", "01-005")
    }


def marked(pdf: Any) -> Iterator[tuple[str, str]]:
    """What is drawn outside of the structure without being called an artifact, and what is both."""
    from pypdf.generic import ContentStream

    for number, page in enumerate(pdf.pages, 1):
        open_marks: list[str] = []
        for operands, operator in ContentStream(page.get_contents(), pdf).operations:
            if operator in (b"BDC", b"BMC"):
                kind = "artifact" if operands[0] == "/Artifact" else "tagged" if "/MCID" in (operands[1:] or [{}])[0] else "neither"
                if kind == "artifact" and "tagged" in open_marks:
                    yield "01-003", f"page {number}: an artifact in {open_marks}"
                if kind == "tagged" and "artifact" in open_marks:
                    yield "01-004", f"page {number}: tagged content in an artifact"
                open_marks.append(kind)
            elif operator == b"EMC":
                open_marks.pop()
            elif operator in DRAWN and not {"artifact", "tagged"} & set(open_marks):
                yield "01-005", f"page {number}: {operands} {operator!r}"


def role_map(pdf: Any) -> dict[str, Any]:
    mapped: dict[str, Any] = pdf.trailer["/Root"]["/StructTreeRoot"].get("/RoleMap", {})
    return mapped


def unmapped_types(pdf: Any) -> Iterator[str]:
    mapped = role_map(pdf)
    for kind in {str(element["/S"]) for element in elements(pdf)}:
        seen = [kind]
        while not STANDARD.fullmatch(seen[-1]) and seen[-1] in mapped and str(mapped[seen[-1]]) not in seen:
            seen.append(str(mapped[seen[-1]]))
        if not STANDARD.fullmatch(seen[-1]):
            yield kind


def circles(pdf: Any) -> Iterator[str]:
    mapped = role_map(pdf)
    for kind in mapped:
        seen = [str(kind)]
        while seen[-1] in mapped:
            seen.append(str(mapped[seen[-1]]))
            if seen[-1] in seen[:-1]:
                yield str(kind)
                break


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


def children(element: Any) -> list[Any]:
    """The elements right below one."""
    held = element.get("/K", [])
    held = held.get_object() if hasattr(held, "get_object") else held
    listed = held if isinstance(held, list) else [held]
    return [one.get_object() for one in listed if isinstance(one.get_object(), dict) and "/S" in one.get_object()]


def out_of_place(pdf: Any) -> Iterator[str]:
    """Rows outside of tables, cells outside of rows, and the like."""
    for parent in elements(pdf):
        for child in children(parent):
            if (allowed := BELOW.get(str(child["/S"]))) and str(parent["/S"]) not in allowed:
                yield f"{child['/S']} in {parent['/S']}"
    kinds = Counter(str(child["/S"]) for parent in elements(pdf) if parent["/S"] == "/Table" for child in children(parent))
    yield from (f"{kind} in /Table" for kind in kinds if kind not in ("/TR", "/THead", "/TBody", "/TFoot", "/Caption"))


def attributes(element: Any, owner: str) -> dict[str, Any]:
    held = element.get("/A", [])
    held = held.get_object() if hasattr(held, "get_object") else held
    listed = [one.get_object() for one in (held if isinstance(held, list) else [held])]
    return {key: value for one in listed if isinstance(one, dict) and one.get("/O") == owner for key, value in one.items()}


def headers_without_scope(pdf: Any) -> Iterator[str]:
    for element in elements(pdf):
        if element["/S"] == "/TH" and not {"/Scope", "/Headers"} & set(attributes(element, "/Table")):
            yield f"{element}"[:80]


def uneven_tables(pdf: Any) -> Iterator[str]:
    """Tables whose rows have no equal number of columns."""
    for table in elements(pdf):
        if table["/S"] != "/Table":
            continue
        rows = [row for part in children(table) for row in ([part] if part["/S"] == "/TR" else children(part)) if row["/S"] == "/TR"]
        spans = [[attributes(cell, "/Table") for cell in children(row)] for row in rows]
        if any(cell.get("/RowSpan", 1) != 1 for row in spans for cell in row):
            continue  # what hangs over from the row above would have to be counted too
        widths = {sum(int(cell.get("/ColSpan", 1)) for cell in row) for row in spans}
        if len(widths) > 1:
            yield f"rows of {sorted(widths)} columns"


def annotations(pdf: Any) -> Iterator[tuple[Any, Any]]:
    for page in pdf.pages:
        yield from ((page, one.get_object()) for one in page.get("/Annots", []))


def links_outside_of_links(pdf: Any) -> Iterator[str]:
    """Links that no element of that kind holds."""
    held = Counter(
        str(one.get_object()["/Obj"].get_object().get("/Contents", ""))
        for element in elements(pdf)
        if element["/S"] == "/Link"
        for one in (element["/K"] if isinstance(element["/K"], list) else [element["/K"]])
        if isinstance(one.get_object(), dict) and "/Obj" in one.get_object()
    )
    there = Counter(str(one.get("/Contents", "")) for _, one in annotations(pdf) if one["/Subtype"] == "/Link")
    yield from (f"{count} × {text}" for text, count in (there - held).items())


def fonts(pdf: Any) -> Iterator[tuple[str, Any, Any]]:
    for page in pdf.pages:
        for font in page["/Resources"].get_object().get("/Font", {}).get_object().values():
            font = font.get_object()
            inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
            yield str(font.get("/BaseFont", font["/Subtype"])), font, inner.get("/FontDescriptor", {})


def drawings(pdf: Any) -> Iterator[tuple[str, Any]]:
    for page in pdf.pages:
        held = page["/Resources"].get_object()
        yield from ((name, one.get_object()) for name, one in (held["/XObject"].get_object() if "/XObject" in held else {}).items())


def nowhere(pdf: Any) -> Iterator[str]:
    """Characters of a font that stand for none."""
    for name, font, _ in fonts(pdf):
        said = font["/ToUnicode"].get_object().get_data() if "/ToUnicode" in font else b""
        if re.search(rb"<(?:0000|FEFF|FFFE)>\s*(?:\n|\])", said.partition(b"beginbfchar")[2]):
            yield name


def shared_ids(pdf: Any) -> Iterator[str]:
    named = Counter(str(element["/ID"]) for element in elements(pdf) if "/ID" in element)
    yield from (one for one, count in named.items() if count > 1)


def languages(pdf: Any) -> Iterator[str]:
    yield from {str(one["/Lang"]) for one in (root(pdf), *elements(pdf)) if "/Lang" in one and not LANGUAGE.fullmatch(str(one["/Lang"]))}


def unless(holds: bool, what: str) -> Iterator[str]:
    if not holds:
        yield what


def root(pdf: Any) -> Any:
    return pdf.trailer["/Root"]


POINTS: dict[str, Callable[[Any], Iterator[str]]] = {  # and 01-003, 01-004, 01-005: what is drawn is tagged or an artifact, never both
    "01-007 nothing is under suspicion": lambda pdf: unless(not root(pdf)["/MarkInfo"].get("/Suspects"), "it is"),
    "02-001 types of elements are standard or mapped": unmapped_types,
    "02-003 no mapping runs in a circle": circles,
    "02-004 no standard type is mapped": lambda pdf: (str(kind) for kind in role_map(pdf) if STANDARD.fullmatch(str(kind))),
    "06-001 there is an XMP stream": lambda pdf: unless(bool(xmp(pdf)), "none"),
    "06-002 it names PDF/UA": lambda pdf: unless("<pdfuaid:part>1</pdfuaid:part>" in xmp(pdf), xmp(pdf)[:200]),
    "06-003 it has a title": lambda pdf: unless(bool(re.search(r"<dc:title>.*?<rdf:li[^>]*>[^<]+", xmp(pdf), re.DOTALL)), xmp(pdf)[:200]),
    "07-001 the window shows the title": lambda pdf: unless(bool(root(pdf)["/ViewerPreferences"].get("/DisplayDocTitle")), "it doesn't"),
    "09-004 to 09-006 rows, cells and items stand in tables, rows and lists": out_of_place,
    "11-006 the document has a language": lambda pdf: unless(bool(root(pdf).get("/Lang")), "none"),
    "11-007 languages can be ones": languages,
    "13-004 figures have words": lambda pdf: without_words(pdf, "/Figure"),
    "14-002 the first heading is of the first level": lambda pdf: unless(headings(pdf)[:1] == [1], str(headings(pdf)[:3])),
    "14-003 no level is skipped": skipped_levels,
    "14-007 headings have levels": lambda pdf: unless(all(element["/S"] != "/H" for element in elements(pdf)), "one has none"),
    "15-003 headers of tables say what they head": headers_without_scope,
    "15 (ISO 32000-1, 14.8.4.3.4) tables have rows of one width": uneven_tables,
    "17-002 formulas have words": lambda pdf: without_words(pdf, "/Formula"),
    "17-003 their letters have characters": nowhere,
    "19-003 notes have names": lambda pdf: (str(one)[:80] for one in elements(pdf) if one["/S"] == "/Note" and "/ID" not in one),
    "19-004 a name is one element's": shared_ids,
    "20-001 layers that can be turned off": lambda pdf: unless("/OCProperties" not in root(pdf), "there are some"),
    "21-001 files inside it": lambda pdf: unless("/EmbeddedFiles" not in root(pdf).get("/Names", {}), "there are some"),
    "25-001 forms that change": lambda pdf: unless("/XFA" not in root(pdf).get("/AcroForm", {}), "there are some"),
    "26-001 nothing is encrypted": lambda pdf: unless("/Encrypt" not in pdf.trailer, "it is"),
    "28-002 annotations stand in the structure": lambda pdf: (str(one) for _, one in annotations(pdf) if "/StructParent" not in one),
    "28-004 annotations say what they are": lambda pdf: (str(one) for _, one in annotations(pdf) if not one.get("/Contents")),
    "28-006 annotations are of kinds that are known": lambda pdf: (str(one) for _, one in annotations(pdf) if one["/Subtype"] != "/Link"),
    "28-008 Tab follows the structure": lambda pdf: (str(one) for page, one in annotations(pdf) if page.get("/Tabs") != "/S"),
    "28-011 links stand in elements for links": links_outside_of_links,
    "30-001 no drawing lies in another file": lambda pdf: (str(name) for name, drawing in drawings(pdf) if "/Ref" in drawing),
    "31-009 fonts are embedded": lambda pdf: (
        name for name, font, held in fonts(pdf) if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(held) and "/CharProcs" not in font
    ),
    "31-027 letters have their characters": lambda pdf: (name for name, font, _ in fonts(pdf) if "/ToUnicode" not in font),
}
