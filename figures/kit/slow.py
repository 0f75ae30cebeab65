"""Results that take seconds: looked up where `build` has stored them, computed on the spot otherwise.

A result's key covers the source of every project module that its function can reach, the data files it declares,
the versions of the packages those modules import, the processor, and the arguments: change one and the old result
is not found. Only reads; `build` computes what `pending` names and writes it.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_type_hints

import msgspec

from figures.kit import files, readings
from figures.kit.files import PACKAGE, ROOT, read_text

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


_registry: dict[str, _Slow] = {}


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
        _registry[name] = _Slow(function, title, files, calls)

        @functools.wraps(function)
        @readings.remembered
        def looked_up(*args: Any) -> Any:
            readings.note(*files)
            for file, value in seeds().items():
                readings.seed(file, value)
            found = _stored(name, args)
            return function(*args) if found is None else found[0]  # type: ignore[call-arg]

        return looked_up  # type: ignore[return-value]

    return decorate


def pending() -> Iterator[Job]:
    """The calls that a build needs and whose results are not stored yet, or no longer whole."""
    for name, entry in sorted(_registry.items()):
        for args in entry.calls():
            if _stored(name, args) is None:
                yield Job(name, entry.title, path(name, args), functools.partial(_compute, name, args))


def _stored(name: str, args: tuple[Any, ...]) -> tuple[Any] | None:
    """The result kept of a call; None where there is none, or one that was cut short or damaged."""
    try:
        return (msgspec.json.decode(path(name, args).read_bytes(), type=get_type_hints(_registry[name].function)["return"]),)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def path(name: str, args: tuple[Any, ...] = ()) -> Path:
    """Where the result of this call belongs: `.cache/slow/NAME-KEY.json` in the checkout."""
    return folder() / f"{name}-{key(name, args)}.json"


def folder() -> Path:
    return ROOT / ".cache" / "slow"


def key(name: str, args: tuple[Any, ...] = ()) -> str:
    """The digest of all that the result depends on."""
    entry = _registry[name]
    modules = reached(entry.function.__module__)
    parts = [f"{module} {_digest(_source(module))}" for module in modules]
    parts += [f"{file} {_digest(read_text(files.folder() / file).encode())}" for file in sorted(entry.files)]
    parts += [f"{package} {_version(package)}" for package in _packages(modules)]
    parts += [platform.python_version(), platform.system(), processor(), repr(args)]
    return _digest("\n".join(parts).encode())[:16]


@functools.cache
def reached(module: str) -> tuple[str, ...]:
    """`module` and every project module that it imports, directly or through another, sorted."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting += [imported for imported in _imports(name) if _is_project(imported)]
    return tuple(sorted(found))


@functools.cache
def processor() -> str:
    """The processor's own name, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return f"{line.partition(':')[2].strip()} × {os.cpu_count()}"
    return f"{platform.processor() or platform.machine()} × {os.cpu_count()}"


def _compute(name: str, args: tuple[Any, ...]) -> bytes:
    entry = _registry[name]
    with readings.noted() as read:
        result = entry.function(*args)
    undeclared = sorted({name for name in read if not set("#:") & set(name)} - set(entry.files))
    if undeclared:
        raise RuntimeError(f"{name} reads {', '.join(undeclared)} but does not declare it: add it to files=(…) of its @slow")
    return msgspec.json.encode(result)


def _is_project(module: str) -> bool:
    return module.partition(".")[0] == "figures" and _file(module) is not None


def _file(module: str) -> Path | None:
    base = PACKAGE.parent / Path(*module.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def _source(module: str) -> bytes:
    file = _file(module)
    assert file is not None, module
    return file.read_bytes()


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    """Every module that `module` imports anywhere in its text, functions included; `from a import b` counts a.b too."""
    names: list[str] = []
    for node in ast.walk(ast.parse(_source(module))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)


def _packages(modules: tuple[str, ...]) -> list[str]:
    tops = {name.partition(".")[0] for module in modules for name in _imports(module)}
    return sorted(top for top in tops if top not in sys.stdlib_module_names and top not in {"figures", "__future__"})


@functools.cache
def _version(package: str) -> str:
    names = importlib.metadata.packages_distributions().get(package, [package])
    try:
        return importlib.metadata.version(names[0])
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
