"""What readers see of code and of what is no prose: listings, echoed cells, style sheets, scripts, filters, themes, pictures.

Each reader gives the texts of a file with their places, as those of `source_numbers` do, and the numbers that code writes
down where a reader meets them.
"""

from __future__ import annotations

import ast
import base64
import html as entities
import re
import urllib.parse
from collections.abc import Iterator

from figures.kit import qmd, strict_yaml
from figures.kit.files import Line
from proof.fault import HOLE
from proof.number_flow import values_below
from proof.numerals import values
from proof.text_piece import Text

LABEL = re.compile(
    rf"[^\W\d_]{{2,}} +[^\W\d_]|[^\W\d_]{{2,}} [0-9]|[0-9]+ +[^\W\d_]{{3,}}|\w *[=≈] *[0-9]|[à-ÿ]|{HOLE} [^\W\d_]{{2,}}"
    r"|[0-9] ?[×%‰º°]|[×~≈<>≤≥±] ?[0-9]|[^\x00-\x7f\ufffc⁰⁴-⁹¹²³]",
    re.IGNORECASE,
)
_ENGINE = re.compile(r"\b(?i:quarto)(?=[-_])|\bQuarto\b")  # the program's name, and no fourth
_CSS_ESCAPE = re.compile(r"\\(?P<css>[0-9a-fA-F]{1,6}) ?")


def reads_like_words(said: str) -> bool:
    """Whether a string of code is one for people: words with spaces, a formula, a sign that no code has, a number word."""
    return bool(LABEL.search(said)) or any(word.lower() in values() for word in re.findall(r"[^\W\d_]+", said))


def pieces(file: str, text: str, start: int, said: str, place: str) -> Iterator[Text]:
    """A text that begins at an offset of its file, line by line."""
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    said = _ENGINE.sub(lambda match: HOLE * len(match[0]), said)
    for n, piece in enumerate(said.split("\n")):
        yield Text(file, line + n, column if n == 0 else 1, piece, place)


def whole(lines: list[Line]) -> str:
    return "\n".join(line.text for line in lines)


# Python that readers see

SYMBOLS = {0, 1, 2}  # they belong to formulas
_NUMERAL = re.compile(r"[^\W\d_]+|[\d.]+|[^\x00-\x7f]")
_MAGIC = re.compile(r"^\s*[%!]")
_FORMAT = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[a-z]|(?<=:)[-+,.\d<>^]*[a-z%]?(?=\})")
_COMMENT = re.compile(r"(?:^|\s)#(?!\||\s*%)\s*(?P<said>.*)$")


def listing(file: str, lines: list[Line]) -> Iterator[Text]:
    """A script that is shown or handed out: its remarks, its strings, and the numbers that it computes with."""
    yield from _listing(file, [(line.place.line, line.text) for line in lines], "")


def echoed(file: str, lines: list[Line]) -> Iterator[Text]:
    """The cells of a document that shows them."""
    front, body = qmd.split_front_matter(lines)
    shows = any(path.endswith(".echo") and entry.value is True for path, entry in strict_yaml.settings(front).entries.items())
    places = {line.place.line: context.heading.id if context.heading else "" for line, context in qmd.contexts(body)}
    for part in qmd.parts(body):
        if isinstance(part, qmd.Cell) and part.options.get("echo", shows) not in (False, "false"):
            first = part.place.line
            numbered = [(first + n, text) for n, text in enumerate(part.code.split("\n"))]
            yield from _listing(file, numbered, places.get(first, "") or "title-slide")


def _listing(file: str, numbered: list[tuple[int, str]], place: str) -> Iterator[Text]:
    code = "\n".join("" if _MAGIC.match(text) else text for _, text in numbered)
    try:
        module = ast.parse(code)
    except SyntaxError:  # a gap to be filled
        module = ast.Module([], [])
    for number, text in numbered:
        remark = _COMMENT.search(text)
        if remark and not _in_string(module, number - numbered[0][0] + 1, remark.start()):
            yield Text(file, number, remark.start("said") + 1, remark["said"], place or "module")
    for inside, node in _placed(module, place or "module"):
        lines = numbered[node.lineno - 1 : node.end_lineno]
        for n, (number, text) in enumerate(lines):
            raw = text.encode()
            begin = len(raw[: node.col_offset].decode()) if n == 0 else 0
            end = len(raw[: node.end_col_offset].decode()) if n == len(lines) - 1 else len(text)
            yield Text(file, number, 1, _only(text, begin, end, isinstance(node, ast.JoinedStr)), place or inside)


