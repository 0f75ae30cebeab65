"""Writes what cells display as the Markdown that Quarto hands to pandoc; every line keeps its place in the source.

Does *not* run code: it is given outputs. Does not know HTML: a `text/html` output is refused.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any

from engine.outputs import ORDER, Output, Stream
from figures.kit.errors import Problem
from figures.kit.files import Line, Place, data_uri
from figures.kit.qmd import SHORTCODE, Cell

ESCAPED = re.compile(r"\{\{\{<(.*?)>\}\}\}")
_OBJECT = re.compile(r"<(?:(?:function|bound method|module|generator object)\b.*|.* at 0x[0-9a-f]+)>$", re.DOTALL)
TICKS = re.compile(r"^\s*(`{3,})", re.MULTILINE)
IMAGES = {"image/svg+xml": "svg+xml", "image/png": "png", "image/jpeg": "jpeg"}


def inline_value(data: dict[str, Any], place: Place) -> str:
    """An expression's bundle as Quarto writes it between words: Markdown as it is, a string with its marks escaped."""
    kind = _richest(data, place)
    if kind == "text/markdown":
        text = str(data[kind])
    elif kind == "text/plain":
        text = _escaped(str(data[kind]))
        if _OBJECT.match(text):
            raise Problem(place, f"an inline expression shows the object {text}", "Call the function: `{python} name()`.")
    else:
        raise Problem(place, f"an inline expression displays {kind}", "Show it with a cell of its own.")
    if not text:
        raise Problem(place, "an inline expression displays nothing (Quarto would print its source)", "Give it a value, or drop it.")
    return text


def shortcodes(text: str, place: Place, variables: Mapping[str, Any]) -> str:
    """`text` with each `{{< var name >}}` replaced; any other shortcode is refused."""
    if "{{<" not in text:
        return text
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append("{{<" + match[1] + ">}}")
        return f"\0{len(kept) - 1}\0"

    def replaced(match: re.Match[str]) -> str:
        if match["name"] == "include":
            raise Problem(place, "an include among other text", "Put it alone on its line.")
        if match["name"] != "var":
            raise Problem(place, f"the shortcode `{match['name']}` is unknown to this engine", "It knows include and var.")
        return _variable(match["rest"], place, variables)

    text = SHORTCODE.sub(replaced, ESCAPED.sub(keep, text))
    return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], text)


def cell(cell: Cell, outputs: list[Output], count: int, echo: bool) -> list[Line]:
    """The Markdown of a cell: its code if echoed, then each output, in Quarto's divs."""
    options = cell.options
    asis = options.get("output") == "asis"
    parts: list[str] = []
    if options.get("echo", echo):
        parts.append(_listing(cell))
    if options.get("output", True):
        label = str(options.get("label", ""))
        for output in outputs:
            body = _body(output, cell.place, asis)
            parts.append(body if asis else _output_div(output, body, label, count))
    if not parts or options.get("include") is False:
        return []
    text = "\n".join(parts)
    if not asis:
        name = f"#cell-{options['label']} " if options.get("label") else ""
        text = f"::: {{{name}.cell execution_count={count}}}\n{text}\n:::"
    return lines(f"\n{text}\n", cell.place)


def lines(text: str, place: Place) -> list[Line]:
    """Made text as lines that all come from one place."""
    return [Line(line, place) for line in text.split("\n")]


def _listing(cell: Cell) -> str:
    numbers = cell.options.get("code-line-numbers")
    shown = "" if numbers is None else f' code-line-numbers="{str(numbers).lower() if isinstance(numbers, bool) else numbers}"'
    ticks = _longer_than(cell.code)
    return f"{ticks} {{.python .cell-code{shown}}}\n{cell.code}\n{ticks}\n"


def _output_div(output: Output, body: str, label: str, count: int) -> str:
    if isinstance(output, Stream):
        return f"::: {{.cell-output .cell-output-stdout}}\n{body}\n:::\n"
    markdown = " .cell-output-markdown" if "text/markdown" in output.data else ""
    name = f"#{label} " if label and output.result else ""
    number = f" execution_count={count}" if output.result else ""
    return f"::: {{{name}.cell-output .cell-output-display{markdown}{number}}}\n{body}\n:::\n"


def _body(output: Output, place: Place, asis: bool) -> str:
    if isinstance(output, Stream):
        return output.text if asis else _verbatim(output.text)
    kind = _richest(output.data, place)
    content = str(output.data[kind]) if kind != "image/png" and kind != "image/jpeg" else output.data[kind]
    if kind == "text/markdown":
        return content
    if kind in IMAGES:
        return f"![]({_uri(content, IMAGES[kind])})"
    return _verbatim(content)


def _richest(data: dict[str, Any], place: Place) -> str:
    kind = next((kind for kind in ORDER if kind in data), "")
    if kind == "text/html":
        remedy = "Give the object `_repr_markdown_`, with a raw block inside."
        raise Problem(place, "this displays text/html, for which Quarto loads scripts from the network", remedy)
    if kind in ("", "text/latex"):
        what = kind or ", ".join(data) or "nothing"
        raise Problem(place, f"this displays {what}, which this engine can't show", "Give the object `_repr_markdown_`.")
    return kind


def _uri(content: str | bytes, kind: str) -> str:
    if isinstance(content, str) and not content.lstrip().startswith("<"):  # in base64 already, as a kernel sends it
        content = base64.b64decode(content)
    return data_uri(content.encode() if isinstance(content, str) else content, f"image/{kind}")


def _verbatim(text: str) -> str:
    ticks = _longer_than(text)
    return f"{ticks}\n{text.removesuffix(chr(10))}\n{ticks}"


def _longer_than(text: str) -> str:
    return "`" * max(3, *(len(ticks) + 1 for ticks in TICKS.findall(text)), 0)


def _escaped(text: str) -> str:
    """Quarto's own rule: only what looks like a quoted string loses its quotes and gains backslashes."""
    if len(text) < 2 or text[0] != text[-1] or text[0] not in "'\"":
        return text
    return re.sub(r"([\\`*_{}\[\]()>#+-.!])", r"\\\1", text[1:-1].replace("\\", "\\\\"))


def _variable(name: str, place: Place, variables: Mapping[str, Any]) -> str:
    value: Any = variables.get(name)
    if name not in variables:
        raise Problem(place, f"there is no variable `{name}`", f"_variables.yml has {', '.join(variables) or 'none'}.")
    if isinstance(value, (list, dict)) or value is None:
        raise Problem(place, f"the variable `{name}` is no text", "Use one that is a text or a number.")
    return str(value).lower() if isinstance(value, bool) else str(value)
