"""What is said of random draws holds for other seeds too: a claim that flips on sampling noise is a fault of its sentence.

A claim that holds for all of 40 other seeds would, if it failed for one seed in 14, have been caught with 95% (0.93⁴⁰ = 0.05).
Words that tell of the very draw on the page are chosen by its numbers, and may differ from draw to draw: PARTICULAR.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from figures.kit import data, formats, language, project, qmd, readings, slow
from figures.kit.modules import modules

SEEDS = 40
REDRAWN = ("random_draws", "scaling_experiment", "shapes_experiment")  # what is stored of these is of the published seed
TIMED = "cost."  # its seed fills matrices whose values change no time
PARTICULAR = {  # words of the very draw that the page shows
    "score_matrix.hardening()": "of the matrix on the page; the reader sees it harden, or not",
    "rope.offset_scores()": "the scores themselves",
}


def called(name: str) -> Any:
    """What slides call by a name such as "some_topic.weight"; every topic is loaded here."""
    topic, _, function = name.rpartition(".")
    return next((getattr(one, function) for one in modules() if one.__name__.endswith(f".{topic}") and hasattr(one, function)), None)


def loaded(name: str, record: Any, more: int) -> Any:
    """A record of data/ with every seed so much further on."""
    if name == "draws":
        return tuple(replace(draw, seed=draw.seed + more) for draw in record)
    field = {"scaling": "experiment", "matrix": "content"}.get(name)
    if field and hasattr(record, field):
        part = getattr(record, field)
        return replace(record, **{field: replace(part, seed=part.seed + more)})
    return record


def forget() -> None:
    """What was remembered of other draws."""
    for module in list(sys.modules.values()):
        if module.__name__.startswith("figures.") and not module.__name__.startswith("figures.kit"):
            for thing in list(vars(module).values()):
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Iterator[int]]:
    """0 and then so many others; while each is in hand, all draws start from seeds so much further on."""
    load, stored = data.load, slow._stored
    more = 0
    for module in modules():
        for name in [name for name, thing in vars(module).items() if thing is load]:
            monkeypatch.setattr(module, name, lambda file, *rest: loaded(file, load(file, *rest), more))
    monkeypatch.setattr(slow, "_stored", lambda name, args: None if more and name.startswith(REDRAWN) else stored(name, args))

    def each() -> Iterator[int]:
        nonlocal more
        for more in range(SEEDS + 1):
            forget()
            yield more

    yield each()
    forget()


class Topic:
    """A topic as pages call it: what any of its parts offers."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return called(f"{self._name}.{name}")


def evaluated(code: str) -> Any:
    """What a call on a page makes."""
    return eval(code, vars(formats) | {name: Topic(name) for name in re.findall(r"\b([a-z]\w*)\.(?=[a-zA-Z])", code)})


def on_pages() -> dict[str, Any]:
    """Every call in a text of the pages in Portuguese that draws from a seed, with the function it makes: claims and words."""
    found = {}
    for page in (page for page in project.documents() if language.of(page).startswith("pt")):
        for line, context in qmd.contexts(qmd.body(page)):
            for piece in () if context.in_cell else qmd.inline(line.text):
                function = called(piece.function)
                if function is None or piece.function.startswith(TIMED) or piece.code in found:
                    continue
                with readings.noted() as read:
                    made = evaluated(piece.code)
                is_word = getattr(getattr(made, "format", None), "name", "") == "text"
                if (is_word or hasattr(function, "check")) and any("#seed=" in name for name in read):
                    found[piece.code] = function
    return found


@pytest.mark.slow
def test_claims_and_words_about_draws_hold_for_other_seeds(seeds: Iterator[int]) -> None:
    asked = on_pages()
    assert len(asked) > 15
    false, texts = defaultdict(list), defaultdict(lambda: defaultdict(list))
    for seed in seeds:
        for code, function in asked.items():
            if hasattr(function, "check"):
                check = function.check()
                if not check.holds:
                    false[code].append((seed, dict(check.values)))
            else:
                texts[code][evaluated(code).text].append(seed)
    assert not false, f"false for some of {SEEDS} other seeds: {dict(false)}"
    several = {code: {text: len(drawn) for text, drawn in found.items()} for code, found in texts.items() if len(found) > 1}
    assert several.keys() == PARTICULAR.keys(), f"words that other seeds change: {several}"
