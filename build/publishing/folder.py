"""Puts a folder in place that holds what one command made and nothing else: files of others are refused by name, never deleted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from base import atomic_write

from figures.kit.errors import Faults
from figures.kit.files import shown

LIST = ".files.txt"  # in the folder: what the command put there, a name a line


def replace(folder: Path, contents: Mapping[str, str | bytes], root: Path) -> None:
    """The folder holds these files, by their paths in it, and the list of them; those of an earlier run that aren't made again go."""
    there = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if not file.is_dir() or file.is_symlink()}
    ours = listed(folder)
    if foreign := sorted(there - ours - {LIST}):
        names = [f"{shown(folder, root)}/{name}: `make site` did not put this file there" for name in foreign]
        raise Faults("make site", names, "Move it away: what is published comes from this folder whole, and nothing in it is deleted")
    wanted = {folder / name: content for name, content in contents.items()}
    every = "".join(f"{name}\n" for name in sorted(contents))
    atomic_write.write(folder / LIST, "".join(f"{name}\n" for name in sorted({*contents, *ours})))
    atomic_write.write_together(wanted)
    for name in ours & there - set(contents):
        (folder / name).unlink()
    for below in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if not any(below.iterdir()):
            below.rmdir()
    atomic_write.write(folder / LIST, every)


def listed(folder: Path) -> set[str]:
    """What an earlier run put there."""
    file = folder / LIST
    return set(file.read_text(encoding="utf-8").splitlines()) if file.is_file() else set()
