"""The card of a number, in a browser: off it changes nothing, on it answers to pointer, finger and keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import entries
import pytest
from browsing import card
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
    entry(1, name="3.1"),
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


def test_off_nothing_is_there_but_the_button(page):
    outlines = page.eval_on_selector_all("[data-n]", "marks => marks.map((mark) => getComputedStyle(mark).outlineStyle)")
    assert set(outlines) == {"none"} and page.locator("[data-n][tabindex]").count() == 0
    page.hover("[data-n='1']")
    assert card(page) == "" and page.locator(".ledger-button").get_attribute("aria-pressed") == "false"


def test_pointing_shows_the_value_in_full_and_where_it_comes_from(page):
    page.click(".ledger-button")
    page.hover("[data-n='1']")
    assert card(page) == '0,62 3.1 calculado valor 0.6199 função t.f(token="praça") código figures/t.py:7 dados t.yml'
    page.hover("#last")
    assert "registros 8B" in card(page) and "sementes 4 (t.yml)" in card(page) and "medido em CPU X; torch 2; 2026-11-30" in card(page)


def test_a_cell_has_its_own_value_and_unit_and_a_fact_in_it_its_source(page):
    page.keyboard.press("i")
    page.hover("[data-n='2-1-2']")
    assert card(page).startswith("2,3 calculado valor 2.31 ms função")
    page.hover("[data-n='2-2-2']")
    assert card(page).startswith("7,2 fato valor 7.25 ms") and "fonte um artigo" in card(page)
    page.hover("th >> nth=0")
    assert card(page).startswith("calculado função t.f(")


def test_the_keyboard_alone_is_enough(page):
    page.keyboard.press("i")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.n") == "1" and card(page).startswith("0,62")
    assert page.get_attribute("[data-n='1']", "aria-describedby") == page.get_attribute(".ledger-card", "id")
    assert "0,62; 3.1 calculado; valor: 0.6199" in page.locator("[role=status]").inner_text()
    page.keyboard.press("Escape")
    assert card(page) == "" and page.evaluate("document.activeElement.dataset.n") == "1"
    page.keyboard.press("I")  # with Caps Lock on
    assert page.locator("[data-n][tabindex]").count() == 0 and page.locator(".ledger-on").count() == 0


def test_a_click_keeps_the_card_and_one_beside_it_lets_it_go(page):
    page.keyboard.press("i")
    page.click("[data-n='1']")
    page.hover("#else")
    page.wait_for_timeout(350)
    assert card(page).startswith("0,62")
    page.click("#else")
    assert card(page) == ""


def test_leaving_a_mark_closes_its_card_unless_the_pointer_goes_to_it(page):
    page.keyboard.press("i")
    page.hover("[data-n='1']")
    page.hover(".ledger-card")
    page.wait_for_timeout(350)
    assert card(page)
    page.hover("#else")
    page.wait_for_timeout(350)
    assert card(page) == ""


def test_a_finger_is_enough(browser, tmp_path):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 700})
    page = context.new_page()
    (tmp_path / "a.html").write_text(article(), encoding="utf-8")
    page.goto((tmp_path / "a.html").as_uri())
    page.tap(".ledger-button")
    page.tap("[data-n='1']")
    box = page.locator(".ledger-card").bounding_box()
    assert card(page).startswith("0,62") and box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.tap("#else")
    assert card(page) == ""
    context.close()


def test_a_simulator_keeps_its_controls_to_itself(page):
    page.keyboard.press("i")
    page.hover("#control")
    assert card(page) == ""
    page.hover(".sim", position={"x": 5, "y": 5})
    assert card(page).startswith("Simulador: um")
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
    assert card(page) == "" and page.evaluate("document.activeElement.dataset.n") == "1"
    page.close()


def test_it_can_be_undone_without_a_trace(page):
    unbound = re.sub(r"^export ", "", SCRIPT, flags=re.MULTILINE)
    page.evaluate("document.querySelectorAll('.ledger-button, .ledger-card, .ledger-said').forEach((made) => made.remove())")
    before = page.evaluate("document.body.innerHTML")
    page.evaluate(f"() => {{ {unbound}; const undo = mount(document, null); undo(); }}")
    assert page.evaluate("document.body.innerHTML") == before
