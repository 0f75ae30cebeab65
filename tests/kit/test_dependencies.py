"""What a result hangs on: the modules reached, by hand and against Python's own imports, and the packages."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest

from figures.kit import dependencies
from figures.kit.files import ROOT


@pytest.mark.parametrize(
    ("code", "package", "names"),
    [
        ("import d.e, f", "figures", ["d.e", "f"]),
        ("from a.b import c", "figures", ["a.b", "a.b.c"]),
        ("from . import a", "figures.lab", ["figures.lab", "figures.lab.a"]),
        ("from .b import c", "figures.lab", ["figures.lab.b", "figures.lab.b.c"]),
        ("from ..b import c", "figures.lab", ["figures.b", "figures.b.c"]),
        ("def f():\n    if True:\n        import late", "figures", ["late"]),
        ("text = 'import no'\n# import no", "figures", []),
    ],
)
def test_the_imports_of_code(code, package, names):
    assert list(dependencies.imports(code, package)) == names


@pytest.fixture
def project(tmp_path):
    files = {
        "__init__.py": "",
        "a.py": "from .lab.deep import x\nimport numpy, json\n",
        "apart.py": "",
        "lab/__init__.py": "from . import beside\n",
        "lab/deep.py": "from ..b import y\n",
        "lab/beside.py": "",
        "lab/unreached.py": "",
        "b.py": "import figures.a\n",
    }
    for name, text in files.items():
        (tmp_path / "figures" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "figures" / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_reached_is_what_an_import_would_run(project):
    """Relative imports are followed, circles end, and the packages around a module count, with what they import."""
    names = ["figures", "figures.a", "figures.b", "figures.lab", "figures.lab.beside", "figures.lab.deep"]
    assert list(dependencies.reached(["figures.a"], project)) == names
    assert dependencies.reached(["numpy", "json", "nobody"], project) == {}


# One of the kit, and the rooms of a lecture that has them, which reach furthest.
MODULES = [
    "figures.kit.slow",
    *(f"figures.{path.stem}" for path in sorted((ROOT / "figures").glob("[a-z]*")) if path.name in ("lab", "simulators")),
]


@pytest.mark.parametrize("module", MODULES)
def test_nothing_that_python_loads_is_missed(module):
    code = f"import sys, {module}; print(*(name for name in sys.modules if name.partition('.')[0] == 'figures'))"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) <= dependencies.reached([module], ROOT).keys()


def test_versions_are_those_of_what_was_installed():
    code = "from __future__ import annotations\nimport json, yaml, figures.kit.show, nobody_s\nfrom msgspec import json"
    versions = dependencies.versions([code])
    assert versions == {
        "PyYAML": importlib.metadata.version("PyYAML"), "msgspec": importlib.metadata.version("msgspec"), "nobody_s": "absent",
    }  # fmt: skip


def test_what_the_project_requires_counts_though_nothing_imports_it():
    required = dependencies.required(ROOT)
    assert {"numpy", "fontpkg-fira-sans", "sphinx-revealjs"} <= required.keys()


def test_a_digest_is_short_and_tells_contents_apart():
    assert len(dependencies.digest(b"a")) == 16 and dependencies.digest(b"a") != dependencies.digest(b"b")
