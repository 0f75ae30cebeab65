"""The card of a number, in a browser: off it changes nothing, on it answers to pointer, finger and keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import entries
import pytest
from page import cards, theme_css

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SCRIPT = (cards.THEME / "ledger.mjs").read_text(encoding="utf-8")
WORDS = {
    "button": "De onde vem cada número", "value": "valor", "function": "função", "place": "código", "data": "dados", "records": "registros",
    "seeds": "sementes", "note": "nota", "notes": {"fact": "fonte", "measured": "medido em", "recorded": "registrado em"},
    "kinds": {"computed": "calculado", "fact": "fato", "measured": "medido", "recorded": "registrado"},
}  # fmt: skip
TABLE = {
    "columns": [{"heading": heading, "format": "fixed(1)", "unit": unit} for heading, unit in (("token", ""), ("tempo", "ms"))],
    "rows": [["um", 2.31], ["dois", {"value": 7.25, "kind": "fact", "note": "um artigo"}]],
    "texts": [["um", "2,3"], ["dois", "7,2"]],
    "caption": "",
}


def entry(n: int, **more: Any) -> dict[str, Any]:
    made = {"id": f"t.f({n})", "value": 0.6199, "function": "t.f", "arguments": [{"name": "token", "value": "praça"}]}
    return entries.entry(n, **made | {"file": "figures/t.py", "data": ["t.yml", "words/t.yml"]} | more)


ENTRIES = [
    entry(1),
    entry(2, what="table", value=TABLE, text=""),
    entry(3, kind="measured", note="CPU X; torch 2; 2026-11-30", seeds=[{"file": "t.yml", "seed": 4}], records=["m.yml#8B"]),
    entry(4, what="simulator", value={"opening": {}}, text="Simulador: um"),
]
BODY = """<h2 id="a">Um</h2><p>Peso <span class="n" data-n="1">0,62</span> e <span id="last" class="n" data-n="3">0,62</span>.</p>
<div data-n="2"><table><tr><th>token</th><th>tempo</th></tr><tr><td>um</td><td><span class="n" data-n="2-1-2">2,3</span></td></tr>
<tr><td>dois</td><td><span class="n" data-n="2-2-2">7,2</span></td></tr></table></div>
<div class="sim" data-n="4" style="padding:30px"><label>d_k <input type="range" id="control"></label></div><p id="else">fim</p>"""


def article(repository: str = "") -> str:
    ledger = {"version": 1, "repository": repository, "words": WORDS, "entries": ENTRIES}
    content = json.dumps(ledger, ensure_ascii=False).replace("</", "<\\/")
    head = "<title>T</title><style>body{font-size:20px}" + theme_css.theme_css("<title>T</title>") + "</style>"
    script = f'<script id="ledger" type="application/json">{content}</script>'
    return cards.inline(f'<!DOCTYPE html><html lang="pt-BR"><head>{head}</head><body>{BODY}{script}</body></html>')


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page to read, without reveal."""
    opened = browser.new_page(viewport={"width": 900, "height": 700})
    (tmp_path / "a.html").write_text(article(), encoding="utf-8")
    opened.goto((tmp_path / "a.html").as_uri())
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def slides(browser: Browser, deck_file: Path) -> Iterator[Page]:
    """The deck itself, on the slide of the four steps."""
    opened = browser.new_page(viewport={"width": 1280, "height": 720})
    opened.faults = []  # type: ignore[attr-defined]
    opened.on("console", lambda message: opened.faults.append(message.text) if message.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else opened.faults.append(request.url))
    opened.goto(deck_file.as_uri() + "#/sec-quatro-passos")
    opened.wait_for_function("window.Reveal && Reveal.isReady()")
    yield opened
    opened.close()


def shown(page: Page) -> str:
    card = page.locator(".ledger-card")
    return "" if card.is_hidden() else " ".join(card.inner_text().split())


def test_off_nothing_is_there_but_the_button(page):
    outlines = page.eval_on_selector_all("[data-n]", "marks => marks.map((mark) => getComputedStyle(mark).outlineStyle)")
    assert set(outlines) == {"none"} and page.locator("[data-n][tabindex]").count() == 0
    page.hover("[data-n='1']")
    assert shown(page) == "" and page.locator(".ledger-button").get_attribute("aria-pressed") == "false"


