"""The deck TITLE: it renders, every number on it is computed, and no slide holds more than it can."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "_output" / "slides" / "NAME.html"


def build(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "build", *command, "--name", "NAME"], cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def entries() -> list[dict]:
    done = build("deck")
    assert done.returncode == 0, done.stderr
    return json.loads(PAGE.with_suffix(".ledger.json").read_text(encoding="utf-8"))["entries"]


def test_the_deck_shows_what_python_computed(entries):
    assert any(entry["kind"] == "computed" for entry in entries)


def test_no_numeral_is_typed(entries):
    done = build("audit")
    assert done.returncode == 0, done.stderr


def test_no_slide_overflows(entries, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(PAGE.as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    over = "(slide) => slide.scrollHeight > 721 || slide.scrollWidth > 1281"
    assert page.evaluate(f"[...document.querySelectorAll('section.slide')].filter({over}).map((slide) => slide.id)") == []


def test_every_word_is_approved(entries):
    if not (ROOT / "tests" / "approved" / "NAME.txt").is_file():
        pytest.skip("nobody has approved the words of NAME yet: make approve")
    done = build("approve")
    assert done.returncode == 0, done.stderr
