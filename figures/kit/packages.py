"""Installed packages that are wanted for the files they carry: looked up on the disk, never imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def folder(package: str) -> Path | None:
    """The folder of an installed package, None where it isn't installed."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None
