"""The embedded engine against genuine Quarto: the small deck of tests/quarto/, point by point of its README."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import dom
import pytest

ROOT = Path(__file__).resolve().parent.parent
FIXTURE = Path(__file__).resolve().parent / "quarto"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page that the engine makes of the fixture, in a folder of its own."""
    folder = tmp_path_factory.mktemp("fixture")
    shutil.copytree(FIXTURE, folder, dirs_exist_ok=True)
    start = time.perf_counter()
    subprocess.run([sys.executable, ROOT / "build", "render", "fixture.qmd"], cwd=folder, check=True)
    assert time.perf_counter() - start < 6, "the small deck takes longer than it may"
    return (folder / "fixture.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def ours(page: str) -> dom.Node:
    return dom.slides(page)


@pytest.fixture(scope="module")
def theirs() -> dom.Node:
    return dom.slides((FIXTURE / "slides.html").read_text(encoding="utf-8"))


def test_every_point_that_a_viewer_can_tell(ours: dom.Node, theirs: dom.Node) -> None:
    assert dom.difference(ours, theirs) == ""


def test_the_comparison_sees_what_the_readme_names(theirs: dom.Node) -> None:
    """A change of any kind that the README names is told; a change of what it calls free is not."""
    html = (FIXTURE / "slides.html").read_text(encoding="utf-8")
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
