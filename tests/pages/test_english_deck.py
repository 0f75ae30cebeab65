"""A deck in English beside the one in Portuguese: the same slides show the same values, each in its own language."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from base.html_tree import parse
from base.progress import Progress
from engine.document import executed, opened
from proof.prose_language import common_words

from figures.kit import language, ledger

BOTH = """---
title: "T"
lang: {lang}
---

```{{python}}
from figures import recurrence
```

## S {{#sec-s}}

`{{python}} recurrence.factor()` and `{{python}} recurrence.reach().texts()[0][0]`
"""


def by_slide(page: Path) -> dict[str, list[dict]]:
    entries = json.loads(page.with_suffix(".ledger.json").read_text(encoding="utf-8"))["entries"]
    slides: dict[str, list[dict]] = {}
    for entry in entries:
        slides.setdefault(entry["slide"]["id"], []).append(entry)
    return slides


def raw(entries: list[dict]) -> dict[str, object]:
    """The values themselves, in no language."""
    return {entry["id"]: entry["value"] for entry in entries if entry["what"] in ("number", "claim")}


@pytest.fixture(scope="module", params=["act 1", "gradient descent"])
def pages(request: pytest.FixtureRequest) -> tuple[Path, Path]:
    """A deck in English and the one that it was translated from, rendered."""
    names = ("english_file", "deck_file") if request.param == "act 1" else ("english_descent_file", "descent_file")
    ours, theirs = map(request.getfixturevalue, names)
    return ours, theirs


def test_each_english_slide_shows_what_its_portuguese_source_shows(pages: tuple[Path, Path]) -> None:
    ours, theirs = map(by_slide, pages)
    ours.pop("title-slide", None)  # act 1 alone has less of a way to tell
    assert len(ours) >= 4
    for slide, entries in ours.items():
        assert Counter(entry["id"] for entry in entries) == Counter(entry["id"] for entry in theirs[slide]), slide
        assert raw(entries) == raw(theirs[slide]), slide


def test_the_english_page_is_english_all_through(pages: tuple[Path, Path]) -> None:
    english, _ = pages
    html = english.read_text(encoding="utf-8")
    assert language.of_page(html) == "en"
    page = parse(html)
    text = re.sub(r"<[^>]+>", " ", re.sub(r"<(style|script)\b.*?</\1>", "", html, flags=re.DOTALL))
    spoken = [value for node in page.all("img") for name, value in node.attributes.items() if name == "alt"]
    words = re.findall(r"data-words=\"([^\"]*)\"", html) + re.findall(r'class="sim-params">(.*?)</script>', html, re.DOTALL)
    counts = common_words(" ".join([text, *spoken, *words]))
    assert counts["en"] > 150 and counts["pt"] == 0
    shown = {entry["text"] for entries in by_slide(english).values() for entry in entries if entry["what"] == "number"}
    assert any("." in text for text in shown) and not any("," in text for text in shown)


def test_two_languages_in_one_process_do_not_mix(tmp_path: Path) -> None:
    (tmp_path / "_quarto.yml").write_text("project: {type: default}\nengine: jupyter\n", encoding="utf-8")
    told = []
    for n, lang in enumerate(("en", "pt-BR", "en-GB", "pt")):
        document = tmp_path / f"{n}.qmd"
        document.write_text(BOTH.format(lang=lang), encoding="utf-8")
        ledger.clear()
        made = executed(opened(document), False, Progress(io.StringIO()), ["html"])
        told.append("\n".join(line.text for line in made.lines))
    assert ["0.9" in text and "plain RNN" in text for text in told] == [True, False, True, False]
    assert ["0,9" in text and "RNN simples" in text for text in told] == [False, True, False, True]
