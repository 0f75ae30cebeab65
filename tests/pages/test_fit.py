"""Another teacher's sentence, longer than the lecture's: every slide still fits, readable, on screen and on paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from a_copy import copied, run
from browsing import CANVAS, FACTS, Visit, none, opened_deck
from loaded import with_records
from shown import put

from figures import bpe, embedding, masks, pieces
from figures.kit import data
from figures.kit.errors import DataError

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PHRASE = "o gato subiu no muro do quintal"  # as many tokens as the slides hold
WINDOW = (1280, 720)
STEPS = "[...document.querySelectorAll('section[data-fit]')].map((slide) => [slide.id, Number(slide.dataset.fit)])"
FITTED = "[...document.querySelectorAll('section[data-fit]')].map((slide) => slide.id)"


@pytest.fixture(scope="module")
def long_deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deck of a fork whose phrase has eight tokens, and whose toy model knows them."""
    folder = copied(tmp_path_factory.mktemp("long"))
    new = [word for word in PHRASE.split() if word not in ("o", "gato", "subiu", "no", "muro")]
    toy, tables = bpe.toy(), embedding.tables()
    changes: dict[str, Any] = {
        "phrases.yml:example": PHRASE,
        "bpe.yml:merges": 59,
        "bpe.yml:vocabulary": [*toy.vocabulary, *(f"␣{word}" for word in new)],
        "embedding.yml:E": [*map(list, tables.E), *([n / 2, -0.5, 0.5, -n / 2] for n, _ in enumerate(new))],
        "bpe.yml:cases.roof.text": PHRASE + " e do telhado.",
        "masks.yml:continuation": ".",
    }
    for place, value in changes.items():
        put(folder / "data", place, value)
    done = run(folder, "build", "render", "slides/atencao.qmd", "--to", "revealjs")
    assert done.returncode == 0, done.stderr
    return folder / "_output" / "slides" / "atencao.html"


def test_a_longer_phrase_fits_every_slide(browser: Browser, long_deck: Path):
    visit = Visit()
    page = opened_deck(browser, long_deck, WINDOW, visit)
    fitted: set[str] = set()
    for number in range(page.evaluate("Reveal.getTotalSlides()")):
        page.evaluate(f"Reveal.slide({number}, 0, 999)")
        page.evaluate("document.fonts.ready.then(() => new Promise((painted) => requestAnimationFrame(() => painted())))")
        visit.slides.append(page.evaluate(f"({FACTS})({json.dumps(CANVAS)})"))
        fitted.update(page.evaluate(FITTED))
    page.close()
    none(visit.faults("outside", "scrolled", "clipped", "overlap", "footer", "small"))
    assert {"sec-bpe", "sec-id-vetor", "sec-mascaras"} <= fitted
    assert visit.errors == []


def test_on_paper_too_each_slide_takes_one_page(browser: Browser, long_deck: Path):
    page = opened_deck(browser, long_deck, WINDOW, Visit(), query="?print-pdf")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length > 1")
    page.evaluate("document.fonts.ready.then(() => undefined)")
    heights = page.evaluate("[...document.querySelectorAll('.pdf-page')].map((paper) => paper.offsetHeight)")
    fitted = set(page.evaluate(FITTED))
    page.close()
    assert len(set(heights)) == 1 and {"sec-bpe", "sec-id-vetor", "sec-mascaras"} <= fitted


def test_of_the_lecture_s_own_slides_none_is_set_tighter(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, WINDOW, Visit(), query="?print-pdf")
    page.wait_for_function("document.querySelectorAll('.pdf-page').length > 1")
    page.evaluate("document.fonts.ready.then(() => undefined)")
    steps = page.evaluate(STEPS)
    page.close()
    assert steps == []


def test_what_no_slide_can_hold_stops_the_build(monkeypatch: pytest.MonkeyPatch):
    long = data.changed(pieces.phrases(), example=PHRASE + " do vizinho")
    assert [fault.partition(":")[0] for fault in long.faults()] == [
        "`example` has 9 words and 42 characters, and the slides hold 8 and 60",
    ]
    with_records(monkeypatch, "phrases", data.changed(pieces.phrases(), example="o pássaro subiu"))
    with pytest.raises(DataError, match=r"data/phrases.yml, example: .* is cut into 11 tokens, and the slides hold 8"):
        embedding.ids()
    with_records(monkeypatch, "phrases", data.changed(pieces.phrases(), example=PHRASE))
    with pytest.raises(DataError, match=r"data/masks.yml, continuation: .* positions, and the slides hold 8"):
        masks.positions.examples()
