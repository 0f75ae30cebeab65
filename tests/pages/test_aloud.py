"""What a deck says aloud: every formula in words; slide by slide, what is announced is what is shown."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from base.html_tree import Element, Text, parse
from base.progress import Progress
from browsing import Visit, opened_deck
from engine import embedded
from page import speech
from page.checks import without_values

from figures.kit.errors import Problem

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LEFT_OUT = {"script", "style", "template", "annotation"}
STATUS = "document.querySelector('.aria-status').textContent"
SETTLED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
QUIET = Progress(io.StringIO())
SLIDE = """---
title: "Aula"
lang: pt
engine: jupyter
format:
  revealjs: {width: 1280, height: 720, margin: 0, html-math-method: mathml, code-copy: false, auto-stretch: false}
---

## Um {#um}

FORMULA
"""


# ---- the page ----


@pytest.mark.parametrize("page", ["deck_file", "descent_file", "english_file", "chapter_file", "lab_file"])
def test_every_formula_of_a_page_is_in_words(page: str, request: pytest.FixtureRequest):
    html = request.getfixturevalue(page).read_text(encoding="utf-8")
    formulas = [math.attributes.get("aria-label", "") for math in parse(html).all("math")]
    assert len(formulas) > 3 and all(formulas)
    assert not [said for said in formulas if re.search(r"[\\^_{}√≈×−⁻]", said)]


def test_formulas_numbers_and_titles_say_their_words(deck_file: Path, english_file: Path):
    html = deck_file.read_text(encoding="utf-8")
    by_id = {section.attributes.get("id"): section.attributes for section in parse(html).all("section")}
    assert by_id["sec-raiz-dk"]["data-title-said"] == "Por que dividir por raiz quadrada de d k"
    assert "data-title-said" not in by_id["sec-quatro-passos"]
    said = {span.attributes["data-said"] for span in parse(html).all("span") if "data-said" in span.attributes}
    assert any(re.fullmatch(r"[\d,]+ vezes 10 elevado a menos \d+", words) for words in said)
    english = [math.attributes["aria-label"] for math in parse(english_file.read_text(encoding="utf-8")).all("math")]
    assert any("hyperbolic tangent of" in words for words in english)


def test_a_finished_page_says_the_same_again():
    title = '<section id="a"><h2>O <math><mi>n</mi></math></h2>'
    page = f'{title}<span class="n">10⁻²</span><img alt="√2"><svg aria-label="√3"></svg></section>'
    made = speech.say(page, "d.html")
    assert 'data-title-said="O n"' in made and 'data-said="10 elevado a menos 2"' in made and 'alt="raiz quadrada de 2"' in made
    assert '<math aria-label="n">' in made and 'aria-label="√3"' in made
    assert speech.say(made, "d.html") == made


def test_a_formula_that_cannot_be_said_stops_the_build_and_is_named(tmp_path: Path):
    (tmp_path / "_quarto.yml").write_text("project: {type: default, post-render: python build post-render}\n")
    (tmp_path / "d.qmd").write_text(SLIDE.replace("FORMULA", r"$A \boxplus B$"), encoding="utf-8")
    with pytest.raises(Problem) as refused:
        embedded.render(tmp_path / "d.qmd", ["revealjs"], QUIET)
    assert refused.value.where == r"d.html, slide “Um”, formula “A \boxplus B”"
    assert "⊞" in refused.value.what and "data/words/pt/speech.yml" in refused.value.remedy
    assert not (tmp_path / "d.html").exists()


# ---- what is announced, against what the page's source shows ----


@pytest.fixture(scope="module", params=["deck_file", "descent_file"])
def announced(request: pytest.FixtureRequest, browser: Browser) -> Iterator[tuple[list[Element], list[list[str]]]]:
    """The slides of a deck, and of each what is announced when it comes and at each step."""
    file: Path = request.getfixturevalue(request.param)
    visit = Visit()
    page = opened_deck(browser, file, (1280, 720), visit)
    html = parse(file.read_text(encoding="utf-8"))
    sections = [section for section in html.all("section") if "id" in section.attributes]
    heard: list[list[str]] = []
    for number in range(len(sections)):
        page.evaluate(f"Reveal.slide({number})")
        page.evaluate(SETTLED)
        heard.append([page.evaluate(STATUS)])
        while page.evaluate("Reveal.nextFragment()"):
            page.evaluate(SETTLED)
            heard[-1].append(page.evaluate(STATUS))
    yield sections, heard
    page.close()
    assert visit.errors == []


def test_what_is_announced_is_what_is_shown_word_by_word(announced: tuple[list[Element], list[list[str]]]):
    for section, heard in zip(*announced, strict=True):
        steps = fragments(section)
        expected = [words(shown(section)), *(words(part for one in step for part in shown(one, opened=True)) for step in steps)]
        assert [words([text]) for text in heard] == expected, f"slide {section.attributes['id']}"


def test_pictures_are_announced_by_their_words_and_never_by_their_letters(announced: tuple[list[Element], list[list[str]]]):
    sections, heard = announced
    drawn = 0
    for section, texts in zip(sections, heard, strict=True):
        for svg in section.all("svg"):
            if "aria-label" in svg.attributes and not inside(svg, "sim", "notes"):
                drawn += 1
                assert " ".join(svg.attributes["aria-label"].split()).rstrip(".") in " ".join(texts)
    assert drawn > 2


def shown(node: Element | Text, opened: bool = False) -> Iterator[str]:
    """The texts that a slide shows before its steps, a formula or picture by its words."""
    if isinstance(node, Text):
        yield node.text
        return
    silent = node.attributes.get("aria-hidden") == "true" or "hidden" in node.attributes
    hidden = {"notes", "sim", "for-paper", "figure-values"} & set(node.classes) or silent
    if node.tag in LEFT_OUT or hidden or ("fragment" in node.classes and not opened):
        return
    if "data-said" in node.attributes:
        yield node.attributes["data-said"]
    elif node.tag in ("math", "svg", "img"):
        yield f" {node.attributes.get('aria-label') or node.attributes.get('alt') or ''} "
    else:
        yield " "
        for child in node.children:
            yield from shown(child)
        yield " "


def fragments(section: Element) -> list[list[Element]]:
    """The steps of a slide: what appears together."""
    numbered: dict[Any, list[Element]] = {}
    for place, one in enumerate(section.all(cls="fragment")):
        numbered.setdefault(int(one.attributes.get("data-fragment-index", place)), []).append(one)
    return [numbered[index] for index in sorted(numbered)]


def inside(node: Element, *classes: str) -> bool:
    here: Element | None = node
    while here:
        if set(classes) & set(here.classes):
            return True
        here = here.parent
    return False


def words(texts: Any) -> list[str]:
    return re.findall(r"[\w⁻¹²³]+", "".join(texts))


# ---- the values of figures ----

VALUES = "Reveal.getCurrentSlide().querySelector('.figure-values')"


def test_the_values_of_a_figure_open_by_key_and_close_with_the_slide(browser: Browser, deck_file: Path):
    visit = Visit()
    page = opened_deck(browser, deck_file, (1280, 720), visit, "#/sec-aposentou")
    page.evaluate(SETTLED)
    assert page.evaluate(f"{VALUES}.getBoundingClientRect().width") <= 1
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.figure-values summary')"):
            break
    page.keyboard.press("Enter")
    assert page.evaluate(f"[{VALUES}.open, {VALUES}.checkVisibility(), Reveal.getCurrentSlide().id]") == [True, True, "sec-aposentou"]
    assert page.evaluate(f"{VALUES}.querySelectorAll('tbody tr').length") > 20
    page.keyboard.press("Escape")
    assert page.evaluate(f"{VALUES}.open") is False
    page.keyboard.press("Enter")
    page.evaluate("Reveal.next(); Reveal.prev()")
    assert page.evaluate(f"{VALUES}.open") is False
    page.keyboard.press("r")
    wide = "[...document.querySelectorAll('.figure-values')].filter((one) => one.getBoundingClientRect().width > 60)"
    assert page.evaluate(f"{wide}.length") > 10
    page.close()
    assert visit.errors == []


@pytest.mark.parametrize("page", ["deck_file", "descent_file", "chapter_file"])
def test_every_figure_offers_its_values_or_says_that_its_words_are_all(page: str, request: pytest.FixtureRequest):
    html = request.getfixturevalue(page).read_text(encoding="utf-8")
    assert without_values(html) == []
    assert html.count('class="figure-values"') > 1
