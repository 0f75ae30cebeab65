"""How much smaller an environment is without what one lecture alone lists: measured on the packages that are installed here."""

from __future__ import annotations

import importlib.metadata as metadata
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement


def megabytes(before: str, after: str) -> float:
    """What is installed for the lists of one pyproject.toml, and not for those of another; given as texts."""
    only = with_what_they_need(listed(before)) - with_what_they_need(listed(after))
    return sum(map(size, only)) / 1e6


def listed(settings: str) -> set[str]:
    """Every package that the set-up of a project may install."""
    read: dict[str, Any] = tomllib.loads(settings)
    extras = {name: packages for name, packages in read["project"]["optional-dependencies"].items() if name != "quarto"}
    lists = [read["project"]["dependencies"], *extras.values(), *read["dependency-groups"].values()]
    return {Requirement(package).name for packages in lists for package in packages}


def with_what_they_need(packages: Iterable[str]) -> set[str]:
    """The packages, and those that they need themselves or through another, by the names that registries compare."""
    found: set[str] = set()
    waiting = list(packages)
    while waiting:
        name = waiting.pop().lower().replace("_", "-").replace(".", "-")
        if name not in found:
            found.add(name)
            needed = (Requirement(text) for text in requires(name))
            waiting += [one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


def requires(package: str) -> list[str]:
    """What an installed package asks for; nothing of one that isn't there."""
    try:
        return metadata.requires(package) or []
    except metadata.PackageNotFoundError:
        return []


def size(package: str) -> int:
    """The bytes of an installed package's files; nothing for one that isn't there."""
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return 0
    return sum(Path(str(file.locate())).stat().st_size for file in files if Path(str(file.locate())).is_file())