def test_pointing_shows_the_value_in_full_and_where_it_comes_from(page):
    page.click(".ledger-button")
    page.hover("[data-n='1']")
    assert shown(page) == '0,62 calculado valor 0.6199 função t.f(token="praça") código figures/t.py:7 dados t.yml'
    page.hover("#last")
    assert "registros 8B" in shown(page) and "sementes 4 (t.yml)" in shown(page) and "medido em CPU X; torch 2; 2026-11-30" in shown(page)


def test_a_cell_has_its_own_value_and_unit_and_a_fact_in_it_its_source(page):
    page.keyboard.press("i")
    page.hover("[data-n='2-1-2']")
    assert shown(page).startswith("2,3 calculado valor 2.31 ms função")
    page.hover("[data-n='2-2-2']")
    assert shown(page).startswith("7,2 fato valor 7.25 ms") and "fonte um artigo" in shown(page)
    page.hover("th >> nth=0")
    assert shown(page).startswith("calculado função t.f(")


def test_the_keyboard_alone_is_enough(page):
    page.keyboard.press("i")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.n") == "1" and shown(page).startswith("0,62")
    assert page.get_attribute("[data-n='1']", "aria-describedby") == page.get_attribute(".ledger-card", "id")
    assert "0,62; calculado; valor: 0.6199" in page.locator("[role=status]").inner_text()
    page.keyboard.press("Escape")
    assert shown(page) == "" and page.evaluate("document.activeElement.dataset.n") == "1"
    page.keyboard.press("I")  # with Caps Lock on
    assert page.locator("[data-n][tabindex]").count() == 0 and page.locator(".ledger-on").count() == 0


def test_a_click_keeps_the_card_and_one_beside_it_lets_it_go(page):
    page.keyboard.press("i")
    page.click("[data-n='1']")
    page.hover("#else")
    page.wait_for_timeout(350)
    assert shown(page).startswith("0,62")
    page.click("#else")
    assert shown(page) == ""


def test_leaving_a_mark_closes_its_card_unless_the_pointer_goes_to_it(page):
    page.keyboard.press("i")
    page.hover("[data-n='1']")
    page.hover(".ledger-card")
    page.wait_for_timeout(350)
    assert shown(page)
    page.hover("#else")
    page.wait_for_timeout(350)
    assert shown(page) == ""


def test_a_finger_is_enough(browser, tmp_path):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 700})
    page = context.new_page()
    (tmp_path / "a.html").write_text(article(), encoding="utf-8")
    page.goto((tmp_path / "a.html").as_uri())
    page.tap(".ledger-button")
    page.tap("[data-n='1']")
    box = page.locator(".ledger-card").bounding_box()
    assert shown(page).startswith("0,62") and box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.tap("#else")
    assert shown(page) == ""
    context.close()


def test_a_simulator_keeps_its_controls_to_itself(page):
    page.keyboard.press("i")
    page.hover("#control")
    assert shown(page) == ""
    page.hover(".sim", position={"x": 5, "y": 5})
    assert shown(page).startswith("Simulador: um")
    page.focus("#control")
    page.keyboard.press("i")
    assert page.locator(".ledger-on").count() == 1, "a control keeps its keys"


def test_the_code_is_linked_where_the_repository_has_an_address(browser, tmp_path):
    page = browser.new_page()
    (tmp_path / "a.html").write_text(article("https://example.org/a/b/"), encoding="utf-8")
    page.goto((tmp_path / "a.html").as_uri())
    page.keyboard.press("i")
    page.focus("[data-n='1']")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.href") == "https://example.org/a/b/blob/HEAD/figures/t.py#L7"
    page.keyboard.press("Escape")
    assert shown(page) == "" and page.evaluate("document.activeElement.dataset.n") == "1"
    page.close()


def test_it_can_be_undone_without_a_trace(page):
    unbound = re.sub(r"^export ", "", SCRIPT, flags=re.MULTILINE)
    page.evaluate("document.querySelectorAll('.ledger-button, .ledger-card, .ledger-said').forEach((made) => made.remove())")
    before = page.evaluate("document.body.innerHTML")
    page.evaluate(f"() => {{ {unbound}; const undo = mount(document, null); undo(); }}")
    assert page.evaluate("document.body.innerHTML") == before


def test_every_mark_of_the_deck_has_a_card(slides):
    ids = {entry["n"]: entry["id"] for entry in json.loads(slides.locator("script#ledger").text_content())["entries"]}
    marks = slides.eval_on_selector_all("[data-n]", "marks => marks.map((mark) => mark.dataset.n)")
    found = {int(mark.split("-")[0]) for mark in marks}
    assert found <= ids.keys()
    assert {ids[n] for n in found} == set(ids.values()), "what is shown twice by the same words stands twice under its last mark"


