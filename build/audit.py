"""Finds every numeral that somebody typed: it must come from the ledger, or be declared in data/declared.yml with a reason.

A numeral is a run of digits (superscripts and fractions too) or a Portuguese number word: cardinals from zero on,
fractions ("metade", "um terço"), multiples ("dobra", "o triplo"). Left aside are the article um/uma, ordinals ("a terceira
linha", ③), which name a place and not an amount, and the markers of a numbered list. "Cabeça 1" is no ordinal here: declare it.

Read are the sources, where a numeral has a line and a column: the prose of slides/**/*.qmd (notes, formulas, texts of
attributes included), the templates of data/words/*.yml, the texts that figures/*.py gives to what it shows, those of the
simulators' modules; and the rendered pages, where a numeral must stand under a mark of the ledger whose entry holds it,
or be one of those that the slide's sources hold. Writes nothing.
"""

from __future__ import annotations

import ast
import html as entities
import itertools
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import provenance
import yaml
from problem import Problem
from settings import project
from source import read
from source import shown as shown_path

from figures import data

DECLARED = "declared"
HOLE = "\ufffc"  # stands where something computed will stand, character for character
TITLE = "title-slide"
PROJECT = data.ROOT


# Numerals


class Amount(data.Record):
    value: float
    words: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()


class Numerals(data.Record):
    """`data/numerals.yml`: the number words of the documents' language."""

    words: tuple[Amount, ...]
    verbs: tuple[Amount, ...]
    endings: tuple[str, ...]
    parts: tuple[Amount, ...]
    before_a_part: tuple[str, ...]


@cache
def values() -> dict[str, float]:
    """Every number word with its value: `values()["três"]` -> 3, `values()["dobrou"]` -> 2."""
    known = data.load("numerals", Numerals)
    words = {word: amount.value for amount in known.words for word in amount.words}
    return words | {stem + ending: verb.value for verb in known.verbs for stem in verb.stems for ending in known.endings}


@cache
def parts() -> dict[str, float]:
    """The stems of fractions: `parts()["terç"]` -> 3."""
    return {stem: amount.value for amount in data.load("numerals", Numerals).parts for stem in amount.stems}


_DIGITS = r"[0-9]+(?:[.,\u00a0\u202f][0-9]+)*"
_SIGNS = "[²³¹⁰⁴-⁹₀-₉¼-¾⅐-⅞]+"


@cache
def pattern() -> re.Pattern[str]:
    """What is taken for a numeral."""
    words = "|".join(sorted(values(), key=len, reverse=True))
    after = "|".join(rf"(?<=\b{word} )" for word in data.load("numerals", Numerals).before_a_part)
    fractions = rf"(?:{after})(?:{'|'.join(parts())})[oa]\b|(?<=s )(?:{'|'.join(parts())})[oa]s\b"
    return re.compile(rf"{_DIGITS}|{_SIGNS}|(?<!\w)(?:{words})(?!\w)|{fractions}", re.IGNORECASE)


def numerals(text: str) -> Iterator[re.Match[str]]:
    """The numerals of a text, in order: `[found[0] for found in numerals("de três a 1,5")]` -> ["três", "1,5"]."""
    return pattern().finditer(text)


def value_of(text: str) -> float | None:
    """What a numeral amounts to: "três" -> 3, "46 080" -> 46080, "1,5" -> 1.5, "²" -> 2, "terço" -> 1/3."""
    if text.lower() in values():
        return values()[text.lower()]
    if text.lower()[:-1].rstrip("oa") in parts():
        return 1 / parts()[text.lower()[:-1].rstrip("oa")]
    if re.fullmatch(_SIGNS, text):
        worth = [unicodedata.numeric(sign) for sign in text]
        return worth[0] if len(worth) == 1 else float("".join(f"{one:.0f}" for one in worth))
    digits = re.sub(r"[\u00a0\u202f]", "", text)
    try:
        return float(digits.replace(".", "").replace(",", ".") if "," in digits else digits)
    except ValueError:
        return None


class Text(NamedTuple):
    """A piece of one line that readers see, what is computed in it replaced by holes; `column` is that of its first character."""

    file: str
    line: int
    column: int
    text: str
    place: str  # id of the slide, key of the template, name of the function
    display: bool = False  # whether it begins inside a displayed formula


class Stray(NamedTuple):
    """A numeral that nothing accounts for, or another fault; printed as "file:line:column: …"."""

    file: str
    line: int
    column: int
    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.what}"


class Strays(Problem):
    """All that an audit found, a line each."""

    def __init__(self, found: list[Stray]):
        self.found = found
        Exception.__init__(self, "\n".join([*map(str, found), f"  → {REMEDY}"]))
        self.where, self.what, self.remedy = "audit", f"{len(found)} faults", REMEDY


