"""Splits a document's lines into text and Python cells. Runs nothing and reads no Markdown beyond its fences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.settings import TEXT, TRUTH, Kind, load
from figures.kit.errors import Problem
from figures.kit.qmd import Line, Place, after

START = re.compile(r"^(?P<indent>\s*)(?P<ticks>`{3,})\s*\{(?P<language>[A-Za-z0-9_]+)(?P<rest>[ ,][^}]*)?\}\s*$")
OPTION = re.compile(r"^#\|( |$)")

OPTIONS: dict[str, Kind] = {
    "label": TEXT,
    "echo": TRUTH,
    "eval": TRUTH,
    "include": TRUTH,
    "output": Kind("true, false or asis", lambda value: isinstance(value, bool) or value == "asis"),
    "code-line-numbers": Kind('a text such as "1-3", true or false', lambda value: isinstance(value, (str, bool))),
}


@dataclass(frozen=True)
class Text:
    """Markdown between cells, inline expressions still in it."""

    lines: list[Line]


@dataclass(frozen=True)
class Cell:
    """The code of one cell without its options; `place` is its first line of code."""

    code: str
    options: dict[str, Any]
    place: Place

    @property
    def name(self) -> str:
        """What the progress line calls it: its label, else its first line of code."""
        first = next((line.strip() for line in self.code.splitlines() if line.strip()), "")
        return str(self.options.get("label") or first)


def split(lines: list[Line], root: Path) -> Iterator[Text | Cell]:
    """Text and cells in the document's order. Neither is empty."""
    text: list[Line] = []
    fence = ""
    position = 0
    while position < len(lines):
        line = lines[position]
        start = None if fence else START.match(line.text)
        if not start:
            fence = after(line.text, fence)
            text.append(line)
            position += 1
            continue
        end = _end(lines, position, start)
        if text:
            yield Text(text)
            text = []
        yield _cell(lines[position + 1 : end], line.place, root)
        position = end + 1
    if text:
        yield Text(text)


def _end(lines: list[Line], start: int, match: re.Match[str]) -> int:
    """The position of the line that closes the cell."""
    place = lines[start].place
    if match["language"] != "python":
        raise Problem(place, f"a cell in `{match['language']}`: only python is run", f"For a listing write ```{{.{match['language']}}}.")
    if match["indent"]:
        raise Problem(place, "a cell inside a list or quotation: Quarto breaks its output", "Start its fence at the margin.")
    if match["rest"]:
        raise Problem(place, f"cell options in the fence: `{match['rest'].strip()}`", "Write each on its own line, as `#| key: value`.")
    closing = re.compile("^" + match["ticks"] + r"\s*$")
    for position in range(start + 1, len(lines)):
        if closing.match(lines[position].text):
            return position
        if lines[position].place.file != place.file:
            break
    raise Problem(place, "the cell never ends in its file", f"Close it with {match['ticks']}.")


def _cell(lines: list[Line], fence: Place, root: Path) -> Cell:
    count = next((n for n, line in enumerate(lines) if not OPTION.match(line.text)), len(lines))
    options: dict[str, Any] = {}
    if count:
        yaml = [Line(line.text[2:].removeprefix(" "), line.place) for line in lines[:count]]
        for key, setting in load(yaml, root, root).items():
            kind = OPTIONS.get(key)
            if kind is None:
                raise Problem(setting.place, f"the cell option `{key}` is unknown to this engine", f"It knows {', '.join(OPTIONS)}.")
            if not kind.accepts(setting.value):
                raise Problem(setting.place, f"`{key}` is {setting.value!r}", f"Write {kind.words}.")
            options[key] = setting.value
        _check_label(options.get("label", ""), lines[0].place)
    code = lines[count:]
    while code and not code[0].text.strip():
        code = code[1:]
    while code and not code[-1].text.strip():
        code = code[:-1]
    place = code[0].place if code else fence
    return Cell("\n".join(line.text for line in code), options, place)


def _check_label(label: str, place: Place) -> None:
    if label.startswith(("fig-", "tbl-", "lst-", "eq-", "sec-")):
        remedy = "Choose one without the prefix fig-, tbl-, lst-, eq- or sec-."
        raise Problem(place, f"the label `{label}` asks for a cross-reference", remedy)
