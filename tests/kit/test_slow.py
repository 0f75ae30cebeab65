"""A stored result is found only while nothing that it depends on has changed."""

from __future__ import annotations

import platform
import sys
import textwrap

import pytest

from figures.kit import data, dependencies, files, slow
from figures.kit.errors import DataError
from figures.kit.files import ROOT


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project of its own: figures/pure.py imports figures/helper.py; figures/other.py stands apart."""
    package = tmp_path / "figures"
    package.mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "seed.yml").write_text("seed: 2\n")
    (package / "__init__.py").write_text("")
    (package / "helper.py").write_text("import numpy\n\ndef double(x):\n    return 2 * x\n")
    (package / "other.py").write_text("x = 1\n")
    (package / "pure.py").write_text("from figures.helper import double\n")
    monkeypatch.setattr(files, "PACKAGE", package)
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(slow, "registry", {})
    data.forget()
    yield tmp_path
    data.forget()


def declare(calls, files=("seed.yml",)):
    def measure(times: int = 1) -> float:
        calls.append(times)
        data.load("seed", dict)
        return 0.5 * times

    measure.__module__ = "figures.pure"
    measure.__qualname__ = "measure"
    return slow.slow("measuring", files=files)(measure)


def store():
    jobs = list(slow.pending())
    for job in jobs:
        job.path.parent.mkdir(parents=True, exist_ok=True)
        job.path.write_bytes(job.compute())
    return [job.name for job in jobs]


def test_stored_once_and_then_looked_up(project):
    calls = []
    declare(calls)
    assert store() == ["pure.measure"] and calls == [1]
    assert store() == []
    slow.registry.clear()
    assert declare(calls)() == 0.5 and calls == [1]


@pytest.mark.parametrize("damage", [b"", b"0.", b'"a text"', b"\xff\xfe", b'{"of": "another version"}'])
def test_a_damaged_result_is_made_again(project, damage):
    calls = []
    measure = declare(calls)
    store()
    slow.path("pure.measure").write_bytes(damage)
    assert measure() == 0.5 and calls == [1, 1]
    assert store() == ["pure.measure"] and store() == []


def test_a_missing_data_file_is_told(project):
    declare([])
    (project / "data" / "seed.yml").unlink()
    with pytest.raises(DataError, match=r"data/seed.yml: the file is missing"):
        store()


@pytest.mark.parametrize("edit", ["figures/pure.py", "figures/helper.py", "figures/__init__.py", "data/seed.yml"])
def test_an_edit_of_what_it_reaches_is_noticed(project, edit):
    declare([])
    before = slow.key("pure.measure")
    (project / edit).write_text((project / edit).read_text() + "\n# changed\n")
    assert slow.key("pure.measure") != before


def test_an_unrelated_edit_measures_nothing_again(project):
    declare([])
    before = slow.key("pure.measure")
    (project / "figures" / "other.py").write_text("x = 2\n")
    (project / "data" / "free.yml").write_text("a: 1\n")
    assert slow.key("pure.measure") == before


def test_arguments_and_versions_are_part_of_the_key(project, monkeypatch):
    declare([])
    before = slow.key("pure.measure")
    assert slow.key("pure.measure", (3,)) != before
    monkeypatch.setattr(dependencies, "version", lambda package: "0.0")
    assert slow.key("pure.measure") != before


def test_a_key_asks_for_the_versions_of_what_was_installed_only(project, monkeypatch):
    """Neither for the standard library's, which is Python's own, nor for the project's."""
    (project / "figures" / "pure.py").write_text("from __future__ import annotations\nimport json\nfrom figures.helper import double\n")
    asked = []
    monkeypatch.setattr(dependencies, "version", lambda package: asked.append(package) or "1.0")
    declare([])
    slow.key("pure.measure")
    assert asked == ["numpy"]


def test_a_function_that_reads_more_than_it_says_is_refused(project):
    declare([], files=())
    with pytest.raises(RuntimeError, match=r"seed\.yml"):
        store()


@pytest.mark.parametrize("name", ["Processor X", ""])
def test_where_no_system_file_names_the_processor_python_is_asked(monkeypatch, name):
    monkeypatch.setattr(slow.Path, "is_file", lambda self: False)
    monkeypatch.setattr(platform, "processor", lambda: name)
    slow.processor.cache_clear()
    try:
        assert slow.processor() == (name or platform.machine())
    finally:
        slow.processor.cache_clear()


def test_the_real_registry_imports_no_torch():
    """Asking for keys must not load torch: a warm build would wait for it."""
    import subprocess

    code = textwrap.dedent(
        """
        import sys
        from figures.kit import slow
        from figures.kit.modules import modules
        list(modules())
        list(slow.pending())
        sys.exit("torch" in sys.modules)
        """
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
