"""The simulators on their slides and in a page to read, in a real browser and from a file: what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
import sim_page
from sim_page import DECK
from sim_slides import Slides

from figures import bpe, chapter, hand_example, kv_cache, multihead, recurrence, running_example, score_matrix, simulators
from figures.kit import ledger
from figures.kit.formats import count, fixed, plain, scientific, vector
from figures.kit.json_values import script_json
from figures.pieces import example, visible
from figures.simulators.matrix import settings as matrix_settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


# What they show


def test_only_the_shown_slide_lives(slides: Slides) -> None:
    live = "[...document.querySelectorAll('.sim-live')].map((e) => e.closest('section').id)"
    assert slides.page.evaluate(live) == []
    for name in DECK:
        slides.go(name)
        assert slides.page.evaluate(live) == [f"sec-{name}"]


def test_banco_opens_with_the_slides_table(slides: Slides) -> None:
    slides.fresh("banco")
    rows = [[re.split(" [=≈] ", cell)[-1].replace("\u00a0", " ") for cell in row] for row in hand_example.four_steps().texts()]
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
    mark = slides.page.locator(".banco-plane").nth(1).locator("[data-marker][data-series=value]").nth(1).bounding_box()
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
    assert slides.text(".matrix-heading h3") == f"para onde “{score_matrix.records().texts[1]}” olha"
    assert heat.get_attribute("aria-valuenow") == "2"
    box = slides.page.locator(".sim-matrix canvas").bounding_box()
    assert box is not None
    n = len(score_matrix.records().texts)
    slides.page.mouse.move(box["x"] + 30, box["y"] + box["height"] * (n - 0.5) / n)
    assert slides.text(".matrix-heading h3") == f"para onde “{score_matrix.records().texts[-1]}” olha"


def test_matrix_turns_binary_without_the_division(slides: Slides) -> None:
    slides.fresh("matrix")
    slides.page.locator(".sim-matrix .sim-toggle").first.click()
    slides.slide("dimensão d k", matrix_settings().dk.max)
    shown = [float(text.replace(",", ".")) for text in slides.texts(".matrix-row .sim-bar-text")]
    row = score_matrix.weights(score_matrix.undivided())[score_matrix.model.opening().row - 1]
    assert shown == pytest.approx(row, abs=5e-3)


MULTIHEAD_SWITCHES = {0: {"causal": True}, 1: {"one_head": True}, 2: {"equal_keys": True}}


@pytest.mark.parametrize("switch", [None, *MULTIHEAD_SWITCHES])
def test_multihead_shows_the_slides_numbers(switch: int | None, slides: Slides) -> None:
    slides.fresh("multihead")
    if switch is not None:
        slides.page.locator(".sim-multihead .sim-toggle").nth(switch).click()
    slides.press("até o fim")
    found = multihead.model.heads(multihead.model.variant(**(MULTIHEAD_SWITCHES[switch] if switch is not None else {})))
    rows = [fixed(2)(weight) for head in found.weights for row in head for weight in row]
    output = [fixed(2)(number) for row in found.output for number in row]
    assert slides.texts(".multihead-made td:not(thead td)") == rows + output
    heads = slides.texts(".multihead-made .heat-cells thead th")
    assert heads == list(hand_example.example().names) * len(found.weights)


def test_multihead_opens_at_the_first_line_and_comes_back_to_it(slides: Slides) -> None:
    slides.fresh("multihead")
    opening = f"linha 1 de {len(multihead.model.variant())}"
    assert slides.text(".multihead-at") == opening
    slides.press("até o fim")
    assert slides.text(".multihead-at") != opening
    slides.press("Recomeçar")
    assert slides.text(".multihead-at") == opening


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


def test_controls_have_their_formulas_in_words(slides: Slides) -> None:
    slides.go("matrix")
    names = slides.page.get_by_role("switch", name="dividir por raiz quadrada de d k", exact=True)
    assert names.count() == 1 and slides.page.get_by_label("dimensão d k").count() > 0
