"""What somebody typed for readers, line by line with its place, holes where something is computed.

The prose of slides/**/*.qmd (notes, formulas, texts of attributes included), the templates of data/words/*.yml, the texts
that figures/*.py gives to what it shows, those of the simulators' modules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from numerals import values
from stray import HOLE

from figures import data

TITLE = "title-slide"


class Text(NamedTuple):
    """A piece of one line that readers see, what is computed in it replaced by holes; `column` is that of its first character."""

    file: str
    line: int
    column: int
    text: str
    place: str  # id of the slide, key of the template, name of the function
    display: bool = False  # whether it begins inside a displayed formula
    variables: tuple[str, ...] = ()  # the names of the variables whose values stand in it; those are inputs of the course


_FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)$")
_DIV = re.compile(r"^\s*(:{3,})\s*(.*?)\s*:*\s*$")
_ID = re.compile(r"\{[^{}]*#([\w-]+)[^{}]*\}\s*$")
_SEEN_ATTRIBUTE = re.compile(r"\b(?:alt|fig-alt|title|aria-label|fig-cap|caption|tbl-cap|label)\s*=\s*\"")
_HIDDEN = [
    re.compile(r"`\{python\}[^`]*`"),
    re.compile(r"\{\{<.*?>\}\}"),
    re.compile(r"<!--.*?-->"),
    re.compile(r"(?<=\])\([^()\s]*(?:\s+\"[^\"]*\")?\)"),  # the address of a link
    re.compile(r"<(?:https?|mailto):[^>]*>|https?://\S+"),
    re.compile(r"^\s*(?:>\s*)*\(?\d+[.)](?=\s)"),  # the marker of a numbered list
    re.compile(r"\[\^[\w-]+\]|\[?-?@[\w:-]+"),  # notes and citations
]
_BRACES = re.compile(rf"(?<=[\]\)`{HOLE}\s])\{{(?=\s*[.#]|\s*[\w-]+=)[^{{}}]*\}}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_OPTION = re.compile(r"^(#\|\s*(?:[\w-]+-(?:cap|alt|title|subcap)|title|subtitle)\s*:\s*)(.*)$")  # of a cell, for readers
_FRONT = re.compile(r"^(\s*(?:title|subtitle|author|description|abstract)\s*:\s*)(.*)$")


def prose(file: str, text: str) -> Iterator[Text]:
    """What readers see of a .qmd: its prose with its formulas, each piece with the id of its slide or section."""
    lines, start = text.split("\n"), 0
    if lines and lines[0].rstrip() == "---":
        start = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), len(lines) - 1) + 1
        for n, line in enumerate(lines[1 : start - 1], 2):
            if front := _FRONT.match(line):
                yield Text(file, n, len(front[1]) + 1, _holed(front[2]), TITLE, variables=_named(front[2]))
    place, fence, divs = TITLE, "", []  # of the open divs: whether it holds the title slide's notes
    hidden = display = False
    for n, line in enumerate(lines[start:], start + 1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence, hidden = "", False
            elif not hidden:
                yield Text(file, n, 1, line, place)
            elif option := _OPTION.match(line):
                yield Text(file, n, len(option[1]) + 1, option[2], place)
            continue
        if mark:
            fence, hidden = mark[1], bool(re.match(r"\s*\{python", mark[2]))
            continue
        if div := _DIV.match(line):
            if div[2]:
                divs.append("title-slide-notes" in div[2])
            elif divs:
                divs.pop()
        elif line.startswith("#") and (found := _ID.search(line)):
            place = found[1]
        yield Text(file, n, 1, _holed(line), TITLE if any(divs) else place, display, _named(line))
        display ^= line.count("$$") % 2 == 1


def _named(line: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\{\{<\s*var\s+([\w.-]+)", line))


def _holed(line: str) -> str:
    """A line of Markdown with holes for what is computed or not text: every character that is left keeps its column."""
    for pattern in _HIDDEN:
        line = pattern.sub(lambda match: HOLE * len(match[0]), line)
    return _BRACES.sub(_attributes, _TAG.sub(_attributes, line))


def _attributes(match: re.Match[str]) -> str:
    """Attributes without what no reader gets: of `{.x width="50%" fig-alt="dois gatos"}` only the alternative text stays."""
    kept = [HOLE] * len(match[0])
    for attribute in _SEEN_ATTRIBUTE.finditer(match[0]):
        end = match[0].find('"', attribute.end())
        kept[attribute.end() : end] = match[0][attribute.end() : end]
    return "".join(kept)


def templates(file: str, text: str) -> Iterator[Text]:
    """The texts of a file of data/words/: each scalar that is a value, its `{fields}` holed; the place is its key."""
    root = yaml.compose(text, Loader=LOADER)
    lines = text.split("\n")
    for key, node in _scalars(root, ""):
        begin, end = node.start_mark, node.end_mark
        for n in range(begin.line, min(end.line, len(lines) - 1) + 1):
            first = begin.column if n == begin.line else 0
            piece = lines[n][first : end.column if n == end.line else None]
            yield Text(file, n + 1, first + 1, re.sub(r"\{\w*\}|\\u[0-9a-fA-F]{4}", lambda match: HOLE * len(match[0]), piece), key)


def _scalars(node: Any, key: str) -> Iterator[tuple[str, Any]]:
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _scalars(value, f"{key}.{name.value}".lstrip("."))
    elif isinstance(node, yaml.SequenceNode):
        for n, value in enumerate(node.value, 1):
            yield from _scalars(value, f"{key}.{n}".lstrip("."))
    elif node is not None:
        yield key, node


LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C where PyYAML has it
SINKS = {  # what takes a text to be shown, in figures/show.py, style.py and matplotlib
    "Column", "Cell", "Table", "Picture", "Listing", "Markdown", "label", "centred", "text", "annotate", "set_title", "set_xlabel",
    "set_ylabel", "set_xticklabels", "set_yticklabels", "suptitle",
}  # fmt: skip
SAYING = {"heading", "caption", "alt", "text", "label", "s", "value"}  # of their keywords those that are texts


def literals(file: str, text: str) -> Iterator[Text]:
    """The strings that Python code gives to what it shows: arguments of Column, Picture, axes.text…, and any sentence with
    a number word in it; the place is the function."""
    lines = text.split("\n")
    for place, node in _strings(ast.parse(text), "module", False):
        for n in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            raw = lines[n - 1].encode()
            first = node.col_offset if n == node.lineno else 0
            piece = raw[first : node.end_col_offset if n == node.end_lineno else None].decode()
            if isinstance(node, ast.JoinedStr):
                piece = re.sub(r"\{[^{}]*\}", lambda match: HOLE * len(match[0]), piece)
            yield Text(file, n, len(raw[:first].decode()) + 1, piece, place)


def _speaks(node: ast.AST) -> bool:
    """Whether a string is a sentence with a number word in it, wherever code has it."""
    pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
    text = HOLE.join(str(piece.value) for piece in pieces if isinstance(piece, ast.Constant))
    return " " in text.strip() and any(word.lower() in values() for word in re.findall(r"[^\W\d_]+", text))


_SILENT = (ast.Name, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.alias)  # nodes that hold no text


def _strings(node: ast.AST, place: str, shown: bool) -> Iterator[tuple[str, Any]]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        place = node.name
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        if shown or _speaks(node):
            yield place, node
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        given = [*node.args, *(word.value for word in node.keywords if word.arg in SAYING)]
        for child in _children(node):
            inner = child.value if isinstance(child, ast.keyword) else child
            yield from _strings(inner, place, name in SINKS and inner in given)
        return
    for child in _children(node):
        yield from _strings(child, place, shown and not isinstance(node, (ast.Compare, ast.Subscript)))


def _children(node: ast.AST) -> list[ast.AST]:
    return [child for child in ast.iter_child_nodes(node) if not isinstance(child, _SILENT)]


_SCRIPT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?P<a>(?:\\.|[^\"\\\n])*)\"|'(?P<b>(?:\\.|[^'\\\n])*)'|`(?P<c>(?:\\.|[^`\\])*)`", re.DOTALL)
_NAMED = re.compile(r"^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+))", re.MULTILINE)
_LABEL = re.compile(r"[^\W\d_]{2,} +[^\W\d_]|[0-9]+ +[^\W\d_]{3,}|\w *[=≈] *[0-9]|[à-ÿ]", re.IGNORECASE)


def scripts(file: str, text: str) -> Iterator[Text]:
    """The texts in a simulator's module: strings that read like words for people; the place is the function around."""
    starts = [(found.start(), found[1] or found[2]) for found in _NAMED.finditer(text)]
    for found in _SCRIPT.finditer(text):
        inside = next((name for name in ("a", "b", "c") if found[name] is not None), "")
        if not inside:
            continue
        said = re.sub(r"\$\{[^{}]*\}", lambda match: HOLE * len(match[0]), found[inside])
        if not _LABEL.search(said):
            continue
        place = next((name for at, name in reversed(starts) if at < found.start()), "module")
        line, column = text.count("\n", 0, found.start(inside)) + 1, found.start(inside) - text.rfind("\n", 0, found.start(inside))
        for n, piece in enumerate(said.split("\n")):
            yield Text(file, line + n, column if n == 0 else 1, piece, place)


READERS = (("slides", "*.qmd", prose), ("data/words", "*.yml", templates), ("figures", "*.py", literals), ("slides/sim", "*.mjs", scripts))


def typed(root: Path) -> list[Text]:
    """Every text that somebody typed for readers, in the order of the files."""
    texts: list[Text] = []
    for folder, glob, reader in READERS:
        for file in sorted((root / folder).rglob(glob)):
            texts += reader(file.relative_to(root).as_posix(), data.read_text(file))
    return texts
