"""`make preview` in a browser: the page follows what is saved and stays where it was, a fault stands over it and goes, nothing is
written; other values of data/ are tried out on the whole deck."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from a_copy import copied, run
from previewing import PATIENCE, Preview, files_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAME = "descida"
SOURCE = f"slides/{NAME}.qmd"
DATA = "data/gradient_descent.yml"
HEADED = "(title) => [...document.querySelectorAll('h2')].some((h) => h.textContent === title)"
CODE = "figures/gradient_descent/numbers.py"


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    made = Preview(copied(tmp_path_factory.mktemp("preview")), NAME)
    yield made
    made.end()


@pytest.fixture(scope="module")
def opened(browser: Browser, preview: Preview) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(preview.address)
    page.wait_for_function("document.documentElement.dataset.preview && window.Reveal?.isReady()")
    yield page
    page.close()


@pytest.fixture
def page(opened: Page) -> Page:
    """The deck as it is saved, without a fault; a mark tells whether it was loaded anew."""
    opened.wait_for_function("document.querySelector('.preview-fault').hidden && !document.documentElement.hasAttribute('data-making')")
    opened.evaluate("window.mark = 1; Reveal.slide(0)")
    return opened


def faults(page: Page) -> str:
    page.wait_for_selector(".preview-fault:not([hidden])")
    return page.locator(".preview-fault").inner_text()


def mended(page: Page) -> None:
    page.wait_for_selector(".preview-fault", state="hidden")


def test_a_saved_sentence_is_patched_in_where_the_reader_is(page: Page, preview: Preview) -> None:
    before = files_of(preview.root)
    title = page.locator("section.slide h2").nth(1).inner_text()
    page.evaluate("Reveal.slide(3)")
    page.wait_for_selector("section.present .sim-live, section.present")
    with preview.edited(SOURCE, f"## {title}", f"## {title} de novo"):
        page.wait_for_function(HEADED, arg=f"{title} de novo")
        assert page.evaluate("[window.mark, Reveal.getIndices().h]") == [1, 3]
        assert {name for name, time in files_of(preview.root).items() if before.get(name) != time} == {SOURCE}
    page.wait_for_function(HEADED, arg=title)
    assert page.evaluate("window.mark") == 1


def test_simulator_focus_and_step_stay_while_their_own_slide_changes(page: Page, preview: Preview) -> None:
    page.evaluate("Reveal.slide(Reveal.getSlides().findIndex((slide) => slide.id === 'sec-sim-taxa'))")
    page.wait_for_selector("section.present .sim-live")
    slider = page.locator("section.present .sim-live input[type=range]").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    moved = slider.input_value()
    with preview.edited(SOURCE, "## Simulador · a taxa", "## Simulador: a taxa"):
        page.wait_for_function("Reveal.getCurrentSlide().querySelector('h2').textContent.startsWith('Simulador: a')")
        assert slider.input_value() == moved
        assert page.evaluate("document.activeElement.type") == "range"
        assert page.evaluate("window.mark") == 1
        page.evaluate("Reveal.getCurrentSlide().querySelector('.sim-foot button').click()")  # it still answers
        assert slider.input_value() != moved
    page.wait_for_function("Reveal.getCurrentSlide().querySelector('h2').textContent.startsWith('Simulador ·')")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (SOURCE, "gradient_descent.exact_rate()", "gradient_descent.exakt_rate()", [f"{SOURCE}:", "exact_rate"]),
        (CODE, "return 1 / curvature().value", "return 1 / (curvature().value - curvature().value)", [CODE, "ZeroDivisionError"]),
        ("figures/kit/formats.py", "def fixed(", "def fixed((", ["figures/kit/formats.py", "SyntaxError"]),
        (DATA, "curvature: 2\n", "curvature: dois\n", [DATA, "curvature"]),
    ],
)
def test_a_fault_stands_over_the_last_good_page_with_its_file_and_goes(
    file: str, old: str, new: str, said: list[str], page: Page, preview: Preview
) -> None:
    title = page.title()
    with preview.edited(file, old, new):
        told = faults(page)
        assert all(part in told for part in said), told
        assert "→" in told and page.title() == title and page.locator("section.slide").count() > 5
    mended(page)
    assert page.evaluate("window.mark") == 1


def test_a_fault_is_of_its_slide(page: Page, preview: Preview) -> None:
    with preview.edited(SOURCE, "`{python} gradient_descent.one_step_arrives()`", "`{python} gradient_descent.one_step()`"):
        faults(page)
        assert "preview-elsewhere" in page.locator(".preview-fault").get_attribute("class")
        page.get_by_role("button", name="ir ao slide").click()
        page.wait_for_selector(".preview-fault:not(.preview-elsewhere)")
        assert page.evaluate("Reveal.getCurrentSlide().id") == "sec-taxas"
    mended(page)


def test_files_that_are_emptied_gone_renamed_or_cut_short_harm_nothing(page: Page, preview: Preview) -> None:
    data, whole = preview.root / DATA, preview.text(DATA)
    data.write_text("")
    assert DATA in faults(page)
    data.write_text(whole[: len(whole) // 2] + "\n  [")  # a save in mid-write
    page.wait_for_function(f"document.querySelector('.preview-fault').textContent.includes('{DATA}:')")
    data.unlink()
    page.wait_for_function("document.querySelector('.preview-fault').textContent.includes('missing')")
    data.mkdir()  # can't be read
    page.wait_for_function("!document.querySelector('.preview-fault').textContent.includes('missing')")
    assert DATA in faults(page)
    data.rmdir()
    data.with_suffix(".part").write_text(whole)
    data.with_suffix(".part").rename(data)  # as editors save
    mended(page)
    assert preview.process.poll() is None


def test_of_two_editors_the_last_one_counts(page: Page, preview: Preview) -> None:
    before = preview.text(SOURCE)
    first = page.locator("section.slide h2").first.inner_text()
    for n in range(6):
        preview.put(SOURCE, before.replace(f"## {first}", f"## {first} {n}"))
    page.wait_for_function(HEADED, arg=f"{first} 5")
    preview.put(SOURCE, before)
    page.wait_for_function(HEADED, arg=first)


def test_a_killed_browser_and_one_that_slept_find_the_newest_page(browser: Browser, page: Page, preview: Preview) -> None:
    other = browser.new_page()
    other.goto(preview.address)
    other.wait_for_function("document.documentElement.dataset.preview")
    other.context.set_offline(True)
    gone = browser.new_context().new_page()
    gone.goto(preview.address)
    gone.context.close()
    first = page.locator("section.slide h2").first.inner_text()
    with preview.edited(SOURCE, f"## {first}", f"## {first} acordado"):
        page.wait_for_function("document.querySelector('section.slide h2').textContent.endsWith('acordado')")
        other.context.set_offline(False)
        other.set_default_timeout(PATIENCE * 1000)
        other.wait_for_function("document.querySelector('section.slide h2').textContent.endsWith('acordado')")
    other.close()


def test_a_second_preview_says_where_the_first_is(preview: Preview) -> None:
    second = run(preview.root, "build", "preview")
    assert second.returncode == 1 and preview.address in second.stderr


def asked(preview: Preview, path: str = "", method: str = "GET", body: str | None = None, **headers: str) -> int:
    parts = urlsplit(preview.address)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port or 0, timeout=PATIENCE)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path or parts.path, body, {"Host": parts.netloc, **named})
    return connection.getresponse().status


def test_only_this_machine_with_the_token_and_no_other_page_is_answered(preview: Preview) -> None:
    parts = urlsplit(preview.address)
    tries = f"{parts.path}/-/try"
    same, json_ = f"http://{parts.netloc}", "application/json"
    assert parts.hostname == "127.0.0.1" and asked(preview) == 200
    assert asked(preview, parts.path.replace(parts.path.split("/")[1], "x")) == 404
    assert asked(preview, Host="evil.example") == 403
    assert asked(preview, Origin="https://evil.example") == 403
    assert asked(preview, Sec_Fetch_Site="cross-site") == 403
    assert asked(preview, tries, "POST", "{}", Content_Type=json_) == 403  # no page of ours
    assert asked(preview, tries, "POST", "{}", Content_Type="text/plain", Origin=same) == 400
    assert asked(preview, tries, "POST", "[1]", Content_Type=json_, Origin=same) == 409
    assert asked(preview, tries, "POST", '{"../x.yml:a": 1}', Content_Type=json_, Origin=same) == 409
    assert asked(preview, parts.path + "/../../../_quarto.yml") == 404
    assert asked(preview, tries, "POST", "{}", Content_Type=json_, Origin=same) == 200


def drawer(page: Page, slide: str) -> None:
    page.evaluate("(id) => Reveal.slide(Reveal.getSlides().findIndex((slide) => slide.id === id))", slide)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("w")
    page.wait_for_selector(".preview-fields label")


def field(page: Page, path: str) -> Any:
    return page.locator(".preview-fields label").filter(has=page.get_by_text(path, exact=True)).locator("input, select")


def test_another_value_is_tried_on_the_whole_deck_and_kept_or_not(page: Page, preview: Preview) -> None:
    written = preview.text(DATA)
    drawer(page, "sec-taxas")
    control = field(page, "parabola.curvature")
    assert control.input_value() == "2" and control.get_attribute("type") == "number"
    control.fill("4")
    page.wait_for_selector("#sec-taxas .preview-changed")
    assert page.locator("section.slide:not(#sec-taxas) .preview-changed").count() > 0  # other slides follow
    page.wait_for_selector(".preview-changes li")
    page.wait_for_function("CSS.highlights.get('preview-false')?.size > 0")  # a sentence is false now, and says why
    assert page.locator(".preview-reason").first.get_attribute("data-reason")
    assert page.evaluate("window.mark") == 1 and preview.text(DATA) == written
    page.get_by_role("button", name="voltar").click()
    page.wait_for_function("!document.querySelector('.preview-changed') && !document.querySelector('.preview-changes li')")
    field(page, "parabola.start").fill("5")
    page.wait_for_selector("#sec-taxas .preview-changed")
    page.get_by_role("button", name="manter").click()
    page.wait_for_selector(".preview-diff:not([hidden])")
    assert "+  start: 5" in page.locator(".preview-diff").inner_text() and preview.text(DATA) == written
    page.get_by_role("button", name="gravar").click()
    page.wait_for_function("document.querySelector('.preview-message').textContent !== ''")
    assert preview.text(DATA) == written.replace("start: 4\n", "start: 5\n", 1)
    preview.put(DATA, written)
    page.keyboard.press("Escape")


def test_a_value_that_its_record_refuses_is_told_and_leaves_the_page(page: Page, preview: Preview) -> None:
    drawer(page, "sec-taxas")
    assert field(page, "parabola.curvature").get_attribute("min") == "0"  # what the record says of it
    field(page, "parabola.curvature").fill("2.5")  # the simulator offers no such curvature
    told = faults(page)
    assert DATA in told and "rate_simulator.curvatures" in told
    page.get_by_role("button", name="voltar").click()
    mended(page)
    page.keyboard.press("Escape")


def test_the_speakers_window_follows_too(page: Page, preview: Preview) -> None:
    page.evaluate("document.activeElement.blur()")
    with page.expect_popup() as opening:
        page.keyboard.press("s")
    speaker = opening.value
    speaker.set_default_timeout(PATIENCE * 1000)
    speaker.wait_for_function("document.documentElement.dataset.preview")
    first = page.locator("section.slide h2").first.inner_text()
    with preview.edited(SOURCE, f"## {first}", f"## {first}!"):
        for window in (page, speaker):
            window.wait_for_function("document.querySelector('section.slide h2').textContent.endsWith('!')")
    speaker.close()
