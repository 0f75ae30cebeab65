"""Runs one student's notebook in a process of its own and tries its functions on arguments; knows no answer.

Started as a file, with the folder of its job: `job.json` and `arrays.npz` come in, `replies.json` and `replies.npz` go out.
`calling.py` and `stand_in.py` stand beside it, since nothing of the project can be imported here. What no student's code may do
is refused by an audit hook, which nothing can take away again; the limits of time and memory are the system's.
"""

from __future__ import annotations

import json
import linecache
import os
import re
import signal
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import calling  # type: ignore[import-not-found]  # noqa: E402
import stand_in  # type: ignore[import-not-found]  # noqa: E402

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
FORBIDDEN = re.compile(
    r"subprocess\.|os\.(?:system|exec|spawn|posix_spawn|fork|forkpty|kill|killpg|startfile)$|pty\.|socket\.(?:connect|bind|getaddrinfo|sendto|sendmsg)"
    r"|ctypes\.dlopen|webbrowser\.|ftplib\.|smtplib\.|urllib\."
)
CHANGES = re.compile(r"os\.(?:remove|rename|rmdir|mkdir|link|symlink|truncate|chmod|chown|utime)$|shutil\.")
LARGEST, ALL = 20_000, 2_000_000  # numbers of one array of a reply, and of all replies together


