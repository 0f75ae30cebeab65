"""Calls what a student wrote, and never raises: what came back, or where and why it stopped.

Needs numpy alone and imports nothing of this project, so that a process which must not know any answer can use it too.
"""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import os
import textwrap
import traceback
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Stopped:
    """A student's code that gave nothing: the error's type and message, and the line of that code where it stopped.

    A gap that is still open has no error; its line is that of the gap.
    """

    error: str
    message: str
    line: int
    source: str


class NotMade:
    """Stands for a name that no cell has made yet, or couldn't make, and then says why; stops nothing that uses it."""

    def __init__(self, name: str, why: str = "") -> None:
        self.name, self.why = name, why

    def __repr__(self) -> str:
        return f"<{self.name}: …>"


def called(function: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any] | None = None) -> Any:
    """What a function gives for copies of these arguments, as `plain` makes it; a Stopped where it stops or is unfinished.

    >>> called(len, [[1, 2]])
    2
    """
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            places, by_name = shared_out(function, copy.deepcopy(tuple(args)))
            return plain(function(*places, **by_name, **copy.deepcopy(dict(named or {}))))
    except (Exception, SystemExit) as error:
        gap = next(gaps(function), None)
        return gap or stopped(error, function)


def shared_out(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments by position, and the last ones by name where a function takes them in no other way.

    >>> shared_out(lambda Q, *, mask: Q, (1, 2))
    ((1,), {'mask': 2})
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # one that isn't written in Python
        return args, {}
    names = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    places = sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters)
    if any(one.kind is one.VAR_POSITIONAL for one in parameters) or not 0 < len(args) - places <= len(names):
        return args, {}
    return args[:places], dict(zip(names, args[places:]))


ONE_BY_ONE: tuple[type[Iterable[Any]], ...] = (types.GeneratorType, map, filter, zip, reversed, type({}.keys()), type({}.values()))
MOST = 100_000  # items of what gives them one by one, and may never end


def plain(value: Any) -> Any:
    """Tensors as arrays, inside lists and tuples too, and what gives its items one by one as a list; all else as it is."""
    if isinstance(value, ONE_BY_ONE):
        value = list(itertools.islice(value, MOST))
    if type(value) in (list, tuple):
        return type(value)(plain(item) for item in value)
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "detach"):
        return value.detach().cpu().resolve_conj().resolve_neg().numpy()
    return value


def stopped(error: BaseException, function: Any = None) -> Stopped:
    """The error, and the innermost line of the student's own file, where one is known."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    own = file_of(function)
    mine = [frame for frame in frames if frame.filename == own] or [frame for frame in frames if is_students(frame.filename)]
    at = mine[-1] if mine else None
    try:
        message = " ".join(str(error).split())
    except Exception:
        message = ""
    return Stopped(type(error).__name__, message, (at.lineno or 0) if at else 0, (at.line or "") if at else "")


def file_of(function: Any) -> str | None:
    """The file, or the cell, in which a function was written."""
    code = getattr(inspect.unwrap(function) if callable(function) else function, "__code__", None)
    return code.co_filename if code else None


def is_students(file: str) -> bool:
    """Whether code of this file may be a student's: a cell's, and no installed library's."""
    return "ipykernel" in file or file.startswith("<") or not os.path.isfile(file)


def gaps(function: Any) -> Iterator[Stopped]:
    """The lines of a function's own code that still say `name = ...` or `return ...`; an index `x[..., 0]` is none."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except Exception:  # no source, or one that isn't a whole statement, such as a lambda's
        return
    open_lines = {n.lineno for n in ast.walk(tree) if isinstance(n, (ast.Assign, ast.AnnAssign, ast.Return)) and is_gap(n.value)}
    for line in sorted(open_lines):
        yield Stopped("", "", line + max(first, 1) - 1, lines[line - 1].strip())


def is_gap(value: ast.expr | None) -> bool:
    items = value.elts if isinstance(value, ast.Tuple) else [value]
    return any(isinstance(item, ast.Constant) and item.value is ... for item in items)


def is_blank(answer: Any) -> bool:
    """Whether a gap is still in the answer; None is none, since somebody may have forgotten a `return`.

    >>> is_blank([1, ...])
    True
    """
    if answer is ... or answer is NotImplemented or isinstance(answer, NotMade):
        return True
    if isinstance(answer, Stopped):
        return not answer.error
    if type(answer) in (list, tuple):
        return any(is_blank(item) for item in answer)
    return isinstance(answer, np.ndarray) and answer.dtype == object and any(item is ... for item in answer.flat)
