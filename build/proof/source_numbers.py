"""What somebody typed for readers, line by line with its place, holes where something is computed.

The prose of slides/**/*.qmd (notes, formulas, texts of attributes included), the templates of data/words/*.yml, the texts
that figures/*.py gives to what it shows, those of the modules and style sheets that pages carry.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from figures.kit.files import read_text
from proof.fault import HOLE
from proof.numerals import values

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
_SEEN_ATTRIBUTE = re.compile(
    r"\b(?:alt|fig-alt|title|aria-label|aria-description|aria-valuetext|fig-cap|caption|tbl-cap|label|placeholder|data-menu-title)"
    r"\s*=\s*(?P<quote>[\"'])(?P<said>.*?)(?P=quote)"
)
_HIDDEN = [
    re.compile(r"`\{python\}[^`]*`"),
    re.compile(r"\{\{<.*?>\}\}"),
    re.compile(r"<!--.*?-->"),
    re.compile(r"(?<=\]\()[^()\s]+"),  # the address of a link
    re.compile(r"<(?:https?|mailto):[^>]*>|https?://\S+"),
    re.compile(r"\[\^[\w-]+\]|\[?-?@[\w:-]+"),  # notes and citations
]
_BRACES = re.compile(rf"(?<=[\]\)`{HOLE}\s])\{{(?=\s*[.#]|\s*[\w-]+=)[^{{}}]*\}}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_OPTION = re.compile(r"^(#\|\s*(?:[\w-]+-(?:cap|alt|title|subcap)|title|subtitle)\s*:\s*)(.*)$")  # of a cell, for readers
_REMARK = re.compile(r"(?:(?:^|\s)#(?!\||\s*%)|\"\"\")\s*(?P<said>.*)$")
_ECHO = re.compile(r"^\s+echo:\s*true\s*$")
_FRONT = re.compile(
    r"^(\s*(?:title|pagetitle|title-prefix|subtitle|author|institute|date|description|abstract|keywords|footer|toc-title)\s*:\s*)(.*)$"
)
_ITEM = re.compile(r"^(?P<before>\s*(?:>\s*)*)\(?(?P<number>\d+)[.)](?=\s)")  # the marker of a numbered list


def prose(file: str, text: str) -> Iterator[Text]:
    """What readers see of a .qmd: its prose with its formulas, each piece with the id of its slide or section."""
    lines, start = text.split("\n"), 0
    echoed = False
    if lines and lines[0].rstrip() == "---":
        start = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), len(lines) - 1) + 1
        echoed = any(_ECHO.match(line) for line in lines[1 : start - 1])
        for n, line in enumerate(lines[1 : start - 1], 2):
            if front := _FRONT.match(line):
                yield Text(file, n, len(front[1]) + 1, _holed(front[2]), TITLE, variables=_named(front[2]))
    place, fence, divs = TITLE, "", []  # of the open divs: whether it holds the title slide's notes
    hidden = display = False
    counted: dict[str, int] = {}  # of the numbered lists that are open, by what stands before their markers: the last number
    blank = True
    for n, line in enumerate(lines[start:], start + 1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence, hidden = "", False
            elif not hidden:
                yield Text(file, n, 1, line, place)
            elif option := _OPTION.match(line):
                yield Text(file, n, len(option[1]) + 1, option[2], place)
            elif echoed and (remark := _REMARK.search(line)):  # the code is run, its remarks are prose
                yield Text(file, n, remark.start("said") + 1, remark["said"], place)
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
        if item := _ITEM.match(line):
            last, number = counted.get(item["before"]), int(item["number"])
            if number == 1 and (blank or counted) or last is not None and number == last + 1:  # a list counts by itself
                counted[item["before"]] = number
                line = HOLE * len(item[0]) + line[len(item[0]) :]
        elif blank and line.strip() and not line[0].isspace():
            counted.clear()
        blank = not line.strip()
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
        kept[attribute.start("said") : attribute.end("said")] = attribute["said"]
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
    "set_ylabel", "set_xticklabels", "set_yticklabels", "set_xticks", "set_yticks", "set_label", "suptitle", "legend", "bar_label",
}  # fmt: skip
SAYING = {"heading", "caption", "alt", "text", "label", "labels", "title", "s", "value"}  # of their keywords those that are texts
ANYWHERE = {"label", "labels", "xlabel", "ylabel", "title", "suptitle", "caption", "alt"}  # and those that are, whatever takes them
SHOWN = {"number", "word", "table", "figure", "block", "listing"}  # the decorators of what a slide may call


def literals(file: str, text: str) -> Iterator[Text]:
    """The strings that Python code gives to what it shows: arguments of Column, Picture, axes.text…, what a function for
    slides says itself (a bare number that it returns too), and any sentence with a number word in it; the place is the function."""
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
        place, shown = node.name, _for_slides(node)
    if shown and isinstance(node, ast.Return) and (number := _bare(node.value)):
        yield place, number
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        if shown or _speaks(node):
            yield place, node
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        given = [*node.args, *(word.value for word in node.keywords if word.arg in SAYING)]
        anywhere = [word.value for word in node.keywords if word.arg in ANYWHERE]
        for child in _children(node):
            inner = child.value if isinstance(child, ast.keyword) else child
            formats = shown and name == "format" and inner is node.func
            yield from _strings(inner, place, formats or inner in anywhere or name in SINKS and inner in given)
        return
    for child in _children(node):
        yield from _strings(child, place, shown and not isinstance(node, (ast.Compare, ast.Subscript)))


def _for_slides(function: ast.AST) -> bool:
    """Whether a slide may call it: what it says in a string of its own is shown."""
    decorators = (one.func if isinstance(one, ast.Call) else one for one in getattr(function, "decorator_list", ()))
    return any(isinstance(one, ast.Name) and one.id in SHOWN for one in decorators)


def _bare(value: ast.AST | None) -> ast.Constant | None:
    """The number of `return 7` and `return -7`."""
    inner = value.operand if isinstance(value, ast.UnaryOp) else value
    return inner if isinstance(inner, ast.Constant) and type(inner.value) in (int, float) else None


def _children(node: ast.AST) -> list[ast.AST]:
    return [child for child in ast.iter_child_nodes(node) if not isinstance(child, _SILENT)]


_SCRIPT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?P<a>(?:\\.|[^\"\\\n])*)\"|'(?P<b>(?:\\.|[^'\\\n])*)'|`(?P<c>(?:\\.|[^`\\])*)`", re.DOTALL)
_NAMED = re.compile(r"^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+))", re.MULTILINE)
_LABEL = re.compile(
    rf"[^\W\d_]{{2,}} +[^\W\d_]|[^\W\d_]{{2,}} [0-9]|[0-9]+ +[^\W\d_]{{3,}}|\w *[=≈] *[0-9]|[à-ÿ]|{HOLE} [^\W\d_]{{2,}}"
    r"|[0-9] ?[×%‰º°]|[×~≈<>≤≥±] ?[0-9]",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"(?<![\w-])content\s*:\s*([\"'])(?P<said>.*?)\1")


def scripts(file: str, text: str) -> Iterator[Text]:
    """The texts in a simulator's module: strings that read like words for people; the place is the function around."""
    starts = [(found.start(), found[1] or found[2]) for found in _NAMED.finditer(text)]
    for found in _SCRIPT.finditer(text):
        inside = next((name for name in ("a", "b", "c") if found[name] is not None), "")
        if not inside:
            continue
        said = re.sub(r"\$\{[^{}]*\}", lambda match: HOLE * len(match[0]), found[inside])
        if not _LABEL.search(said) and not any(word.lower() in values() for word in re.findall(r"[^\W\d_]+", said)):
            continue
        place = next((name for at, name in reversed(starts) if at < found.start()), "module")
        line, column = text.count("\n", 0, found.start(inside)) + 1, found.start(inside) - text.rfind("\n", 0, found.start(inside))
        for n, piece in enumerate(said.split("\n")):
            yield Text(file, line + n, column if n == 0 else 1, piece, place)


def styles(file: str, text: str) -> Iterator[Text]:
    """The texts that a style sheet writes: `content: "…"`, escapes holed; the place is the file."""
    for n, line in enumerate(text.split("\n"), 1):
        for found in _CONTENT.finditer(line):
            said = re.sub(r"\\[0-9a-fA-F]{1,6} ?", lambda match: HOLE * len(match[0]), found["said"])
            yield Text(file, n, found.start("said") + 1, said, "module")


READERS = (
    ("slides", "*.qmd", prose),
    ("data/words", "*.yml", templates),
    ("figures", "*.py", literals),
    ("slides", "*.mjs", scripts),
    ("slides/theme", "*.css", styles),
)


def typed(root: Path) -> list[Text]:
    """Every text that somebody typed for readers, in the order of the files."""
    texts: list[Text] = []
    for folder, glob, reader in READERS:
        for file in sorted((root / folder).rglob(glob)):
            texts += reader(file.relative_to(root).as_posix(), read_text(file))
    return texts
