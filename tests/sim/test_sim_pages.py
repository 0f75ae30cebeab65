"""The simulators on their slides, in a real browser and from a file: what they show, and how they behave under the hands."""

from __future__ import annotations

import os
import random
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import sim_page
from sim_page import deck

from figures import bpe, chapter, hand_example, kv_cache, multihead, recurrence, running_example, score_matrix, simulators
from figures.kit import ledger
from figures.kit.formats import count, fixed, plain, scientific, vector
from figures.kit.json_values import script_json
from figures.pieces import example, visible
from figures.simulators.bpe import settings as bpe_settings
from figures.simulators.matrix import settings as matrix_settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DECK = sim_page.DECK
SEED = int(os.environ.get("SIM_SEED") or secrets.randbits(32))
CONTROLS = "input, button, [tabindex='0']"


class Slides:
    """A deck of simulators, opened from a file; `go` shows one of them, `problems` is what the browser complained of."""

    def __init__(self, page: Page) -> None:
        self.page, self.problems = page, []
        page.set_default_timeout(4000)
        page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else self.problems.append(request.url))

    def go(self, name: str | None) -> None:
        self.page.evaluate("(n) => Reveal.slide(n)", 0 if name is None else 1 + DECK.index(name))
        if name is not None:
            self.page.wait_for_selector(f".sim-{name}")

    def fresh(self, name: str) -> None:
        """The simulator's slide, in its opening state."""
        self.go(name)
        self.press("Recomeçar")

    def press(self, label: str) -> None:
        self.page.locator(f"section.present .sim-live button:text-is('{label}')").first.click()

    def text(self, selector: str) -> str:
        return re.sub(r"\s+", " ", self.page.locator(f"section.present {selector}").first.inner_text()).strip()

    def texts(self, selector: str) -> list[str]:
        return [re.sub(r"\s+", " ", text).strip() for text in self.page.locator(f"section.present {selector}").all_text_contents()]

    def slide(self, control: str, value: float) -> None:
        """Moves a slider that is found by its accessible name."""
        self.page.locator(f"section.present input[type=range][aria-label='{control}']").evaluate(
            "(range, value) => { range.value = value; range.dispatchEvent(new Event('input', { bubbles: true })); }", value
        )

    @property
    def index(self) -> int:
        return int(self.page.evaluate("Reveal.getIndices().h"))


@pytest.fixture(scope="module")
def deck_html() -> str:
    return deck([getattr(simulators, name)() for name in DECK], faces=True)


