"""A simulator's state as a link, and its inputs taken to the other simulators of the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sim_page
from sim_page import ALL, NAMES, ORIGIN, serve

from figures.kit.json_values import script_json

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOADED = """async (names) => {
  window.link = await import('/kit/link.mjs');
  window.share = await import('/kit/share.mjs');
  window.models = {};
  for (const name of names) models[name] = await import(`/${name === 'precomputed' ? 'kit/precomputed' : `${name}/model`}.mjs`);
}"""
# Each golden state written as a link and read again, entry by entry of those that a link can carry.
ROUND = """(text) => {
  const params = JSON.parse(text);
  const one = { ...params, kinds: models[params.name].entries(params.data) };
  return params.golden.filter(({ state }) => {
    const [back] = link.read(link.written([one], [state]), [one]);
    const differs = Object.keys(one.kinds).some((name) => JSON.stringify(state[name]) !== JSON.stringify(back.state[name]));
    return differs || back.refused;
  }).map(({ state }) => link.written([one], [state]));
}"""
READ = """([text, query]) => {
  const params = JSON.parse(text);
  return link.read(query, [{ ...params, kinds: models[params.name].entries(params.data) }])[0];
}"""
STATE = "document.querySelector('section.present .sim-report').textContent"


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """A page with the models of all simulators, and what links are made of."""
    context = browser.new_context()
    serve(context)
    page = context.new_page()
    page.goto(ORIGIN)
    page.evaluate(LOADED, [*NAMES, "precomputed"])
    yield page
    context.close()


@pytest.mark.parametrize("name", [*NAMES, "precomputed"])
def test_every_state_survives_as_a_link(name: str, modules: Page) -> None:
    assert modules.evaluate(ROUND, script_json(sim_page.made(name).params())) == []


@pytest.mark.parametrize(
    ("name", "query", "refused"),
    [
        ("banco", "q=99,0", "q=99,0"),
        ("banco", "q=1", "q=1"),
        ("banco", "q=1,0,2", "q=1,0,2"),
        ("banco", "q=1,", "q=1,"),
        ("banco", "dk=2.5", "dk=2.5"),
        ("banco", "dk=0x10", "dk=0x10"),
        ("banco", "dk=NaN", "dk=NaN"),
        ("banco", "dk=1e999", "dk=1e999"),
        ("banco", "dk", "dk="),
        ("banco", "outro=1", "outro=1"),
        ("banco", "toString=1", "toString=1"),
        ("banco", "dk=%E0%A4%A", "dk=%E0%A4%A"),
        ("matrix", "causal=1", "causal=1"),
        ("matrix", "function=nenhuma", "function=nenhuma"),
        ("matrix", "row=-1", "row=-1"),
        ("bpe", "text=" + 81 * "a", "text=" + 81 * "a"),
        ("bpe", "text=%20", "text= "),
        ("bpe", "text=<b>a</b>", None),
        ("banco", "q=1,0&dk=8", None),
        ("banco", "q=1%2C0", None),
        ("matrix", "causal=true", None),
        ("precomputed", "pull=3.5", None),
        ("precomputed", "pull=3.4", "pull=3.4"),
        ("precomputed", "stiffness=hard&double=true", None),
        ("precomputed", "stiffness=firme", "stiffness=firme"),
    ],
)
def test_a_link_is_taken_or_refused_by_the_entry_at_fault(name: str, query: str, refused: str | None, modules: Page) -> None:
    read = modules.evaluate(READ, [script_json(sim_page.made(name).params()), query])
    assert read.get("refused") == refused


def test_two_simulators_of_a_slide_share_a_link(modules: Page) -> None:
    script = """(text) => {
      const params = JSON.parse(text);
      const two = [1, 2].map(() => ({ ...params, kinds: models[params.name].entries(params.data) }));
      const states = [{ ...params.opening, dk: 3 }, { ...params.opening, dk: 5 }];
      const query = link.written(two, states);
      return [query, link.read(query, two).map(({ state }) => state.dk)];
    }"""
    assert modules.evaluate(script, script_json(sim_page.made("banco").params())) == ["dk=3&2&dk=5", [3, 5]]


@pytest.fixture
def deck(browser: Browser, sim_deck: Path) -> Iterator[Any]:
    """Opens the deck of simulators at a hash, in one tab."""
    context = browser.new_context(viewport={"width": sim_page.WIDTH, "height": sim_page.HEIGHT})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))

    def go(hash: str) -> Page:
        page.goto("about:blank")
        page.goto(sim_deck.as_uri() + hash)
        page.wait_for_function("Reveal.isReady() && document.querySelector('section.present .sim-live')")
        return page

    yield go
    context.close()
    assert faults == []


def output(page: Page) -> str:
    return page.locator("section.present .banco-output").inner_text()


def address(page: Page, hash: str) -> None:
    """Waits until the address ends so."""
    page.wait_for_function("(hash) => location.hash === hash", arg=hash)


def test_a_link_opens_its_slide_in_its_state_and_stays_in_the_address(deck: Any) -> None:
    plain = output(deck("#/sec-banco"))
    page = deck("#/sec-banco?q=1,0")
    assert page.evaluate("Reveal.getCurrentSlide().id") == "sec-banco"
    changed = output(page)
    assert changed != plain
    address(page, "#/sec-banco?q=1,0")
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.wait_for_selector("section.present .sim-live")
    assert output(page) == changed
    assert output(deck("#/sec-banco%3Fq%3D1%2C0")) == changed  # as some programs send it


def test_the_address_follows_hands(deck: Any) -> None:
    page = deck("#/sec-precomputed")
    page.locator("section.present label:has-text('dura')").click()
    address(page, "#/sec-precomputed?stiffness=hard")
    page.locator("section.present .sim-foot button").first.click()
    address(page, "#/sec-precomputed")


def test_a_link_within_the_page_is_followed(deck: Any) -> None:
    page = deck("#/sec-precomputed")
    page.evaluate("location.hash = '#/sec-banco?q=0,0'")
    page.wait_for_selector("section.present .sim-banco")
    address(page, "#/sec-banco?q=0,0")
    assert page.locator("section.present input[type=text]").first.input_value() == "0"


def test_a_bad_value_is_refused_with_a_word_and_the_simulator_opens_as_usual(deck: Any) -> None:
    plain = output(deck("#/sec-banco?q=2,2"))
    page = deck("#/sec-banco?q=99,0&dk=8")
    assert "“q=99,0”" in page.evaluate(STATE)
    fresh = output(page)
    page.evaluate("sessionStorage.clear()")
    assert fresh == output(deck("#/sec-banco")) != plain


def test_the_link_of_a_state_is_copied_and_said(browser: Browser, sim_deck: Path) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(sim_deck.as_uri() + "#/sec-bpe?text=a%20gata%3F&done=3")
    page.wait_for_selector("section.present .sim-live")
    copy = page.get_by_role("button", name="Copiar o link")
    copy.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"{STATE}.startsWith('Copiado')")
    assert page.evaluate("navigator.clipboard.readText()") == sim_deck.as_uri() + "#/sec-bpe?text=a%20gata%3F&done=3"
    assert page.locator("section.present .sim-report").get_attribute("role") == "status"
    context.close()


def test_inputs_go_to_the_other_simulators_when_asked(deck: Any) -> None:
    page = deck("#/sec-banco?q=1,0&values=1,0;0.5,0.5;0,1")
    weights = [float(text.replace(",", ".")) for text in page.locator(".banco-steps tbody td.weight").all_inner_texts()]
    carry = page.get_by_role("button", name="Levar aos outros")
    carry.click()
    number = 2 + ALL.index("multihead")
    page.wait_for_function(f"{STATE} === 'Levado a: slide {number}.'")
    carry.click()
    page.wait_for_function(f"{STATE}.startsWith('Os outros')")
    page.evaluate("Reveal.slide(Reveal.getSlides().findIndex((slide) => slide.id === 'sec-multihead'))")
    page.wait_for_selector("section.present .sim-multihead")
    page.get_by_role("button", name="até o fim").click()
    page.get_by_role("button", name="←").or_(page.get_by_role("button", name="uma linha para trás")).first.click()
    framed = page.locator("section.present .heat-cells").first.locator("tr.framed td").all_inner_texts()
    assert [float(text.replace(",", ".")) for text in framed] == pytest.approx(weights, abs=0.006)


def test_an_input_that_another_cannot_hold_is_said_and_not_taken(modules: Page) -> None:
    script = """([first, second]) => {
      const of = (text) => {
        const its = JSON.parse(text);
        return { ...its, module: models[its.name], kinds: models[its.name].entries(its.data) };
      };
      const [from, to] = [of(first), of(second)];
      return share.carried(from, { ...from.opening, dk: from.data.dk.max }, to, to.opening);
    }"""
    matrix, banco = (script_json(sim_page.made(name).params()) for name in ("matrix", "banco"))
    assert modules.evaluate(script, [matrix, banco]) == {"refused": True}
    carried = modules.evaluate(script, [banco, matrix])
    assert carried["state"] == json.loads(matrix)["opening"] | {"dk": 64}


def test_simulators_that_have_nothing_in_common_offer_nothing(deck: Any) -> None:
    assert deck("#/sec-bpe").get_by_role("button", name="Levar aos outros").count() == 0
