"""The simulators under keys, fingers and pointer: a change shows, is announced and goes back; the slides keep their keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sim_page
from sim_page import ALL
from sim_slides import CHANGES, CONTROLS, Slides

from figures import hand_example

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("name", ALL)
def test_the_page_checks_itself(name: str, slides: Slides) -> None:
    slides.fresh(name)
    slides.press("Conferir com o Python")
    told = re.fullmatch(r"(\d+) de (\d+) estados: .*", slides.text(".sim-report"))
    assert told
    assert told[1] == told[2]


@pytest.mark.parametrize("name", ALL)
def test_state_survives_leaving_and_a_button_brings_the_opening_back(name: str, slides: Slides) -> None:
    place = CHANGES[name][-1]
    slides.fresh(name)
    opening = slides.text(place)
    slides.change(name)
    changed = slides.text(place)
    assert changed != opening
    slides.go(None)
    slides.go(name)
    assert slides.text(place) == changed
    slides.press("Recomeçar")
    assert slides.text(place) == opening


@pytest.mark.parametrize("name", ALL)
def test_a_change_is_announced_politely(name: str, slides: Slides) -> None:
    slides.fresh(name)
    heard = slides.page.locator("section.present .sim-heard[aria-live=polite]")
    slides.page.wait_for_timeout(500)
    before = heard.inner_text()
    slides.change(name)
    slides.page.wait_for_function("(text) => document.querySelector('.present .sim-heard[role=status]').innerText !== text", arg=before)
    assert not re.search(r"[{}]|NaN|undefined", heard.inner_text())


@pytest.mark.parametrize("name", ALL)
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


@pytest.mark.parametrize("name", ALL)
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


@pytest.mark.parametrize("name", ALL)
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


def test_fingers_move_sliders_and_not_slides(browser: Browser, sim_deck: Path) -> None:
    context = browser.new_context(viewport={"width": sim_page.WIDTH, "height": sim_page.HEIGHT}, has_touch=True)
    page = context.new_page()
    page.goto(f"{sim_deck.as_uri()}#/sec-banco")
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
