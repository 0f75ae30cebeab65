"""What a page was made of: the digest of each of its sources stands in the page, so that who reads it can tell whether they are still so.

No file's time is asked. A copied checkout is as good as the first one, and an older page that is put back is refused. A page
that was made although a sentence of it didn't hold (CLAIMS=note) says so too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from base import atomic_write
from base.html_tree import parse

from figures.kit import qmd
from figures.kit.dependencies import digest
from figures.kit.files import read_bytes, read_text, shown
from figures.kit.json_values import script_json
from figures.kit.words import Words
from proof import freeze

WORDS = Words("ledger")
IN_PAGE = re.compile(r'<script id="made-of" type="application/json">(.*?)</script>\n?', re.DOTALL)
NOTICE = re.compile(r'<p class="unproven"[^>]*>.*?</p>\n?', re.DOTALL)
LOUD = (
    "position: fixed; inset: 0 0 auto; z-index: 60; margin: 0; padding: .4em; "
    "text-align: center; background: var(--stress); color: var(--ground)"
)
STARTED = Path(".cache", "made-of.json")  # the digests of before Quarto ran the cells, until its pages are made
LOOKS = (".css", ".mjs")  # what every page takes from slides/ besides its text
MAKERS = ("base", "engine", "page")  # the rooms of build/ that put a page together

Digests = Mapping[str, str]


def digests(root: Path) -> dict[str, str]:
    """The digest of every file that a page of the project may be made of, by its name."""
    return {shown(file, root): digest(read_bytes(file)) for file in sorted(_files(root)) if file.is_file()}


def _files(root: Path) -> Iterator[Path]:
    yield from root.glob("_*.yml")  # the settings, and those of profiles
    yield from (root / "data").rglob("*.yml")
    yield from (root / "figures").rglob("*.py")
    yield from (file for file in (root / "slides").rglob("*") if file.suffix in (*LOOKS, ".qmd", ".yml", ".py"))
    yield from (file for room in MAKERS for file in (root / "build" / room).rglob("*.*") if file.suffix != ".pyc")


def page_of(html: str) -> str:
    """The file name of the page that a document gives, by what a page says to be made of, whatever it is called now; or nothing.

    >>> page_of('<script id="made-of" type="application/json">{"files": {"slides/a.qmd": "", "slides/_parts/b.qmd": ""}}</script>')
    'a.html'
    """
    left = IN_PAGE.search(html)
    files = json.loads(left[1]).get("files", {}) if left else {}
    own = [Path(name) for name in files if name.endswith(".qmd") and not any(part.startswith("_") for part in Path(name).parts)]
    return f"{own[0].stem}.html" if len(own) == 1 else ""


def sources(html: str, document: Path, root: Path, entries: Iterable[Mapping[str, Any]], known: Digests) -> dict[str, str]:
    """Of all digests those of what a page is made of: its text and includes, the modules that its cells reach, the data that its
    entries read, the scripts that it names, the settings, the looks, and what puts pages together."""
    own = {line.place.file for line in qmd.read(document, root)} | {shown(file, root) for file in freeze.reached(document, root)}
    own |= {shown(file, root) for file in freeze.metadata(document, root)} | {"data/theme.yml"}
    own |= {f"data/{name}" for entry in entries for name in entry["data"]}
    own |= {name for name in known if name.startswith("slides/") and name.endswith(".py") and Path(name).name in html}
    shared = (name for name in known if name.startswith(("build/", "_")) or name.startswith("slides/") and name.endswith(LOOKS))
    return {name: known[name] for name in sorted({*own, *shared}) if name in known}


def named(html: str, document: Path, root: Path, ledger: str, known: Digests, noted: bool) -> str:
    """The page with what it was made of as the last thing in it, and a notice first where claims were only `noted`."""
    html, entries = NOTICE.sub("", IN_PAGE.sub("", html)), json.loads(ledger)["entries"]
    content = {"claims": "noted" if noted else "held", "files": sources(html, document, root, entries, known)}
    block = f'<script id="made-of" type="application/json">{script_json(content)}</script>\n'
    head, closing, rest = html.rpartition("</body>")
    if noted:
        notice = f'<p class="unproven" role="alert" style="{LOUD}">{WORDS("unproven")}</p>\n'
        head = re.sub(r"(<body\b[^>]*>\n?)", lambda body: body[0] + notice, head, count=1)
    return f"{head}{block}{closing}{rest}"


def faults(page: Path, root: Path) -> Iterator[str]:
    """Why a rendered page proves nothing about the sources as they are; silent for a page that is made of them."""
    html = read_text(page)
    written = IN_PAGE.search(html)
    if not written or len(IN_PAGE.findall(html)) > 1:
        yield "doesn't say what it was made of"
        return
    content = json.loads(written[1])
    now = digests(root)
    changed = [name for name, then in content["files"].items() if now.get(name) != then]
    if changed:
        yield f"was made of another {', '.join(changed[:3])}" + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    if content["claims"] != "held" or next(parse(html).all("p", "unproven"), None):
        yield "was made although sentences of it may not hold (CLAIMS=note)"


def start(root: Path) -> None:
    """Before Quarto runs the cells: keep what the sources are."""
    atomic_write.write(root / STARTED, json.dumps(digests(root)))


def started(root: Path) -> Digests:
    """The digests that were kept; those of now where none were."""
    file = root / STARTED
    return dict(json.loads(read_text(file))) if file.is_file() else digests(root)
