"""What the source publishes is read in the sentence that should say it: each entry of published.yml, in words around it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from own_data import everything
from proof import approved_text
from published import entries, leaves, plain

from figures.kit import strict_yaml
from figures.kit.files import ROOT

READ = Path(__file__).parents[1] / "helpers" / "published_read.yml"
NAMED = re.compile(r"\{([^{}=:\\]+(?:\.[^{}=:\\]+)*)(?::(\w+))?(?:=([^{}]*(?:\{[^{}]*\}[^{}]*)*))?\}")
PATTERNS: dict[str, dict[Any, list[str]]] = strict_yaml.parse(READ.read_text(encoding="utf-8"), READ.name)
CASES = [(part, place, pattern) for part, places in PATTERNS.items() for place, patterns in places.items() for pattern in patterns]
PLACES = [(part, place) for part, places in PATTERNS.items() for place in places]
DOCUMENTS = {"deck": "atencao", "chapter": "query-key-value"}


@cache
def said(part: str, place: Any) -> list[str]:
    """The approved words of the slide of that number, or of the whole chapter, a line a sentence."""
    approved = approved_text.read(ROOT / approved_text.FOLDER / f"{DOCUMENTS[part]}.txt", ROOT)
    slides = list(approved.values())
    chosen = [slides[place - 1]] if part == "deck" else slides
    return [even(line.said.partition(" | ")[2]) for slide in chosen for line in slide]


def entry(part: str, place: Any, name: str) -> Any:
    """The published entry of that name; a step of it may be a key or the number of an item."""
    here = entries()[part][place]
    for step in name.split("."):
        whole = here.get("shown") if isinstance(here, dict) and isinstance(here.get("shown"), list) else here
        here = whole[int(step)] if isinstance(whole, list) else whole[step] if step in whole else whole[int(step)]
    return here["shown"] if isinstance(here, dict) and "shown" in here else here


def is_named(part: str, place: Any, name: str) -> bool:
    """Whether there is such an entry; what else stands in braces is TeX."""
    try:
        entry(part, place, name)
    except (KeyError, ValueError, IndexError, TypeError):
        return False
    return True


def as_read(value: Any, form: str | None) -> str:
    """A published value as a page writes it.

    >>> as_read("5e-4", None), as_read([0.5, 1], None), as_read([0.5, 0.25], "code")
    ('5 × 10⁻⁴', '[0,5; 1]', '0.5  0.25')
    """
    if isinstance(value, list) and form == "code":
        digits = max(len(str(one).partition(".")[2]) for one in value)
        return " ".join(str(one).ljust(2 + digits) for one in value).rstrip()
    if isinstance(value, list) and form == "row":
        return " | ".join(as_read(one, None) for one in value)
    if isinstance(value, list):
        return f"[{'; '.join(as_read(one, None) for one in value)}]"
    text = str(value).replace(".", ",") if isinstance(value, float) else str(value)
    return re.sub(r"(\d)e-(\d+)", lambda match: f"{match[1]} × 10⁻{match[2].translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}", text)


def filled(part: str, place: Any, pattern: str) -> str:
    """The words with the published values in them."""

    def value(match: re.Match[str]) -> str:
        if not is_named(part, place, match[1]):
            return match[0]
        return match[3] if match[3] is not None else as_read(entry(part, place, match[1]), match[2])

    return NAMED.sub(value, pattern)


def even(text: str) -> str:
    """Words without what only says how they look: marks of Markdown and TeX, kinds of space, dots that group thousands."""
    return plain(re.sub(r"\\text\{([^{}]*)\}", r"\1", text).replace("$", "").replace("`", ""))


@pytest.fixture(scope="module", autouse=True)
def _all_of_the_lecture() -> None:
    """The words rest on all of data/ and the sources."""
    everything()


@pytest.mark.parametrize(("part", "place"), PLACES)
def test_a_published_value_stands_in_its_sentence(part: str, place: Any) -> None:
    words = [even(filled(part, place, pattern)) for pattern in PATTERNS[part][place]]
    assert [one for one in words if not any(one in line for line in said(part, place))] == [], "no sentence says so"


@pytest.mark.parametrize(("part", "place"), PLACES)
def test_another_value_is_not_read_there(part: str, place: Any) -> None:
    """Each number of a pattern matters: with another in its place no sentence says so."""
    for words in (even(filled(part, place, pattern)) for pattern in PATTERNS[part][place]):
        for digits in re.finditer(r"\d+", words):
            other = words[: digits.start()] + "77" + digits[0] + words[digits.end() :]
            assert not any(other in line for line in said(part, place))


def test_every_published_entry_names_where_it_is_read() -> None:
    """An entry is named whole, or each of its items is."""
    read = {(part, place, match[1]) for part, place, pattern in CASES for match in NAMED.finditer(pattern)}

    def is_read(path: tuple[Any, ...]) -> bool:
        name = ".".join(map(str, path[2:]))
        value = entry(*path[:2], name)
        items = range(len(value)) if isinstance(value, list) else ()
        return (*path[:2], name) in read or bool(items) and all(is_read((*path, n)) for n in items)

    assert [path for path in leaves() if not is_read(path)] == []
