"""What the pages show under other inputs: `python tests/shown.py < changes.json` -> one list of ledger entries a change.

A change is {"models.yml:8B.layers": 40, …}; the first answer is that of the data as they are. Cells and inline code are
run, pages are not written; what raises shows nothing, and is told in `errors`.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "build")]

import msgspec  # noqa: E402
import yaml  # noqa: E402


def main() -> None:
    changes = [{}, *json.load(sys.stdin)]
    json.dump([shown(change) for change in changes], sys.stdout, ensure_ascii=False)


def shown(change: dict[str, Any]) -> dict[str, Any]:
    """{"entries": …, "errors": …} of every page with this change made."""
    from figures.kit import files

    with tempfile.TemporaryDirectory() as name:
        folder = Path(shutil.copytree(ROOT / "data", Path(name) / "data"))
        for place, value in change.items():
            put(folder, place, value)
        files.folder = lambda: folder
        forget()
        return pages()


def pages() -> dict[str, Any]:
    from base.failures import Failure
    from engine.document import opened
    from engine.execute import Kernel

    from figures.kit import ledger, qmd

    entries: list[dict[str, Any]] = []
    errors: dict[str, str] = {}
    for page in sorted((ROOT / "slides").glob("*.qmd")):
        ledger.clear()
        kernel = Kernel(ROOT)
        document = opened(page)
        for part in qmd.parts(document.lines):
            for run in runs(kernel, part):
                try:
                    run()
                except Failure as failure:
                    errors[failure.where] = failure.what.partition("\n")[0]
        entries += [{**msgspec.to_builtins(entry), "page": page.name} for entry in ledger.entries()]
    return {"entries": entries, "errors": errors}


def runs(kernel: Any, part: Any) -> list[Callable[[], Any]]:
    """What there is to run in a part of a document: its cell, or the inline code of its text."""
    from figures.kit import qmd

    if isinstance(part, qmd.Cell):
        return [partial(kernel.run, part)]
    return [partial(kernel.inline, piece.code, line.place) for line in part.lines for piece in qmd.inline(line.text)]


def forget() -> None:
    """Every cache of figures/, emptied, but for what reads no file of data/: GPT-2's own files, the fonts."""
    for name in [name for name in sys.modules if name.startswith("figures.") and name not in ("figures.tokens", "figures.kit.style")]:
        for thing in list(vars(sys.modules[name]).values()):
            if callable(getattr(thing, "cache_clear", None)):
                thing.cache_clear()


def put(folder: Path, place: str, value: Any) -> None:
    """Write `value` at a place such as "models.yml:8B.layers"; a record of a list goes by its id, its name or its number."""
    from figures.kit import strict_yaml

    file, _, path = place.partition(":")
    content = strict_yaml.parse((folder / file).read_text(encoding="utf-8"), file)
    here, steps = content, path.split(".")
    for n, step in enumerate(steps):
        key: Any = next((i for i, item in enumerate(here) if label(item, i) == step), None) if isinstance(here, list) else step
        if key is None or not isinstance(here, list) and key not in here:
            raise KeyError(f"{place}: there is no {step}")
        if n == len(steps) - 1:
            assert here[key] != value, f"{place} has this value already"
            here[key] = value
        else:
            here = here[key]
    (folder / file).write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False), encoding="utf-8")


def label(item: Any, n: int) -> str:
    known = (item.get(field) for field in ("id", "name")) if isinstance(item, dict) else ()
    return next((text for text in known if isinstance(text, str)), str(n))


if __name__ == "__main__":
    main()
