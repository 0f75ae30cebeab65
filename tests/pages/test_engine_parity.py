"""The whole deck by both engines, where Quarto is on the PATH: the same slides, tables, numbers and notes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import dom
import pytest
from base.html_tree import Element

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("_quarto.yml", "_variables.yml", "build", "data", "figures", "slides", ".cache")
OUTPUT = Path("_output", "slides")

pytestmark = pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(a copy of the project for the embedded engine, one for Quarto), what is measured measured once for both."""
    ours, theirs = tmp_path_factory.mktemp("ours"), tmp_path_factory.mktemp("theirs")
    copy(ours)
    run([sys.executable, "build", "pre-render"], ours)
    shutil.copytree(ours, theirs, dirs_exist_ok=True)
    return ours, theirs


@pytest.fixture(scope="module")
def decks(folders: tuple[Path, Path]) -> tuple[Element, Element]:
    """(the embedded engine's slides, Quarto's), each made by `python build deck`."""
    for folder, engine in zip(folders, ("embedded", "quarto")):
        run([sys.executable, "build", "deck"], folder, ENGINE=engine)
    return tuple(dom.slides((folder / OUTPUT / "atencao.html").read_text(encoding="utf-8")) for folder in folders)  # type: ignore[return-value]


def copy(folder: Path) -> None:
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        elif source.exists():
            shutil.copy2(source, folder / name)


def run(command: list[str], folder: Path, **environment: str) -> None:
    subprocess.run(command, cwd=folder, env=os.environ | {"QUARTO_PYTHON": sys.executable} | environment, check=True)


def test_the_same_slides_in_the_same_order(decks: tuple[Element, Element]) -> None:
    ours, theirs = (
        [(node.attributes.get("id"), next(node.all("h1" if n == 0 else "h2")).text) for n, node in enumerate(slides(deck))]
        for deck in decks
    )
    assert ours == theirs


@pytest.mark.parametrize("tag", ["table", "aside", "figure", "math", "svg", "img"])
def test_the_same_tables_notes_figures_and_formulas(decks: tuple[Element, Element], tag: str) -> None:
    ours, theirs = (
        [(node.attributes.get("alt", ""), node.attributes.get("aria-label", ""), node.text) for node in deck.all(tag)] for deck in decks
    )
    assert ours == theirs


def test_nothing_else_differs(decks: tuple[Element, Element]) -> None:
    for ours, theirs in zip(*map(slides, decks), strict=True):
        assert dom.difference(ours, theirs) == ""


def slides(deck: Element) -> list[Element]:
    return [node for node in deck.all("section") if "id" in node.attributes]


def test_the_chapter_too(folders: tuple[Path, Path]) -> None:
    ours, theirs = folders
    chapter = Path("slides", "query-key-value.qmd")
    run([sys.executable, "build", "render", str(chapter)], ours)
    python = str(Path(sys.executable).parent)
    run(["quarto", "render", str(chapter)], theirs, PATH=os.pathsep.join([python, os.environ["PATH"]]))
    pages = [dom.body((folder / OUTPUT / "query-key-value.html").read_text(encoding="utf-8")) for folder in folders]
    assert dom.difference(*pages) == ""
