"""Puts a file in place whole or not at all: written aside, forced to disk, renamed. A killed build leaves the old one."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from figures.kit.errors import Problem

ASIDE = re.compile(r"^\.(?P<name>.+)\.(?P<pid>\d+)\.part$")


def write(path: Path, content: str | bytes) -> None:
    """Replace `path` by this content in one step."""
    write_together({path: content})


def write_together(contents: Mapping[Path, str | bytes]) -> None:
    """Replace several files that belong together: all are on the disk before the first is put in place."""
    asides = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in contents}
    path = next(iter(contents))
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            clean(path)
            with asides[path].open("wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
        for path, aside in asides.items():
            os.replace(aside, path)
    except OSError as error:
        raise Problem(path, f"it can't be written: {error.strerror}", f"{_remedy(error, path)}; the last good one is untouched.") from error
    finally:
        for aside in asides.values():
            with suppress(OSError):
                aside.unlink()


def _remedy(error: OSError, path: Path) -> str:
    """What to do about it, by what the system says."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "Free the disk"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"Take the right to write in {path.parent}, or close what holds the file"
    return f"See that {path.parent} is a folder that can be written, and close what holds the file"


def clean(path: Path) -> None:
    """Remove what killed builds left beside `path`; a build that is still running keeps its own."""
    if not path.parent.is_dir():
        return
    for file in path.parent.iterdir():
        match = ASIDE.match(file.name)
        if match and match["name"] == path.name and not _alive(int(match["pid"])):
            file.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    if os.name == "nt":  # there os.kill would end the process
        return pid == os.getpid()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
