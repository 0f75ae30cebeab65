"""Nothing stands in the tree that nobody uses: no function, no field, no text, no class or variable of a style sheet."""

from __future__ import annotations

import ast
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import unused_code
import unused_css
import unused_words
from own_data import everything
from plain_code import files

from figures.kit import modules


@pytest.fixture(autouse=True)
def _reads_everything() -> None:
    """A slide that a fork leaves out may well leave a function that nothing calls: that is no fault of the fork's."""
    everything()


def test_every_function_is_used():
    assert unused_code.functions() == []


def test_every_name_is_used(tmp_path):
    assert unused_code.by_name(tmp_path) == []


def test_every_text_of_data_words_is_asked_for():
    assert unused_words.unused() == []


def test_every_variable_of_a_style_sheet_is_read():
    assert unused_css.unused_variables() == []


@pytest.mark.pages
def test_every_class_of_a_style_sheet_stands_on_a_page(deck_file, chapter_file, lab_file):
    assert unused_css.unused_classes([deck_file, chapter_file, lab_file]) == []


def test_no_folder_of_tests_is_passed_over(pytestconfig):
    """Pytest leaves folders called `build` out unless told otherwise."""
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {path.parent.name for path in files("tests/**/test_*.py")}
    assert not [name for name in folders for pattern in passed_over if fnmatch(name, pattern)]


# The three readings, on code small enough to see what they should say


def test_a_function_is_used_where_it_is_called_by_any_of_its_names():
    code = ast.parse("from figures import bpe as b\nfrom figures.cost import size as how_large\nb.merges()\nhow_large()\nown()")
    assert {("figures.bpe", "merges"), ("figures.cost", "size"), ("here", "own")} <= set(unused_code.uses(code, "here"))
    assert ("figures.cost", "merges") not in set(unused_code.uses(code, "here"))


@pytest.mark.parametrize(
    ("code", "asked", "unasked"),
    [
        ('_words("table.total")', ["table.total"], ["table", "total", "table.other"]),
        ('_words(f"table.{name}.unit")', ["table.rows.unit"], ["table.rows", "table.unit"]),
        ('key = "near" if close else "far"\n_words(key)', ["near", "far"], ["there"]),
        ('_words.named("keys")\nput(left=1, right=2)', ["keys.left", "keys.right"], ["keys.up", "left"]),
        ('other("table.total")', [], ["table.total"]),
    ],
)
def test_a_text_is_asked_for_as_code_asks(code, asked, unasked):
    tree = ast.parse(f'_words = Words("topic")\n{code}')
    (one,) = unused_words.askings(tree)
    names = set(unused_words.named_in(tree))
    assert one.topic == "topic"
    assert [key for key in asked + unasked if one.answers(key, names)] == asked


def test_a_simulator_in_python_asks_for_its_name_and_its_controls():
    tree = ast.parse("@precomputed(rate=Slider([1, 2]), kind=Choice(['a', 'b']))\ndef walk(rate, kind): ...")
    asked = list(unused_words.asked_by_simulators(tree, ("topic", "folder")))
    assert [one.topic for one in asked] == ["topic", "folder"]
    assert all(asked[0].answers(key, set()) for key in ("walk.name", "walk.rate", "walk.kind.label", "walk.kind.options.a"))
    assert not any(asked[0].answers(key, set()) for key in ("walk.told", "walk.kind.other", "walk", "run.name"))


def test_a_simulator_asks_for_a_text_by_name_or_by_form():
    script = "write(words.total); show(`step_${name}`); look(\"near\"); button.title = '';"
    assert all(unused_words.asks(script, name) for name in ("total", "step_Q", "near"))
    assert not any(unused_words.asks(script, name) for name in ("title", "steps", "name"))


def test_a_class_is_read_from_selectors_alone():
    sheet = ".a .b:not(.c), d.e { margin: .5em; background: url(x.png) } @media print { .f { color: red } }"
    assert set(unused_css.classes(sheet)) == {"a", "b", "c", "e", "f"}


def test_no_part_of_a_topic_hides_what_another_makes():
    """A topic in several parts hands all of them on: of two functions with one name, slides would get the last."""
    for part in modules.modules():
        package = sys.modules[part.__name__.rpartition(".")[0]]
        if f"from {part.__name__} import *" in Path(str(package.__file__)).read_text(encoding="utf-8"):
            public = {name: thing for name, thing in vars(part).items() if not name.startswith("_")}
            own = {name: thing for name, thing in public.items() if getattr(thing, "__module__", "") == part.__name__}
            assert {name: getattr(package, name) for name in own} == own
