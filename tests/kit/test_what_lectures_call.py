"""The page that lists what a lecture calls: each name is there, and no format or class is left out."""

from __future__ import annotations

import importlib
import inspect
import re

from figures.kit import formats
from figures.kit.files import ROOT, read_text

TEXT = read_text(ROOT / "figures" / "kit" / "README.md")
ROWS = re.findall(r"^\| `(figures\.[\w.]+)` \| ([^|]*) \|", TEXT, re.MULTILINE)
NAMED = [(module, re.findall(r"`(\w+)`", names)) for module, names in ROWS]


def test_each_name_is_one_of_its_module_and_says_what_it_is():
    for module, names in NAMED:
        found = importlib.import_module(module)
        assert names and [name for name in names if not hasattr(found, name)] == [], module
        assert all(inspect.getdoc(getattr(found, name)) for name in names if inspect.isfunction(getattr(found, name)))


def test_every_format_is_listed():
    functions = inspect.getmembers(formats, inspect.isfunction)
    made = {name for name, one in functions if inspect.signature(one).return_annotation == "Format"}
    assert made and made == {name for module, names in NAMED if module == "figures.kit.formats" for name in names}


def test_each_class_is_one_that_styles_know():
    styles = "".join(read_text(file) for file in (ROOT / "slides" / "theme").glob("*.css"))
    classes = re.findall(r"`\.([a-z-]+)`", TEXT[TEXT.index("| class |") :])
    assert len(classes) > 9
    assert [name for name in classes if name not in ("notes", "column") and f".{name}" not in styles] == []
