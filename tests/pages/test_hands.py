"""For hands: tools in the slides' margin, a pointer, drawing that stays, an overview by acts, a way to any slide, remotes' keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsing import Visit, opened_deck

from figures.kit import deck, project
from figures.kit.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORDS = Words("present").named("said")
SIMULATOR = "#sec-sim-banco"
WINDOWS = [(1280, 720), (844, 390), (667, 375), (390, 844), (500, 281)]
LINES = "(id) => [...document.querySelectorAll(`#${id} > .drawing path`)].map((p) => [p.getAttribute('d'), p.style.stroke])"
AT = "Reveal.getIndices().h"
# Tools that are small, stick out, or lie over something that the slide shows or lets one use.
IN_THE_WAY = """() => {
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const slide = Reveal.getCurrentSlide();
  const shown = [...slide.querySelectorAll('*'), ...document.querySelectorAll('.slide-number')].filter((e) => e.checkVisibility()
    && ([...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.matches('button, input, svg'))
    && !e.closest('.notes, .sim-heard, .figure-values'));
  return [...document.querySelectorAll('.deck-tools button')].filter((e) => e.checkVisibility()).flatMap((tool) => {
    const box = tool.getBoundingClientRect();
    const faults = Math.min(box.width, box.height) < 24 ? ['small'] : [];
    if (box.right > innerWidth || box.bottom > innerHeight || box.top < 0) faults.push('outside');
    faults.push(...shown.filter((e) => meets(box, e.getBoundingClientRect())).map((e) => `over ${e.textContent.slice(0, 20)}`));
    return faults.map((fault) => `${tool.className} ${fault}`);
  });
}"""
# A long word that only notes say.
NOTED = """() => {
  const words = (part) => part.textContent.toLowerCase().match(/[a-zç]{6,}/g) ?? [];
  const bare = Reveal.getSlides().map((slide) => slide.cloneNode(true));
  bare.forEach((slide) => slide.querySelectorAll('aside').forEach((note) => note.remove()));
  const seen = bare.flatMap(words).join(' ');
  return [...document.querySelectorAll('aside.notes')].flatMap(words).find((word) => !seen.includes(word));
}"""
COVERED = """(control) => { control.scrollIntoView({ block: 'nearest' }); const box = control.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return control.contains(top) || top?.contains(control) ? [] : [control.textContent || control.type]; }"""


@pytest.fixture
def room(browser: Browser, deck_file: Path) -> Iterator[Page]:
    visit = Visit()
    page = opened_deck(browser, deck_file, (1280, 720), visit, f"#/{SIMULATOR[1:]}")
    page.wait_for_selector(".sim-live")
    yield page
    page.close()
    assert visit.errors + visit.requests == []


def line(page: Page, *points: tuple[int, int]) -> None:
    page.mouse.move(*points[0])
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*point)
    page.mouse.up()


def drawn(page: Page, slide: str) -> Any:
    return page.evaluate(LINES, slide)


@pytest.mark.parametrize("window", WINDOWS)
def test_the_tools_are_large_enough_and_lie_over_nothing(browser: Browser, deck_file: Path, window: tuple[int, int]):
    page = opened_deck(browser, deck_file, window, Visit(), f"#/{SIMULATOR[1:]}")
    page.wait_for_selector(".sim-live")
    if page.evaluate("document.documentElement.classList.contains('presenting')"):
        every = 1 if window in (WINDOWS[0], WINDOWS[-1]) else 3  # all in the largest and the smallest
        for slide in range(0, page.evaluate("Reveal.getTotalSlides()"), every):
            page.evaluate("(n) => Reveal.slide(n)", slide)
            assert page.evaluate(IN_THE_WAY) == [], f"slide {slide + 1}"
        assert page.locator(".deck-tools .next").is_visible() and page.locator(".deck-tools .previous").is_visible()
    else:
        controls = page.locator(f"{SIMULATOR} .sim-live :is(button, input)").all()
        assert len(controls) > 10 and [covered for one in controls for covered in one.evaluate(COVERED)] == []
    page.close()


def test_a_drawing_stays_on_its_slide_until_it_is_cleared(room: Page):
    here = SIMULATOR[1:]
    value = room.locator(f"{SIMULATOR} .sim-live input").first.input_value()
    room.keyboard.press("d")
    line(room, (200, 130), (220, 160))
    room.keyboard.press("3")
    line(room, (600, 400), (700, 410), (650, 500))
    first, second = drawn(room, here)
    assert first[0] == "M200 130 220 160" and second[0].split() == ["M600", "400", "700", "410", "650", "500"]
    assert first[1] != second[1] and all("var(--" in one[1] for one in (first, second))
    assert room.locator(f"{SIMULATOR} .sim-live input").first.input_value() == value  # the sheet lies over it
    room.keyboard.press("ArrowRight")
    assert drawn(room, here) == [first, second] and not room.evaluate("Reveal.getCurrentSlide().querySelector('.drawing')")
    room.reload()
    room.wait_for_function("window.Reveal && Reveal.isReady()")
    assert drawn(room, here) == [first, second]
    room.evaluate("(id) => Reveal.slide(Reveal.getSlides().findIndex((s) => s.id === id))", here)
    room.keyboard.press("d")
    room.keyboard.press("z")
    assert drawn(room, here) == [first]
    room.keyboard.press("Delete")
    assert drawn(room, here) == []
    room.keyboard.press("Escape")
    assert room.locator(".draw-sheet").is_hidden() and not room.evaluate("Reveal.isOverview()")


def test_a_finger_draws(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, (844, 390), Visit(), f"#/{SIMULATOR[1:]}", has_touch=True)
    page.get_by_role("button", name=WORDS["drawing"]).tap()
    page.touchscreen.tap(400, 200)
    assert len(drawn(page, SIMULATOR[1:])) == 1
    page.get_by_role("button", name=WORDS["clear"]).tap()
    assert drawn(page, SIMULATOR[1:]) == []
    page.get_by_role("button", name=f"{WORDS['pen']} 2").tap()
    page.close()


def test_the_pointer_follows_the_hand_and_goes_with_its_key(room: Page):
    dot = room.locator(".deck-pointer")
    assert dot.is_hidden()
    room.keyboard.press("q")
    room.mouse.move(640, 360)
    box = dot.bounding_box()
    assert box and (round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)) == (640, 360)
    room.keyboard.press("Escape")
    assert dot.is_hidden() and not room.evaluate("Reveal.isOverview()")


def test_the_key_after_esc_is_the_deck_s_again(room: Page):
    """A browser leaves the focus in a dialog that was closed until it paints, and keys would be lost there."""
    room.keyboard.press("g")
    ended = """() => {
      const dialog = document.activeElement.closest("dialog");
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
      return [dialog.open, dialog.contains(document.activeElement)];
    }"""
    assert room.evaluate(ended) == [False, False]


def test_the_overview_is_a_grid_with_an_act_a_row(room: Page):
    acts = deck.acts(project.document("revealjs"))
    ids = room.evaluate("Reveal.getSlides().map((slide) => slide.id)")
    padding = "getComputedStyle(document.querySelector('td')).padding"
    before = room.evaluate(padding)
    room.keyboard.press("o")
    assert room.evaluate(padding) == before != "0px"
    frame = room.locator(".overview-slide[aria-current]").bounding_box()
    slide = room.locator(SIMULATOR).bounding_box()
    assert frame and slide and frame["height"] - slide["height"] < 60, (
        "a slide's frame goes round it and its title, however few acts there are"
    )
    boxes = [room.locator(f"#{id}").bounding_box() for id in ids]
    window = room.viewport_size
    assert window and all(box and box["x"] >= 0 and box["x"] + box["width"] <= window["width"] for box in boxes)
    assert all(box and box["y"] >= 0 and box["y"] + box["height"] <= window["height"] for box in boxes)
    rows = sorted({round(box["y"]) for box in boxes if box})
    firsts = [ids.index(act.first) for act in acts]
    assert len(rows) == len(acts)
    for row, (top, first) in enumerate(zip(rows, firsts, strict=True)):
        last = firsts[row + 1] if row + 1 < len(acts) else len(ids)
        assert {round(box["y"]) for box in boxes[first:last] if box} == {top}
    assert [name.split(" · ", 1)[1] for name in room.locator(".overview-act").all_inner_texts()] == [act.name for act in acts]
    assert room.evaluate("document.activeElement.textContent").startswith(f"{ids.index(SIMULATOR[1:]) + 1} · ")
    room.keyboard.press("ArrowDown")
    room.keyboard.press("ArrowLeft")
    goal = int(room.evaluate("document.activeElement.textContent").split(" · ")[0]) - 1
    assert firsts[2] <= goal < firsts[3]
    room.keyboard.press("Enter")
    assert room.evaluate(f"[Reveal.isOverview(), {AT}]") == [False, goal]
    room.keyboard.press("o")
    room.mouse.click(*centre(room, f"#{ids[3]}"))
    assert room.evaluate(f"[Reveal.isOverview(), {AT}]") == [False, 3]


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_number_a_title_or_a_word_leads_to_its_slide(room: Page):
    for asked, goal in (("7", 6), ("rope", 23), ("PARA LEVAR", 33)):
        room.keyboard.press("g")
        room.keyboard.type(asked)
        room.keyboard.press("Enter")
        assert room.evaluate(AT) == goal and not room.locator("dialog[open]").count(), asked
    title = room.evaluate("Reveal.getCurrentSlide().querySelector('h2').textContent")
    shown = room.evaluate("document.querySelector('#sec-cache-kv .question').textContent.trim().split(' ').slice(0, 3).join(' ')")
    room.keyboard.press("g")
    room.keyboard.type(shown)
    assert room.locator(".deck-jump li").count() >= 1 and title not in room.locator(".deck-jump li").first.inner_text()
    room.keyboard.press("Enter")
    assert room.evaluate("Reveal.getCurrentSlide().id") == "sec-cache-kv"


def test_what_only_notes_say_leads_nowhere_and_the_dialog_keeps_its_keys(room: Page):
    room.keyboard.press("g")
    room.keyboard.type(room.evaluate(NOTED))
    assert room.locator(".deck-count").inner_text() == WORDS["nothing"]
    before = room.evaluate(AT)
    room.keyboard.press("ArrowRight")
    room.keyboard.press("PageDown")
    room.keyboard.press("Escape")
    assert room.evaluate(AT) == before and not room.locator("dialog[open]").count()
    ground = room.locator(".deck-jump").evaluate("(e) => getComputedStyle(e).backgroundColor")
    assert not ground.endswith(", 0)") and ground != "transparent"


def test_what_remotes_send(room: Page):
    at = room.evaluate(AT)
    room.keyboard.press("PageDown")
    assert room.evaluate(AT) == at + 1
    room.keyboard.press("PageUp")
    assert room.evaluate(AT) == at
    room.keyboard.press("b")
    assert room.evaluate("Reveal.isPaused()")
    room.keyboard.press("Escape")
    assert room.evaluate("[Reveal.isPaused(), Reveal.isOverview()]") == [False, False]
    room.evaluate("window.same = true")
    room.keyboard.press("F5")
    room.wait_for_function("document.fullscreenElement !== null")
    assert room.evaluate("window.same")
    room.keyboard.press("f")
    room.wait_for_function("document.fullscreenElement === null")
