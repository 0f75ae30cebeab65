"""The simulators' modules put into a page as one inline script, which works from file:// where imports are refused.

`inline(html)` is pure beside reading slides/sim/ and slides/theme/sim.css, leaves a finished page as it is, and a page
without simulators too. Understands the imports and exports that slides/sim/ uses, and says where it meets another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from figures.kit.errors import Problem
from figures.kit.math_letters import italic
from page.inject import with_parts, without

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "slides" / "sim"
STYLE = ROOT / "slides" / "theme" / "sim.css"
ENTRY = "page.mjs"

_HAS_SIMULATOR = re.compile(
    r'<div\b[^>]*\bclass="[^"]*\bsim\b[^"]*"[^>]*\bdata-sim=|<div\b[^>]*\bdata-sim="[^"]*"[^>]*\bclass="[^"]*\bsim\b'
)
_IMPORT = re.compile(r'^import (?:\* as (?P<space>\w+)|\{(?P<names>[^}]*)\}) from "\./(?P<file>[\w-]+\.mjs)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|class) (\w+)", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_PARAMS = re.compile(r'<script type="application/json" class="sim-params">(.*?)</script>', re.DOTALL)
_FORMULA = re.compile(r"\$([^$\n\"]{1,80})\$")
_COMMENT = re.compile(r"^[ ]*//.*\n", re.MULTILINE)


def inline(html: str) -> str:
    """The page with the simulators' style and script, if it holds a simulator."""
    html = without(html, "simulators")
    if not _HAS_SIMULATOR.search(html):
        return html
    return with_parts(html, "simulators", bundle(), STYLE.read_text(encoding="utf-8"))


def bundle(folder: Path = MODULES, entry: str = ENTRY) -> str:
    """Every module that `entry` needs, each in a function of its own, the needed ones first; then `start()` of `entry`."""
    parts = [_wrapped(file, (folder / file).read_text(encoding="utf-8")) for file in _ordered(folder, entry, ())]
    text = "".join(dict.fromkeys(parts)) + f"{_name(entry)}.start();\n"
    if "</script" in text:
        raise Problem("slides/sim", "a module holds `</script`", "Write it as `<\\/script`")
    return text


def characters(html: str) -> set[str]:
    """The characters that the simulators of a page may write, which stand in no visible text: for the page's fonts."""
    params = "".join(_PARAMS.findall(html))
    if not params:
        return set()
    letters = {letter for formula in _FORMULA.findall(params) for letter in formula if letter.isascii() and letter.isalpha()}
    return {one for one in params + bundle() if ord(one) > 126} | {italic(letter) for letter in letters}


def _ordered(folder: Path, file: str, above: tuple[str, ...]) -> Iterator[str]:
    """`file` and what it imports, each after what it needs."""
    if file in above:
        raise Problem(
            f"slides/sim/{file}", f"these modules import each other: {' → '.join([*above, file])}", "Move what both need to a third"
        )
    path = folder / file
    if not path.is_file():
        raise Problem(f"slides/sim/{above[-1] if above else file}", f"it imports {file}, which is not there", "Correct the name")
    for found in _IMPORT.finditer(path.read_text(encoding="utf-8")):
        yield from _ordered(folder, found["file"], (*above, file))
    yield file


def _wrapped(file: str, source: str) -> str:
    exports = ", ".join(_EXPORT.findall(source))
    body = _IMPORT.sub(_taken, _COMMENT.sub("", source))
    body = re.sub(r"^export ", "", body, flags=re.MULTILINE) if exports else body
    if left := _LEFT_OVER.search(body):
        remedy = 'Write `import { a, b } from "./x.mjs";`, `import * as x from "./x.mjs";` or `export function …`'
        raise Problem(f"slides/sim/{file}", f"the bundler doesn't understand `{left[0]}`", remedy)
    return f"const {_name(file)} = (() => {{\n{body.strip()}\nreturn {{ {exports} }};\n}})();\n"


def _taken(found: re.Match[str]) -> str:
    """An import as a local name: `import { a as b } from "./x.mjs";` -> `const { a: b } = x_mjs;`"""
    if found["space"]:
        return f"const {found['space']} = {_name(found['file'])};"
    names = [name.strip().replace(" as ", ": ") for name in found["names"].split(",") if name.strip()]
    return f"const {{ {', '.join(names)} }} = {_name(found['file'])};"


def _name(file: str) -> str:
    """`_name("page.mjs")` -> "page_mjs"."""
    return re.sub(r"\W", "_", file)
