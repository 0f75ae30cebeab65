"""Results that take seconds: looked up where `build` has stored them, computed on the spot otherwise.

A result's key covers the source of every project module that its function can reach, the data files it declares,
the versions of the packages those modules import, the processor, and the arguments: change one and the old result
is not found. Only reads; `build` computes what `pending` names and writes it.
"""

from __future__ import annotations

import functools
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_type_hints

import msgspec

from figures.kit import dependencies, files, readings
from figures.kit.dependencies import digest
from figures.kit.files import read_text

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Job:
    """One call of a slow function: what to say while it runs, where its result belongs, how to make it."""

    name: str
    title: str
    path: Path
    compute: Callable[[], bytes]


@dataclass(frozen=True)
class _Slow:
    function: Callable[..., Any]
    title: str
    files: tuple[str, ...]
    calls: Callable[[], list[tuple[Any, ...]]]


registry: dict[str, _Slow] = {}


def slow(
    title: str,
    files: tuple[str, ...] = (),
    calls: Callable[[], list[tuple[Any, ...]]] = lambda: [()],
    seeds: Callable[[], dict[str, int]] = dict,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function whose result is stored between builds.

    `title` is said while it runs; `files` names every data file that it reads, as "smollm2.yml"; `calls` lists the
    arguments that a build needs; `seeds` tells the seeds that it draws from, by data file. The result must be of the
    annotated type, and one that msgspec can write as JSON.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        registry[name] = _Slow(function, title, files, calls)

        @functools.wraps(function)
        @readings.remembered
        def looked_up(*args: Any) -> Any:
            readings.note(*files)
            for file, value in seeds().items():
                readings.seed(file, value)
            stored = _stored(name, args)
            return function(*args) if stored is None else stored[0]  # type: ignore[call-arg]

        return looked_up  # type: ignore[return-value]

    return decorate


def pending() -> Iterator[Job]:
    """The calls that a build needs and whose results are not stored yet, or no longer whole."""
    for name, entry in sorted(registry.items()):
        for args in entry.calls():
            if _stored(name, args) is None:
                yield Job(name, entry.title, path(name, args), functools.partial(_compute, name, args))


def _stored(name: str, args: tuple[Any, ...]) -> tuple[Any] | None:
    """The result kept of a call; None where there is none, or one that was cut short or damaged."""
    try:
        return (msgspec.json.decode(path(name, args).read_bytes(), type=get_type_hints(registry[name].function)["return"]),)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def path(name: str, args: tuple[Any, ...] = ()) -> Path:
    """Where the result of this call belongs: `.cache/slow/NAME-KEY.json` in the checkout."""
    return folder() / f"{name}-{key(name, args)}.json"


def folder() -> Path:
    return files.ROOT / ".cache" / "slow"


def key(name: str, args: tuple[Any, ...] = ()) -> str:
    """The digest of all that the result depends on."""
    entry = registry[name]
    parts = dependencies.made_with([entry.function.__module__], files.ROOT)
    parts += [f"{file} {digest(read_text(files.folder() / file).encode())}" for file in sorted(entry.files)]
    parts += [processor(), f"{os.cpu_count()}", repr(args)]
    return digest("\n".join(parts).encode())


@functools.cache
def processor() -> str:
    """The processor's own name, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _compute(name: str, args: tuple[Any, ...]) -> bytes:
    entry = registry[name]
    with readings.noted() as read:
        result = entry.function(*args)
    undeclared = sorted({name for name in read if not set("#:") & set(name)} - set(entry.files))
    if undeclared:
        raise RuntimeError(f"{name} reads {', '.join(undeclared)} but does not declare it: add it to files=(…) of its @slow")
    return msgspec.json.encode(result)
