"""Changes one thing at a time in a copy of the checkout, and compares the page that is then put together from what was kept with one
that is made anew, byte for byte.

`python tests/helpers/incremental.py slides/descida.qmd COUNT SEED [WRONG]`, run in that copy: COUNT changes of functions, records, words
and sentences, drawn by SEED (0: all of them). `WRONG` puts a wrong key into the engine, which has to be noticed. Each render is a
process forked from this one, which has imported packages and nothing of figures/ but the kit. Prints a line for each page that differs.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import multiprocessing
import os
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "build"), str(HERE)]

import edits  # noqa: E402
import faults  # noqa: E402
import text_fields  # noqa: E402
import yaml  # noqa: E402
from base.pack import Pack  # noqa: E402
from base.progress import Progress  # noqa: E402
from engine import calls, embedded  # noqa: E402
from engine.document import opened  # noqa: E402
from proof import freeze  # noqa: E402

from figures.kit import files, qmd, strict_yaml  # noqa: E402
from figures.kit.errors import Problem  # noqa: E402

PACKAGES = ("numpy", "matplotlib.figure", "matplotlib.backends.backend_svg", "fontTools.subset", "babel.numbers", "engine.execute")


class Change(NamedTuple):
    """A file, its other content, and what is different in it."""

    file: Path
    what: str
    text: Callable[[], str]


def changes(document: Path) -> list[Change]:
    """Every change of what a document is made of."""
    read = {name for entry in ledger_of(document) for name in entry["data"]}
    return [*functions(document), *fields(read), *sentences(document)]


def functions(document: Path) -> Iterator[Change]:
    """Each small fault of each function that a document reaches, the kit's aside: all of the kit belongs to each key."""
    for file in sorted(freeze.reached(document, ROOT)):
        module = file.relative_to(ROOT / "figures").with_suffix("").as_posix()
        if not module.startswith("kit/"):
            yield from (Change(file, str(fault), partial(_unparsed, fault)) for fault in faults.faults(module))


def _unparsed(fault: faults.Fault) -> str:
    return ast.unparse(faults.changed(fault))


def fields(names: set[str]) -> Iterator[Change]:
    """Each field of these files of data/ with another value, each word with a letter more."""
    for name in sorted(names):
        file = ROOT / "data" / name
        tree = strict_yaml.read(files.lines_of(file))
        for path, value in edits._changes(tree.value, ""):
            yield Change(file, f"data/{name}: {path} = {value!r}", partial(_dumped, tree, path, value))


def _dumped(tree: strict_yaml.Tree, path: str, value: Any) -> str:
    return str(yaml.safe_dump(text_fields.put(tree, path, value).value, allow_unicode=True, sort_keys=False))


def sentences(document: Path) -> Iterator[Change]:
    """Each line of prose of a document with a word more, each call made once more at the end of its line."""
    for file in dict.fromkeys(ROOT / line.place.file for line in qmd.read(document)):
        lines = file.read_text(encoding="utf-8").split("\n")
        for n, line in enumerate(lines):
            if line[:1].isupper() and line.endswith("."):
                again = "".join(f" `{{python}} {piece.code}`" for piece in qmd.inline(line)[:1])
                for added in [" Enfim.", *([again] if again else [])]:
                    text = "\n".join([*lines[:n], line + added, *lines[n + 1 :]])
                    yield Change(file, f"{files.shown(file)}:{n + 1}{added}", partial(str, text))


def ledger_of(document: Path) -> list[dict[str, Any]]:
    """The entries of a document's page, asked for in another process."""

    def entries() -> list[dict[str, Any]]:
        _rendered(document)
        return [{"data": entry.data} for entry in embedded.ledger.entries()]

    made: list[dict[str, Any]] = in_a_fork(entries)
    return made


def _rendered(document: Path) -> embedded.Page:
    made = opened(document)
    plan = embedded.Plan("revealjs", made.settings("revealjs", embedded.FORMATS["revealjs"].OPTIONS), embedded.output(made, "revealjs"))
    (page,) = embedded.pages(made, [plan], QUIET)
    return page


QUIET = Progress(open(os.devnull, "w"))  # noqa: SIM115


def outcome(document: Path) -> str:
    """The digest of the page and of what stands beside it, or what stops the build."""
    try:
        page = _rendered(document)
    except Problem as problem:
        return str(problem)
    whole = [page.content, *(text for _, text in sorted(page.beside.items()))]
    return hashlib.sha256("".join(map(str, whole)).encode()).hexdigest()


def anew(document: Path) -> str:
    """The same with nothing found."""
    Pack._read = lambda self: {}  # type: ignore[method-assign]
    Pack.save = lambda self: None  # type: ignore[method-assign]
    return outcome(document)


def in_a_fork(work: Callable[[], Any]) -> Any:
    """What some work gives in a process of its own."""
    here, there = multiprocessing.Pipe(duplex=False)
    if not (child := os.fork()):
        try:
            there.send(work())
        except BaseException:
            there.send(RuntimeError(traceback.format_exc()))
        finally:
            os._exit(0)
    there.close()
    made = here.recv()
    os.waitpid(child, 0)
    if isinstance(made, RuntimeError):
        raise made
    return made


# Keys that leave something out; each has to let some page differ.
def _forget(what: str) -> Callable[[], None]:
    def put() -> None:
        if what == "code":
            calls.Calls._of = lambda self, file: ""  # type: ignore[method-assign]
        elif what == "data":
            real = calls.Calls._now
            calls.Calls._now = lambda self, name: real(self, name) if " " in name else ""  # type: ignore[method-assign]
        elif what == "questions":
            now = calls.Calls._now
            calls.Calls._now = lambda self, name: "" if " " in name else now(self, name)  # type: ignore[method-assign]
        elif what == "arguments":
            key = calls.Calls._key
            calls.Calls._key = lambda self, code, used, binds=False: key(self, code.partition("(")[0], used, binds)  # type: ignore[method-assign]

    return put


WRONG = {name: _forget(name) for name in ("code", "data", "questions", "arguments")}


def main(arguments: list[str]) -> int:
    document, count, seed, *wrong = ROOT / arguments[0], int(arguments[1]), *arguments[2:]
    for name in PACKAGES:
        importlib.import_module(name)
    every = changes(document)
    some = random.Random(seed).sample(every, min(count, len(every))) if count else every
    for name in wrong:
        WRONG[name]()
    different = 0
    in_a_fork(lambda: outcome(document))
    for change in some:
        before = change.file.read_bytes()
        change.file.write_text(change.text(), encoding="utf-8")
        try:
            found, made = (in_a_fork(lambda kind=kind: kind(document)) for kind in (outcome, anew))
        finally:
            change.file.write_bytes(before)
        if found != made:
            different += 1
            print(f"{change.what}\n  kept: {found[:300]}\n  anew: {made[:300]}", flush=True)
    print(f"{len(some)} of {len(every)} changes, {different} pages differ")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
