"""The pages by both engines, where Quarto is on the PATH: the same slides, tables, numbers and notes, looks and behaviour."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import browsing
import dom
import pytest
from base.html_tree import Element
from pypdf import PdfReader

from figures.kit.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("_quarto.yml", "_variables.yml", "build", "data", "figures", "slides", ".cache")
OUTPUT = Path("_output", "slides")
READ = ["query-key-value", "laboratorio"]

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


@pytest.fixture(scope="module")
def pages(folders: tuple[Path, Path]) -> tuple[Path, Path]:
    """The folders of (our engine's chapter and lab, Quarto's)."""
    ours, theirs = folders
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for name in READ:
        run([sys.executable, "build", "render", f"slides/{name}.qmd", "--to", "html"], ours)
        run(["quarto", "render", f"slides/{name}.qmd", "--to", "html"], theirs, PATH=path)
    return ours / OUTPUT, theirs / OUTPUT


def test_the_chapter_too(pages: tuple[Path, Path]) -> None:
    chapters = [dom.body((folder / "query-key-value.html").read_text(encoding="utf-8")) for folder in pages]
    assert dom.difference(*chapters) == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", READ)
def test_every_text_of_a_page_to_read_looks_the_same_by_day_and_by_night(
    browser: Browser, pages: tuple[Path, Path], name: str, scheme: Any
) -> None:
    seen = []
    for folder in pages:
        page = browsing.opened(browser, folder / f"{name}.html", browsing.Visit(), color_scheme=scheme)
        page.evaluate("document.fonts.ready")
        seen.append([[text.removesuffix(" #"), *looks] for text, *looks in page.evaluate(browsing.TEXTS)])  # a heading's link in ours
        page.close()
    ours, theirs = seen
    assert [text for text in theirs if text not in ours] == [] and len(theirs) > 100


BEHAVIOUR = """async () => {
  const number = document.querySelector(".slide-number"), box = number.getBoundingClientRect(), style = getComputedStyle(number);
  return [document.querySelector("meta[name=viewport]").content, number.textContent.replace(/\\s/g, ""),
    [box.x, box.y, box.width, box.height].map(Math.round), style.fontSize, style.color];
}"""
FOCUSED = "document.activeElement.className + '|' + (document.activeElement.ariaLabel ?? '')"


def behaviour(browser: Browser, deck: Path) -> dict[str, Any]:
    """What a deck does for hand, eye and paper, under names."""
    visit = browsing.Visit()
    page = browsing.opened_deck(browser, deck, (1280, 720), visit, "#/sec-quatro-passos")
    seen: dict[str, Any] = {"slide": page.evaluate(BEHAVIOUR), "stops": []}
    for _ in range(8):
        page.keyboard.press("Tab")
        if (stop := page.evaluate(FOCUSED)).split("|")[0] != page.evaluate("document.body.className"):
            seen["stops"].append(stop)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("r")
    seen["to read"] = page.evaluate("[document.documentElement.classList.contains('presenting'), Reveal.isScrollView()]")
    page.keyboard.press("r")
    paper = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True))).pages
    seen["paper"] = (len(paper), [round(float(side)) for side in paper[0].mediabox])
    page.evaluate("Reveal.next()")
    page.wait_for_timeout(1200)  # reveal writes the address once a second
    before = page.evaluate("location.hash")
    page.reload()
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    seen["reload"] = (before, page.evaluate("location.hash"), page.evaluate("Reveal.getIndices()"))
    seen["faults"] = (visit.errors, visit.requests)
    page.close()
    return seen


def test_the_deck_behaves_the_same(browser: Browser, folders: tuple[Path, Path], decks: tuple[Element, Element]) -> None:
    assert decks
    ours, theirs = (behaviour(browser, folder / OUTPUT / "atencao.html") for folder in folders)
    assert theirs == ours
    assert ours["reload"][0] == ours["reload"][1] and ours["to read"] == [False, False] and ours["faults"] == ([], [])


def test_quarto_s_menu_is_portuguese_with_the_titles_of_the_slides(
    browser: Browser, folders: tuple[Path, Path], decks: tuple[Element, Element]
) -> None:
    assert decks
    page = browsing.opened_deck(browser, folders[1] / OUTPUT / "atencao.html", (1280, 720), browsing.Visit())
    page.keyboard.press("m")
    page.wait_for_selector(".slide-menu.active")
    labels = page.locator(".slide-menu-toolbar-label").all_inner_texts()
    titles = page.locator(".slide-menu-item-title").all_text_contents()
    tools = page.locator(".slide-tool-item").all_text_contents()
    page.close()
    words = Words("help").named("said")
    known = {*words.values(), *Words("reading").named("said").values()}
    assert labels == [words[name] for name in ("slides", "tools", "close")]
    assert {tool.split(" ", 1)[1] for tool in tools} <= known
    assert len(titles) == len(slides(decks[1])) and not any("_{" in title for title in titles)
