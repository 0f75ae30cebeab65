"""Gaps that a student has left: a blank goes in, a blank or a sentence that says so comes out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from figures.kit.checkpoints import has_gap, is_blank
from figures.kit.show import Markdown
from figures.kit.words import Words

_words = Words("laboratorio")
F = TypeVar("F", bound=Callable[..., Any])


def passing_blanks(function: F) -> F:
    """A function that gives a blank for a blank, so that a gap stops nothing below it."""

    @functools.wraps(function)
    def passed(*args: Any, **kwargs: Any) -> Any:
        return ... if any(is_blank(arg) for arg in (*args, *kwargs.values())) else function(*args, **kwargs)

    return passed  # type: ignore[return-value]


def gently(function: F) -> F:
    """A display that says what is missing where a student's work can't be shown yet, instead of stopping."""

    @functools.wraps(function)
    def shown(*args: Any) -> Any:
        if any(is_blank(arg) for arg in args):
            return Markdown(_words("blank"))
        try:
            made = function(*args)
        except Exception as error:
            if any(has_gap(arg) for arg in args):
                return Markdown(_words("blank"))
            return Markdown(_words("raised", error=type(error).__name__, message=" ".join(str(error).split())))
        return Markdown(_words("blank")) if is_blank(made) else made

    return shown  # type: ignore[return-value]
