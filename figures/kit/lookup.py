"""A number by its short name: "14.7" is the seventh thing made for slide 14. Finds it in a page's ledger and computes it again.

`python -m figures 14.7` prints what this gives. Runs no text of the ledger: it calls a function of figures/ by its name, with
arguments that are plain values.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from figures.kit import files, ledger, project, strict_yaml
from figures.kit.claims import Claim
from figures.kit.entry import AnyEntry, Entry, Ledger, PageLedger
from figures.kit.errors import Problem
from figures.kit.json_values import json_text, json_value
from figures.kit.precomputed import store
from figures.kit.words import Words

FOLDER = "ledgers"  # in the package, where `make site` puts those of its pages
LINES = 24  # of what was read, and characters by the line below
WIDTH = 160
_words = Words("ledger")
_REMEDY = "Give the page or its .ledger.json: --page FILE; beside the sources `make deck` writes it"


def found(name: str, page: str) -> tuple[Entry, str]:
    """The entry of that short name and the file name of its page; a Problem where page, ledger or name isn't there."""
    file = _file(page)
    entries = read(file)
    for entry in entries:
        if entry.name == name:
            return entry, file.name
    if not any(entry.name for entry in entries):
        raise Problem(file.name, "its ledger is older than short names", "Render the page again, or take a newer one")
    slide = name.partition(".")[0]
    beside = [entry.name for entry in entries if entry.name.partition(".")[0] == slide]
    known = f"slide {slide} has {beside[0]} to {beside[-1]}" if beside else f"it has {entries[0].name} to {entries[-1].name}"
    raise Problem(
        f"{file.name}, {name}", f"no such short name: {known}", "Take it from a number's card (key i), or from the list of numbers"
    )


def read(file: Path) -> list[AnyEntry]:
    """The entries of a ledger, or of a page that keeps one; a Problem for a file that is neither, or is cut off."""
    text = files.read_text(file)
    own = ledger.IN_PAGE.search(text) if file.suffix == ".html" else None
    if file.suffix not in (".html", ".json") or file.suffix == ".html" and not own:
        raise Problem(file, "it keeps no ledger", _REMEDY)
    kept = ledger.parsed(own[1], file.name, PageLedger) if own else ledger.parsed(text, file.name, Ledger)
    return list(kept.entries)


def report(entry: Entry, page: str) -> Iterator[str]:
    """What it is, its value computed now, the code of its function, and what that read; a line or several each."""
    yield f"{entry.name} · {page} · {_words(f'kinds.{entry.kind}')}"
    yield f"  {' '.join(entry.text.split())[:WIDTH]}"
    yield f"{_words('value')}: {_short(entry.value)}{f' {entry.unit}' if entry.unit else ''}"
    if entry.note:
        yield f"{_words(f'notes.{entry.kind}')}: {entry.note}"
    yield f"{_words('function')}: {entry.call}"
    yield from _again(entry)
    yield from ("", f"{_words('place')}: {entry.file}:{entry.line}", code(entry).rstrip())
    if lines := list(data(entry)):
        yield from ("", f"{_words('data')}:", *(f"  {line}" for line in lines))


def computed(entry: Entry) -> Entry:
    """The same thing made again, now, as the ledger would hold it; a Problem where this copy has no such function."""
    made: Any = _function(entry)
    call = ast.parse(entry.call, mode="eval").body
    part = call.attr if isinstance(call, ast.Attribute) else ""
    call = call.value if isinstance(call, ast.Attribute) else call
    if not isinstance(call, ast.Call):
        raise Problem(entry.name, f"{entry.call} is no call", _REMEDY)
    opening = entry.what == "simulator" or made in store.registry.values()  # its call names the state in which it opens
    made = (
        made()
        if opening
        else made(*map(ast.literal_eval, call.args), **{str(one.arg): ast.literal_eval(one.value) for one in call.keywords})
    )
    made = getattr(made, part) if part and not opening else made
    if isinstance(made, Claim):  # its sentence stands in the sources, which an installed package has not
        return msgspec.structs.replace(entry, value=json_value(dict(made.values)))
    before = len(ledger.entries())
    made._repr_markdown_()
    shown = ledger.entries()[before:]
    return next((one for one in shown if one.id == entry.id), shown[0])


