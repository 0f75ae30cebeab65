"""The examples of the docstrings hold, as doctest runs them: what stands behind `>>>`, and below it what it gives."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType

import pytest
from plain_code import ROOT, files, name_of

from figures.kit.modules import modules

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
ALONE = {"__main__", "grading.child"}  # not for import: each is a program of its own
RESULT = re.compile(r"`[^`\n]+`[ \t]*(?:->|→)|^\s*>>>.*(?:->|→)", re.MULTILINE)  # a result beside its call


class Spaces(doctest.OutputChecker):
    """Takes a no-break space for a space."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(want, got.replace("\u00a0", " "), optionflags)


def build_modules() -> Iterator[ModuleType]:
    """Every module of build/ that can be imported."""
    names = [module.name for module in pkgutil.walk_packages([str(ROOT / "build")]) if module.name not in ALONE]
    return map(importlib.import_module, names)


def examples() -> Iterator[doctest.DocTest]:
    """The examples of each function, class and method of figures/ and build/, those under a decorator included."""
    finder = doctest.DocTestFinder()
    for module in (*modules(), *build_modules()):
        for name, thing in vars(module).items():
            if (inspect.isroutine(thing) or inspect.isclass(thing)) and thing.__module__ == module.__name__:
                yield from finder.find(inspect.unwrap(thing), f"{module.__name__}.{name}", module=False, globs=vars(module))


EXAMPLES = [example for example in examples() if example.examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name.removeprefix("figures."))
def test_the_example_holds(example: doctest.DocTest) -> None:
    differences: list[str] = []
    doctest.DocTestRunner(Spaces(), optionflags=OPTIONS).run(example, out=differences.append)
    assert not differences, "".join(differences)


def test_there_are_many() -> None:
    assert len(EXAMPLES) > 70 and any(example.name.startswith("page.") for example in EXAMPLES)


def test_no_docstring_states_a_result_in_another_form() -> None:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    trees = {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in files("figures/**/*.py", "build/**/*.py")}
    texts = [(name, ast.get_docstring(node)) for name, tree in trees.items() for node in ast.walk(tree) if isinstance(node, documented)]
    assert [(name, text) for name, text in texts if text and RESULT.search(text)] == []
