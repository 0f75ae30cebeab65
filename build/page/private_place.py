"""A folder that isn't part of the project, such as the solutions: anywhere on the disk, or a git address, cloned into .cache/.

`solutions: ~/curso/solucoes` or `solutions: git@host:me/solutions.git@2027` in `_variables.yml`. Does *not* know what is in it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path

from figures.kit import project
from figures.kit.errors import Problem

WHERE = f"{project.VARIABLES}, {project.SOLUTIONS}"
CLONES = Path(".cache", "solutions")
PUBLISHED = ("_output", "_site")
_ADDRESS = re.compile(r"(?P<address>(?:(?:https?|ssh|git|file)://|[\w.-]+@[\w.-]+:)\S+?)(?:@(?P<ref>[\w.-]+))?")


@cache
def folder(said: str, root: Path) -> Path:
    """The folder that a setting names; a Problem for one that isn't there, is published, or can't be cloned. Asks git once a run."""
    if address := _ADDRESS.fullmatch(said):
        return _cloned(address["address"], address["ref"] or "", root)
    there = (root / Path(said).expanduser()).resolve()
    if not there.is_dir():
        raise Problem(
            WHERE, f"there is no folder {said}", "Correct it, write a git address, or leave it empty: then slides/solucoes is meant"
        )
    if any(there.is_relative_to((root / name).resolve()) for name in PUBLISHED):
        raise Problem(WHERE, f"{said} lies in a folder that is published", "Put the solutions elsewhere")
    return there


def _cloned(address: str, ref: str, root: Path) -> Path:
    """A clone at that branch, tag or commit, at the newest one without; an earlier clone serves where the address can't be reached."""
    clone = root / CLONES / sha256(address.encode()).hexdigest()[:16]
    if not (clone / ".git").is_dir():
        shutil.rmtree(clone, ignore_errors=True)
        clone.parent.mkdir(parents=True, exist_ok=True)
        said = _git(root, "clone", "--quiet", "--no-checkout", "--", address, str(clone))
        if said is not None:
            shutil.rmtree(clone, ignore_errors=True)
            raise Problem(WHERE, f"{address} can't be cloned: {said}", "Correct the address, see that git may read it, or name a folder")
    else:
        _git(clone, "fetch", "--quiet", "--tags", "--force", "origin")
    names = (f"origin/{ref}", ref) if ref else ("origin/HEAD",)
    for name in names:
        if _git(clone, "checkout", "--quiet", "--detach", "--force", name) is None:
            return clone
    raise Problem(WHERE, f"{address} has no {ref or 'commit'}", "Name a branch, a tag or a commit after the @, or leave it out")


def _git(folder: Path, *arguments: str) -> str | None:
    """None where git did it, else what it said; it asks nobody for a password."""
    try:
        environment = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        return "git is not installed"
    return " ".join(done.stderr.split()) or "git stopped" if done.returncode else None
