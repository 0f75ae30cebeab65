"""One truth after any edit: each field of each data file changed once, and what the pages then say of it.

In process and without slow parts: a change runs again only what has read its file, and what would have to be measured anew
is left out. `python tests/helpers/edits.py` tries every one, `… 12 SEED` so many drawn by a seed, `… rope bpe` those of some files; prints
the counts and each fault.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "build"), str(HERE)]

import shown  # noqa: E402
import text_fields  # noqa: E402
import yaml  # noqa: E402

from figures.kit import data, files, ledger, qmd, slow, strict_yaml  # noqa: E402
from figures.kit.claims import ClaimError  # noqa: E402
from figures.kit.errors import DataError, Problem  # noqa: E402

NOT_SHOWN = {"theme", "declared", "underived", "unclaimed", "grading", "smollm2_recorded", "crosslinks"}  # each has tests of its own
Run = Callable[[], Any]
Change = tuple[str, str, Any]  # file, path and other value


class Unmeasured(Problem):
    """What would have to be measured for changed data, which takes too long here."""


def changes() -> list[Change]:
    """Each field of each data file once, with another value of its type: other number, other name, one more, one less."""
    made: list[Change] = []
    for path in sorted((ROOT / "data").glob("*.yml")):
        if path.stem not in NOT_SHOWN:
            content = strict_yaml.parse(path.read_text(encoding="utf-8"), path.name)
            made += ((path.stem, *change) for change in _changes(content, ""))
    return made


def _changes(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    key = path.rpartition(".")[2]
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _changes(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        if value and path:
            yield path, value[:-1]
            yield path, [*value, value[-1]]
        for n, inner in enumerate(value):
            yield from _changes(inner, f"{path}[{n}]")
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield path, value + 1
        yield path, 0
        yield path, -value
    elif isinstance(value, float):
        yield path, value * 1.5
        yield path, -value
    elif isinstance(value, str) and key != "source":
        yield path, f"{value}x"


class Pages:
    """The pages of the project, cut into what can be run alone, each with the files that it reads."""

    def __init__(self) -> None:
        self.reading: defaultdict[str, list[tuple[str, Run]]] = defaultdict(list)
        self.before: dict[int, list[str]] = {}
        self.folder = Path(tempfile.mkdtemp()) / "data"
        shutil.copytree(ROOT / "data", self.folder)
        files.folder = lambda: self.folder
        stored = slow._stored
        slow._stored = lambda name, args: stored(name, args) or _unmeasured(name)  # type: ignore[assignment]
        for page in sorted((ROOT / "slides").glob("*.qmd")):
            if page.stem != "laboratorio":  # the lab's cells build on each other
                self._read(page)

    def _read(self, page: Path) -> None:
        from engine.document import opened
        from engine.execute import Kernel

        kernel = Kernel(ROOT)
        for part in qmd.parts(opened(page).lines):
            for run in shown.runs(kernel, part):
                ledger.clear()
                place = part.place if isinstance(part, qmd.Cell) else run.args[1]
                try:
                    run()
                except Problem:
                    continue
                self.before[id(run)] = _said()
                for name in {name for entry in ledger.entries() for name in entry.data if not name.startswith("words/")}:
                    self.reading[name].append((str(place), run))

    def after(self, change: Change) -> tuple[str, str]:
        """What becomes of one change: "refused", "claim", "right", "unmeasured", "unchanged", or a fault with its words."""
        file, path, value = change
        whole = (ROOT / "data" / f"{file}.yml").read_text(encoding="utf-8")
        changed = text_fields.put(strict_yaml.read(files.numbered(whole, file)), path, value).value
        (self.folder / f"{file}.yml").write_text(yaml.safe_dump(changed, allow_unicode=True, sort_keys=False), encoding="utf-8")
        shown.forget()
        data.forget()
        try:
            return self._judged(f"{file}.yml")
        finally:
            (self.folder / f"{file}.yml").write_text(whole, encoding="utf-8")

    def _judged(self, name: str) -> tuple[str, str]:
        outcomes: dict[str, str] = {}
        for place, run in self.reading[name]:
            ledger.clear()
            try:
                run()
            except Problem as problem:
                cause = problem.__cause__ or problem
                kind, words = _kind(cause), f"{place}: {type(cause).__name__}: {str(cause)[:300]}"
                outcomes.setdefault(kind, words)
                if kind in ("refused", "fault"):
                    return kind, words
            else:
                if _said() != self.before[id(run)]:
                    outcomes["right"] = ""
        for kind in ("claim", "right", "unmeasured"):
            if kind in outcomes:
                return kind, outcomes[kind]
        return "unchanged", ""


def _unmeasured(name: str) -> Any:
    raise Unmeasured(name, "it is not measured for these data", "Measure it")


def _said() -> list[str]:
    return [f"{entry.text}{entry.value}" for entry in ledger.entries()]


def _kind(cause: BaseException) -> str:
    if isinstance(cause, Unmeasured):
        return "unmeasured"
    if isinstance(cause, ClaimError):
        return "claim"
    return "refused" if isinstance(cause, DataError) and cause.file.startswith("data/") and cause.remedy else "fault"


def tried(some: list[Change]) -> tuple[Counter[str], list[str]]:
    """How many changes came to what, and each fault in words."""
    pages, count, faults = Pages(), Counter[str](), []
    for change in some:
        kind, words = pages.after(change)
        count[kind] += 1
        if kind == "fault":
            faults.append(f"data/{change[0]}.yml, {change[1]}: {change[2]!r:.60}\n    {words}")
            print(faults[-1], flush=True)
    return count, faults


def sample(most: int, seed: str) -> list[Change]:
    """So many changes, drawn by a seed."""
    every = changes()
    return random.Random(seed).sample(every, min(most, len(every)))


if __name__ == "__main__":
    asked = sys.argv[1:]
    some = sample(int(asked[0]), asked[1]) if asked and asked[0].isdigit() else [one for one in changes() if one[0] in asked or not asked]
    count, faults = tried(some)
    print(f"{count.total()} changes: " + ", ".join(f"{n} {kind}" for kind, n in count.most_common()))
    sys.exit(bool(faults))