def _only(line: str, begin: int, end: int, filled: bool) -> str:
    """A line of code whose digits and words outside a literal are holes, formats and what is filled in too."""
    inside = _FORMAT.sub(lambda match: HOLE * len(match[0]), line[begin:end])
    if filled:
        inside = re.sub(r"\{[^{}]*\}", lambda match: HOLE * len(match[0]), inside)
    return _NUMERAL.sub(_no_numeral, line[:begin]) + inside + _NUMERAL.sub(_no_numeral, line[end:])


def _no_numeral(word: re.Match[str]) -> str:
    return HOLE * len(word[0]) if word[0].lower() in values() or any(sign.isnumeric() for sign in word[0]) else word[0]


def _placed(node: ast.AST, place: str) -> Iterator[tuple[str, ast.Constant | ast.JoinedStr]]:
    """The strings below a node, and the numbers that may become a part of what is computed, each with the function around it."""
    for child in ast.iter_child_nodes(node):
        inside = child.name if isinstance(child, ast.FunctionDef) else place
        if isinstance(child, ast.JoinedStr) or isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield inside, child
        else:
            if isinstance(child, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)) and child.value is not None:
                numbers = (one for one in values_below(child.value) if isinstance(one, ast.Constant))
                yield from ((inside, one) for one in numbers if one.value not in SYMBOLS)
            yield from _placed(child, inside)


def _in_string(module: ast.Module, line: int, column: int) -> bool:
    """Whether a place lies in a string that spans lines, as a docstring's "#" does."""
    strings = (one for one in ast.walk(module) if isinstance(one, (ast.Constant, ast.JoinedStr)) and hasattr(one, "lineno"))
    return any((one.lineno, one.col_offset) <= (line, column) < (one.end_lineno or one.lineno, one.end_col_offset or 0) for one in strings)


# Style sheets

_STRING = re.compile(r"\"((?:\\.|[^\"\\])*)\"|'((?:\\.|[^'\\])*)'", re.DOTALL)
_DECLARED = re.compile(r"(?P<name>[-\w]+)\s*:\s*(?P<value>(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[^;{}\"'])+)", re.DOTALL)
_SAYING = re.compile(r"content|quotes|list-style.*|prefix|suffix|symbols|additive-symbols|string-set|--.*")
_USED = re.compile(r"var\(\s*(--[\w-]+)")


def styles(file: str, lines: list[Line]) -> Iterator[Text]:
    """What a style sheet writes: the strings that it puts on the page, escapes read, those of one declaration joined too;
    where its counters start and how they count; the properties that either takes from elsewhere."""
    text = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), whole(lines), flags=re.DOTALL)
    declared = list(_DECLARED.finditer(text))
    counting = [one for one in declared if one["name"].startswith("counter-") or one["name"] == "content"]
    used = {name for one in counting for name in _USED.findall(one["value"])}
    for one in declared:
        if one["name"].startswith("counter-") or one["name"] in used and not _STRING.search(one["value"]):
            said = re.sub(r"(?<![\d.])-?[01](?![\d.])", lambda match: HOLE * len(match[0]), one["value"])
            yield from pieces(file, text, one.start("value"), re.sub(r"--[\w-]+", lambda match: HOLE * len(match[0]), said), "module")
        elif _SAYING.fullmatch(one["name"]):
            strings = [(string.start() + 1, string[1] or string[2] or "") for string in _STRING.finditer(one["value"])]
            for start, said in strings:
                said = inside_address(said) if said.startswith("data:") else _CSS_ESCAPE.sub(unescaped, said)
                yield from pieces(file, text, one.start("value") + start, said, "module")
            if len(strings) > 1:
                joined = "".join(_CSS_ESCAPE.sub(unescaped, said).replace(HOLE, "") for _, said in strings)
                yield from pieces(file, text, one.start("value"), joined, "module")


