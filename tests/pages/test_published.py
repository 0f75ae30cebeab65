"""No published number is without a test: every leaf of published.yml is named by a `published(…)` call."""

from __future__ import annotations

import ast
from pathlib import Path

from published import leaves


def named() -> set[tuple[str | int, ...]]:
    """The paths that tests name in `published(…)` calls with constant arguments."""
    found = set()
    for file in Path(__file__).parents[1].rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "published"
            if called and all(isinstance(arg, ast.Constant) for arg in node.args):
                found.add(tuple(arg.value for arg in node.args))  # type: ignore[attr-defined]
    return found


def test_every_published_value_has_a_test():
    claimed = named()
    without = [path for path in leaves() if not any(path[: len(claim)] == claim for claim in claimed if len(claim) >= 3)]
    assert not without, "published values that no test names:\n" + "\n".join(".".join(map(str, path)) for path in without)


def test_every_named_entry_exists():
    known = list(leaves())
    stray = [claim for claim in named() if not any(path[: len(claim)] == claim for path in known)]
    assert not stray, f"tests name entries that published.yml does not have: {stray}"
