"""The states of simulators between builds: looked up where nothing that they come from has changed, computed otherwise.

A file of `.cache/states` has those of one simulator in one language, with the key of the code that it reaches, the versions of the
packages, and the data that it read. Only reads; `build` computes what `pending` names and writes it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from figures.kit import dependencies, files, language, modules, readings
from figures.kit.dependencies import digest
from figures.kit.errors import DataError, Problem
from figures.kit.files import read_text
from figures.kit.precomputed.kept import Kept
from figures.kit.precomputed.page import Precomputed
from figures.kit.slow import Job

LOOKS = "theme.yml"  # read once as the code is loaded, and so by every picture


class Stored(msgspec.Struct, frozen=True):
    """A simulator's states as a file has them, in order, with what they were made from."""

    key: str
    reads: tuple[str, ...]  # as `readings.noted` tells them
    data: str  # the digest of what stood in those files
    states: tuple[tuple[str, str, str, str], ...]


registry: dict[Callable[..., Any], Callable[[], Precomputed]] = {}
refused: dict[Callable[..., Any], Problem] = {}  # why the states of a simulator could not be made, until a cell asks for it


def states(function: Callable[..., Any]) -> tuple[Kept, ...]:
    """The states kept of a function in the language in hand, what they had read noted again; none where they may be others now."""
    found = _found(function)
    if found is None:
        return ()
    readings.note(*found.reads)
    return tuple(Kept(*parts) for parts in found.states)


def pending(code: str) -> Iterator[Job]:
    """The simulators that a document's code calls, in the language in hand, and whose states are not kept."""
    refused.clear()
    for function, made in registry.items():
        if f"{function.__name__}(" in code and dependencies.file_of(function.__module__, files.ROOT) and _found(function) is None:
            yield Job(_name(function), "the states of a simulator", path(function), functools.partial(_compute, function, made))


def path(function: Callable[..., Any]) -> Path:
    """Where a simulator's states belong: `.cache/states/TOPIC.NAME-LANGUAGE.json` in the checkout, which the next ones replace."""
    return files.ROOT / ".cache" / "states" / f"{_name(function)}-{language.spoken()}.json"


def _name(function: Callable[..., Any]) -> str:
    return f"{modules.topic(function)}.{function.__name__}"


def _found(function: Callable[..., Any]) -> Stored | None:
    try:
        found = msgspec.json.decode(path(function).read_bytes(), type=Stored)
        return found if found.key == _key(function) and found.data == _data(found.reads) else None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, DataError):
        return None


def _compute(function: Callable[..., Any], made: Callable[[], Precomputed]) -> bytes:
    try:
        simulator = made()
    except Problem as problem:
        refused[function] = problem
        raise
    states = tuple((str(kept.words), kept.svg, kept.table, str(kept.sentence)) for _, kept in simulator.states)
    reads = simulator.origin.reads
    return msgspec.json.encode(Stored(_key(function), reads, _data(reads), states))


def _key(function: Callable[..., Any]) -> str:
    """The digest of all that states depend on but the records that they read: code, packages, and whatever else lies in data/."""
    parts = dependencies.made_with([function.__module__], files.ROOT)
    parts += [f"{package} {version}" for package, version in dependencies.required(files.ROOT).items()]
    for file in sorted(file for file in files.folder().rglob("*") if file.is_file()):
        parts.append(f"{file.relative_to(files.folder())} {'' if file.suffix == '.yml' else digest(file.read_bytes())}")
    return digest("\n".join(parts).encode())


def _data(reads: Iterable[str]) -> str:
    """The digest of the files that were read, and of the one that every picture's colours come from."""
    names = sorted({LOOKS, *(name.partition("#")[0].partition(":")[0] for name in reads)})
    return digest("\n".join(f"{name} {digest(read_text(files.folder() / name).encode())}" for name in names).encode())
