"""ES modules as one inline script, which works from file:// where imports are refused.

Understands the imports and exports that slides/ uses, and says where it meets another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath

from figures.kit.errors import Problem

ROOT = Path(__file__).resolve().parents[2]
THEME = ROOT / "slides" / "theme"

_IMPORT = re.compile(r'^import (?:\* as (?P<space>\w+)|\{(?P<names>[^}]*)\}) from "(?P<path>\.[\w./-]+\.mjs)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_INDENT = re.compile(r"^[ ]+", re.MULTILINE)
_COMMENT = re.compile(r"^[ ]*(?://.*|/\*\*.*\*/)\n", re.MULTILINE)


def bundle(folder: Path, *files: str, start: str = "") -> str:
    """The modules `files` of a folder and all that they need, each in a function of its own, the needed ones first.

    Then the `start` of the last of them is called.
    """
    modules = dict.fromkeys(module for file in files for module in _ordered(folder, file, ()))
    text = "".join(_wrapped(folder, file) for file in modules) + f"{name(files[-1])}.start({start});\n"
    if "</script" in text:
        raise Problem(_place(folder), "a module holds `</script`", "Write it as `<\\/script`")
    return text


def name(file: str) -> str:
    """What a module is called in the script: kit/page.mjs is kit_page_mjs."""
    return re.sub(r"\W", "_", file)


def _ordered(folder: Path, file: str, above: tuple[str, ...]) -> Iterator[str]:
    """`file` and what it imports, each after what it needs."""
    if file in above:
        circle = " → ".join([*above, file])
        raise Problem(_place(folder, file), f"these modules import each other: {circle}", "Move what both need to a third")
    if not (folder / file).is_file():
        raise Problem(_place(folder, *above[-1:]), f"it needs {file}, which is not there", "Correct the name")
    for imported in _IMPORT.finditer(_source(folder, file)):
        yield from _ordered(folder, _reached(file, imported), (*above, file))
    yield file


def _wrapped(folder: Path, file: str) -> str:
    source = _source(folder, file)
    body = _EXPORT.sub("", _IMPORT.sub(lambda imported: _as_local(file, imported), source))
    if left := _LEFT_OVER.search(body):
        remedy = 'Write `import { a, b } from "./x.mjs";`, `import * as x from "./x.mjs";` or `export function …`'
        raise Problem(_place(folder, file), f"the bundler doesn't understand `{left[0]}`", remedy)
    return f"const {name(file)} = (() => {{\n{body.strip()}\nreturn {{ {', '.join(_EXPORT.findall(source))} }};\n}})();\n"


def _as_local(file: str, imported: re.Match[str]) -> str:
    """An import as the constant that holds the same names: `{ a as b }` becomes `{ a: b }`."""
    names = imported["space"] or f"{{ {' '.join(imported['names'].replace(' as ', ': ').split())} }}"
    return f"const {names} = {name(_reached(file, imported))};"


def _reached(file: str, imported: re.Match[str]) -> str:
    """The imported module, seen from the folder: "kit/draw.mjs" where some_topic/view.mjs imports "../kit/draw.mjs"."""
    return normpath(join(dirname(file), imported["path"]))


def _place(folder: Path, file: str = "") -> str:
    return join("slides", folder.name, file)


def _source(folder: Path, file: str) -> str:
    """A module without comments and indents, which a page has no use for; none of ours writes a text over several lines."""
    return _INDENT.sub("", _COMMENT.sub("", (folder / file).read_text(encoding="utf-8")))
