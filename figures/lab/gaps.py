"""What a student has left open or broken stops nothing: a blank goes in, a blank or a sentence that says so comes out."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from figures.kit.checkpoints import NotMade, Stopped, called, is_blank, told
from figures.kit.show import Markdown
from figures.kit.words import Words

_words = Words("laboratorio")
F = TypeVar("F", bound=Callable[..., Any])


class Unshown(Exception):
    """A display that can't be made of a student's work; its text says why."""


def passing_blanks(function: F) -> F:
    """A function that gives a blank for a blank, so that a gap stops nothing below it."""

    @functools.wraps(function)
    def passed(*args: Any, **kwargs: Any) -> Any:
        return ... if any(is_blank(arg) for arg in (*args, *kwargs.values())) else function(*args, **kwargs)

    return passed  # type: ignore[return-value]


def gently(function: F) -> F:
    """A display that says what is missing where a student's work can't be shown yet, instead of stopping."""

    @functools.wraps(function)
    def shown(*args: Any, **named: Any) -> Any:
        for arg in args:
            if isinstance(arg, NotMade) and arg.why:
                return Markdown(_words("raised", told=arg.why))
            if is_blank(arg):
                return Markdown(_words("blank"))
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return function(*args, **named)
        except Unshown as why:
            return Markdown(*why.args)
        except Exception:  # made of what the student's function gave: the checkpoint says what is wrong with that
            return Markdown(_words("not_shown"))

    return shown  # type: ignore[return-value]


def given(function: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """What a student's function gives, for a display; Unshown where it has a gap, stops, or gives no numbers."""
    value = called(function, args, named)
    if isinstance(value, Stopped) and value.error:
        raise Unshown(_words("raised", told=told(value)))
    if is_blank(value):
        raise Unshown(_words("blank"))
    return value


def array(value: Any, shape: tuple[int, ...] | None = None) -> np.ndarray[Any, Any]:
    """A value as finite numbers of a shape, or Unshown: the checkpoint says more."""
    try:
        found = np.asarray(value)
        numbers = found.astype(np.float64)
    except Exception:
        raise Unshown(_words("not_shown")) from None
    if found.dtype.kind == "c" or not np.isfinite(numbers).all() or (shape is not None and numbers.shape != shape):
        raise Unshown(_words("not_shown"))
    return numbers
