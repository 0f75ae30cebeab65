"""The speaker's window, opened from a file: both windows alike, notes, next slide, time and plan; what is refused says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import axe
import pytest
import tab_walk
from browsing import Visit, none, opened_deck

from figures.kit import deck, project, strict_yaml
from figures.kit.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

WORDS = Words("present").named("said")
SIMULATOR = "sec-sim-banco"
SLIDER = f"#{SIMULATOR} .sim-live input[type=range]"
READY = "window.Reveal && Reveal.isReady() && document.querySelector('.deck-notice')"
HERE = "Reveal.getCurrentSlide().id"
STATE = "JSON.stringify([Reveal.getIndices(), Reveal.isPaused()])"
DRAWN = "[...document.querySelectorAll('.drawing path')].map((path) => path.getAttribute('d')).join()"
GO = "(id) => Reveal.slide(Reveal.getSlides().findIndex((slide) => slide.id === id))"


@pytest.fixture
def windows(browser: Browser, deck_file: Path) -> Iterator[tuple[Page, Page]]:
    """(the room's window, the speaker's), linked."""
    visit = Visit()
    room = opened_deck(browser, deck_file, (1280, 720), visit, f"#/{SIMULATOR}")
    room.wait_for_function(READY)
    with room.expect_popup() as popup:
        room.keyboard.press("s")
    desk = popup.value
    desk.on("pageerror", lambda error: visit.errors.append(str(error)))
    desk.set_viewport_size({"width": 1200, "height": 760})
    desk.wait_for_function(f"{READY} && document.querySelector('.desk-notes')?.textContent")
    alike(room, desk, HERE)
    desk.wait_for_selector(SLIDER)
    yield room, desk
    room.close()
    assert visit.errors + visit.requests == []


def alike(one: Page, other: Page, what: str) -> Any:
    """Waits until both windows say the same, which it gives."""
    value = one.evaluate(what)
    other.wait_for_function("([what, value]) => eval(what) === value", arg=[what, value])
    return value


def move(page: Page, number: int, value: str) -> None:
    page.locator(SLIDER).nth(number).evaluate("(r, v) => { r.value = r[v]; r.dispatchEvent(new Event('input', { bubbles: true })) }", value)


def test_both_windows_show_the_same_slide_whichever_is_moved(windows: tuple[Page, Page]):
    for one, other in (windows, windows[::-1]):
        one.bring_to_front()
        for key in ("PageDown", "PageDown", "b", "b", "PageUp"):
            one.keyboard.press(key)
            alike(one, other, STATE)
        step = "Reveal.slide(Reveal.getSlides().findIndex((slide) => slide.querySelector('.fragment')), 0, 0)"
        one.evaluate(step)
        assert '"f":0' in alike(one, other, STATE)


def test_axe_and_a_walk_by_key_find_nothing_in_the_speaker_s_window(windows: tuple[Page, Page]):
    desk = windows[1]
    desk.bring_to_front()
    none(axe.faults(desk, "the speaker's window") + tab_walk.faults(desk, "the speaker's window", closed=True))


def test_simulators_drawing_and_pointer_are_alike_both_ways(windows: tuple[Page, Page]):
    for number, (one, other) in enumerate((windows, windows[::-1])):
        before = one.locator(f"#{SIMULATOR} .sim-live").inner_text()
        move(one, number, ("max", "min")[number])
        assert one.locator(f"#{SIMULATOR} .sim-live").inner_text() != before
        alike(one, other, f"document.querySelector('#{SIMULATOR} .sim-body').textContent")
        alike(one, other, f"[...document.querySelectorAll('{SLIDER}')].map((r) => r.value).join()")
        one.bring_to_front()
        one.keyboard.press("d")
        one.mouse.move(100, 100)
        one.mouse.down()
        one.mouse.move(200, 140)
        one.mouse.up()
        one.keyboard.press("Escape")
        assert alike(one, other, DRAWN).count("M") == number + 1
        one.keyboard.press("q")
        one.mouse.move(300 + number, 200)
        assert alike(one, other, "document.querySelector('.deck-pointer').style.translate")
        one.keyboard.press("q")
        alike(one, other, "document.querySelector('.deck-pointer').hidden")


def test_either_window_may_be_loaded_anew(windows: tuple[Page, Page]):
    room, desk = windows
    move(room, 0, "max")
    values = alike(room, desk, f"[...document.querySelectorAll('{SLIDER}')].map((r) => r.value).join()")
    desk.get_by_role("button", name=WORDS["begin"], exact=True).click()
    for one, other in (windows, windows[::-1]):
        one.reload()
        one.wait_for_function(READY)
        one.wait_for_selector(SLIDER)
        assert one.evaluate(f"[...document.querySelectorAll('{SLIDER}')].map((r) => r.value).join()") == values
        desk.wait_for_function("document.querySelector('.desk-link').textContent === ''")
        assert desk.get_by_role("button", name=WORDS["stop"], exact=True).is_visible()
        # The room's window hears again as soon as the speaker's has asked.
        other.wait_for_function("() => { Reveal.slide(2); return true }")
        one.wait_for_function("() => Reveal.getIndices().h === 2")
        other.evaluate(GO, SIMULATOR)
        alike(other, one, HERE)
        one.wait_for_selector(SLIDER)


def test_the_desk_says_notes_next_slide_and_plan_in_the_page_s_language(windows: tuple[Page, Page]):
    room, desk = windows
    acts = deck.acts(project.document("revealjs"))
    assert desk.title().startswith(WORDS["speaker"]) and desk.evaluate("document.documentElement.lang") == room.evaluate(
        "document.documentElement.lang"
    )
    note = room.evaluate("Reveal.getCurrentSlide().querySelector('aside.notes').textContent.replace(/\\s+/g, ' ').trim()")
    assert " ".join(desk.locator(".desk-notes").inner_text().split()) == note
    rows = [row.inner_text().split("\t") for row in desk.locator(".desk-acts tr").all()]
    assert rows[0] == [WORDS["act"], WORDS["used"], WORDS["planned"]]
    assert [(row[0], row[2]) for row in rows[1:]] == [(act.name, f"{act.minutes}:00") for act in acts]
    total = room.evaluate("Reveal.getTotalSlides()")
    for slide in (*range(0, total - 1, 4), total - 1):
        room.evaluate("(n) => Reveal.slide(n)", slide)
        alike(room, desk, HERE)
        frame, canvas = (
            desk.locator(".desk-next").evaluate(f"(e) => {{ const b = e.{part}.getBoundingClientRect(); return [b.width, b.height] }}")
            for part in ("parentNode.querySelector('.desk-next')", "shadowRoot.querySelector('section, .slides')")
        )
        assert canvas == pytest.approx(frame, abs=1.5), f"slide {slide + 1}"
    assert desk.locator(".desk-next").get_attribute("aria-label") == WORDS["end"]


def test_time_is_counted_by_slide_and_makes_a_plan(browser: Browser, deck_file: Path):
    acts = deck.acts(project.document("revealjs"))
    visit = Visit()
    desk = opened_deck(browser, deck_file, (1200, 760), visit, "?speaker")
    desk.wait_for_function(READY)
    desk.clock.install()
    desk.reload()
    desk.wait_for_function(READY)
    desk.get_by_role("button", name=WORDS["rehearse"]).click()
    desk.clock.fast_forward("02:10")
    desk.evaluate(GO, acts[1].first)
    desk.clock.fast_forward("05:00")
    desk.evaluate("Reveal.next()")
    desk.clock.fast_forward("01:02:00")
    desk.get_by_role("button", name=WORDS["stop"], exact=True).click()
    desk.clock.fast_forward("30:00")
    used = [row.locator("td").first.inner_text() for row in desk.locator(".desk-acts tr").all()[1:]]
    assert used[0].startswith("2:1") and used[1].startswith("67:0") and used[1].endswith(WORDS["over"]) and used[2] == "0:00"
    desk.reload()
    desk.wait_for_function(READY)
    assert desk.locator(".desk-spent").inner_text().startswith(f"{WORDS['spent']} 69:1")
    desk.get_by_role("button", name=WORDS["propose"]).click()
    lines = desk.locator(".desk-plan textarea").input_value()
    made = strict_yaml.parse(f"lecture:\n{lines}\n", "plan")["lecture"]["acts"]
    assert [(act["name"], act["summary"], act["first"], act.get("covers", [])) for act in made] == [
        (act.name, act.summary, act.first, list(act.covers)) for act in acts
    ]
    assert [act["minutes"] for act in made][:3] == [3, 68, 1]
    assert desk.locator(".desk-plan li").count() == 3
    desk.get_by_role("button", name=WORDS["close"]).click()
    desk.get_by_role("button", name=WORDS["zero"]).click()
    assert desk.locator(".desk-spent").inner_text() == f"{WORDS['spent']} 0:00"
    assert visit.errors == []
    desk.close()


def test_a_window_without_slides_says_so(browser: Browser, deck_file: Path):
    page = opened_deck(browser, deck_file, (1200, 760), Visit(), "?speaker")
    page.get_by_text(WORDS["lost"]).wait_for()
    assert page.locator(".desk-link").get_attribute("role") == "status"
    page.close()


def test_what_a_frame_is_refused_says_what_to_do(browser: Browser, deck_file: Path, tmp_path: Path):
    outer = tmp_path / "frame.html"
    outer.write_text(f'<iframe sandbox="allow-scripts" src="{deck_file.as_uri()}" width="900" height="506"></iframe>', encoding="utf-8")
    errors: list[str] = []
    page = browser.new_page(viewport={"width": 1000, "height": 600})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(outer.as_uri())
    frame = page.frames[1]
    frame.wait_for_function(READY)
    frame.locator("section.present h1").click()
    for key, word in (("s", "no_window"), ("f", "no_fullscreen")):
        page.keyboard.press(key)
        assert told(frame, WORDS[word]), key
    page.close()
    assert errors == []


def test_a_blocked_window_says_what_to_do(browser: Browser, deck_file: Path):
    visit = Visit()
    page = opened_deck(browser, deck_file, (1280, 720), visit)
    page.wait_for_function(READY)
    page.evaluate("window.open = () => null")
    page.keyboard.press("s")
    assert told(page, WORDS["no_window"])
    page.keyboard.press("PageDown")
    assert page.locator(".deck-notice").inner_text() == "" and visit.errors == []
    page.close()


def told(page: Page | Frame, text: str) -> bool:
    """Whether it is shown, and announced."""
    notice = page.locator(".deck-notice")
    page.wait_for_function("document.querySelector('.deck-notice').textContent")
    box = notice.bounding_box()
    return notice.inner_text() == text and notice.get_attribute("role") == "status" and bool(box and box["height"] > 20)
