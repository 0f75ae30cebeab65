"""What somebody typed for readers, line by line with its place, holes where something is computed.

The prose of slides/**/*.qmd (notes, formulas, texts of attributes included), the templates of data/words/*.yml, the texts
that figures/*.py gives to what it shows, those of the modules and style sheets that pages carry.
"""

from __future__ import annotations

import ast
import html as entities
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from figures.kit import formats, language, project, qmd, strict_yaml
from figures.kit.files import Line, lines_of
from proof import number_flow, shown_code
from proof.fault import HOLE
from proof.numerals import values
from proof.shown_code import unescaped
from proof.text_piece import Text

TITLE = "title-slide"


_SEEN_ATTRIBUTE = re.compile(
    r"(?<![\w-])(?:alt|fig-alt|title|aria-label|aria-description|aria-valuetext|aria-roledescription|fig-cap|caption|tbl-cap|label|placeholder"
    r"|data-menu-title|value|srcdoc|start|summary|style(?=\s*=\s*[\"'][^\"']*(?:counter-|content|--)))"
    r"\s*=\s*(?:(?P<quote>[\"'])(?P<said>.*?)(?P=quote)|(?P<bare>[^\s\"'>}]+))"
)
_ADDRESS = re.compile(r"data:[^\"'\s)>]*,[^\"')>]*")
_HIDDEN = [
    re.compile(r"\{\{<.*?>\}\}"),
    re.compile(r"<!--.*?-->"),
    re.compile(r"(?<=\]\()[^()\s]+"),  # the address of a link
    re.compile(r"<(?:https?|mailto):[^>]*>|https?://\S+"),
    re.compile(r"\[\^[\w-]+\]|\[?-?@[\w:-]+"),  # notes and citations
]
# Marks within a word, which no reader sees: se**te**, se<b>te</b>, se&shy;te.
_PARTED = re.compile(
    r"(?<=[^\W\d_])(?:\*+|</?[a-zA-Z][^<>]*>|\[(?=\w+\]\{)|\]\{[^{}]*\}|&(?:shy|zwnj|zwj|#173|#xad|#8203|#x200b);)+(?=[^\W\d_])"
)
_REMARK_WHOLE = re.compile(r"<!(?=--).*?-->")
_REMARK = re.compile(rf"{_REMARK_WHOLE.pattern}|<!--.*")
_BRACES = re.compile(rf"(?<=[\]\)`{HOLE}\s])\{{(?=\s*[.#]|\s*[\w-]+=)[^{{}}]*\}}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_OPTION = re.compile(r"^(?:#\|\s*(?:[\w-]+-(?:cap|alt|title|subcap)|title|subtitle)\s*:\s*)(?P<said>.*)$")  # of a cell, for readers
_SEEN_SETTINGS = {
    "title", "pagetitle", "title-prefix", "subtitle", "author", "institute", "date", "description", "abstract", "keywords", "footer",
    "toc-title",
}  # fmt: skip
_ACT = re.compile(r"lecture\.acts\[\d+\]\.(?:name|summary)$")
_ITEM = re.compile(r"^(?P<before>\s*(?:>\s*)*)\(?(?P<number>\d+)[.)](?=\s)")  # the marker of a numbered list


def prose(file: str, lines: list[Line]) -> Iterator[Text]:
    """What readers see of a .qmd: its prose with its formulas, each piece with the id of its slide or section."""
    front, body = qmd.split_front_matter(lines)
    settings = strict_yaml.settings(front)
    for path, entry in settings.texts():
        if _SEEN_SETTINGS & set(re.split(r"[.\[]", path)) or _ACT.match(path):
            for piece in entry.pieces:
                said = Text(file, piece.place.line, piece.column, _holed(piece.text), TITLE, variables=_named(piece.text))
                yield from _day(said) if path == "date" else [said]
    place, display, lists, remark = TITLE, False, _Lists(), False
    for line, context in qmd.contexts(body):
        text, number = line.text, line.place.line
        if not context.fence:
            text, remark = _without_remarks(text, remark)
            for address in _ADDRESS.finditer(text):
                yield Text(file, number, address.start() + 1, shown_code.inside_address(address[0]), place)
        if context.fence and context.role == "inside" and context.fence.language == "python":
            yield from _options(file, number, text, place)
        elif context.role == "inside":
            yield Text(file, number, 1, text, place)
        elif not context.fence:
            place = context.heading.id if context.role == "heading" and context.heading and context.heading.id else place
            here = TITLE if any("title-slide-notes" in div for div in context.divs) else place
            yield Text(file, number, 1, _holed(lists.without_marker(text)), here, display, _named(text))
            if _PARTED.search(text):
                yield Text(file, number, 1, _holed(_PARTED.sub("", entities.unescape(text))), here, display)
            display ^= text.count("$$") % 2 == 1


def _day(text: Text) -> Iterator[Text]:
    """The day of a lecture as it is written, and as pages of its language may show it; anything else that stands there as it is."""
    long = formats.day(text.text)
    yield from (text._replace(text=said, given=True) for said in (text.text, long)) if long != text.text else [text]


def _options(file: str, number: int, line: str, place: str) -> Iterator[Text]:
    """The text for readers among the options of a cell."""
    if match := _OPTION.match(line):
        yield Text(file, number, match.start("said") + 1, match["said"], place)


def _without_remarks(line: str, inside: bool) -> tuple[str, bool]:
    """A line with holes for its HTML comments, one of which may be open before it, and whether one is open behind it.

    >>> _without_remarks("a <!-- b", False)[0].replace(HOLE, "-"), _without_remarks("a", True)[1]
    ('a ------', True)
    """
    opened = "<!-- " if inside else ""
    holed = _REMARK.sub(lambda remark: HOLE * len(remark[0]), opened + line)[len(opened) :]
    return holed, "<!--" in _REMARK_WHOLE.sub(HOLE, opened + line)


class _Lists:
    """The numbered lists that are open, by what stands before their markers: the last number of each."""

    def __init__(self) -> None:
        self.last: dict[str, int] = {}
        self.after_blank = True

    def without_marker(self, line: str) -> str:
        """The line, to be passed in order, with a hole for its marker where a list counts by itself."""
        item = _ITEM.match(line)
        if item:
            last, number = self.last.get(item["before"]), int(item["number"])
            counts = number == 1 and (self.after_blank or self.last) or last is not None and number == last + 1
            if counts:
                self.last[item["before"]] = number
                line = HOLE * len(item[0]) + line[len(item[0]) :]
        elif self.after_blank and line.strip() and not line[0].isspace():
            self.last.clear()
        self.after_blank = not line.strip()
        return line


def _named(line: str) -> tuple[str, ...]:
    return tuple(match["rest"] for match in qmd.SHORTCODE.finditer(line) if match["name"] == "var")


def _holed(line: str) -> str:
    """A line of Markdown with holes for what is computed or not text: every character that is left keeps its column."""
    line = qmd.fill(line, lambda piece: HOLE * (piece.end - piece.start))
    for pattern in _HIDDEN:
        line = pattern.sub(lambda match: HOLE * len(match[0]), line)
    return _BRACES.sub(_attributes, _TAG.sub(_attributes, line))


def _attributes(match: re.Match[str]) -> str:
    """Attributes without what no reader gets: of `{.x width="50%" fig-alt="two cats"}` only the alternative text stays."""
    kept = [HOLE] * len(match[0])
    for attribute in _SEEN_ATTRIBUTE.finditer(match[0]):
        group = "bare" if attribute["said"] is None else "said"
        kept[attribute.start(group) : attribute.end(group)] = attribute[group]
    return "".join(kept)


_ESCAPE = re.compile(r"\\(?:u(?P<u>[0-9a-fA-F]{4})|U(?P<U>[0-9a-fA-F]{8})|x(?P<x>[0-9a-fA-F]{2}))")


def templates(file: str, lines: list[Line]) -> Iterator[Text]:
    """The texts of a file of data/words/: each value, its `{fields}` holed; the place is its key, "heads.2" in a list."""
    for path, entry in strict_yaml.read(lines).texts():
        key = re.sub(r"\[(\d+)\]", lambda match: f".{int(match[1]) + 1}", path)
        for piece in entry.pieces:
            text = re.sub(r"\{\w*\}", lambda match: HOLE * len(match[0]), _ESCAPE.sub(unescaped, piece.text))
            yield Text(file, piece.place.line, piece.column, text, key)


SINKS = {  # what takes a text to be shown, in figures/show.py, style.py and matplotlib
    "Column", "Cell", "Table", "Picture", "Listing", "Markdown", "label", "centred", "text", "annotate", "set_title", "set_xlabel",
    "set_ylabel", "set_xticklabels", "set_yticklabels", "set_xticks", "set_yticks", "set_label", "suptitle", "legend", "bar_label",
}  # fmt: skip
SAYING = {"heading", "caption", "alt", "text", "label", "labels", "title", "s", "value"}  # of their keywords those that are texts
ANYWHERE = {"label", "labels", "xlabel", "ylabel", "title", "suptitle", "caption", "alt"}  # and those that are, whatever takes them
SHOWN = {"number", "word", "table", "figure", "block", "listing", "precomputed"}  # the decorators of what a slide may call


_ENGINE = re.compile(r"_quarto\b|\bdata-quarto\b")  # the program's name in files and attributes, and no fourth


def literals(file: str, written: list[Line]) -> Iterator[Text]:
    """The strings that Python code gives to what it shows: arguments of Column, Picture, axes.text…, what a function for
    slides says itself (a bare number that it returns too), and any sentence with a number word in it, but for the kit, whose
    sentences are for authors; the place is the function."""
    lines = [line.text for line in written]
    for place, node, shown in _strings(ast.parse("\n".join(lines)), "module", False):
        if not shown and file.startswith(number_flow.KIT):
            continue
        for n in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            raw = lines[n - 1].encode()
            first = node.col_offset if n == node.lineno else 0
            piece = raw[first : node.end_col_offset if n == node.end_lineno else None].decode()
            if isinstance(node, ast.JoinedStr):
                piece = re.sub(r"\{[^{}]*\}", lambda match: HOLE * len(match[0]), piece)
            piece = _ENGINE.sub(lambda match: HOLE * len(match[0]), piece)
            yield Text(file, n, len(raw[:first].decode()) + 1, piece, place)


def _speaks(node: ast.AST) -> bool:
    """Whether a string is a sentence with a number word in it, wherever code has it."""
    pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
    text = HOLE.join(str(piece.value) for piece in pieces if isinstance(piece, ast.Constant))
    return " " in text.strip() and any(word.lower() in values() for word in re.findall(r"[^\W\d_]+", text))


_QUIET = (ast.Name, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.alias, ast.Import, ast.ImportFrom, ast.arg)
# The kinds of nodes that hold no text for readers: names, operators, imports, parameters with their types.
_SILENT = {kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, _QUIET)}


def _strings(node: ast.AST, place: str, shown: bool) -> Iterator[tuple[str, Any, bool]]:
    """The strings that code may show, each with its function, and whether it is given to what shows it."""
    if _for_authors(node):
        return
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        place, shown = node.name, _for_slides(node)
    if shown and isinstance(node, ast.Return) and (number := _bare(node.value)):
        yield place, number, True
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        if shown or _speaks(node):
            yield place, node, shown
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Check":
        values = (given.values if isinstance(given, ast.Dict) else [given] for given in node.args)
        for value in itertools.chain.from_iterable(values):  # their names are keys of data/words/LANGUAGE/claims.yml
            yield from _strings(value, place, shown)
        return
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        texts = [*node.args, *(word.value for word in node.keywords if word.arg in SAYING)]
        anywhere = [word.value for word in node.keywords if word.arg in ANYWHERE]
        for child in _children(node):
            inner = child.value if isinstance(child, ast.keyword) else child
            formats = shown and name == "format" and inner is node.func
            yield from _strings(inner, place, formats or inner in anywhere or name in SINKS and inner in texts)
        return
    for child in _children(node):
        yield from _strings(child, place, shown and not isinstance(node, (ast.Compare, ast.Subscript)))


def _for_authors(node: ast.AST) -> bool:
    """Whether what is said there is said to who writes a lecture, not to who reads it: errors, and what a build says."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "slow"
    return isinstance(node, ast.Raise) or isinstance(node, ast.FunctionDef) and node.name == "faults"


def _for_slides(function: ast.AST) -> bool:
    """Whether a slide may call it: what it says in a string of its own is shown."""
    decorators = (one.func if isinstance(one, ast.Call) else one for one in getattr(function, "decorator_list", ()))
    return any(isinstance(one, ast.Name) and one.id in SHOWN for one in decorators)


def _bare(value: ast.AST | None) -> ast.Constant | None:
    """The number of `return 7` and `return -7`."""
    inner = value.operand if isinstance(value, ast.UnaryOp) else value
    return inner if isinstance(inner, ast.Constant) and type(inner.value) in (int, float) else None


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes below one that may hold a text; by hand, since `ast.iter_child_nodes` takes twice as long."""
    for name in node._fields:
        value = getattr(node, name, None)
        for child in value if type(value) is list else (value,):
            if type(child) not in _SILENT and isinstance(child, ast.AST):
                yield child


READERS = (
    ("slides", "*.qmd", prose),
    ("slides", "*.qmd", shown_code.echoed),
    ("slides", "*.md", prose),
    ("slides", "*.py", shown_code.listing),
    ("data/words", "*.yml", templates),
    ("figures", "*.py", literals),
    ("slides", "*.mjs", shown_code.scripts),
    ("slides", "*.css", shown_code.styles),
    ("slides", "*.lua", shown_code.filters),
    ("slides", "*.typ", shown_code.themes),
    ("slides", "*.tex", shown_code.macros),
    ("slides", "*.svg", shown_code.markup),
    ("slides", "*.html", shown_code.markup),
    ("build", "*.template", shown_code.markup),
    ("build", "*.js", shown_code.scripts),
    ("build", "*.lua", shown_code.filters),
    (".", "_variables.yml", shown_code.variables),
)


def typed(root: Path) -> list[Text]:
    """Every text that somebody typed for readers, in the order of the files."""
    texts: list[Text] = []
    spoken = languages(root)
    for folder, glob, reader in READERS:
        for file in sorted((root / folder).rglob(glob) if folder != "." else (root / folder).glob(glob)):
            name = file.relative_to(root).as_posix()
            tag = spoken.get(name) or (file.parent.name if reader is templates else project.language())
            with language.speaking(tag):
                texts += (text._replace(language=tag) for text in reader(name, lines_of(file, root)))
    with language.speaking(project.language()):
        texts += (text._replace(language=project.language()) for text in number_flow.of_project(root))
    return texts


def languages(root: Path) -> dict[str, str]:
    """The language of each source of a document that says its own: its file and what it includes."""
    return {
        line.place.file: tag
        for document in project.documents(root)
        if (tag := language.of(document)) != project.language()
        for line in qmd.read(document, root)
    }
