"""What takes long to make and comes out the same again: kept in `.cache/kept` under a digest of all that it is made from.

Results of figures/ have a store of their own (figures/kit/slow.py), for they are looked up where nothing is written, hold on one
machine alone, and never go by themselves: a measurement takes minutes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from base import atomic_write
from figures.kit import files
from figures.kit.errors import Problem

MOST = 400  # files that stay; of more, those used longest ago go
SEAL = 32  # bytes of digest before the content, by which a damaged file is told from a whole one


def kept(name: str, made_from: Iterable[bytes], packages: Iterable[str], make: Callable[[], bytes]) -> bytes:
    """What `make()` gives, made once for these inputs, the code that makes it among them, and these versions of packages.

    A file that can't be read, or was damaged, is made again; a disk that takes nothing more costs only the time.
    """
    path = place(name, made_from, packages)
    found = read(path)
    if found is None:
        found = make()
        with suppress(Problem):
            write(path, found)
    return found


def place(name: str, made_from: Iterable[bytes], packages: Iterable[str]) -> Path:
    """Where what is made from these belongs."""
    return folder() / f"{name}-{_key(made_from, packages)}"


def read(path: Path) -> bytes | None:
    """The content of a kept file, None where there is none, or a damaged one."""
    try:
        content = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    seal, found = content[:SEAL], content[SEAL:]
    return found if hashlib.sha256(found).digest() == seal else None


def write(path: Path, content: bytes) -> None:
    """Keep a file under its seal; a Problem where the disk takes nothing."""
    atomic_write.write(path, hashlib.sha256(content).digest() + content)
    _thin_out()


def folder() -> Path:
    return files.ROOT / ".cache" / "kept"


def _key(made_from: Iterable[bytes], packages: Iterable[str]) -> str:
    parts = [*made_from, *(f"{package} {version(package)}".encode() for package in packages)]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:32]


def _thin_out() -> None:
    with suppress(OSError):
        by_use = sorted(folder().iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in by_use[MOST:]:
            file.unlink(missing_ok=True)
