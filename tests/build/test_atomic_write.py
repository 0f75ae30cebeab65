"""A page is written whole or not at all: a build that fails or is killed leaves the last one as it was."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from base import atomic_write
from engine import embedded
from essay import Make, render
from hypothesis import given
from hypothesis import strategies as st

from figures.kit.errors import Problem

BUILD = Path(embedded.__file__).resolve().parents[1]


def command(document: Path) -> list[str]:
    return [sys.executable, str(BUILD), "render", str(document)]


def wait_for(file: Path) -> None:
    for _ in range(600):
        if file.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{file} never came")


def test_a_failed_build_leaves_the_last_page_as_it_was(project: Make, tmp_path: Path) -> None:
    render(project("## Um\n\nbom\n"))
    good = (tmp_path / "d.html").read_bytes()
    done = subprocess.run(command(project("## Um\n\n```{python}\n1 / 0\n```\n")), capture_output=True, text=True)
    assert done.returncode == 1
    assert "slide “Um”" in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "d.html").read_bytes() == good


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_killed_build_leaves_the_last_page_as_it_was(project: Make, tmp_path: Path) -> None:
    render(project("## Um\n\nbom\n"))
    good = (tmp_path / "d.html").read_bytes()
    document = project("## Um\n\n```{python}\nopen('running', 'w').close()\nimport time\ntime.sleep(60)\n```\n")
    process = subprocess.Popen(command(document), stderr=subprocess.DEVNULL)
    wait_for(tmp_path / "running")
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (tmp_path / "d.html").read_bytes() == good
    assert not list(tmp_path.glob(".d.html*"))


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_a_build_killed_while_writing_leaves_the_old_file_and_its_rest_is_cleaned(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    atomic_write.write(target, "bom")
    code = (
        f"import sys, os, time; sys.path.insert(0, {str(BUILD)!r}); from base import atomic_write\n"
        f"os.fsync = lambda fd: (open({str(tmp_path / 'running')!r}, 'w').close(), time.sleep(60))\n"
        f"from pathlib import Path; atomic_write.write(Path({str(target)!r}), 'x' * 100_000)"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    wait_for(tmp_path / "running")
    atomic_write.clean(target)
    assert len(list(tmp_path.glob(".page.html.*.part"))) == 1, "a running build keeps its file"
    process.kill()
    process.wait()
    assert target.read_text() == "bom"
    atomic_write.write(target, "melhor")
    assert target.read_text() == "melhor"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["page.html", "running"]


def test_an_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    with pytest.raises(Problem, match="can't be written"):
        atomic_write.write(tmp_path / "page.html", "x")
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_files_that_belong_together_are_replaced_together_or_not_at_all(tmp_path: Path) -> None:
    atomic_write.write_together({tmp_path / "page.json": "velho", tmp_path / "page.html": "velho"})
    (tmp_path / "full").write_text("")  # a file where a folder is wanted: the second can't be written
    with pytest.raises(Problem, match="can't be written"):
        atomic_write.write_together({tmp_path / "page.json": "novo", tmp_path / "full" / "page.html": "novo"})
    assert (tmp_path / "page.json").read_text() == "velho"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["full", "page.html", "page.json"]


@given(st.text(max_size=40), st.integers(1, 9))
def test_a_file_written_is_what_was_given(tmp_path_factory: pytest.TempPathFactory, text: str, times: int) -> None:
    path = tmp_path_factory.mktemp("store") / "a" / "b.html"
    data = (text * times).encode("utf-8", "replace")
    atomic_write.write(path, data)
    assert path.read_bytes() == data
    assert [file.name for file in path.parent.iterdir()] == ["b.html"]


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.ENOSPC, "Free the disk"), (errno.EACCES, "Take the right"), (errno.EROFS, "Take the right"), (errno.EIO, "See that")],
)
def test_the_remedy_fits_what_the_system_says(number, remedy, tmp_path, monkeypatch):
    def refused(*_: object) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr(os, "fsync", refused)
    with pytest.raises(Problem) as told:
        atomic_write.write(tmp_path / "a.html", "x")
    assert told.value.remedy.startswith(remedy) and told.value.remedy.endswith("the last good one is untouched.")
