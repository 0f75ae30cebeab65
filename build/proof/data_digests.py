"""A digest of each file of data/ and of each of its fields, by which a later run knows what changed."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from figures.kit.dependencies import digest
from figures.kit.files import read_text
from figures.kit.strict_yaml import parse


def current(root: Path) -> dict[str, str]:
    """The digests by name: "a.yml" for a whole file, "a.yml:first" for a field of it."""
    found: dict[str, str] = {}
    for file in sorted((root / "data").rglob("*.yml")):
        found |= _of(file.relative_to(root / "data").as_posix(), read_text(file))
    return found


@functools.lru_cache(maxsize=512)
def _of(name: str, text: str) -> dict[str, str]:
    """The digests of one file, read once while its text stays."""
    content = parse(text, name)
    fields = content.items() if isinstance(content, dict) else ()
    return {name: _digest(content)} | {f"{name}:{key}": _digest(value) for key, value in fields}


def differing(root: Path, then: Mapping[str, str]) -> frozenset[str]:
    """The names whose content is not what it was `then`, those that are new or gone included."""
    now = current(root)
    return frozenset(name for name in then.keys() | now.keys() if then.get(name) != now.get(name))


def _digest(value: Any) -> str:
    return digest(json.dumps(value, ensure_ascii=False, sort_keys=True, default=str).encode())