def unescaped(match: re.Match[str]) -> str:
    """The character that an escape stands for, with holes that keep the columns of the rest."""
    code = int(next(filter(None, match.groupdict().values())), 16)
    return (chr(code) if code <= 0x10FFFF else HOLE) + HOLE * (len(match[0]) - 1)


# JavaScript

_SCRIPT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?P<a>(?:\\.|[^\"\\\n])*)\"|'(?P<b>(?:\\.|[^'\\\n])*)'|`(?P<c>(?:\\.|[^`\\])*)`", re.DOTALL)
_NAMED = re.compile(r"^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+))", re.MULTILINE)
_JS_ESCAPE = re.compile(r"\\(?:u(?P<u>[0-9a-fA-F]{4})|u\{(?P<b>[0-9a-fA-F]{1,6})\}|x(?P<x>[0-9a-fA-F]{2}))")
_NUMBER = r"[-−]?(?:0[xob][0-9a-f]+|\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)n?"
_WRITTEN = re.compile(
    r"(?:(?:\b(?:count|kibi|gigabytes|shape|power|String|Number)|\b(?:fixed|plain|scientific|vector)\([^()]*(?:\([^()]*\))?[^()]*\))\(\[?\s*"
    r"|\b(?:textContent|innerText|innerHTML|ariaLabel|ariaValueText|data)\s*=\s*"
    r"|\b(?:write|append|prepend|replaceChildren|createTextNode|replaceWith)\((?:[^(){}]*,)?\s*"
    r"|\belement\([^(){}]*(?:\{[^{}]*\}[^(){}]*)?,\s*"
    r"|\b(?:text|fill)\((?:[^()]*[,{]\s*)\w+:\s*"
    r"|\bsetAttribute\(\s*\"(?:aria-label|aria-valuetext|title)\"\s*,\s*)"
    rf"(?P<said>{_NUMBER}|[A-Za-z_]\w*)(?=\s*[,)\]}};\n])"
)
_METHOD = re.compile(rf"(?:\((?P<said>{_NUMBER})\)|(?<![\w.])(?P<bare>{_NUMBER})\.)\.(?:toFixed|toString|toLocaleString|toPrecision)\(")
_CONSTANT = re.compile(rf"\b(?:const|let|var)\s+(\w+)\s*=\s*({_NUMBER})\s*[;\n]")


def scripts(file: str, lines: list[Line]) -> Iterator[Text]:
    """The texts in a module of a page: strings that read like words for people, numbers that it writes on the page as they
    stand there or by a name; the place is the function around."""
    text = whole(lines)
    starts = [(match.start(), match[1] or match[2]) for match in _NAMED.finditer(text)]

    code = re.sub(r"//[^\n]*|/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.DOTALL)
    constants = dict(_CONSTANT.findall(code))

    def place(at: int) -> str:
        return next((name for start, name in reversed(starts) if start < at), "module")

    for match in _SCRIPT.finditer(text):
        inside = next((name for name in ("a", "b", "c") if match[name] is not None), "")
        if inside:
            filled = re.sub(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}", lambda field: _filled(field, constants), match[inside])
            said = _JS_ESCAPE.sub(unescaped, filled)
            if reads_like_words(said):
                yield from pieces(file, text, match.start(inside), said, place(match.start()))
    for match in (*_WRITTEN.finditer(code), *_METHOD.finditer(code)):
        group = match.lastgroup or ""
        said = str(match[group])
        number = constants.get(said, said)
        if re.fullmatch(_NUMBER, number, re.IGNORECASE):
            yield from pieces(file, text, match.start(group), number, place(match.start()))


def _filled(field: re.Match[str], constants: dict[str, str]) -> str:
    """What a field of a template says: the number that is typed in it, or under its name; of anything else holes."""
    number = constants.get(field[1].strip(), field[1].strip())
    return number.rjust(len(field[0]), HOLE) if re.fullmatch(_NUMBER, number, re.IGNORECASE) else HOLE * len(field[0])


# Filters, themes, templates, pictures, variables

_LUA = re.compile(
    r"--\[\[.*?\]\]|--[^\n]*|(?P<name>\w*)\s*\(?\s*"
    r"(?:\"(?P<a>(?:\\.|[^\"\\\n])*)\"|'(?P<b>(?:\\.|[^'\\\n])*)'|\[\[(?P<c>.*?)\]\])",
    re.DOTALL,
)
_TYPST = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?P<a>(?:\\.|[^\"\\])*)\"|(?<!\\)\[(?P<b>[^\[\]#]*)\]", re.DOTALL)
_WRITING = {"Str", "RawInline", "RawBlock", "raw", "raw_inline", "Code", "Plain", "Para"}


def filters(file: str, lines: list[Line]) -> Iterator[Text]:
    """The strings of a Lua filter that read like words, and whatever it makes a text of."""
    text = whole(lines)
    for match in _LUA.finditer(text):
        group = next((name for name in ("a", "b", "c") if match[name] is not None), "")
        if group and (match["name"] in _WRITING or reads_like_words(match[group])):
            yield from pieces(file, text, match.start(group), match[group], "module")


def themes(file: str, lines: list[Line]) -> Iterator[Text]:
    """The strings of a Typst theme that read like words, and the content in its brackets."""
    text = whole(lines)
    for match in _TYPST.finditer(text):
        group = next((name for name in ("a", "b") if match[name] is not None), "")
        if group == "b" or group and reads_like_words(match["a"]):
            yield from pieces(file, text, match.start(group), match[group], "module")


_TEX = re.compile(
    r"\{[0-9A-F]{4}\}|\\KOMAoptions\{[^}]*\}|\\[a-zA-Z@]+\*?(?:\[[^\]]*\])?|#\d|[-\d.,/]+(?:pt|em|ex|cm|mm|in|bp|sp)\b|[{[=,][-\d.]+(?=[\]},])|\$[^$]*\$"
)


def macros(file: str, lines: list[Line]) -> Iterator[Text]:
    """What a LaTeX theme sets: what reads like words once its commands, lengths and remarks are taken out."""
    for line in lines:
        said = _TEX.sub(lambda match: HOLE * len(match[0]), re.sub(r"(?<!\\)%.*", "", line.text))
        if reads_like_words(said):
            yield Text(file, line.place.line, 1, said, "module")


_OUTSIDE = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>|\$[^$\n]*\$", re.DOTALL | re.IGNORECASE)


def markup(file: str, lines: list[Line]) -> Iterator[Text]:
    """The texts between the tags of a template or of a picture in SVG."""
    said = _OUTSIDE.sub(lambda match: re.sub(r"[^\n]", HOLE, match[0]), whole(lines))
    for line, text in zip(lines, said.split("\n")):
        if text.strip(f" {HOLE}"):
            yield Text(file, line.place.line, 1, text, "module")


OF_THE_COURSE = {"course", "institution", "repository", "site", "edition", "origin"}


def variables(file: str, lines: list[Line]) -> Iterator[Text]:
    """The variables of a project that aren't the course's own: what `{{< var … >}}` puts on a page is typed there."""
    for path, entry in strict_yaml.read(lines).texts():
        if re.split(r"[.\[]", path)[0] not in OF_THE_COURSE:
            for piece in entry.pieces:
                yield Text(file, piece.place.line, piece.column, piece.text, path)


_DATA = re.compile(r"data:(?P<type>[\w/+.-]*)(?P<base64>(?:;[\w=-]+)*?;base64)?(?:;[\w=-]+)*,(?P<data>[^\"']*)")


def inside_address(address: str) -> str:
    """The text of a picture or a page that stands in an address itself; empty for any other address.

    >>> inside_address("data:image/svg+xml,<svg><text>7</text></svg>")
    '  7  '
    """
    match = _DATA.search(address)
    if not match or not re.search(r"svg|html|xml|plain", match["type"] or "plain"):
        return ""
    try:
        raw = base64.b64decode(match["data"], validate=False) if match["base64"] else urllib.parse.unquote_to_bytes(match["data"])
    except ValueError:
        return ""
    return entities.unescape(_OUTSIDE.sub(" ", raw.decode("utf-8", "replace")))
