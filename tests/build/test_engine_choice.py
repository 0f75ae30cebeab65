"""Which engine `python build deck` takes, and what the hooks that Quarto calls do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from base import failures
from engine import choice
from engine.choice import Quarto, choose

from figures.kit.errors import Problem

BUILD = Path(choice.__file__).resolve().parents[1]
NEW, OLD = Quarto("/q/quarto", (1, 11, 0)), Quarto("/q/quarto", (1, 8, 27))


@pytest.mark.parametrize(
    ("wanted", "found", "taken", "why"),
    [
        ("", NEW, NEW, "on the PATH"),
        ("", None, None, "no `quarto` is on the PATH"),
        ("", OLD, None, "Quarto 1.8.27, older than 1.9"),
        ("embedded", NEW, None, "asks for it"),
        ("quarto", NEW, NEW, "asks for it"),
        ("", Quarto("q", (1, 9)), Quarto("q", (1, 9)), "on the PATH"),
        ("", Quarto("q", (2, 0, 1)), Quarto("q", (2, 0, 1)), "on the PATH"),
    ],
)
def test_the_engine_and_why(wanted: str, found: Quarto | None, taken: Quarto | None, why: str) -> None:
    engine, said = choose(wanted, found)
    assert engine == taken
    assert why in said


@pytest.mark.parametrize(("wanted", "found"), [("quarto", None), ("quarto", OLD), ("Quarto", NEW), ("latex", None)])
def test_an_engine_that_is_not_to_be_had_is_told(wanted: str, found: Quarto | None) -> None:
    with pytest.raises(Problem) as caught:
        choose(wanted, found)
    assert caught.value.where == f"ENGINE={wanted}"
    assert caught.value.remedy


def build(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, BUILD, *arguments], capture_output=True, text=True, env=dict(os.environ) | environment)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script")
def test_deck_stops_where_quarto_is_asked_for_and_absent_or_old(tmp_path: Path) -> None:
    absent = build("deck", ENGINE="quarto", PATH=str(tmp_path))
    assert absent.returncode == 1
    assert "no working `quarto` is on the PATH" in absent.stderr
    assert "quarto.org" in absent.stderr
    old = tmp_path / "quarto"
    old.write_text("#!/bin/sh\necho 1.8.27\n")
    old.chmod(0o755)
    told = build("deck", ENGINE="quarto", PATH=f"{tmp_path}{os.pathsep}/bin")
    assert told.returncode == 1
    assert "Quarto 1.8.27, older than 1.9" in told.stderr
    assert "Traceback" not in told.stderr


def test_post_render_finishes_the_pages_that_quarto_names(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<html><head><title>A</title></head><body><section><h2>Um</h2></section></body></html>", encoding="utf-8")
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    done = build("post-render", QUARTO_PROJECT_OUTPUT_FILES=f"{page}\n{tmp_path / 'a.pdf'}")
    assert done.returncode == 0, done.stderr
    finished = page.read_text(encoding="utf-8")
    assert "--size-body" in finished
    assert build("post-render", QUARTO_PROJECT_OUTPUT_FILES=str(page)).returncode == 0
    assert page.read_text(encoding="utf-8") == finished, "a finished page stays as it is"
    assert (tmp_path / "a.pdf").read_bytes() == b"%PDF"


def test_an_unknown_command_is_told() -> None:
    assert build("deckk").returncode == 2


def test_a_module_of_figures_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("def f():\n    raise ValueError('não deu')\n")
    with pytest.raises(Problem) as caught, failures.placed("figures.broken", tmp_path):
        exec(compile((tmp_path / "module.py").read_text() + "f()", str(tmp_path / "module.py"), "exec"))
    assert caught.value.where == "figures.broken"
    assert "ValueError: não deu" in caught.value.what
    assert "module.py:2 in f" in caught.value.what