def code(entry: Entry) -> str:
    """The function as it is written, with its decorators."""
    return inspect.getsource(inspect.unwrap(_function(entry)))


def data(entry: Entry) -> Iterator[str]:
    """The lines of data/ that it read, each with its place and once; words aside."""
    read = (field.partition(":") for field in entry.fields if not field.startswith("words/"))
    lines = sorted({place for file, _, path in read if (place := _place(file, path))})
    yield from (f"data/{file}:{number}  {text}" for file, number, text in lines[:LINES])
    if len(lines) > LINES:
        yield "…"


def _again(entry: Entry) -> Iterator[str]:
    """Its value computed now beside the one of the page."""
    try:
        now = computed(entry)
    except (ModuleNotFoundError, Problem, TypeError) as reason:  # without a package, the sources, or the page in the making
        yield _words("lookup.elsewhere", reason=str(reason).partition("\n")[0])
        return
    same = now.value == entry.value
    yield _words("lookup.same" if same else "lookup.differs", value=_short(now.value))


def _function(entry: Entry) -> Any:
    """The function that slides call, by the file that it is written in."""
    path, name = Path(entry.file), entry.function.rpartition(".")[2]
    module = ".".join(path.with_suffix("").parts)
    ours = path.suffix == ".py" and re.fullmatch(r"figures(\.\w+)+", module) and (files.ROOT / path).is_file()
    function = getattr(importlib.import_module(module), name, None) if ours else None
    if function is None:
        what = f"there is no such function in {entry.file} here"
        raise Problem(f"{entry.name}, {entry.call}", what, "Take the version that the page was made of")
    return function


def _place(file: str, path: str) -> tuple[str, int, str] | None:
    """The line of a field in a file of data/, with what is written there; None for what has none, as a file as a whole."""
    lines = files.lines_of(files.folder() / file)
    tree = strict_yaml.read(lines)
    number = tree.line(_in_file(tree.value, path))
    return (file, number, lines[number - 1].text.strip()[:WIDTH]) if number else None


def _in_file(value: Any, path: str) -> str:
    """The path of a field as the file has it: a record of a list is noted by its id.

    >>> _in_file([{"id": "a"}, {"id": "b", "c": [1, 2]}], "b.c.1")
    '[1].c[1]'
    """
    made, rest = "", path
    while found := next((one for one in _below(value).items() if f"{rest}.".startswith(f"{one[0]}.")), None):
        name, (step, value) = found
        made, rest = made + step, rest[len(name) + 1 :]
    return made.removeprefix(".")


def _below(value: Any) -> dict[str, tuple[str, Any]]:
    """What stands in a list or under the keys of a record, by the names under which it is noted, each with its step in the file."""
    if isinstance(value, dict):
        return {str(key): (f".{key}", one) for key, one in value.items()}
    items = value if isinstance(value, list) else []
    by_place = {str(n): (f"[{n}]", one) for n, one in enumerate(items)}
    return by_place | {str(one["id"]): (f"[{n}]", one) for n, one in enumerate(items) if isinstance(one, dict) and "id" in one}


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json_text(value)
    return f"{text[:WIDTH]}…" if len(text) > WIDTH else text


def _file(page: str) -> Path:
    """The file that is asked for: itself, or a page's ledger by the page's name; the first there is where none is named."""
    if page and Path(page).is_file():
        return Path(page)
    kept = _kept()
    if not kept:
        raise Problem("python -m figures", "there is no ledger here", _REMEDY)
    for file in kept:
        if not page or file.name.removesuffix(".ledger.json") == Path(page).stem:
            return file
    names = ", ".join(file.name.removesuffix(".ledger.json") for file in kept)
    raise Problem(f"--page {page}", f"there is no such page; there are {names}", _REMEDY)


def _kept() -> list[Path]:
    """The ledgers that came with the package, or those of the checkout's pages in the order of its documents."""
    if inside := sorted((files.PACKAGE / "data" / FOLDER).glob("*.ledger.json")):
        return inside
    if not (files.ROOT / project.SETTINGS).is_file():
        return []
    return [file for one in project.documents() if (file := project.page(one).with_suffix(".ledger.json")).is_file()]
