"""Each deck in a browser, from a file: every slide at two sizes, all fragments shown, and not one request."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from base import assets
from browsing import CANVAS, FACTS, Visit, none, opened_deck
from rendering import rendered

from figures.kit import project
from figures.kit.style import SIZES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WINDOWS = [(1280, 720), (1920, 1080)]
DECKS = [page for page in project.documents() if page.parent.name == "slides" and "revealjs" in project.formats(page)]


@pytest.fixture(scope="module", params=itertools.product(DECKS, WINDOWS), ids=lambda pair: f"{pair[0].stem}-{pair[1][0]}")
def visit(request: pytest.FixtureRequest, browser: Browser, session_folder: Path) -> Iterator[Visit]:
    """Every slide, one after the other, with all its fragments."""
    visit = Visit()
    deck, window = request.param
    page = opened_deck(browser, rendered(deck, session_folder), window, visit)
    page.add_style_tag(content="*, *::before, *::after { transition: none !important; animation: none !important; }")
    for number in range(page.evaluate("Reveal.getHorizontalSlides().length")):
        page.evaluate(f"Reveal.slide({number}, 0, 999)")
        page.evaluate(
            "document.fonts.ready.then(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))"
        )
        visit.slides.append(page.evaluate(f"({FACTS})({json.dumps(CANVAS)})"))
    yield visit
    page.close()


def test_there_are_slides(visit: Visit):
    assert len(visit.slides) > 1
    assert all(slide["title"] != "without a title" for slide in visit.slides)


def test_nothing_leaves_the_canvas_or_needs_scrolling(visit: Visit):
    none(visit.faults("outside", "scrolled", "clipped"))


def test_nothing_lies_on_something_else(visit: Visit):
    none(visit.faults("overlap", "footer"))


def test_titles_stand_at_one_height(visit: Visit):
    tops = {slide["title"]: round(slide["top"]) for slide in visit.slides[1:]}
    assert len(set(tops.values())) == 1, tops


def test_the_last_row_can_read_it(visit: Visit):
    none(visit.faults("small"))


def test_text_stands_out_from_its_ground(visit: Visit):
    none(visit.faults("faint"))


def test_every_picture_has_a_text_that_stands_for_it(visit: Visit):
    none(visit.faults("nameless"))


def test_every_value_became_text(visit: Visit):
    none(visit.faults("trace"))


def test_no_error_in_the_console(visit: Visit):
    assert visit.errors == []


def test_no_request(visit: Visit):
    assert visit.requests == []


def test_print_has_one_page_a_slide(browser: Browser, deck_file: Path):
    visit = Visit()
    page = opened_deck(browser, deck_file, WINDOWS[0], visit, query="?print-pdf")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length > 1")
    pages, slides = page.evaluate("[document.querySelectorAll('.pdf-page').length, document.querySelectorAll('.slides section').length]")
    padding = page.evaluate("getComputedStyle(document.querySelector('.pdf-page section.slide')).paddingLeft")
    page.close()
    assert (pages, padding) == (slides, f"{SIZES.margin}px")
    assert visit.errors + visit.requests == []


def test_nothing_moves_for_who_asks_for_less_motion(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, WINDOWS[0], Visit(), reduced_motion="reduce")
    durations = page.evaluate("[...document.querySelectorAll('.fragment')].map((f) => getComputedStyle(f).transitionDuration)")
    page.close()
    assert set(durations) <= {"0s", "0s, 0s"}


def test_forced_colours_keep_the_question_s_frame(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, WINDOWS[0], Visit(), forced_colors="active")
    borders = page.evaluate("[...document.querySelectorAll('.question')].map((q) => getComputedStyle(q).borderTopWidth)")
    page.close()
    assert set(borders) <= {"1px"}


# Quarto puts reveal's theme template, with values of its own, between reveal's base and the deck's rules. The package
# that carries reveal.js has that template as theme "white"; the rest are the rules that reach what a slide is made of.
QUARTO = """
.reveal .slides { text-align: left; font-size: 40px }
.reveal h2 { font-size: 1.6em; margin: 0 0 12px 0 }
.reveal pre { width: 95%; box-shadow: none; border: 1px solid; border-radius: 3px; margin: 12px 0; font-size: 0.55em }
.reveal code { color: #4758ab; background-color: transparent }
.reveal pre code { padding: 6px 9px; color: #222; background-color: #fff }
.reveal p, .reveal .slides section, .reveal .slides section > section { line-height: 1.3 }
.reveal .columns > .column > :not(ul, ol) { margin-left: 0.25rem; margin-right: 0.25rem }
.reveal .columns > .column:first-child > :not(ul, ol) { margin-right: 0.5rem; margin-left: 0 }
.reveal .columns > .column:last-child > :not(ul, ol) { margin-right: 0; margin-left: 0.5rem }
.reveal .slide-number { color: #2a76dd; background-color: #fff }
.reveal table { margin: auto; border-collapse: collapse }
.reveal ul, .reveal ol { display: inline-block; margin: 0 0 0 1em }
#title-slide { text-align: center }
"""
LOOKS = """() => {
  const elements = [...Reveal.getCurrentSlide().querySelectorAll("*")];
  const shown = (e) => e.checkVisibility() && !e.closest("aside.notes, svg > *, annotation");
  return elements.filter(shown).map((e) => {
    const [box, style] = [e.getBoundingClientRect(), getComputedStyle(e)];
    const text = e.nodeName + " " + (e.textContent ?? "").trim().slice(0, 30);
    const looks = [box.x, box.y, box.width, box.height].map(Math.round);
    const properties = ["color", "fontSize", "fontWeight", "textAlign", "textTransform", "backgroundColor"];
    return [text, ...looks, ...properties.map((property) => style[property])].join(" | ");
  });
}"""


def looks(browser: Browser, page_file: Path) -> list[str]:
    page = opened_deck(browser, page_file, WINDOWS[0], Visit())
    seen: list[str] = []
    for number in range(page.evaluate("Reveal.getHorizontalSlides().length")):
        page.evaluate(f"Reveal.slide({number}, 0, 999)")
        page.evaluate("document.fonts.ready")
        seen += [f"slide {number + 1}: {line}" for line in page.evaluate(LOOKS)]
    page.close()
    return seen


def test_the_deck_looks_the_same_over_quarto_s_theme(browser: Browser, deck_file: Path, tmp_path: Path):
    html = deck_file.read_text(encoding="utf-8")
    theme = (assets.reveal() / "dist" / "theme" / "white.css").read_text(encoding="utf-8")
    theme = "\n".join(line for line in theme.splitlines() if not line.startswith("@import"))
    rules = html.rindex("<style", 0, html.index("What the deck and the pages to read share:"))
    over_quarto = tmp_path / "over-quarto.html"
    over_quarto.write_text(f"{html[:rules]}<style>{theme}{QUARTO}</style>{html[rules:]}", encoding="utf-8")
    expected, seen = looks(browser, deck_file), looks(browser, over_quarto)
    none([f"{mine}\n   over Quarto's theme: {theirs}" for mine, theirs in zip(expected, seen, strict=True) if mine != theirs])
