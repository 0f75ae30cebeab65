"""Decorators that let a slide call a function of raw values, and stamp what it returns with its origin."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import ParamSpec, TypeVar

from figures.kit import formats
from figures.kit.formats import Format
from figures.kit.origin import Known, traced
from figures.kit.show.pictures import Picture
from figures.kit.show.tables import Table
from figures.kit.show.values import Listing, Markdown, Shown

P = ParamSpec("P")
V = TypeVar("V")
S = TypeVar("S", Table, Listing, Markdown, Picture)  # what an origin is stamped on


def number(format: Format) -> Callable[[Callable[P, V]], Callable[P, Shown[V]]]:
    """Lets a slide call a function of a raw value, and shows its result in `format`.

    A maker that returns `ledger.fact(…)` or `ledger.measured(…)` shows the value and keeps the note beside it.
    """

    def decorate(maker: Callable[P, V]) -> Callable[P, Shown[V]]:
        @functools.wraps(maker)
        def shown(*args: P.args, **kwargs: P.kwargs) -> Shown[V]:
            value, origin = traced(maker, args, kwargs)
            if isinstance(value, Known):
                value, origin = value.value, replace(origin, kind=value.kind, note=value.note)
            return Shown(value, format, origin)

        return shown

    return decorate


def word(maker: Callable[P, str | Known]) -> Callable[P, Shown[str]]:
    """Lets a slide call a function that chooses a word or phrase by numbers, which is shown as it is."""
    return number(formats.text())(maker)  # type: ignore[arg-type]  # a Known is shown by its value


def table(maker: Callable[P, Table]) -> Callable[P, Table]:
    """Lets a slide call a function that returns a Table."""
    return _stamped(maker)


def listing(maker: Callable[P, Listing]) -> Callable[P, Listing]:
    """Lets a slide call a function that returns a Listing."""
    return _stamped(maker)


def block(maker: Callable[P, Markdown]) -> Callable[P, Markdown]:
    """Lets a slide call a function that returns Markdown, such as a list."""
    return _stamped(maker)


def figure(maker: Callable[P, Picture | Known]) -> Callable[P, Picture]:
    """Lets a slide call a function that returns a Picture; of what was measured it returns `ledger.measured(…)` of one."""
    return _stamped(maker)  # type: ignore[arg-type]  # a Known is shown by its value


def _stamped(maker: Callable[P, S]) -> Callable[P, S]:
    """The same function, whose result remembers where it comes from."""

    @functools.wraps(maker)
    def made(*args: P.args, **kwargs: P.kwargs) -> S:
        content, origin = traced(maker, args, kwargs)
        if isinstance(content, Known):
            content, origin = content.value, replace(origin, kind=content.kind, note=content.note)
        return replace(content, origin=origin)

    return made
