"""Simulators whose states Python computes, in a browser: the page shows what Python drew, under keys, typing and mistakes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import spring
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sim_page import MOUNTED, ORIGIN, SIM, article, serve
from sim_slides import Slides

from figures.kit.json_values import script_json
from figures.kit.precomputed.kept import Kept, stored

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAME = "precomputed"
FILE = f"kit/{NAME}.mjs"
RUN = """(text) => {
  const [data, states] = JSON.parse(text);
  return JSON.stringify(states.map((state) => [model.run(data, state), model.digest(data, state)]));
}"""


def load(browser: Browser, changed: dict[str, str] | None = None) -> Page:
    """A page with the module as `model`, changed where asked."""
    context = browser.new_context()
    serve(context, article([]), changed=changed)
    page = context.new_page()
    page.goto(ORIGIN)
    page.evaluate(f"async () => {{ window.model = await import('/{FILE}'); window.golden = await import('/kit/golden.mjs'); }}")
    return page


@pytest.fixture(scope="module")
def model(browser: Browser) -> Any:
    page = load(browser)
    yield page
    page.context.close()


LETTERS = st.text(st.characters(codec="utf-8", exclude_characters="\r", exclude_categories=["Cs"]), max_size=8)
SVGS = st.lists(st.sampled_from(["<g>", "</g>", '<path d="M 0 1', "L 2 3", '"/>', "é🙂"]), max_size=20).map("\n".join)


@given(sizes=st.lists(st.integers(2, 4), min_size=1, max_size=3), data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_grid_comes_back_as_python_made_it(sizes: list[int], data: st.DataObject, model: Page) -> None:
    controls = [{"name": f"c{n}", "values": list(range(size))} for n, size in enumerate(sizes)]
    states: list[dict[str, int]] = [{}]
    for control in controls:
        states = [state | {control["name"]: value} for state in states for value in control["values"]]
    kept = data.draw(st.lists(st.builds(Kept, LETTERS, SVGS, LETTERS, LETTERS), min_size=len(states), max_size=len(states)))
    came = json.loads(model.evaluate(RUN, script_json([{"controls": controls, **stored(kept)}, states])))
    assert [Kept(**shown) for shown, _ in came] == kept
    assert [digest for _, digest in came] == [one.digest() for one in kept]


# what stands there -> what breaks it
MUTATIONS = {
    "states in another order": ("return controls.reduce", "return [...controls].reverse().reduce"),
    "runs a line short": ("runs[i] + runs[i + 1]", "runs[i] + runs[i + 1] - 1"),
    "the first table always": ("data.tables[table]", "data.tables[0]"),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_page_that_shows_something_else_notices(mutation: str, browser: Browser) -> None:
    stands, broken = MUTATIONS[mutation]
    source = (SIM / FILE).read_text(encoding="utf-8")
    assert source.count(stands) == 1
    page = load(browser, {FILE: source.replace(stands, broken)})
    counted = page.evaluate("(text) => golden.agreeing(model.digest, JSON.parse(text))", script_json(spring.made().params()))
    page.context.close()
    assert counted["equal"] < counted["total"] == 16


def test_a_changed_text_is_told_to_the_reader(model: Page) -> None:
    params = json.loads(script_json(spring.made().params()))
    params["data"]["sentences"][0] += " Ou quase."  # three states say it
    model.evaluate(f"async ([name, params]) => {{ {MOUNTED}; await mounted(name, params); }}", [NAME, params])
    model.locator(".sim-foot button").nth(1).click()
    assert model.locator(".sim-report").inner_text().startswith("Só 13 de 16 estados")


# Under hands


def state(slides: Slides) -> tuple[str, str, str]:
    """What is shown: the sentence, the table's cells, the words of the picture."""
    picture = slides.page.locator("section.present .sim-picture svg[role=img]")
    return slides.text(".sim-box"), " ".join(slides.texts(".sim-table td")), picture.get_attribute("aria-label") or ""


def test_it_opens_as_on_paper_and_shows_the_state_that_is_chosen(slides: Slides) -> None:
    slides.fresh(NAME)
    assert state(slides) == ("A mola se alonga 1,00.", "1,0 1,00", "Uma reta; no peso, o alongamento é 1,00")
    first = slides.page.locator("section.present .sim-picture").inner_html()
    slides.page.locator("section.present label:has-text('dura')").click()
    slides.page.locator("section.present [role=switch]").click()
    assert state(slides) == ("A mola se alonga 0,13.", "1,0 0,13", "Uma reta; no peso, o alongamento é 0,13")  # 1/8, half away from zero
    assert slides.page.locator("section.present .sim-picture").inner_html() != first
    slides.press("Recomeçar")
    assert state(slides)[0] == "A mola se alonga 1,00."
    assert slides.page.locator("section.present .sim-picture").inner_html() == first


def test_the_arrows_go_from_value_to_value(slides: Slides) -> None:
    slides.fresh(NAME)
    slider = slides.page.locator("section.present input[type=range]")
    slider.focus()
    said = []
    for _ in range(3):
        slides.page.keyboard.press("ArrowRight")
        said.append((slider.get_attribute("aria-valuetext"), slides.text(".sim-table td:last-child")))
    assert said == [("2,0", "2,00"), ("3,5", "3,50"), ("3,5", "3,50")]
    slides.page.keyboard.press("Home")
    assert slides.text(".sim-box") == "A mola se alonga 0,50."
    slides.press("Recomeçar")


@pytest.mark.parametrize(
    ("typed", "shown", "remark"),
    [
        ("2", "2,00", ""),
        ("3,5", "3,50", ""),
        ("1,9", "2,00", "aqui, o mais próximo é 2,0"),
        ("9", "3,50", "só de 0,5 a 3,5"),
        ("-1", "0,50", "só de 0,5 a 3,5"),
        ("x", "1,00", "isto não é um número"),
    ],
)
def test_a_typed_number_becomes_the_nearest_that_there_is_and_says_so(typed: str, shown: str, remark: str, slides: Slides) -> None:
    slides.fresh(NAME)
    field = slides.page.locator("section.present input[type=text]")
    field.fill(typed)
    assert slides.text(".sim-table td:last-child") == shown
    assert slides.page.locator("section.present .sim-message").inner_text() == remark
    field.blur()
    assert field.input_value() in {"0,5", "1,0", "2,0", "3,5"}
    slides.press("Recomeçar")


def test_the_sentence_is_announced(slides: Slides) -> None:
    slides.fresh(NAME)
    slides.page.locator("section.present label:has-text('dura')").click()
    slides.page.wait_for_function("document.querySelector('.present .sim-heard').innerText === 'A mola se alonga 0,25.'")
    slides.press("Recomeçar")
