"""The embedded engine against genuine Quarto: the small deck of tests/helpers/quarto/, point by point of its README."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import dom
import pytest
from base.html_tree import Element

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = Path(__file__).resolve().parents[1] / "helpers" / "quarto"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixture's sources in a folder of their own."""
    return Path(shutil.copytree(FIXTURE, tmp_path_factory.mktemp("quarto"), dirs_exist_ok=True))


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    """The page that the engine makes of the fixture."""
    before = os.times()
    made = render(folder, "fixture")
    now = os.times()  # of the processor, not of the clock: a busy machine is no fault
    spent = now.children_user + now.children_system - before.children_user - before.children_system
    assert spent < 6, "the small deck takes longer than it may"
    return made


@pytest.fixture(scope="module")
def theirs() -> Element:
    return dom.slides(quarto_made("slides"))


def render(folder: Path, name: str) -> str:
    subprocess.run([sys.executable, ROOT / "build", "render", f"{name}.qmd"], cwd=folder, check=True)
    return (folder / f"{name}.html").read_text(encoding="utf-8")


def quarto_made(name: str) -> str:
    return (FIXTURE / f"{name}.html").read_text(encoding="utf-8")


def test_every_point_that_a_viewer_can_tell(page: str, theirs: Element) -> None:
    assert dom.difference(dom.slides(page), theirs) == ""


def test_more_cases(folder: Path) -> None:
    """What the small deck leaves out: more.html is what Quarto 1.11-dev makes of more.qmd, cut as slides.html is."""
    assert dom.difference(dom.slides(render(folder, "more")), dom.slides(quarto_made("more"))) == ""


def test_a_page_to_read(folder: Path) -> None:
    """page.html is the body of what Quarto 1.11-dev makes of page.qmd, scripts cut."""
    assert dom.difference(dom.body(render(folder, "page")), dom.body(quarto_made("page"))) == ""


@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
@pytest.mark.parametrize(("name", "part"), [("fixture", dom.slides), ("more", dom.slides), ("page", dom.body)])
def test_the_quarto_that_is_here_agrees(tmp_path: Path, folder: Path, name: str, part: Callable[[str], Element]) -> None:
    """The same against the Quarto of this machine, whatever its version."""
    theirs = Path(shutil.copytree(FIXTURE, tmp_path, dirs_exist_ok=True))
    environment = os.environ | {"QUARTO_PYTHON": sys.executable}
    subprocess.run(["quarto", "render", f"{name}.qmd"], cwd=theirs, check=True, env=environment)
    made = (theirs / f"{name}.html").read_text(encoding="utf-8")
    assert dom.difference(part(render(folder, name)), part(made)) == ""


def test_the_comparison_sees_what_the_readme_names(theirs: Element) -> None:
    """A change of any kind that the README names is told; a change of what it calls free is not."""
    html = quarto_made("slides")
    for old, new in {
        'id="sec-colunas"': 'id="colunas"',
        'data-visibility="uncounted"': "",
        "<h2>Colunas e": "<h2>Coluna e",
        "<li>primeiro</li>": "<li>segunda</li>",
        'class="fragment fade-in"': 'class="fragment"',
        'style="width: 60%"': 'style="width: 50%"',
        "<caption>Uma legenda</caption>": "",
        "<mi>⊤</mi>": "<mi>T</mi>",
        'alt="Um retângulo': 'alt="Um quadrado',
        "impresso: 2": "impresso: 3",
        "</sup> e um": "</sup>e um",
        '<ol class="aside-footnotes">': "<ol>",
    }.items():
        assert html.count(old) >= 1, old
        assert dom.difference(dom.slides(html.replace(old, new, 1)), theirs), old
    free = html.replace('data-execution_count="2"', 'data-execution_count="7"').replace('id="cb1-1"', 'id="cb9-1"')
    free = re.sub(r'<a href="" aria-label="\d+"></a>', "", free.replace(' class="" alt', " alt").replace("<ul>\n<li>", "<ul><li>"))
    assert free != html
    assert dom.difference(dom.slides(free), theirs) == ""


def test_the_page_stands_alone(page: str) -> None:
    without_code = re.sub(r"(<script\b[^>]*>).*?</script>", r"\1</script>", page, flags=re.DOTALL)
    assert not re.search(r'<(?:script|link|img)\b[^>]*\s(?:src|href|data-src)="(?!data:)', without_code)
    assert '<html lang="pt">' in page
    assert "<title>Um título · fixture</title>" in page


def test_reveal_is_told_every_option(page: str) -> None:
    start = page[page.rindex("Reveal.initialize(") :]
    for option in ('"width": 1280', '"height": 720', '"slideNumber": "c/t"', '"center": false', '"controls": false', '"hash": true'):
        assert option in start
