"""The calls of a document, run or found again: what a cell or an inline call displayed is kept while all that it comes from is as it was.

That is its code, the modules that its names reach by imports, the data that it read, each question that it asked of other
texts (figures/kit/readings.py), and the environment: settings, kit, packages, machine. What a call read and asked is known from
when it last ran. What is not sure to give the same again runs each time (engine/sure.py), and so does all that follows a cell
which may have changed something.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from base.pack import Pack, digest

from engine import outside, sure
from engine.outputs import ORDER, Display, Output
from figures.kit import dependencies, ledger, readings
from figures.kit.entry import AnyEntry
from figures.kit.files import Place, shown
from figures.kit.marks import ZERO
from figures.kit.qmd import Cell

FIRST = 8_639_417_205_318_264_000  # marks are counted from here while a call runs: no number of a page has these sixteen digits
MOST = 999  # entries of one call
KIT = "figures.kit."  # which is vouched for, and part of the environment


class Kept(msgspec.Struct):
    """What a call displayed and entered in the ledger, its marks counted from `FIRST`, its entries from 1."""

    outputs: list[Output]
    entries: list[AnyEntry]


class Calls:
    """Runs the cells and inline calls of a document in order, or finds what they gave. `kernel()` makes the session, once needed."""

    def __init__(self, kernel: Callable[[], Any], root: Path, results: Pack, known: Mapping[str, str], certain: bool) -> None:
        self.root, self.results, self.known = root, results, known
        self._kernel = kernel
        self._session: Any = None
        self.count = 0
        self._bound: dict[str, str] = {}  # the names that cells have bound to modules of the project
        self._skipped: list[Cell] = []  # cells that bound them and did not run
        self._certain = certain  # whether no cell so far may have changed anything
        self._reaching = dependencies.Reaching(root, self._imports)
        self._doubtful: dict[Path, bool] = {}
        self._closures: dict[str, tuple[str, bool]] = {}
        self._asked: Counter[str] = Counter()  # how often each call has been made

    def run(self, cell: Cell) -> list[Output]:
        """What the cell displays, in order. Raises Failure where it raises."""
        self.count += 1
        if cell.options.get("eval") is False:
            return []
        bound = sure.imported(cell.code)
        used = sure.names(cell.code) if bound is None else set(bound)
        self._bound |= bound or {}
        key = self._key(cell.code, used, binds=bool(bound))
        if bound and key and self.results.find(key) is not None:
            self._skipped.append(cell)
            return []
        outputs = self._given("" if bound else key, lambda: self._ready().run(cell))
        if bound and key:
            self.results.put(key, b"")
        return outputs

    def inline(self, expression: str, place: Place) -> dict[str, Any]:
        """The value of an expression under the richest MIME type that it has."""

        def run() -> list[Output]:
            data = self._ready().inline(expression, place)
            kind = next((kind for kind in ORDER if kind in data), "")
            return [Display({kind: data[kind]} if kind else data)]

        (value,) = self._given(self._key(expression, sure.names(expression)), run)
        return value.data if isinstance(value, Display) else {}

    def _ready(self) -> Any:
        """The session, the cells that were skipped run in it, whatever they bind."""
        self._session = self._session or self._kernel()
        for cell in self._skipped:
            self._session.run(cell)
        self._skipped.clear()
        return self._session

    def _key(self, code: str, used: set[str] | None, binds: bool = False) -> str:
        """The digest of code and of all modules that it reaches; empty where it is not sure to give the same again.

        Code that only `binds` names to modules may bind some that are in doubt.
        """
        if used is None or not used <= self._bound.keys():
            self._certain &= used is not None
            return ""
        reached = [self._closure(self._bound[name]) for name in sorted(used)]
        sure_of_all = self._certain and (binds or not any(in_doubt for _, in_doubt in reached))
        return digest([code, *(of for of, _ in reached)]) if sure_of_all else ""

    def _closure(self, module: str) -> tuple[str, bool]:
        """The digest of the modules that one reaches, and whether one of them takes something from outside."""
        if module not in self._closures:
            files = self._reaching.reached([module, module.rpartition(".")[0]])
            in_doubt = any(not name.startswith(KIT) and self._doubts(file) for name, file in files.items())
            self._closures[module] = digest([module, *map(self._of, files.values())]), in_doubt or not files
        return self._closures[module]

    def _of(self, file: Path) -> str:
        return self.known.get(shown(file, self.root), "")

    def _imports(self, code: str, package: str) -> tuple[str, ...]:
        return tuple(json.loads(self.results.once(["imports", package, code], lambda: json.dumps(dependencies.imports(code, package)))))

    def _doubts(self, file: Path) -> bool:
        """Whether a module takes something from outside."""
        if file not in self._doubtful:
            said = self.results.once(["doubts", self._of(file)], lambda: " ".join(sure.doubts(file.read_text(encoding="utf-8"))))
            self._doubtful[file] = said != ""
        return self._doubtful[file]

    def _given(self, key: str, run: Callable[[], list[Output]]) -> list[Output]:
        """What a call gives, run or found."""
        if not key:
            return run()
        self._asked[key] += 1
        reads = f"{key} {self._asked[key]}"  # the same call may ask otherwise in another place
        names = self.results.find(reads) or self.results.find(f"{key} 1")
        kept = None if names is None else self.results.find(self._with(key, json.loads(names)))
        if kept is None:
            return self._ran(key, reads, run)
        return _again(msgspec.msgpack.decode(kept, type=Kept))

    def _with(self, key: str, read: list[str]) -> str:
        """The key with the answers of now to all that the call read and asked."""
        return digest([key, *(f"{name} {self._now(name)}" for name in read)])

    def _now(self, name: str) -> str:
        if " " not in name:
            return self.known.get(f"data/{name}", "")
        return msgspec.json.encode(readings.answer(name)).decode()

    def _ran(self, key: str, reads: str, run: Callable[[], list[Output]]) -> list[Output]:
        """Runs a call, and keeps what it gave if nothing that happened leaves a doubt."""
        before = len(ledger.entries())
        chance = _chance()
        ledger.numbered_from(FIRST - before)
        try:
            with readings.noted() as read, readings.questions() as asked, outside.watched() as taken:
                outputs = run()
        finally:
            ledger.numbered_from(0)
        kept = Kept(outputs, ledger.taken_back(before))
        names = sorted({*(re.split("[:#]", name)[0] for name in read), *asked})
        asked_of = {str(argument) for question in asked for argument in json.loads(question.split(" ", 2)[2])}
        noted = {f"{outside.READS}{file}" for file in {*asked_of, *(f"data/{name}" for name in names)}}
        if not taken - noted and chance == _chance() and len(kept.entries) <= MOST:
            self.results.put(reads, json.dumps(names).encode())
            self.results.put(self._with(key, names), msgspec.msgpack.encode(kept))
        return _again(kept)


def _chance() -> tuple[Any, ...]:
    """Where the generators stand that everybody shares."""
    legacy: Any = np.random.get_state(legacy=True)
    return random.getstate(), legacy[1].tobytes(), legacy[2]


def _again(kept: Kept) -> list[Output]:
    """What a call displayed, marked with the numbers that its entries have on this page."""
    before = len(ledger.entries())
    ledger.enter(kept.entries)
    for output in kept.outputs:
        if isinstance(output, Display):
            output.data = {kind: _marked(text, before) for kind, text in output.data.items()}
    return kept.outputs


_PLAIN = str(FIRST)[:-3]
_HIDDEN = "".join(chr(ZERO + int(digit)) for digit in _PLAIN)  # as formulas have them: figures/kit/marks.py
_MARK = re.compile(rf"(?<!\d){_PLAIN}(\d{{3}})(?!\d)|{_HIDDEN}([{chr(ZERO)}-{chr(ZERO + 9)}]{{3}})")


def _marked(content: Any, before: int) -> Any:
    """A text with its marks counted from the entries that stand before it.

    >>> _marked(f'[a]{{.n n="{FIRST + 2}"}} 70000000000.0', 40)
    '[a]{.n n="42"} 70000000000.0'
    """

    def mark(found: re.Match[str]) -> str:
        if found[1]:
            return str(before + int(found[1]))
        return "".join(chr(ZERO + int(digit)) for digit in str(before + int("".join(str(ord(sign) - ZERO) for sign in found[2]))))

    return _MARK.sub(mark, content) if isinstance(content, str) else content