def test_on_a_slide_the_key_marks_and_esc_closes_without_the_overview(slides):
    slides.keyboard.press("i")
    cell = slides.locator("section.present td [data-n]").first
    cell.hover()
    assert "hand_example.four_steps()" in shown(slides) and "hand_example.yml" in shown(slides)
    slides.keyboard.press("Escape")
    assert shown(slides) == "" and not slides.evaluate("Reveal.isOverview()")
    slides.keyboard.press("Escape")
    assert slides.evaluate("Reveal.isOverview()")
    assert slides.locator(".ledger-button").is_hidden()
    assert slides.locator("section.present td [data-n]").first.evaluate("mark => getComputedStyle(mark).outlineStyle") == "none"
    slides.keyboard.press("Escape")
    slides.keyboard.press("i")


def test_only_the_slide_that_is_shown_takes_the_tab_key(slides):
    slides.keyboard.press("i")
    assert slides.locator("section:not(.present) [data-ledger]").count() == 0
    assert slides.locator("section.present [data-ledger]").count() > 5
    slides.keyboard.press("i")
    assert slides.locator("[data-ledger]").count() == 0


def test_a_number_in_a_formula_has_a_card(slides):
    slides.keyboard.press("i")
    slides.locator("section.present mtext[data-n]").first.hover()
    assert "hand_example.query()" in shown(slides)
    slides.keyboard.press("Escape")
    slides.keyboard.press("i")


def test_the_help_names_the_key(slides):
    slides.keyboard.press("Shift+?")
    assert "De onde vem cada número" in slides.locator(".r-overlay-help").inner_text()
    slides.keyboard.press("Escape")


def test_the_speaker_s_previews_are_without_the_button(slides):
    with slides.expect_popup() as opening:
        slides.keyboard.press("s")
    speaker = opening.value
    speaker.wait_for_selector("#upcoming-slide iframe")
    previews = [speaker.query_selector(f"#{name}-slide iframe").content_frame() for name in ("current", "upcoming")]
    for preview in previews:
        preview.wait_for_selector(".ledger-button", state="attached")
        assert preview.is_hidden(".ledger-button")
    speaker.close()
    assert slides.is_visible(".ledger-button")


def test_paper_shows_none_of_it(slides):
    slides.keyboard.press("i")
    slides.emulate_media(media="print")
    assert slides.locator(".ledger-button").is_hidden()
    outline = slides.locator("section.present td [data-n]").first.evaluate("mark => getComputedStyle(mark).outlineStyle")
    slides.emulate_media(media="screen")
    slides.keyboard.press("i")
    assert outline == "none"


def test_switching_on_is_quick_and_nothing_is_fetched(slides):
    switch = "const button = document.querySelector('.ledger-button'); button.click(); button.click();"
    took = slides.evaluate(f"() => {{ const start = performance.now(); {switch} return performance.now() - start; }}")
    assert took < 100 and slides.faults == []


def test_a_simulator_of_the_deck_has_a_card_and_keeps_its_controls(slides):
    slides.evaluate("location.hash = '#/sec-sim-banco'")
    slides.wait_for_function("Reveal.getCurrentSlide().id === 'sec-sim-banco'")
    slides.keyboard.press("i")
    slides.locator("section.present .sim[data-n]").focus()
    assert "simulators.banco()" in shown(slides)
    field = slides.locator("section.present .sim input").first
    field.click()
    assert shown(slides) == "" and field.evaluate("field => document.activeElement === field")
    slides.locator(".ledger-button").click()
    assert slides.locator(".ledger-on").count() == 0
    slides.evaluate("location.hash = '#/sec-quatro-passos'")


def test_the_chapter_has_cards_too(browser, chapter_file):
    page = browser.new_page(viewport={"width": 1100, "height": 800})
    page.goto(chapter_file.as_uri())
    page.keyboard.press("i")
    mark = page.locator("p .n[data-n]").first
    mark.scroll_into_view_if_needed()
    mark.hover()
    n = int(mark.get_attribute("data-n").split("-")[0])
    entry = next(one for one in json.loads(page.locator("script#ledger").text_content())["entries"] if one["n"] == n)
    assert f"{entry['file']}:{entry['line']}" in shown(page)
    page.keyboard.press("i")
    assert shown(page) == ""
    page.close()
