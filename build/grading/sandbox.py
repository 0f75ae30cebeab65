"""Runs a notebook's cells in a process that can harm nobody: limits of the system, a folder of its own, no network, no answers.

Where the system has namespaces (Linux), the process sees neither the network nor the project's files nor other processes;
elsewhere an audit hook refuses the same, and `missing` says so. A step at which the process dies or hangs is left out, and the
notebook is run again.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from figures.kit.checkpoints import NotMade, Stopped, calling
from figures.kit.words import Words

_words = Words("grading")
HERE = Path(__file__).parent
ATTEMPTS = 5
UNSHARE = ("unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child")


class Limits(NamedTuple):
    """What a notebook may use: seconds of a step and of the whole, megabytes of memory and of a file, files that it writes."""

    seconds_a_step: float
    seconds: float
    memory_mb: int
    file_mb: int
    files: int


class Outcome(NamedTuple):
    """The reply to each call, and what went wrong with the process itself."""

    replies: list[Any]
    notes: list[str]


def missing() -> list[str]:
    """The protections that this system doesn't have."""
    lacking = []
    if sys.platform == "win32":
        lacking.append("no limits of memory, time and file size: run it on Linux, or only notebooks that you trust")
    if not namespaces():
        lacking.append("no namespaces (`unshare`): the network and the project's files are closed by Python alone")
    return lacking


@cache
def namespaces() -> bool:
    """Whether this system lets a process have its own network, mounts and processes."""
    if not shutil.which("unshare"):
        return False
    return subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


def run(
    cells: Sequence[str],
    calls: Sequence[Any],
    given: dict[str, tuple[Any, ...]],
    helpers: Path,
    hidden: Sequence[Path],
    limits: Limits,
) -> Outcome:
    """The replies of one notebook's functions to these calls, and notes on what stopped its process."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    job = {
        "cells": list(cells),
        "calls": [
            {
                "section": call.section,
                "name": call.name,
                "args": [_encoded(arg, arrays) for arg in call.probe.args],
                "named": {name: _encoded(arg, arrays) for name, arg in call.probe.named.items()},
                "each": call.each,
            }
            for call in calls
        ],
        "given": {name: _encoded(value, arrays) for name, value in given.items()},
        "torch": any(word in cell for cell in cells for word in ("torch", *(call.name for call in calls if call.each))),
        "hidden": [str(path.resolve()) for path in hidden],
        "limits": limits._asdict(),
        "skipped_cells": [],
        "skipped_calls": [],
    }
    notes: list[str] = []
    for _ in range(ATTEMPTS):
        with tempfile.TemporaryDirectory(prefix="grading-") as name:
            replies, stopped_at, why = _once(Path(name), job, arrays, helpers, hidden, limits)
        if replies is not None:
            return Outcome(replies, notes)
        kind, _, number = stopped_at.partition(" ")
        notes.append(_words(f"at.{kind}", why=why, number=int(number) + 1) if number else why)
        if not number:
            break
        skipped: Any = job[f"skipped_{kind}s"]
        skipped.append(int(number))
    return Outcome([NotMade(call.name) for call in calls], notes)


def _once(
    folder: Path, job: dict[str, Any], arrays: dict[str, Any], helpers: Path, hidden: Sequence[Path], limits: Limits
) -> tuple[list[Any] | None, str, str]:
    """One run: the replies, or where it stopped and why."""
    (folder / "scratch").mkdir()
    for source, target in ((HERE / "child.py", "child.py"), (Path(calling.__file__), "calling.py"), (helpers, "stand_in.py")):
        shutil.copyfile(source, folder / target)
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    np.savez(folder / "arrays.npz", **arrays)
    command = [sys.executable, "-I", "-B", "-X", "utf8", str(folder / "child.py"), str(folder)]
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder / "scratch"), "TMPDIR": str(folder / "scratch")}
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "LANG": "C.UTF-8"}
    if os.name == "nt":
        environment |= {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    process = subprocess.Popen(
        _apart(command, folder, hidden),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        code = process.wait(limits.seconds)
        why = _words("ended", code=code)
    except subprocess.TimeoutExpired:
        why = _words("too_long", seconds=f"{limits.seconds:g}")
    finally:
        _end(process)
    try:
        replies = _replies(folder, limits)
        if len(replies) == len(job["calls"]):
            return replies, "", ""
    except Exception:  # there are none, or the notebook has put anything in their place
        pass
    progress = folder / "progress"
    at = progress.read_text(encoding="utf-8", errors="replace").strip() if progress.is_file() else ""
    if at == "done":
        return None, "", _words("garbled")
    return None, at if re.fullmatch(r"(cell|call) \d+", at) else "", why


def _apart(command: list[str], folder: Path, hidden: Sequence[Path]) -> list[str]:
    """The command in namespaces of its own, with nothing in the hidden folders and little room to write, where the system can."""
    if not namespaces():
        return command
    empty = [f"mount -t tmpfs -o size=64k none {shlex.quote(str(path.resolve()))}" for path in hidden if path.is_dir()]
    room = f"mount -t tmpfs -o size=200m none {shlex.quote(str(folder / 'scratch'))}"
    return [*UNSHARE, "sh", "-c", " && ".join([*empty, room, f"exec {shlex.join(command)}"])]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and all that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


# What goes in and out


def _encoded(value: Any, arrays: dict[str, Any]) -> Any:
    if isinstance(value, np.ndarray):
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    if isinstance(value, tuple):
        return {"tuple": [_encoded(item, arrays) for item in value]}
    return value.item() if isinstance(value, np.generic) else value


def _replies(folder: Path, limits: Limits) -> list[Any]:
    with zipfile.ZipFile(folder / "replies.npz") as packed:
        if sum(file.file_size for file in packed.infolist()) > limits.file_mb * 2**20:
            raise ValueError("more than it may write")
    with np.load(folder / "replies.npz", allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    return [_decoded(reply, arrays) for reply in json.loads((folder / "replies.json").read_text(encoding="utf-8"))]


def _decoded(reply: Any, arrays: dict[str, Any]) -> Any:
    """A reply as it was; of what is no number an object of a type of the same name."""
    if "array" in reply:
        return arrays[reply["array"]]
    if "items" in reply:
        items = [_decoded(item, arrays) for item in reply["items"]]
        return tuple(items) if reply["tuple"] else items
    if "stopped" in reply:
        error, message, line, source = reply["stopped"]
        return Stopped(error, message, int(line), source)
    if "blank" in reply:
        return NotMade(reply["blank"]) if reply["blank"] else ...
    if "none" in reply:
        return None
    return "" if reply["kind"] in ("str", "bytes") else type(str(reply["kind"]), (), {})()
