"""The simulators from the last row, on paper, and with junk typed into them."""

from __future__ import annotations

import os
import random
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sim_page
from sim_page import ALL
from sim_slides import CONTROLS, Slides

from figures.simulators.bpe import settings as bpe_settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser


SEED = int(os.environ.get("SIM_SEED") or secrets.randbits(32))
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
    for name in ALL:
        slides.fresh(name)
        assert slides.page.evaluate(SEEN) == {"outside": [], "small": [], "clipped": []}, name
        slides.change(name)
        assert slides.page.evaluate(SEEN) == {"outside": [], "small": [], "clipped": []}, f"{name}, changed"
        slides.press("Recomeçar")
    slides.page.set_viewport_size({"width": sim_page.WIDTH, "height": sim_page.HEIGHT})


@pytest.mark.parametrize("name", ALL)
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


@pytest.mark.parametrize("name", ALL)
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


@pytest.mark.parametrize("name", ALL)
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


def test_print_and_pages_without_scripts_keep_the_picture(browser: Browser, sim_deck: Path, slides: Slides) -> None:
    picture = "() => [...document.querySelectorAll('.sim-static')].map((e) => e.checkVisibility())"
    slides.go("banco")
    slides.page.emulate_media(media="print")
    assert slides.page.locator("#sec-banco .sim-static").evaluate("(e) => getComputedStyle(e).display") == "block"
    assert slides.page.locator("#sec-banco .sim-live").evaluate("(e) => getComputedStyle(e).display") == "none"
    slides.page.emulate_media(media="screen")
    for query, scripts in (("?print-pdf", True), ("", False)):
        context = browser.new_context(java_script_enabled=scripts)
        page = context.new_page()
        page.goto(sim_deck.as_uri() + query)
        page.wait_for_timeout(300)
        assert page.locator(".sim-live").count() == 0
        assert page.locator(".sim-static").count() == len(ALL)
        assert all(page.evaluate(picture)) or not scripts
        context.close()
