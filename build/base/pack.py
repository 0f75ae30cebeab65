"""Many small results in one file of `.cache/kept`, for what is asked for hundreds of times in one render.

    with pack.opened("atencao revealjs", environment):
        html = pack.once("speech", [piece], lambda: spoken(piece))

A result stands under a digest of its name and of what it is made from. All else that could change it, code and packages among
it, is the `environment` of the whole pack: where that is another, the pack starts empty. Outside the block everything is made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

import msgspec

from base import kept
from figures.kit.errors import Problem

AGE = 4  # renders that made something new, for which a result stays unused: what is taken back is found again


class _Content(msgspec.Struct):
    """What the file holds: each result beside the number of renders that did without it."""

    environment: str
    results: dict[str, tuple[int, bytes]]


class Pack:
    """The results of one document, read once, written back where there is something new."""

    def __init__(self, file: Path, environment: str) -> None:
        self.file, self.environment = file, environment
        self.before = self._read()
        self.used: dict[str, bytes] = {}
        self.new = False

    def _read(self) -> dict[str, tuple[int, bytes]]:
        sealed = kept.read(self.file)
        if sealed is None:
            return {}
        content = msgspec.msgpack.decode(sealed, type=_Content)
        return content.results if content.environment == self.environment else {}

    def find(self, key: str) -> bytes | None:
        """What stands under a key, which counts as used; None where nothing does."""
        if key not in self.used and key in self.before:
            self.used[key] = self.before[key][1]
        return self.used.get(key)

    def once(self, made_from: Iterable[str], make: Callable[[], str]) -> str:
        """What `make()` gives, or gave before, for a text made from these alone."""
        key = digest(made_from)
        found = self.find(key)
        if found is None:
            found = make().encode()
            self.put(key, found)
        return found.decode()

    def put(self, key: str, result: bytes) -> None:
        """Let this result stand under the key, in place of what did."""
        self.new |= self.find(key) != result
        self.used[key] = result

    def save(self) -> None:
        """Write the pack, without what went unused for long; a disk that takes nothing more costs only the time."""
        if not self.new:
            return
        older = {key: (age + 1, result) for key, (age, result) in self.before.items() if key not in self.used and age < AGE}
        results = older | {key: (0, result) for key, result in self.used.items()}
        with suppress(Problem):
            kept.write(self.file, msgspec.msgpack.encode(_Content(self.environment, results)))


_open: ContextVar[Pack | None] = ContextVar("pack", default=None)


@contextmanager
def opened(name: str, environment: str) -> Iterator[Pack]:
    """Inside the block results are looked up in the pack of this name; at its end, an error's too, the new ones are kept."""
    pack = Pack(kept.folder() / f"pack-{digest([name])[:16]}", environment)
    token = _open.set(pack)
    try:
        yield pack
    finally:
        _open.reset(token)
        pack.save()


def once(name: str, made_from: Iterable[str], make: Callable[[], str]) -> str:
    """What `make()` gives, or gave before in the pack that is open, for a text made from these alone."""
    pack = _open.get()
    return make() if pack is None else pack.once([name, *made_from], make)


def digest(texts: Iterable[str]) -> str:
    """One digest of several texts, which tells ("ab", "c") from ("a", "bc")."""
    return hashlib.sha256(b"".join(hashlib.sha256(text.encode()).digest() for text in texts)).hexdigest()
