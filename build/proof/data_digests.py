"""A digest of each file of data/ and of each of its fields, by which a later run knows what changed."""

from __future__ import annotations

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
        name = file.relative_to(root / "data").as_posix()
        content = parse(read_text(file), name)
        found[name] = _digest(content)
        found |= {f"{name}:{key}": _digest(value) for key, value in content.items()} if isinstance(content, dict) else {}
    return found


def differing(root: Path, then: Mapping[str, str]) -> frozenset[str]:
    """The names whose content is not what it was `then`, those that are new or gone included."""
    now = current(root)
    return frozenset(name for name in then.keys() | now.keys() if then.get(name) != now.get(name))


def _digest(value: Any) -> str:
    return digest(json.dumps(value, ensure_ascii=False, sort_keys=True, default=str).encode())