@pytest.fixture(scope="module")
def deck_file(deck_html: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("simulators") / "deck.html"
    file.write_text(deck_html, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def opened(browser: Browser, deck_file: Path) -> Iterator[Slides]:
    context = browser.new_context(viewport={"width": sim_page.WIDTH, "height": sim_page.HEIGHT})
    page = context.new_page()
    slides = Slides(page)
    page.goto(deck_file.as_uri())
    page.wait_for_function("Reveal.isReady()")
    page.evaluate("document.fonts.ready")
    yield slides
    context.close()


@pytest.fixture
def slides(opened: Slides) -> Iterator[Slides]:
    """The deck on its first slide; whatever the test does, the browser has nothing to complain of."""
    opened.go(None)
    opened.problems.clear()
    yield opened
    assert opened.problems == []


# What they show


def test_only_the_shown_slide_lives(slides: Slides) -> None:
    live = "[...document.querySelectorAll('.sim-live')].map((e) => e.closest('section').id)"
    assert slides.page.evaluate(live) == []
    for name in DECK:
        slides.go(name)
        assert slides.page.evaluate(live) == [f"sec-{name}"]


def test_banco_opens_with_the_slides_table(slides: Slides) -> None:
    slides.fresh("banco")
    rows = [[cell.split(" = ")[-1].replace("\u00a0", " ") for cell in row] for row in hand_example.four_steps().texts()]
    assert slides.texts(".banco-steps tbody :is(th, td)") == [cell for row in rows for cell in row]
    assert slides.text(".banco-verdict strong") == str(hand_example.verdict())


@pytest.mark.parametrize("id", [experiment.id for experiment in hand_example.example().experiments])
def test_banco_does_what_its_notes_say(id: str, slides: Slides) -> None:
    given = hand_example.example()
    experiment = next(one for one in given.experiments if one.id == id)
    expected = hand_example.model.steps_of(given, experiment)
    slides.fresh("banco")
    if experiment.query:
        for i, number in enumerate(experiment.query, 1):
            slides.slide(f"query de {given.asking}, componente {i}", number)
    if experiment.value:
        for i, number in enumerate(experiment.value, 1):
            slides.slide(f"valor de {experiment.token}, componente {i}", number)
    shown = slides.texts(".banco-steps tbody tr td.weight")
    assert shown == [fixed(3)(weight) for weight in expected.weights]
    assert slides.text(".banco-verdict strong") == hand_example.verdict_of(expected.output)


def test_banco_s_points_can_be_dragged(slides: Slides) -> None:
    slides.fresh("banco")
    before = slides.texts(".banco-steps td.weight")
    mark = slides.page.locator(".banco-plane").nth(1).locator(".mark.v g").nth(1).bounding_box()
    assert mark is not None
    slides.page.mouse.move(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    slides.page.mouse.down()
    slides.page.mouse.move(mark["x"] + 60, mark["y"] - 60, steps=4)
    slides.page.mouse.up()
    value = [slides.page.locator(f".banco-inputs .v input[type=text] >> nth={i}").input_value() for i in (2, 3)]
    assert value != ["0,5", "0,5"]
    assert all(re.fullmatch(r"−?\d(,\d)?", number) for number in value)
    assert slides.texts(".banco-steps td.weight") == before
    assert slides.index == 1 + DECK.index("banco")


def test_gradient_opens_with_the_slides_values_and_reaches_the_longer_run(slides: Slides) -> None:
    def shown() -> list[str]:
        return [text.replace(" ", "\u00a0") for text in slides.texts(".gradient-value strong")]

    slides.fresh("gradient")
    assert shown() == [str(recurrence.paths.attention()), str(recurrence.lstm()), str(recurrence.rnn())]
    slides.slide("tokens na sequência", recurrence.records().far.tokens)
    assert shown() == [scientific(1)(getattr(recurrence, name)("far").value) for name in ("attention", "lstm", "rnn")]


def test_bpe_steps_through_the_slides_table(slides: Slides) -> None:
    slides.fresh("bpe")
    steps = bpe.model.steps(example(), bpe.merges())
    for step in steps:
        while int(slides.page.locator(".sim-bpe input[inputmode=decimal]").input_value()) < (step.merges[-1].number if step.merges else 0):
            slides.press("próxima que muda a frase")
        assert [text.split("\n")[0] for text in slides.page.locator(".bpe-chip").all_inner_texts()] == [visible(p) for p in step.pieces]
        assert slides.text(".bpe-phrase strong") == f"{len(step.pieces)} pedaços"
    ids = ", ".join(map(str, bpe.to_ids(steps[-1].pieces, bpe.vocabulary())))
    assert slides.text(".bpe-ids") == f"ids [{ids}]"
    assert slides.text(".bpe-touches").startswith(f"{len(bpe.touching(example(), bpe.merges()))} das {len(bpe.merges())}")


@pytest.mark.parametrize("case", [case.id for case in bpe.toy().cases])
def test_bpe_cuts_the_other_phrases(case: str, slides: Slides) -> None:
    slides.fresh("bpe")
    slides.page.locator(f".sim-bpe label:has(input[value='{bpe.model.case(case).text}'])").click()
    slides.slide("fusão", len(bpe.merges()))
    pieces = bpe.cut(bpe.model.case(case).text, bpe.merges())
    without = [bpe.to_ids([piece], bpe.vocabulary()) == (None,) for piece in pieces]
    assert slides.texts(".bpe-piece") == [visible(piece) for piece in pieces]
    assert [text == "–" for text in slides.texts(".bpe-id")] == without


def test_matrix_opens_with_the_slides_row(slides: Slides) -> None:
    slides.fresh("matrix")
    row = score_matrix.weights(score_matrix.model.opening())[score_matrix.model.opening().row - 1]
    assert slides.texts(".matrix-row .sim-bar-text") == [fixed(2)(weight) for weight in row]
    assert slides.text(".matrix-heading strong") == f"soma {plain()(row.sum())}"


def test_matrix_is_read_by_arrow_keys_and_by_the_pointer(slides: Slides) -> None:
    slides.fresh("matrix")
    heat = slides.page.locator(".sim-matrix .sim-heat")
    heat.focus()
    slides.page.keyboard.press("Home")
    slides.page.keyboard.press("ArrowDown")
    assert slides.text(".matrix-heading h4") == f"para onde “{score_matrix.records().texts[1]}” olha"
    assert heat.get_attribute("aria-valuenow") == "2"
    box = slides.page.locator(".sim-matrix canvas").bounding_box()
    assert box is not None
    n = len(score_matrix.records().texts)
    slides.page.mouse.move(box["x"] + 30, box["y"] + box["height"] * (n - 0.5) / n)
    assert slides.text(".matrix-heading h4") == f"para onde “{score_matrix.records().texts[-1]}” olha"


def test_matrix_turns_binary_without_the_division(slides: Slides) -> None:
    slides.fresh("matrix")
    slides.page.locator(".sim-matrix .sim-toggle").first.click()
    slides.slide("dimensão dk", matrix_settings().dk.max)
    shown = [float(text.replace(",", ".")) for text in slides.texts(".matrix-row .sim-bar-text")]
    row = score_matrix.weights(score_matrix.undivided())[score_matrix.model.opening().row - 1]
    assert shown == pytest.approx(row, abs=5e-3)


MULTIHEAD_SWITCHES = {0: {"causal": True}, 1: {"one_head": True}, 2: {"equal_keys": True}}


@pytest.mark.parametrize("switch", [None, *MULTIHEAD_SWITCHES])
def test_multihead_shows_the_slides_numbers(switch: int | None, slides: Slides) -> None:
    slides.fresh("multihead")
    if switch is not None:
        slides.page.locator(".sim-multihead .sim-toggle").nth(switch).click()
    found = multihead.model.heads(multihead.model.variant(**(MULTIHEAD_SWITCHES[switch] if switch is not None else {})))
    rows = [fixed(2)(weight) for head in found.weights for row in head for weight in row]
    output = [fixed(2)(number) for row in found.output for number in row]
    assert slides.texts(".multihead-made td:not(thead td)") == rows + output


def test_multihead_runs_line_by_line(slides: Slides) -> None:
    slides.fresh("multihead")
    steps = multihead.model.variant()
    slides.press("do início")
    for step in steps:
        assert slides.text(".multihead-at") == f"linha {step.line - 1} de {len(steps)}"
        slides.press("→")
        assert slides.text(".multihead-code .now code") == step.text
        made = [np.shape(value) or (value,) for value in step.made.values()]
        assert slides.text(".multihead-code .now span:last-child") == "; ".join(" × ".join(map(str, shape)) for shape in made)


CACHE_TRIES = ["opening", *(tried.id for tried in kv_cache.controls().tries)]


@pytest.mark.parametrize("tried", CACHE_TRIES)
def test_cache_shows_the_slides_numbers(tried: str, slides: Slides) -> None:
    slides.fresh("cache")
    state = kv_cache.state(tried)
    for value in (state.model, state.scheme):
        slides.page.locator(f".sim-cache label:has(input[value='{value}'])").click()
    slides.slide("contexto, em tokens (T)", np.log2(state.context))
    assert slides.text(".cache-verdict strong") == str(kv_cache.fits(tried))
    assert slides.text(".cache-line > strong") == f"= {kv_cache.cache(tried)}".replace("\u00a0", " ")
    assert slides.texts(".cache-main svg text")[:2] == [
        f"pesos {kv_cache.weights(tried)}".replace("\u00a0", " "),
        f"cache {kv_cache.cache(tried)}".replace("\u00a0", " "),
    ]


def test_cache_names_whose_latent_it_counts(slides: Slides) -> None:
    slides.fresh("cache")
    assert slides.text(".cache-note") == ""
    slides.page.locator(".sim-cache label:has(input[value='MLA'])").click()
    latent = kv_cache.schemes().latent
    assert latent.name in slides.text(".cache-note")
    assert f"{count()(latent.kv_latent)} + {count()(latent.rope_dim)}" in slides.text(".cache-note")


# Under the hands


@pytest.mark.parametrize("name", DECK)
def test_the_page_checks_itself(name: str, slides: Slides) -> None:
    slides.fresh(name)
    slides.press("Conferir com o Python")
    told = re.fullmatch(r"(\d+) de (\d+) estados: .*", slides.text(".sim-report"))
    assert told
    assert told[1] == told[2]


# For each simulator a change, and where it shows.
CHANGES = {
    "gradient": ("tokens na sequência", 200, ".gradient-values"),
    "bpe": ("fusão", 20, ".bpe-phrase"),
    "banco": (f"query de {hand_example.example().asking}, componente 1", -2, ".banco-steps"),
    "matrix": ("dimensão dk", 99, ".matrix-row"),
    "multihead": (None, "do início", ".multihead-made"),
    "cache": ("contexto, em tokens (T)", 12, ".cache-formula"),
}


@pytest.mark.parametrize("name", DECK)
def test_state_survives_leaving_and_a_button_brings_the_opening_back(name: str, slides: Slides) -> None:
    control, value, place = CHANGES[name]
    slides.fresh(name)
    opening = slides.text(place)
    if control:
        slides.slide(control, value)
    else:
        slides.press(value)
    changed = slides.text(place)
    assert changed != opening
    slides.go(None)
    slides.go(name)
    assert slides.text(place) == changed
    slides.press("Recomeçar")
    assert slides.text(place) == opening


@pytest.mark.parametrize("name", DECK)
def test_a_change_is_announced_politely(name: str, slides: Slides) -> None:
    control, value, _ = CHANGES[name]
    slides.fresh(name)
    heard = slides.page.locator("section.present .sim-heard[aria-live=polite]")
    slides.page.wait_for_timeout(500)
    before = heard.inner_text()
    if control:
        slides.slide(control, value)
    else:
        slides.press(value)
    slides.page.wait_for_function("(text) => document.querySelector('.present .sim-heard[role=status]').innerText !== text", arg=before)
    assert not re.search(r"[{}]|NaN|undefined", heard.inner_text())


@pytest.mark.parametrize("name", DECK)
def test_every_control_has_a_name(name: str, slides: Slides) -> None:
    slides.go(name)
    nameless = slides.page.evaluate(
        """(controls) => [...document.querySelectorAll(`section.present .sim-live :is(${controls})`)].filter((control) => {
          const label = control.getAttribute('aria-label') ?? control.closest('label')?.innerText ?? control.innerText;
          return !label?.trim();
        }).map((control) => control.outerHTML)""",
        CONTROLS,
    )
    assert nameless == []


@pytest.mark.parametrize("name", DECK)
def test_keys_in_a_control_leave_the_slide_where_it_is(name: str, slides: Slides) -> None:
    slides.fresh(name)
    here = slides.index
    controls = slides.page.locator(f"section.present .sim-live :is({CONTROLS})")
    for i in range(min(controls.count(), 24)):
        if controls.nth(i).is_disabled():
            continue
        controls.nth(i).focus()
        for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End", "Space"):
            slides.page.keyboard.press(key)
        assert slides.index == here, controls.nth(i).evaluate("(e) => e.outerHTML")
    slides.press("Recomeçar")


@pytest.mark.parametrize("name", DECK)
def test_tab_goes_through_and_out_again(name: str, slides: Slides) -> None:
    slides.fresh(name)
    slides.page.evaluate("document.activeElement?.blur()")
    seen = []
    for _ in range(60):
        slides.page.keyboard.press("Tab")
        where = slides.page.evaluate(
            "document.activeElement.closest('.sim-live') ? document.activeElement.closest('section').id : document.activeElement.tagName"
        )
        seen.append(where)
        if where != f"sec-{name}" and f"sec-{name}" in seen:
            break
    assert f"sec-{name}" in seen
    assert seen[-1] != f"sec-{name}", "Tab never leaves the simulator"
    assert not [where for where in seen if where.startswith("sec-") and where != f"sec-{name}"]


def test_after_the_pointer_the_keys_belong_to_the_slides_again(slides: Slides) -> None:
    slides.fresh("gradient")
    box = slides.page.locator(".sim-gradient input[type=range]").first.bounding_box()
    assert box is not None
    slides.page.mouse.click(box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2)
    here = slides.index
    slides.page.keyboard.press("ArrowRight")
    assert slides.index == here + 1


def test_a_presenters_remote_still_turns_the_slide(slides: Slides) -> None:
    slides.fresh("bpe")
    here = slides.index
    slides.page.locator(".sim-bpe .bpe-steps button").nth(1).focus()
    slides.page.keyboard.press("PageDown")
    assert slides.index == here + 1


def test_playing_stops_when_its_slide_is_left(slides: Slides) -> None:
    slides.fresh("bpe")
    done = slides.page.locator(".sim-bpe input[inputmode=decimal]")
    slides.press("reproduzir")
    slides.page.wait_for_function("() => document.querySelector('.sim-bpe input[inputmode=decimal]').value === '2'")
    slides.go(None)
    slides.page.wait_for_timeout(900)
    slides.go("bpe")
    assert done.input_value() in {"2", "3"}
    assert slides.page.locator(".sim-bpe button:text-is('reproduzir')").count() == 1


def test_fingers_move_sliders_and_not_slides(browser: Browser, deck_file: Path) -> None:
    context = browser.new_context(viewport={"width": sim_page.WIDTH, "height": sim_page.HEIGHT}, has_touch=True)
    page = context.new_page()
    page.goto(f"{deck_file.as_uri()}#/sec-banco")
    page.wait_for_selector(".sim-banco")
    page.locator(".sim-banco .sim-foot button").nth(1).tap()
    assert "estados" in page.locator(".sim-report").inner_text()
    knob = page.locator(".sim-banco input[type=range]").first
    box = knob.bounding_box()
    assert box is not None
    session = context.new_cdp_session(page)
    y = box["y"] + box["height"] / 2
    start = box["x"] + box["width"] * float(knob.evaluate("(r) => (r.value - r.min) / (r.max - r.min)"))
    for kind, x in (("touchStart", start), *(("touchMove", start - 12 * i) for i in range(1, 6)), ("touchEnd", None)):
        points = [] if x is None else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert page.evaluate("Reveal.getCurrentSlide().id") == "sec-banco"
    assert float(knob.input_value()) < hand_example.example().query[0]
    context.close()


# For the room

SEEN = """() => {
  const live = document.querySelector('section.present .sim-live');
  const scale = Reveal.getScale();
  const edge = { left: innerWidth / 2 - 640 * scale, top: innerHeight / 2 - 360 * scale };
  const found = { outside: [], small: [], clipped: [] };
  for (const node of live.querySelectorAll('*')) {
    if (node.closest('.sim-heard') || !node.getClientRects().length) continue;
    const box = node.getBoundingClientRect();
    const name = `${node.tagName} ${node.getAttribute('class') ?? ''} ${node.textContent.slice(0, 30)}`;
    const [left, right] = [box.left, box.right].map((x) => (x - edge.left) / scale);
    const [top, bottom] = [box.top, box.bottom].map((y) => (y - edge.top) / scale);
    if (left < 60 || right > 1220 || top < 90 || bottom > 674) found.outside.push(name);
    const writes = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    const matrix = node.getScreenCTM?.();
    const grown = node.ownerSVGElement ? Math.hypot(matrix.a, matrix.b) / scale : 1;
    if (writes && parseFloat(getComputedStyle(node).fontSize) * grown < 17.9) found.small.push(name);
    const cut = node.clientWidth && getComputedStyle(node).overflow !== 'visible' && node.scrollWidth > node.clientWidth + 1;
    if (writes && !node.ownerSVGElement && cut) found.clipped.push(name);
  }
  return found;
}"""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_last_row_reads_everything(size: tuple[int, int], slides: Slides) -> None:
    slides.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in DECK:
        slides.fresh(name)
        assert slides.page.evaluate(SEEN) == {"outside": [], "small": [], "clipped": []}, name
        control, value, _ = CHANGES[name]
        if control:
            slides.slide(control, value)
        else:
            slides.press(value)
        assert slides.page.evaluate(SEEN) == {"outside": [], "small": [], "clipped": []}, f"{name}, changed"
        slides.press("Recomeçar")
    slides.page.set_viewport_size({"width": sim_page.WIDTH, "height": sim_page.HEIGHT})


@pytest.mark.parametrize("name", DECK)
def test_targets_are_large_enough_for_a_finger(name: str, slides: Slides) -> None:
    slides.go(name)
    small = slides.page.evaluate(
        """() => [...document.querySelectorAll('section.present .sim-live :is(button, label, input[type=range], input[type=text])')]
          .map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect().width, e.getBoundingClientRect().height])
          .filter(([, width, height]) => width < 44 || height < 28)"""
    )
    assert small == []


# Bad input

JUNK = ["", " ", "abc", "NaN", "Infinity", "1e308", "-1e308", "1e999", "1e-320", "--", "-0", "🙂", "½", "0x1F", "1,2,3", "9" * 24]


@pytest.mark.parametrize("name", DECK)
def test_junk_is_refused_beside_the_control_or_clamped(name: str, slides: Slides) -> None:
    slides.fresh(name)
    fields = slides.page.locator("section.present .sim-live input[type=text]")
    for i in range(min(fields.count(), 5)):
        told = fields.nth(i).evaluate(
            """(field, junk) => junk.map((text) => {
              field.focus();
              field.value = text;
              field.dispatchEvent(new Event('input', { bubbles: true }));
              const message = field.parentElement.querySelector('.sim-message');
              const shown = document.querySelector('section.present .sim-live').innerText;
              return [text, message.innerText, field.getAttribute('aria-invalid'), /NaN|Infinity|undefined|null|\\{/.test(shown)];
            })""",
            JUNK,
        )
        phrase = fields.nth(i).get_attribute("inputmode") != "decimal"
        for text, message, invalid, broken in told:
            assert not broken, text
            assert bool(message) == (invalid == "true"), text
            if not phrase:
                assert message or text in {"1e-320", "-0"}, f"{text!r} was taken without a word"
        fields.nth(i).blur()
        assert slides.page.locator("section.present [aria-invalid]").count() == 0
    slides.press("Recomeçar")


def test_a_very_long_phrase_is_cut_and_says_so(slides: Slides) -> None:
    slides.fresh("bpe")
    field = slides.page.locator(".bpe-own input")
    field.fill("o gato 🙂 " * 500)
    assert str(bpe_settings().longest) in slides.text(".bpe-own .sim-message")
    assert len("".join(slides.texts(".bpe-piece")).replace("␣", " ")) <= bpe_settings().longest
    assert slides.page.evaluate(SEEN)["outside"] == []
    field.fill("   ")
    assert slides.text(".bpe-own .sim-message")
    field.fill("\ud83d lone")
    field.blur()
    slides.press("Recomeçar")


@pytest.mark.parametrize("name", DECK)
def test_any_sequence_of_inputs_leaves_sound_numbers(name: str, slides: Slides) -> None:
    rng = random.Random(f"{SEED} {name}")
    slides.fresh(name)
    alphabet = "0123456789,.-−e+ abcçãé␣🙂\u0301\u200d{}<>&"
    deeds = [[rng.random(), rng.random(), "".join(rng.choices(alphabet, k=rng.randint(0, 12)))] for _ in range(300)]
    broken = slides.page.evaluate(
        """([deeds, controls]) => {
          const live = document.querySelector('section.present .sim-live');
          const of = () => [...live.querySelectorAll(controls)].filter((control) => !control.disabled && control.type !== undefined);
          for (const [which, amount, text] of deeds) {
            const all = of();
            const control = all[Math.floor(which * all.length)];
            const send = (type) => control.dispatchEvent(new Event(type, { bubbles: true }));
            if (control.type === 'range') {
              control.value = Number(control.min) + amount * (control.max - control.min);
              send('input');
            } else if (control.type === 'text') {
              control.focus();
              control.value = text;
              send('input');
              control.blur();
            } else control.click();
            const drawn = [...live.querySelectorAll('svg *, [style]')].some((e) => /NaN|undefined|Infinity/.test(e.outerHTML));
            if (drawn || /NaN|undefined|Infinity|\\{\\w+\\}/.test(live.innerText.replace(/[{}<>&]/g, ''))) return [text, live.innerText];
          }
          return null;
        }""",
        [deeds, CONTROLS],
    )
    assert broken is None, f"SIM_SEED={SEED}: {broken}"
    slides.press("Recomeçar")


# On paper


def test_print_and_pages_without_scripts_keep_the_picture(browser: Browser, deck_file: Path, slides: Slides) -> None:
    picture = "() => [...document.querySelectorAll('.sim-static')].map((e) => e.checkVisibility())"
    slides.go("banco")
    slides.page.emulate_media(media="print")
    assert slides.page.locator("#sec-banco .sim-static").evaluate("(e) => getComputedStyle(e).display") == "block"
    assert slides.page.locator("#sec-banco .sim-live").evaluate("(e) => getComputedStyle(e).display") == "none"
    slides.page.emulate_media(media="screen")
    for query, scripts in (("?print-pdf", True), ("", False)):
        context = browser.new_context(java_script_enabled=scripts)
        page = context.new_page()
        page.goto(deck_file.as_uri() + query)
        page.wait_for_timeout(300)
        assert page.locator(".sim-live").count() == 0
        assert page.locator(".sim-static").count() == len(DECK)
        assert all(page.evaluate(picture)) or not scripts
        context.close()


def test_the_markdown_holds_the_picture_and_the_json() -> None:
    ledger.clear()
    text = simulators.banco()._repr_markdown_()
    entry = ledger.entries()[0]
    assert f'::::: {{.sim data-sim="banco" data-n="{entry.n}"}}' in text
    assert (entry.what, entry.function, "hand_example.yml" in entry.data) == ("simulator", "simulators.banco", True)
    assert entry.value.result["output"] == pytest.approx(hand_example.output().value)
    ledger.clear()
    assert text.index("sim-static") < text.index("<svg") < text.index("sim-params")
    assert str(hand_example.verdict()) in text
    assert vector(fixed(2))(hand_example.output().value) in text.replace("&nbsp;", "\u00a0")


def test_json_can_stand_inside_a_script() -> None:
    assert script_json({"a": "</script><!--"}) == '{"a":"<\\/script><\\u0021--"}'
    assert script_json([float("inf"), np.float64(1.5), np.array([1, 2])]) == "[null,1.5,[1,2]]"


# In a page to read


@pytest.fixture(scope="module")
def article(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page with the chapter's four panels, opened from a file."""
    file = tmp_path_factory.mktemp("article") / "page.html"
    names = sim_page.CHAPTER
    file.write_text(sim_page.article([getattr(simulators, name)() for name in names], faces=True), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    page.wait_for_selector(".sim-matrix")
    yield page
    context.close()
    assert problems == []


def numbers(page: Page, matrix: int) -> list[str]:
    return page.locator(".sim-chain .sim-matrix-box").nth(matrix).locator("td").all_text_contents()


def test_the_chain_opens_with_the_figures_numbers_and_goes_matrix_by_matrix(article: Page) -> None:
    found = chapter.by_hand()
    names = list(found._asdict())
    shown = [numbers(article, i) for i in range(len(names))]
    assert shown[3:] == [[fixed(2)(x) for x in getattr(found, name).ravel()] for name in names[3:]]
    article.locator(".sim-chain button:text-is('do início')").click()
    for i in range(len(names)):
        filled = [any(numbers(article, j)) for j in range(len(names))]
        assert filled == [j <= i for j in range(len(names))]
        if i < len(names) - 1:
            article.locator(".sim-chain button:text-is('→')").click()
    article.locator(".sim-chain .sim-foot button").first.click()


def test_the_chain_follows_the_chosen_token(article: Page) -> None:
    for i, token in enumerate(hand_example.example().names):
        article.locator(f".sim-chain .sim-option:has-text('{token}')").click()
        framed = article.locator(".sim-chain .sim-matrix-box").nth(5).locator("tr.framed td").all_text_contents()
        assert framed == [fixed(2)(x) for x in chapter.by_hand().O[i]]
        assert f"“{token}”" in article.locator(".sim-chain p").inner_text()


@pytest.mark.parametrize("divide", [True, False])
def test_the_running_example_tells_which_rows_look_ahead(divide: bool, article: Page) -> None:
    found = running_example.run(divide)
    article.locator(".sim-running .sim-foot button").first.click()
    if not divide:
        article.locator(".sim-running .sim-toggle").click()
    n = len(running_example.pieces())
    for row in range(n):
        article.locator(".sim-running .sim-option").nth(row).click()
        assert vector(fixed(3))(found.weights[row]) in article.locator(".sim-running p:not(.sim-box)").text_content()
        note = article.locator(".sim-running p.sim-box").text_content() or ""
        ahead = running_example.share_ahead(found.weights, row)
        assert (fixed(2)(ahead) in note) == (row < n - 1)
        assert article.locator(".sim-running td.marked").count() == n - 1 - row


def test_panels_check_themselves(article: Page) -> None:
    for i in range(4):
        article.locator(".sim-foot").nth(i).locator("button").nth(1).click()
        told = re.match(r"(\d+) de (\d+) ", article.locator(".sim-report").nth(i).inner_text())
        assert told
        assert told[1] == told[2]


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_makes_the_page_wider_than_the_screen(width: int, article: Page) -> None:
    article.set_viewport_size({"width": width, "height": 900})
    assert article.evaluate("document.documentElement.scrollWidth") <= width
    article.set_viewport_size({"width": 1280, "height": 900})