REMEDY = "Compute the number with a function of figures/ (README, “How to add a number”), or declare it in data/declared.yml with a reason"


# What is typed: the sources

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
_FRONT = re.compile(r"^(\s*(?:title|subtitle|author|description|abstract)\s*:\s*)(.*)$")


def prose(file: str, text: str) -> Iterator[Text]:
    """What readers see of a .qmd: its prose with its formulas, each piece with the id of its slide or section."""
    lines, start = text.split("\n"), 0
    if lines and lines[0].rstrip() == "---":
        start = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), len(lines) - 1) + 1
        for n, line in enumerate(lines[1 : start - 1], 2):
            if front := _FRONT.match(line):
                yield Text(file, n, len(front[1]) + 1, _holed(front[2]), TITLE)
    place, fence, divs = TITLE, "", []  # of the open divs: whether it holds the title slide's notes
    hidden = display = False
    for n, line in enumerate(lines[start:], start + 1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence, hidden = "", False
            elif not hidden:
                yield Text(file, n, 1, line, place)
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
        yield Text(file, n, 1, _holed(line), TITLE if any(divs) else place, display)
        display ^= line.count("$$") % 2 == 1


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
    root = yaml.compose(text, Loader=yaml.SafeLoader)
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
        for child in ast.iter_child_nodes(node):
            inner = child.value if isinstance(child, ast.keyword) else child
            yield from _strings(inner, place, name in SINKS and inner in given)
        return
    for child in ast.iter_child_nodes(node):
        yield from _strings(child, place, shown and not isinstance(node, (ast.Compare, ast.Subscript)))


_SCRIPT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?P<a>(?:\\.|[^\"\\\n])*)\"|'(?P<b>(?:\\.|[^'\\\n])*)'|`(?P<c>(?:\\.|[^`\\])*)`", re.DOTALL)
_NAMED = re.compile(r"^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+))", re.MULTILINE)
_LABEL = re.compile(r"[^\W\d_]{2,} +[^\W\d_]|[0-9]+ +[^\W\d_]{3,}|[à-ÿ]", re.IGNORECASE)


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


# What is declared

KINDS = ("name", "ordinal", "symbol", "wording")
_NAME = re.compile(r"(?:[^\W\d_][\w.+-]*)(?: [^\W\d_][\w.+-]*)*")  # each of its words starts with a letter: GPT-2, float32


class Declared(data.Record):
    """A numeral that is typed for a reason: the exact text around it, which stands once in its place; a name may recur there.

    `name` is part of a name (GPT-2), `ordinal` numbers a thing (cabeça 1), `symbol` is a 0, 1 or 2 that belongs to a
    formula (1/n, n²), `wording` belongs to the language or to a title. `place` is the id of the slide or section; in
    data/words/ the key, in code the function.
    """

    file: str
    place: str
    text: str
    kind: Literal["name", "ordinal", "symbol", "wording"]
    reason: str


def declarations() -> tuple[Declared, ...]:
    return data.load("declared", tuple[Declared, ...])


def strays(texts: Iterable[Text], declared: Iterable[Declared], shown: Mapping[tuple[str, str], list[dict[str, Any]]]) -> list[Stray]:
    """The numerals of the sources that nothing explains, then the declarations that explain nothing.

    `shown` has the ledger's entries of each slide, by source file and id.
    """
    by_place: defaultdict[tuple[str, str], list[Text]] = defaultdict(list)
    for text in texts:
        by_place[text.file, text.place].append(text)
    covered: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    faults = []
    for one in declared:
        at = [
            (text, found.start())
            for text in by_place.get((one.file, one.place), [])
            for found in re.finditer(rf"(?<![0-9A-Za-zÀ-ÿ]){re.escape(one.text)}(?![0-9A-Za-zÀ-ÿ])", text.text)
        ]
        if fault := _unfit(one, at, shown.get((one.file, one.place), [])):
            faults.append(Stray(f"data/{DECLARED}.yml", _line_of(one), 1, one.text, f"“{one.text}” ({one.file}, {one.place}): {fault}"))
        for text, start in at:
            covered[text.file, text.line].append((text.column + start, text.column + start + len(one.text)))
    typed = []
    for text in (text for group in by_place.values() for text in group):
        for found in numerals(text.text):
            first, last = text.column + found.start(), text.column + found.end()
            if not any(start <= first and last <= end for start, end in covered[text.file, text.line]):
                what = f"“{found[0]}” is typed (“{_around(text.text, found)}”, {text.place})"
                typed.append(Stray(text.file, text.line, first, found[0], what))
    return sorted(typed, key=lambda stray: stray[:3]) + faults


def _unfit(one: Declared, at: list[tuple[Text, int]], shown: list[dict[str, Any]]) -> str:
    """What is wrong with a declaration; empty when nothing is."""
    typed = [found[0] for found in numerals(one.text)]
    amounts = {value_of(numeral) for numeral in typed}
    if not typed:
        return "declares no numeral"
    if not one.reason.strip():
        return "gives no reason"
    if not at:
        return "stands there no more: drop the declaration"
    if len(at) > 1 and one.kind != "name":
        return f"stands there {len(at)} times: declare more of the sentence"
    text, start = at[0]
    if one.kind == "name":
        if not _NAME.fullmatch(one.text):
            return "is no name: each word of one starts with a letter, as GPT-2 does"
        same = [entry for entry in shown if entry["what"] == "word" and entry["text"] == one.text]
    elif one.kind == "symbol":
        if not _in_math(text, start) and not all(re.fullmatch(_SIGNS, numeral) for numeral in typed):
            return "is no symbol: it stands in no formula"
        if not amounts <= {0, 1, 2}:
            return "is no symbol: those are 0, 1 and 2; another number of a formula is computed"
        same = [entry for entry in shown if entry["what"] == "formula" and _values(entry) & amounts]
    else:
        same = [entry for entry in shown if _values(entry) & amounts]
    return f"is a value of the ledger on this slide ({same[0]['id']} = {same[0]['text'] or 'a cell'}): show that" if same else ""


def _values(entry: dict[str, Any]) -> set[float | None]:
    """The numbers that an entry shows, raw and as written; of a table those of its numeric cells."""
    if entry["what"] == "table":
        cells = [(raw, text) for row, texts in zip(entry["value"]["rows"], entry["value"]["texts"]) for raw, text in zip(row, texts)]
        return {value for raw, text in cells if isinstance(raw, (int, float)) for value in (raw, *_written(text))}
    if entry["what"] not in ("number", "formula"):
        return set()
    raw = {entry["value"]} if isinstance(entry["value"], (int, float)) else set()
    return raw | set(_written(re.sub(r"\S*\s×\s10[⁻⁰¹²³⁴-⁹]+|10[⁻⁰¹²³⁴-⁹]+", "", entry["text"])))  # a power of ten is one number


def _written(text: str) -> list[float | None]:
    return [value_of(found[0]) for found in numerals(text)]


def _in_math(text: Text, at: int) -> bool:
    """Whether a place lies in a formula: an odd number of dollars, unescaped and single or double, before it."""
    return (_dollars(text.text[:at]) + text.display) % 2 == 1


def _dollars(text: str) -> int:
    return re.sub(r"\\\$", "  ", text).replace("$$", "$").count("$")


def _line_of(one: Declared) -> int:
    """The line of a declaration in its file; 1 if it is not written on one line there."""
    for n, line in enumerate(data.read_text(data.folder() / f"{DECLARED}.yml").split("\n"), 1):
        if line.startswith("- ") and data.parse_yaml(line, DECLARED)[0] == msgspec.structs.asdict(one):
            return n
    return 1


def _around(text: str, found: re.Match[str], width: int = 24) -> str:
    """The numeral with some of what stands around it, holes as one "…"."""
    piece = text[max(0, found.start() - width) : found.end() + width]
    return " ".join(re.sub(f"{HOLE}+", "…", piece).split())


# What is shown: the pages


class _Piece(NamedTuple):
    line: int
    column: int
    text: str
    slide: str
    entry: int  # the innermost mark around it, 0 for none
    what: str  # text, formula, the name of an attribute


def _as_wide(entity: re.Match[str]) -> str:
    """An entity's character, as wide as the entity, so that columns stay; what would be taken for a mark of HTML looks like it."""
    mark = {"<": "‹", ">": "›", '"': "”", "&": "＆"}
    character = entities.unescape(entity[0])
    return mark.get(character, character).ljust(len(entity[0]), "\u2060")


class _Rendered(HTMLParser):
    """Walks a page: each text that a reader or a screen reader gets, with its slide and the mark around it."""

    HIDDEN = ("script", "style", "annotation", "head", "template", "nav")  # "cell-code" too: code that a page runs and shows

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[_Piece] = []
        self._open: list[tuple[str, str, int, bool]] = []  # tag, section, mark, hidden
        self._heading = TITLE
        self.feed(re.sub(r"&#?\w+;", _as_wide, page))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        inside = any(section for _, section, _, _ in self._open)
        if re.fullmatch(r"h[1-6]", tag) and given.get("id") and not inside and not self._hidden():
            self._heading = given["id"]
        mark = re.match(r"\d+", given.get("data-n", ""))
        if tag not in provenance._VOID:
            seen = "template" if "cell-code" in given.get("class", "").split() else tag
            self._open.append((tag, given.get("id", "") if tag == "section" else "", int(mark[0]) if mark else 0, seen in self.HIDDEN))
        line_of_code = tag == "a" and not given.get("href")  # Quarto puts such an anchor, with its number, before each
        if not self._hidden() and not line_of_code:
            for name in ("alt", "aria-label", "title"):
                if given.get(name):
                    self._add(given[name], name)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in provenance._VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while any(name == tag for name, _, _, _ in self._open):
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, text: str) -> None:
        if not self._hidden():
            self._add(text, "formula" if any(tag == "math" for tag, _, _, _ in self._open) else "text")

    def _add(self, text: str, what: str) -> None:
        line, column = self.getpos()
        sections = [section for _, section, _, _ in self._open if section]
        marks = [mark for _, _, mark, _ in self._open if mark]
        slide = sections[-1] if sections else self._heading
        for n, piece in enumerate(text.split("\n")):
            self.pieces.append(_Piece(line + n, column + 1 if n == 0 else 1, piece, slide, marks[-1] if marks else 0, what))

    def _hidden(self) -> bool:
        return any(hidden for _, _, _, hidden in self._open)


def unexplained(name: str, page: str, ledger: Mapping[str, Any], typed: Mapping[str, Counter[str]]) -> list[Stray]:
    """The numerals of a page that stand under no mark whose entry holds them, and that the slide's sources don't have.

    `typed` counts the numerals of the sources by slide: each explains one of the page; whether it may stand there is a
    question to the sources.
    """
    entries = {entry["n"]: entry for entry in ledger["entries"]}
    held = {n: _held(entry) for n, entry in entries.items()}
    left = {slide: Counter(count) for slide, count in typed.items()}
    faults = []
    for piece in _Rendered(page).pieces:
        entry = entries.get(piece.entry)
        why = f"{entry['id']} around it does not hold it" if entry else "no mark of the ledger around it"
        for found in numerals(piece.text):
            parts = _parts(found[0])
            known = held.get(piece.entry, set()) if piece.entry else +left.get(piece.slide, Counter())
            if not piece.entry:
                left.get(piece.slide, Counter()).subtract(parts)
            if not parts <= set(known):
                what = f"“{found[0]}” ({piece.what} of {piece.slide}): {why} (“{_around(piece.text, found)}”)"
                faults.append(Stray(name, piece.line, piece.column + found.start(), found[0], what))
    return faults


def _held(entry: Mapping[str, Any]) -> set[str]:
    """Every numeral in what an entry says it shows."""
    value = entry["value"]
    told = [entry["text"]]
    if isinstance(value, dict):
        told += [value["caption"], *value["texts"]] if entry["what"] == "figure" else [json.dumps(value, ensure_ascii=False)]
    if isinstance(value, str):
        told.append(value)
    return {part for text in told for found in numerals(text) for part in _parts(found[0])}


def _parts(numeral: str) -> set[str]:
    """A numeral's runs of digits, or the word: MathML and SVG break numbers where they like: "1,5" -> {"1", "5"}."""
    return set(re.findall(r"[0-9]+", numeral)) or {numeral.lower()}


# All of it


def audit(root: Path, pages: Iterable[Path]) -> list[Stray]:
    """Everything that is wrong with the sources under `root` and with these pages, whose ledgers stand beside them."""
    rendered = {page: (provenance.read(page.with_suffix(".ledger.json")), sources(root, page)) for page in pages}
    shown: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for ledger, files in rendered.values():
        for file, entry in itertools.product(files, ledger["entries"]):
            shown[file, entry["slide"]["id"]].append(entry)
    texts = typed(root)
    found = strays(texts, declarations(), shown)
    for page, (ledger, files) in rendered.items():
        told: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            if text.file in files:
                told[text.place].update(part for numeral in numerals(text.text) for part in _parts(numeral[0]))
        found += unexplained(shown_path(page, root), data.read_text(page), ledger, told)
    return found


def sources(root: Path, page: Path) -> frozenset[str]:
    """The sources of a page, includes too: `_output/slides/a.html` -> {"slides/a.qmd", "slides/_atos/01-b.qmd"}."""
    documents = [document for document in (root / "slides").glob("*.qmd") if document.stem == page.stem]
    return frozenset(line.place.file for document in documents for line in read(document, root))


def pages(root: Path) -> list[Path]:
    """The pages of the project that have been rendered; a Problem if none has."""
    listed = project(root)
    folder = root / str(listed["project.output-dir"].value)
    known = [(folder / name).with_suffix(".html") for name in listed["project.render"].value]
    made = [page for page in known if page.with_suffix(".ledger.json").is_file()]
    if not made:
        raise Problem(folder, "no page has been rendered", "Run `make deck` first")
    return made


def run(root: Path) -> str:
    """What `make audit` does; raises Strays unless all is accounted for."""
    made = pages(root)
    if found := audit(root, made):
        raise Strays(found)
    return f"Audit: every numeral of {', '.join(page.stem for page in made)} is in the ledger or declared"
