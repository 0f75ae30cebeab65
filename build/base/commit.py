"""The commit that a build is made of: its name, its day, and whether the checkout has changed since. Reads git, changes nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple


class Commit(NamedTuple):
    """A commit's short name and its day (2026-12-01); `clean` says that the checkout's files are as it has them."""

    name: str
    day: str
    clean: bool


def of(root: Path) -> Commit | None:
    """The commit that is checked out; None outside a repository, before its first commit, and without git."""
    head = _git(root, "log", "-1", "--format=%h %cd", "--date=format:%Y-%m-%d")
    if not head:
        return None
    name, _, day = head.partition(" ")
    return Commit(name, day, not _git(root, "status", "--porcelain", "--untracked-files=no"))


def _git(root: Path, *arguments: str) -> str:
    """What git says, without the space around it; nothing where it stops or isn't there."""
    if not (root / ".git").exists():  # the repository of a folder above would answer in its place
        return ""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return "" if done.returncode else done.stdout.strip()
