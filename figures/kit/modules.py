"""The modules of figures/, and the names by which slides call their functions."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import figures


def modules() -> Iterator[ModuleType]:
    """Every module below figures/, imported, packages before what they hold."""
    for module in pkgutil.walk_packages(figures.__path__, "figures."):
        yield importlib.import_module(module.name)


def topic(function: Callable[..., Any]) -> str:
    """What stands before the dot where a slide calls `function`.

    That is the package which hands the function on where a topic has several modules, else the function's own module.
    """
    module = function.__module__
    package, _, own = module.rpartition(".")
    handed_on: Any = getattr(sys.modules.get(package), function.__name__, None)
    if inspect.unwrap(handed_on) is inspect.unwrap(function):
        return package.rpartition(".")[2]
    return own