def main(folder: Path) -> None:
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    with np.load(folder / "arrays.npz", allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    limit(job["limits"])
    names = prepared(job, arrays)
    progress = os.open(folder / "progress", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    (folder / "scratch").mkdir(exist_ok=True)
    os.chdir(folder / "scratch")
    replies: list[Any] = []
    made: dict[str, np.ndarray[Any, Any]] = {}
    write_json, savez = (folder / "replies.json").open("w", encoding="utf-8"), (folder / "replies.npz").open("wb")
    guard(job["hidden"], job["limits"]["files"])
    signal.signal(signal.SIGALRM, late)
    for number, cell in enumerate(job["cells"]):
        note(progress, f"cell {number}")
        if number not in job["skipped_cells"]:
            run(cell, f"<cell {number + 1}>", names, job["limits"]["seconds_a_step"])
    for number, call in enumerate(job["calls"]):
        note(progress, f"call {number}")
        if number in job["skipped_calls"]:
            replies.append(encoded(calling.Stopped("TimeoutError", "", 0, ""), made))
            continue
        replies.append(answered(call, names, arrays, made, job["limits"]["seconds_a_step"]))
    note(progress, "done")
    json.dump(replies, write_json)
    np.savez(savez, **made)  # type: ignore[arg-type]
    write_json.close()
    savez.close()


# The student's code


def prepared(job: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
    """The names that the first cell would have left, and a module by which they can be imported again."""
    if job["torch"]:
        import torch  # noqa: F401  # before the hook: its libraries are loaded now
    names = stand_in.names({name: decoded(value, arrays) for name, value in job["given"].items()})
    package, lab, student = (types.ModuleType(name) for name in ("figures", "figures.lab", "figures.lab.student"))
    student.__dict__.update(names)
    sys.modules.update({"figures": package, "figures.lab": lab, "figures.lab.student": student})
    sys.path[:] = [path for path in sys.path if path not in ("", str(HERE))]
    return {"__name__": "__main__", "np": np, **names}


def run(cell: str, name: str, names: dict[str, Any], seconds: float) -> None:
    """A cell, with its magics left out; what it raises stops nothing."""
    text = re.sub(r"^(\s*)[%!].*$", r"\1pass", cell, flags=re.MULTILINE)
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        exec(compile(text, name, "exec"), names)
    except BaseException:  # a student may raise anything, and leave
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def answered(call: dict[str, Any], names: dict[str, Any], arrays: dict[str, Any], made: dict[str, Any], seconds: float) -> Any:
    """What the student's function gives for one set of arguments, or why it gave nothing, as JSON; its numbers go to `made`."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return encoded(given_by(names.get(call["name"]), call, arrays), made)
    except BaseException as error:
        return encoded(calling.Stopped(type(error).__name__, "", 0, ""), made)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def given_by(function: Any, call: dict[str, Any], arrays: dict[str, Any]) -> Any:
    if not callable(function):
        return calling.NotMade(call["name"]) if function is None or function is ... else calling.plain(function)
    args, named = [decoded(arg, arrays) for arg in call["args"]], {key: decoded(arg, arrays) for key, arg in call["named"].items()}
    stand_in.section = call["section"]
    if call["each"]:
        return [calling.called(function, [stand_in.tensor(one)]) for one in args[0]]
    return calling.called(function, args, named)


def late(*_: Any) -> None:
    raise TimeoutError


# Limits


def limit(limits: dict[str, Any]) -> None:
    """What the system lets this process use; nothing where the system has no such limits."""
    try:
        import resource
    except ImportError:
        return
    megabyte = 2**20
    for what, most in (
        (resource.RLIMIT_AS, limits["memory_mb"] * megabyte),
        (resource.RLIMIT_FSIZE, limits["file_mb"] * megabyte),
        (resource.RLIMIT_CPU, int(limits["seconds"])),
        (resource.RLIMIT_CORE, 0),
    ):
        with_hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most, most if with_hard == resource.RLIM_INFINITY else min(most, with_hard)))


def guard(hidden: list[str], files: int) -> None:
    """From here on: no other process, no network, no reading of the project, no change outside this folder."""
    scratch, opened = os.path.realpath("."), [0]

    def inside(path: Any, folders: list[str]) -> bool:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return False
        whole = os.path.realpath(os.fsdecode(path))
        return any(whole == folder or whole.startswith(folder + os.sep) for folder in folders)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(args[0], (str, bytes, os.PathLike)):
            writes = bool((args[2] or 0) & WRITES) or any(letter in str(args[1] or "") for letter in "wax+")
            opened[0] += writes
            if (writes and (opened[0] > files or not inside(args[0], [scratch]))) or inside(args[0], hidden):
                raise PermissionError(f"refused: {event}")
        elif event in ("os.listdir", "os.scandir") and inside(args[0] if args else ".", hidden):
            raise PermissionError(f"refused: {event}")
        elif event == "import" and args[0].partition(".")[0] == "figures":
            raise ModuleNotFoundError("No module named 'figures'", name="figures")
        elif FORBIDDEN.match(event) or (CHANGES.match(event) and not all(inside(arg, [scratch]) for arg in args[:1])):
            raise PermissionError(f"refused: {event}")

    sys.addaudithook(hook)


def note(file: int, text: str) -> None:
    os.pwrite(file, f"{text:<40}".encode(), 0)


# What goes in and out


def decoded(value: Any, arrays: dict[str, Any]) -> Any:
    if isinstance(value, dict) and "array" in value:
        return arrays[value["array"]].copy()
    if isinstance(value, dict) and "tuple" in value:
        return tuple(decoded(item, arrays) for item in value["tuple"])
    return value


def encoded(value: Any, made: dict[str, np.ndarray[Any, Any]]) -> Any:
    """A reply as JSON, its numbers aside; of what is no number only its type."""
    if isinstance(value, calling.Stopped):
        return {"stopped": [str(part)[:500] for part in (value.error, value.message, value.line, value.source)]}
    if value is None:
        return {"none": True}
    if value is ... or value is NotImplemented or isinstance(value, calling.NotMade):
        return {"blank": getattr(value, "name", "")}
    if type(value) in (list, tuple) and len(value) <= 400 and any(not isinstance(item, (int, float)) for item in value):
        return {"items": [encoded(item, made) for item in value], "tuple": isinstance(value, tuple)}
    try:
        array = np.asarray(value)
    except TimeoutError:
        raise
    except Exception:
        array = np.array("")
    if array.dtype.kind not in "iufb" or array.size > LARGEST or array.size + sum(one.size for one in made.values()) > ALL:
        return {"kind": type(value).__name__[:50]}
    name = f"r{len(made)}"
    made[name] = array
    return {"array": name}


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
    os._exit(0)  # waits for no thread and for nothing that a notebook has put off until the end
