"""The examples of the docstrings hold, as doctest runs them: what stands behind `>>>`, and below it what it gives."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest

from figures.kit.modules import modules

# A no-break space counts as a space.
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples() -> Iterator[doctest.DocTest]:
    """The examples of each function and class of figures/, those under a decorator included."""
    finder = doctest.DocTestFinder(recurse=False)
    for module in modules():
        for name, thing in vars(module).items():
            if (inspect.isroutine(thing) or inspect.isclass(thing)) and thing.__module__ == module.__name__:
                yield from finder.find(inspect.unwrap(thing), f"{module.__name__}.{name}", module=False, globs=vars(module))


EXAMPLES = [example for example in examples() if example.examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name.removeprefix("figures."))
def test_the_example_holds(example: doctest.DocTest) -> None:
    differences: list[str] = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(example, out=differences.append)
    assert not differences, "".join(differences)


def test_there_are_many() -> None:
    assert len(EXAMPLES) > 100
