"""What is read on the way to a result: data files, their fields, the records picked from them, the seeds of random draws.

What a result takes from elsewhere, from the text of a slide or from what the page has shown already, it asks for by a
`question`: the build keeps a result between renders while each question is answered as before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from figures.kit.errors import Problem

P = ParamSpec("P")
R = TypeVar("R")

MOST = 12  # files that a message names

_listeners: ContextVar[tuple[set[str], ...]] = ContextVar("listeners", default=())
_askers: ContextVar[tuple[set[str], ...]] = ContextVar("askers", default=())
_answering: ContextVar[bool] = ContextVar("answering", default=False)


def listening() -> bool:
    """Whether anybody wants to know what is read."""
    return bool(_listeners.get())


@contextmanager
def noted() -> Iterator[set[str]]:
    """What is read inside the block, cached or not: files ("a.yml"), their fields ("a.yml:first"),
    records picked by name ("models.yml#large"), seeds ("a.yml#seed=4").
    """
    seen: set[str] = set()
    token = _listeners.set((*_listeners.get(), seen))
    try:
        yield seen
    except Exception as error:
        if seen and not isinstance(error, Problem) and not hasattr(error, "__notes__"):
            error.add_note(f"It had read {in_words(seen)}. Was one of these just changed?")
        raise
    finally:
        _listeners.reset(token)


def in_words(seen: Iterable[str]) -> str:
    """Readings in words, as in "data/a.yml: first, last; data/b.yml"."""
    files: dict[str, list[str]] = {}
    for name in sorted(seen):
        file, _, field = name.partition(":")
        files.setdefault(file.partition("#")[0], []).extend([field] if field else [])
    files_read = [f"data/{file}" + (f": {', '.join(fields)}" if fields else "") for file, fields in files.items()]
    return "; ".join(files_read[:MOST]) + (f"; and {len(files_read) - MOST} more" if len(files_read) > MOST else "")


def note(*files: str) -> None:
    """Note for whoever listens that these data files, or records of theirs, were read."""
    for listener in _listeners.get():
        listener.update(files)


def seed(file: str, value: int) -> int:
    """`value`, noted as the seed of `data/FILE` that a random draw starts from."""
    note(f"{file}#seed={value}")
    return value


def question(function: Callable[P, R]) -> Callable[P, R]:
    """A function of texts and whole numbers whose answer, a JSON value, is all that those who call it depend on, whatever it asks."""
    name = f"{function.__module__} {function.__qualname__} "

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        _ask(name + json.dumps(args, ensure_ascii=False))
        token, inside = _askers.set(()), _answering.set(True)
        try:
            return function(*args, **kwargs)
        finally:
            _askers.reset(token)
            _answering.reset(inside)

    return asked


def asking() -> bool:
    """Whether anybody wants to know what is asked."""
    return bool(_askers.get())


def answering() -> bool:
    """Whether a question is being answered, which vouches for all that is read for it."""
    return _answering.get()


def _ask(*questions: str) -> None:
    for asker in _askers.get():
        asker.update(questions)


@contextmanager
def questions() -> Iterator[set[str]]:
    """The questions that are asked inside the block, cached or not, each with its function and arguments."""
    seen: set[str] = set()
    token = _askers.set((*_askers.get(), seen))
    try:
        yield seen
    finally:
        _askers.reset(token)


def answer(asked: str) -> Any:
    """What a question is answered now."""
    module, name, arguments = asked.split(" ", 2)
    return getattr(import_module(module), name)(*json.loads(arguments))


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """`functools.cache` that notes the readings again: a second call has read and asked the same as the first."""

    @cache
    def called(*args: P.args, **kwargs: P.kwargs) -> tuple[R, frozenset[str], frozenset[str]]:
        with noted() as seen, questions() as asked:
            result = function(*args, **kwargs)
        return result, frozenset(seen), frozenset(asked)

    @wraps(function)
    def again(*args: P.args, **kwargs: P.kwargs) -> R:
        result, files, asked = called(*args, **kwargs)  # type: ignore[arg-type]  # as functools.cache wants them
        note(*files)
        _ask(*asked)
        return result

    again.cache_clear = called.cache_clear  # type: ignore[attr-defined]
    return again
