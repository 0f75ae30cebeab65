"""What reveal itself says over the slides is in the page's language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from page import deck_scripts, inject, modules

from figures.kit.errors import DataError
from figures.kit.words import Words

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WORDS = Words("help").named("said")
SCREEN = Words("screen").named("said")
PRESENT = Words("present").named("said")
OWN = {"Q": "pointer", "F": "fullscreen", "D": "drawing", "G": "jump", "S": "speaker"}
KEYS = ("space", "escape")
OVERLAY = ".r-overlay-help, .overlay-help"  # as reveal 5.2 calls it, and 5.1


def test_each_text_of_reveal_s_has_its_word():
    script = (modules.ROOT / "slides" / "theme" / "help.mjs").read_text(encoding="utf-8")
    said = re.findall(r"^  (\w+): \"", script, re.MULTILINE)
    assert [*said, *KEYS] == list(WORDS)


def test_a_deck_carries_the_words_once():
    deck = '<html><body><div class="reveal"></div></body></html>'
    made = deck_scripts.inline(deck)
    assert made.count('id="deck-script" data-words=') == 1 and made == deck_scripts.inline(made)
    given = inject.with_parts("<body></body>", "x", "", words={"a": "\"'<é>"})
    assert 'data-words="{&quot;a&quot;: &quot;\\&quot;&#x27;&lt;é&gt;&quot;}"' in given and inject.without(given, "x") == "<body></body>"


def test_words_with_names_are_texts():
    with pytest.raises(DataError, match=r"data/words/pt/help.yml:\d+, said\.title: expected texts with names"):
        Words("help").named("said.title")


def test_the_help_speaks_portuguese_and_names_the_deck_s_own_keys(browser: Browser, deck_file: Path):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(deck_file.as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    page.keyboard.press("Shift+Slash")
    overlay = page.locator(OVERLAY)
    (title,) = overlay.locator(".title").all_inner_texts()
    headings = overlay.locator("th").all_inner_texts()
    keys, actions = (overlay.locator(f"td:nth-child({n})").all_inner_texts() for n in (1, 2))
    page.close()
    own = {key: PRESENT[name] for key, name in OWN.items()}
    known = {
        *WORDS.values(),
        Words("ledger")("button"),
        Words("reading").named("said")["reading"],
        SCREEN["scheme"],
        SCREEN["check"],
        *own.values(),
    }
    assert (title, headings) == (WORDS["title"], [WORDS["key"], WORDS["action"]])
    assert len(actions) == 15 and set(actions) <= known
    assert own.items() <= dict(zip(keys, actions, strict=True)).items()
    assert any(WORDS["space"] in key for key in keys) and not any(re.search("SPACE|ESC", key) for key in keys)
