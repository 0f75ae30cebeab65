"""The whole deck by both engines, where Quarto is on the PATH: the same slides, tables, numbers and notes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import dom
import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("_quarto.yml", "_variables.yml", "build", "data", "figures", "slides")
PAGE = Path("_output", "slides", "atencao.html")

pytestmark = pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> tuple[dom.Node, dom.Node]:
    """(the embedded engine's slides, Quarto's), each made by `python build deck` in a copy of the project."""
    return made("embedded", tmp_path_factory.mktemp("ours")), made("quarto", tmp_path_factory.mktemp("theirs"))


def made(engine: str, folder: Path) -> dom.Node:
    for name in SOURCES:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, folder / name)
    if (ROOT / ".cache").is_dir():
        shutil.copytree(ROOT / ".cache", folder / ".cache")
    subprocess.run([sys.executable, "build", "deck"], cwd=folder, env=os.environ | {"ENGINE": engine}, check=True)
    return dom.slides((folder / PAGE).read_text(encoding="utf-8"))


def test_the_same_slides_in_the_same_order(decks: tuple[dom.Node, dom.Node]) -> None:
    ours, theirs = (
        [(node.attributes.get("id"), next(node.all("h1" if n == 0 else "h2")).text) for n, node in enumerate(slides(deck))]
        for deck in decks
    )
    assert ours == theirs


@pytest.mark.parametrize("tag", ["table", "aside", "figure", "math", "svg", "img"])
def test_the_same_tables_notes_figures_and_formulas(decks: tuple[dom.Node, dom.Node], tag: str) -> None:
    ours, theirs = (
        [(node.attributes.get("alt", ""), node.attributes.get("aria-label", ""), node.text) for node in deck.all(tag)] for deck in decks
    )
    assert ours == theirs


def test_nothing_else_differs(decks: tuple[dom.Node, dom.Node]) -> None:
    for ours, theirs in zip(*map(slides, decks), strict=True):
        assert dom.difference(ours, theirs) == ""


def slides(deck: dom.Node) -> list[dom.Node]:
    return [node for node in deck.all("section") if "id" in node.attributes]
